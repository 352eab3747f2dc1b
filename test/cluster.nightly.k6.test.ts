// A search for capacity on a cluster: the whole command, kubectl a program that runs each instance as a process of this machine.
// bench/cluster/ has it on a Kubernetes of real parts.
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config/load.ts';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { type StartedPlatform, startPlatform } from '../src/platform/start.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { type Ended, ended } from './instances.ts';
import { ROOT } from './root.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

/** Short: what is shown is that steps are made, judged and chosen, not how much this machine bears. */
const SEARCH = `
load:
  capacity: { startRate: 100, stepSeconds: 4, repeats: 1, width: 1, leastRequests: 310, mostSeconds: 30 }
  caps: { ratePerSecond: 200 }
`;

describe.skipIf(k6Path === null)(`${WITH_K6}, a cluster`, () => {
  let home: string;
  let cluster: string;
  let config: string;
  let platform: StartedPlatform;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'assay-cluster-'));
    cluster = join(home, 'cluster');
    await mkdir(cluster);
    await mkdir(join(home, 'bin'));
    const program = join(home, 'bin', 'kubectl');
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'test', 'fake-kubectl.ts')}' "$@"\n`);
    await chmod(program, 0o755);
    platform = await startPlatform();
    await cp(dirname(platform.config), join(home, 'target'), { recursive: true });
    config = join(home, 'target', basename(platform.config));
    await writeFile(config, `${await readFile(config, 'utf8')}${SEARCH}`);
  });
  afterEach(async () => {
    await platform.stop();
    await rm(home, { recursive: true, force: true });
  });

  function assay(...args: readonly string[]): Promise<Ended> {
    const env = {
      ...process.env,
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      ...{ FAKE_CLUSTER: cluster, FAKE_K6: k6Path ?? '' },
    };
    const own = ['load', 'capacity', '--config', config, '--out', join(home, 'report'), '--quiet', '--instances', '2'];
    return ended(process.execPath, [join(ROOT, 'bin', 'assay.js'), ...own, ...args], { env });
  }
  const onProof = ['--cluster', 'proof', '--namespace', 'load'];

  async function reported(): Promise<Report> {
    const report = JSON.parse(await readFile(join(home, 'report', 'report.json'), 'utf8'));
    expect(() => assertValid(report)).not.toThrow();
    return report;
  }

  it('is searched step by step: one bracket, of all that its instances sent, and no secret beside the Secret', async () => {
    const { code, stderr } = await assay(...onProof);
    const { capacity, conformance } = (await reported()).load as LoadPart;
    const [first, second] = capacity?.steps ?? [];
    // A machine that is too busy to send in time is told as such.
    if (first?.decision === 'met') expect(second?.rps, stderr).toBe(200);
    expect(first?.rps).toBe(100);
    expect(capacity?.requests).toBeGreaterThan(first?.answers ?? 0);
    expect(conformance?.steps[0]?.label).toBe('100 requests/s by 2 instances');
    // The highest rate that is allowed ends the search: nothing was found beyond it.
    expect(code).toBe(3);
    const known = await loadConfig({ file: config, baseUrl: null, env: {}, cwd: home });
    const tokens = (known?.keys ?? []).flatMap(({ token }) => (token === null || token === undefined ? [] : [token]));
    expect(tokens.length).toBeGreaterThan(0);
    const calls = await readFile(join(cluster, 'calls'), 'utf8');
    const names = await readdir(join(home, 'report'), { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const texts = [calls, ...(await Promise.all(files.map((file) => readFile(file, 'latin1'))))];
    expect(texts.length).toBeGreaterThan(3);
    expect(tokens.filter((token) => texts.some((text) => text.includes(token)))).toEqual([]);
    for (const call of calls.trim().split('\n')) expect(call).toContain('--context=proof --namespace=load');
    expect(calls).toMatch(/delete testruns\.k6\.io,configmaps,secrets -l assay-run=\S+ --wait=false/);
  });

  it.each([
    ['image', /ErrImagePull: manifest unknown/],
    ['late', /instance 2 began \d\.\d s after instance 1: more than 0\.4 s/],
    ['silent', /not one of the \d+ requests of instance 2 \(\S+\) was answered: is the target reached from there/],
  ])('is not measured where it fails (%s): the reason, no bracket and no verdict', async (fault, reason) => {
    await writeFile(join(cluster, 'fault'), fault);
    const { code } = await assay(...onProof);
    const report = await reported();
    expect([code, report.verdict]).toEqual([3, 'none']);
    expect((report.load as LoadPart).capacity).toBeUndefined();
    expect(JSON.stringify(report.run)).toMatch(reason);
    expect(await readFile(join(cluster, 'calls'), 'utf8')).toContain('delete ');
  });

  it('that kubectl does not know, or without kubectl, is told before anything is sent', async () => {
    const unknown = await assay('--cluster', 'elsewhere');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('kubectl knows no context elsewhere')]);
    await rm(join(home, 'bin', 'kubectl'));
    const env = { ...process.env, PATH: dirname(process.execPath), ASSAY_K6: k6Path ?? '' };
    const args = ['load', 'capacity', '--config', config, '--out', join(home, 'report'), ...onProof];
    const missing = await ended(process.execPath, [join(ROOT, 'bin', 'assay.js'), ...args], { env });
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('kubectl is not on PATH')]);
  });
});
