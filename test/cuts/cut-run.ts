// A whole run through a proxy that cuts connections, small enough to be made by the hundred, and what it should not have come to.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../src/cli/conform/run.ts';
import { systemClock } from '../../src/clock/system.ts';
import type { Report } from '../../src/contract/report.ts';
import { exitCode } from '../../src/grading/exit-code.ts';
import { type StartedPlatform, startPlatform } from '../../src/platform/start.ts';
import { chanceOf } from '../../src/simulation/chance.ts';
import { type Moment, startCuttingProxy } from './cutting-proxy.ts';

/** Shares of requests that are cut: few, many, all. */
const SHARES = [0.02, 0.1, 0.3, 1];
const OPERATIONS = ['GET /api/v1/stores*', 'POST /api/v1/stores', 'POST /api/v1/ai/*', 'GET /api/v1/auth/*'];
const TIME_LIMIT_SECONDS = 12;
/** Beside the time limit: descriptions are read and the report is written, which takes its time on a busy machine. ms. */
const MAX_EXTRA_MS = 200_000;

export interface CutRun {
  readonly what: string;
  readonly report: Report | null;
  readonly durationMs: number;
  readonly cuts: ReadonlyMap<Moment, number>;
  readonly complaints: readonly string[];
}

export interface CutTarget {
  readonly platform: StartedPlatform;
  /** The platform's configuration, with a short wait for answers. */
  readonly config: string;
}

/** A platform that violates what it says (an envelope with another status), so that there is something to be lost. */
export async function startCutTarget(): Promise<CutTarget> {
  const platform = await startPlatform({ faults: ['err-04-status-differs'] });
  const own = await readFile(platform.config, 'utf8');
  const config = join(dirname(platform.config), 'cut.yaml');
  await writeFile(config, own.replace(/^target:\n/m, 'target:\n  timeoutSeconds: 1\n'));
  return { platform, config };
}

/** One run; everything about it is drawn from the seed. */
export async function cutRun({ platform, config }: CutTarget, seed: number): Promise<CutRun> {
  const chance = chanceOf(seed, 'run');
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance.next() * from.length)] as T;
  const share = pick(SHARES);
  const operation = pick(OPERATIONS);
  const isLimited = chance.next() < 0.3;
  const bound = isLimited ? { timeLimitSeconds: 1 + Math.floor(chance.next() * 3) } : { budget: pick([30, 80, 150]) };
  const proxy = await startCuttingProxy(platform.baseUrl, seed, share);
  const out = await mkdtemp(join(tmpdir(), 'assay-cut-'));
  const startedAtMs = systemClock.monotonic();
  let violations = 0;
  try {
    const given = { config, baseUrl: proxy.baseUrl, seed, out, operations: [operation] };
    const onProgress = (progress: { readonly violations: number }) => {
      violations = progress.violations;
    };
    const running = run({ timeLimitSeconds: TIME_LIMIT_SECONDS, ...given, ...bound, onProgress });
    const limitMs = TIME_LIMIT_SECONDS * 1000 + MAX_EXTRA_MS;
    const late = new AbortController();
    const never = systemClock.sleep(limitMs, late.signal).then(() => null);
    const report = await Promise.race([running, never]);
    late.abort();
    const written = report === null ? null : (JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report);
    return {
      what: `cut ${share * 100} % of ${operation}, ${JSON.stringify(bound)}`,
      report,
      durationMs: systemClock.monotonic() - startedAtMs,
      cuts: proxy.cuts,
      complaints: complaintsOn(report, written, violations),
    };
  } finally {
    await proxy.close();
    await rm(out, { recursive: true, force: true });
  }
}

function complaintsOn(report: Report | null, written: Report | null, violations: number): readonly string[] {
  if (report === null || written === null) return ['it did not end'];
  const { verdict, run: facts } = report;
  const code = exitCode(report);
  const fits = { pass: 0, fail: 1, none: 3 }[verdict];
  return [
    ...(code === fits ? [] : [`verdict ${verdict} goes with exit ${code}`]),
    ...(/defect|not to be ended/.test(facts.note ?? '') ? [`it ended so: ${facts.note}`] : []),
    ...(report.harnessErrors ?? []).map(({ where, error, at }) => `${error} in ${where} at ${at}`),
    ...(report.counts.violations < violations
      ? [`${violations} violations were told, ${report.counts.violations} are reported`]
      : []),
    ...(written.counts.requests === report.counts.requests ? [] : ['another report was written']),
    ...(verdict === 'none' && report.counts.violations > 0 ? ['a violation, and no verdict'] : []),
  ];
}
