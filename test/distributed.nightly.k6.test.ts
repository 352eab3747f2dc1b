// A load of three instances on one machine: the bundle written by the command, each instance started as k6-operator starts
// it, and what they measured brought together by the command. k6's own record of every request is what it is held against.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config/load.ts';
import type { LoadPart } from '../src/contract/load-part.ts';
import { PACKAGE_ROOT } from '../src/contract/package-root.ts';
import type { Report } from '../src/contract/report.ts';
import { StepSums } from '../src/load/capacity/sums.ts';
import { archiveOf } from '../src/load/distributed/archive.ts';
import { type Bundle, plannedBy } from '../src/load/distributed/bundle.ts';
import { testRunYaml } from '../src/load/distributed/manifests.ts';
import { readSamples, wholeRun } from '../src/load/distributed/whole.ts';
import { type StartedPlatform, startPlatform } from '../src/platform/start.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { readBundle } from '../src/run/load/distributed.ts';
import { type Ended, ended, INSTANCES, recorded, runAll } from './instances.ts';
import { k6Path, served, WITH_K6 } from './support/load/k6/k6.ts';

function assay(...args: readonly string[]): Promise<Ended> {
  return ended(process.execPath, [join(PACKAGE_ROOT, 'bin', 'assay.js'), 'load', ...args]);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

describe.skipIf(k6Path === null)(`${WITH_K6}, three instances`, () => {
  let home: string;
  let folder: string;
  let platform: StartedPlatform;
  let secrets: Readonly<Record<string, string>>;
  let collect: (...more: readonly string[]) => Promise<Ended>;
  let outcome: Ended;
  let report: Report;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'assay-distributed-'));
    folder = join(home, 'bundle');
    platform = await startPlatform();
    // The platform's own goes with it, and collecting needs no platform.
    await cp(dirname(platform.config), join(home, 'target'), { recursive: true });
    const file = join(home, 'target', basename(platform.config));
    const target = ['--config', file];
    const written = await assay('capacity', ...target, '--distributed', folder, '--rate', '100', '--seconds', '4');
    expect(written.code, written.stderr).toBe(0);
    const config = await loadConfig({ file, baseUrl: null, env: {}, cwd: home });
    secrets = Object.fromEntries((config?.keys ?? []).map(({ token }, at) => [`ASSAY_KEY_${at}`, token ?? '']));
    await runAll(folder, secrets);
    await platform.stop();
    collect = (...more) => assay('--collect', folder, ...target, '--out', join(home, 'report'), '--quiet', ...more);
    outcome = await collect();
    report = JSON.parse(await readFile(join(home, 'report', 'report.json'), 'utf8'));
  });
  afterAll(async () => {
    await platform.stop();
    await rm(home, { recursive: true, force: true });
  });

  it('send together exactly what was planned, and every request is in the report', async () => {
    const planned = plannedBy((await readBundle(folder)).plan);
    const dropped = (await recorded(folder, 'dropped_iterations')).length;
    const sent = (await recorded(folder, 'http_reqs')).length;
    const { capacity, series = [] } = report.load as LoadPart;
    expect(capacity?.requests).toBe(sent);
    expect(report.counts.requests).toBe(sent);
    expect(series.flatMap(({ rows }) => rows).reduce((sum, { requests }) => sum + requests, 0)).toBe(sent);
    // At the very end each k6 may begin one more.
    expect(sent + dropped).toBeGreaterThanOrEqual(planned);
    expect(sent + dropped).toBeLessThanOrEqual(planned + INSTANCES);
  });

  it('have percentiles within 1 % of all single requests as k6 recorded them', async () => {
    const bundle = await readBundle(folder);
    const merged = new StepSums('', () => {}).durations;
    for (const { step } of bundle.plan.legs[0]?.parts ?? [])
      for (const { path } of await wholeRun(bundle, folder)) {
        const sums = new StepSums(step, () => {});
        await readSamples(path, (sample) => sums.add(sample));
        merged.add(sums.durations);
      }
    const raw = await recorded(folder, 'http_req_duration');
    expect(merged.totalCount).toBe(raw.length);
    for (const share of [0.5, 0.9, 0.99]) {
      const told = merged.getValueAtPercentile(share * 100) / 1000;
      expect(Math.abs(told / percentile(raw, share) - 1), `p${share * 100}`).toBeLessThan(0.01);
    }
  });

  it('make one report, judged by its objectives and by the answers that were kept', () => {
    expect(() => assertValid(report)).not.toThrow();
    const { capacity, conformance } = report.load as LoadPart;
    expect(capacity?.steps).toHaveLength(1);
    expect(conformance?.steps).toMatchObject([{ label: '100 requests/s by 3 instances' }]);
    expect(conformance?.steps[0]?.answers).toBeGreaterThan(50);
    expect(conformance?.brokenAt).toBeNull();
    expect(report.counts.violations).toBe(0);
    // How fast this machine is decides whether the objectives were met, not whether the report says so.
    const decision = capacity?.steps[0]?.decision;
    expect(outcome.code, outcome.stderr).toBe(decision === 'met' || decision === 'missed' ? 0 : 3);
  });

  it('leave no token and no path of this machine in the bundle', async () => {
    for (const name of [
      'archive.tar',
      'plan.json',
      'bundle.json',
      'testrun.yaml',
      'secret.yaml',
      'volume.yaml',
      'README.md',
    ]) {
      const text = await readFile(join(folder, name), 'latin1');
      const traces = [...Object.values(secrets), PACKAGE_ROOT, home, tmpdir(), process.env.HOME ?? '/root'];
      expect(traces.filter((trace) => text.includes(trace)).length, name).toBe(0);
    }
  });

  it('are refused as long as one is missing', async () => {
    const [file = ''] = (await readdir(join(folder, 'results'))).filter((name) => name.includes('-2-'));
    await rm(join(folder, 'results', file));
    expect(await collect()).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^assay: instance 2 of 3 is missing\n {2}hint: \S+results must hold/),
    });
  });
});

describe.skipIf(k6Path === null)(`${WITH_K6}, instances without enough senders`, () => {
  it('drop what they cannot send, and still tell all that they sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-dropping-'));
    const target = await served((_request, response) => void setTimeout(() => response.end('{}'), 200));
    try {
      const leg = { perTenSeconds: 600, seconds: 4, vus: 6, bodyEvery: 50, parts: [{ step: 'step', untilMs: 4000 }] };
      const request = { operation: 'GET /a', method: 'GET', url: `${target.baseUrl}/a`, headers: {}, body: null };
      const bundle: Bundle = {
        facts: {
          ...{ suite: 'capacity', instances: INSTANCES, ratePerSecond: 60, rampSeconds: 30, seconds: 4 },
          ...{ baseUrl: target.baseUrl, services: {} },
        },
        plan: {
          ...{ run: 'run-1', step: 'step', legs: [leg], requests: [request] },
          ...{ order: [0], keys: [], answerLimitSeconds: 5 },
        },
      };
      await mkdir(join(folder, 'results'));
      await writeFile(join(folder, 'archive.tar'), await archiveOf(k6Path ?? '', bundle.plan));
      await writeFile(join(folder, 'testrun.yaml'), testRunYaml(bundle, []));
      await runAll(folder, {});
      const begun = (await wholeRun(bundle, folder)).reduce((sum, file) => sum + file.begun, 0);
      const dropped = await recorded(folder, 'dropped_iterations');
      expect(dropped.length).toBeGreaterThan(50);
      expect(begun).toBe((await recorded(folder, 'http_reqs')).length);
      const all = begun + dropped.reduce((sum, count) => sum + count, 0);
      expect(all).toBeGreaterThanOrEqual(240);
      expect(all).toBeLessThanOrEqual(240 + INSTANCES);
    } finally {
      await target.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
