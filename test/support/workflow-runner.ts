// Performs the steps of a workflow or a composite action of GitHub as its runner does: `run` by bash, the actions that the documents
// use by what they stand for. The folder is what `actions/checkout` leaves; nothing else of this repository is in reach.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

export interface Runner {
  /** The project as it is checked out. */
  readonly folder: string;
  /** Artefacts, caches and what the runner itself keeps. */
  readonly store: string;
  readonly env: NodeJS.ProcessEnv;
  /** Values of expressions: "github.run_id", "inputs.config". */
  readonly values: Readonly<Record<string, string>>;
}

export interface Performed {
  readonly isSuccess: boolean;
  readonly log: string;
  /** The job's summary page. */
  readonly summary: string;
  /** "steps.run.outputs.verdict" by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Performs the steps in their order; after one that fails only those of `always()`. */
export async function perform(steps: readonly Step[], runner: Runner): Promise<Performed> {
  mkdirSync(runner.store, { recursive: true });
  const files = { output: join(runner.store, 'output'), summary: join(runner.store, 'summary') };
  let isSuccess = true;
  let log = '';
  let outputs: Record<string, string> = {};
  writeFileSync(files.summary, '');
  for (const step of steps) {
    const filled = (text: string): string => fill(text, { ...runner.values, ...outputs });
    if (!isDue(step, isSuccess, filled)) continue;
    writeFileSync(files.output, '');
    const done = step.run === undefined ? act(step, runner, filled) : await bash(step, runner, filled, files);
    isSuccess &&= done.isSuccess;
    log += done.log;
    outputs = { ...outputs, ...outputsIn(readFileSync(files.output, 'utf8'), step.id) };
  }
  return { isSuccess, log, summary: readFileSync(files.summary, 'utf8'), outputs };
}

function isDue({ if: condition }: Step, isSuccess: boolean, filled: (text: string) => string): boolean {
  if (condition === 'always()') return true;
  if (condition === undefined) return isSuccess;
  const compared = /^([\w.-]+) != ''$/.exec(condition);
  if (compared === null) throw new Error(`no runner of these tests knows the condition ${condition}`);
  return isSuccess && filled(`\${{ ${compared[1]} }}`) !== '';
}

/** The text with the values of its expressions; one that has none is an error, as a typing mistake would be silence. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined && !name.startsWith('steps.')) throw new Error(`the expression ${name} has no value`);
    return value ?? '';
  });
}

interface Done {
  readonly isSuccess: boolean;
  readonly log: string;
}

async function bash(
  step: Step,
  { folder, env }: Runner,
  filled: (text: string) => string,
  files: { readonly output: string; readonly summary: string },
): Promise<Done> {
  const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(String(value))]));
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(step.run ?? '')], {
    cwd: join(folder, filled(step['working-directory'] ?? '.')),
    env: { ...env, ...own, GITHUB_OUTPUT: files.output, GITHUB_STEP_SUMMARY: files.summary, GITHUB_ACTIONS: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const [code] = await once(child, 'close');
  return { isSuccess: code === 0, log: `$ ${step.run}\n${log}` };
}

function outputsIn(text: string, id: string | undefined): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(
    lines.map((line) => [`steps.${id}.outputs.${line.slice(0, line.indexOf('='))}`, line.slice(line.indexOf('=') + 1)]),
  );
}

/** The actions that the documents use. Caches never change once they are saved; a restore takes the newest whose key begins so. */
function act({ uses = '', with: given = {} }: Step, { folder, store }: Runner, filled: (text: string) => string): Done {
  const option = (name: string): string => filled(String(given[name] ?? ''));
  const path = join(folder, option('path'));
  const place = join(store, uses.includes('cache') ? 'caches' : 'artefacts');
  const done = (isSuccess: boolean, what: string): Done => ({ isSuccess, log: `${uses} ${what}\n` });
  mkdirSync(place, { recursive: true });
  switch (uses.replace(/@v\d+$/, '')) {
    case 'actions/checkout':
      return done(existsSync(join(folder, 'package.json')), '');
    case 'actions/setup-node':
      return done(process.versions.node.startsWith(`${given['node-version']}.`), `Node ${process.versions.node}`);
    case 'actions/cache/save':
      if (existsSync(path)) cpSync(path, join(place, option('key')), { recursive: true });
      return done(existsSync(path), option('key'));
    case 'actions/cache/restore': {
      const newest = readdirSync(place)
        .filter((key) => key.startsWith(option('restore-keys')))
        .toSorted()
        .at(-1);
      rmSync(path, { recursive: true, force: true });
      if (newest !== undefined) cpSync(join(place, newest), path, { recursive: true });
      return done(true, newest ?? 'nothing found');
    }
    case 'actions/upload-artifact': {
      const taken = existsSync(join(place, option('name')));
      if (!taken && existsSync(path)) cpSync(path, join(place, option('name')), { recursive: true });
      // Two artefacts of one run never have one name.
      return done(!taken, option('name'));
    }
    default:
      throw new Error(`no runner of these tests knows ${uses}`);
  }
}
