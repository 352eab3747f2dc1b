// For tests: the instances of a bundle as processes of this machine, each started as k6-operator starts it, and what k6 itself
// recorded of them.
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { segmentOf, sequenceOf } from '../src/load/distributed/segment.ts';
import { k6Path } from './support/load/k6/k6.ts';

export const INSTANCES = 3;

export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** The program's end; its output is told where it is not as expected. */
export function ended(program: string, args: readonly string[], options: object = {}): Promise<Ended> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}

/** Every instance of the bundle as a pod runs it, k6's own record in raw-N.csv. */
export async function runAll(folder: string, secrets: Readonly<Record<string, string>>): Promise<void> {
  const { spec } = parse(await readFile(join(folder, 'testrun.yaml'), 'utf8'));
  const runs = Array.from({ length: spec.parallelism }, (_, at) => {
    const env: Record<string, string> = { POD_NAME: `assay-load-${at + 1}-x` };
    for (const { name, value, valueFrom } of spec.runner.env) {
      if (value !== undefined)
        env[name] = value.replace('$(POD_NAME)', env.POD_NAME).replace(/^\/results/, join(folder, 'results'));
      if (valueFrom?.secretKeyRef !== undefined) env[name] = secrets[valueFrom.secretKeyRef.key] ?? '';
    }
    const part = [
      `--execution-segment=${segmentOf(at + 1, INSTANCES)}`,
      `--execution-segment-sequence=${sequenceOf(INSTANCES)}`,
    ];
    const raw = ['--out', `csv=${join(folder, `raw-${at + 1}.csv`)}`];
    const own = ['--address=127.0.0.1:0', '--tag', `instance_id=${at + 1}`, ...raw];
    return ended(k6Path ?? '', ['run', '--quiet', ...part, join(folder, spec.script.volumeClaim.file), ...own], {
      env,
    });
  });
  for (const { code, stderr } of await Promise.all(runs)) expect(code, stderr).toBe(0);
}

/** The values that k6 itself recorded of the metric, of all instances. */
export async function recorded(folder: string, metric: string): Promise<readonly number[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('raw-'));
  const lines = (await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))).join('\n').split('\n');
  return lines.filter((line) => line.startsWith(`${metric},`)).map((line) => Number(line.split(',')[2]));
}
