// Draws reports of load runs: a soak, a spike, a search for capacity, ceilings or isolation, judged by what judges the real ones; whole,
// cut, under a budget, or of another environment.
import fc, { type Arbitrary } from 'fast-check';
import type { CapacityStep, IsolationPart, LoadPart, PlanCeiling } from '../../../src/contract/load-part.ts';
import type { Report } from '../../../src/contract/report.ts';
import { judgedCapacity } from '../../../src/load/capacity/capacity.ts';
import { judgedIsolation } from '../../../src/load/isolation/slowing.ts';
import { judgedCeilings } from '../../../src/load/limits/ceiling-verdicts.ts';
import { judgedSoak } from '../../../src/load/soak/soak.ts';
import { judgedSpike } from '../../../src/load/spike/spike.ts';
import { sampleLoadRun } from './sample-load-run.ts';

interface Scene {
  readonly suite: 'soak' | 'spike' | 'capacity' | 'ceiling' | 'isolation';
  readonly rps: number;
  readonly dropped: number;
  readonly errorRate: number;
  readonly decision: CapacityStep['decision'];
  readonly kind: 'whole' | 'interrupted' | 'budget';
  readonly environment: 'local' | 'staging';
  readonly stated: boolean;
  readonly requests: number;
}

/** Any report of a run of load. */
export function loadedReport(): Arbitrary<Report> {
  return fc
    .record<Scene>({
      suite: fc.constantFrom('soak', 'spike', 'capacity', 'ceiling', 'isolation'),
      rps: fc.constantFrom(20, 99.5, 1200),
      dropped: fc.constantFrom(0, 3, 5160),
      errorRate: fc.constantFrom(0, 0.004, 0.31),
      decision: fc.constantFrom('met', 'missed', 'undecided', 'void'),
      kind: fc.constantFrom('whole', 'interrupted', 'budget'),
      environment: fc.constantFrom('local', 'staging'),
      stated: fc.boolean(),
      requests: fc.constantFrom(1, 999, 12_345),
    })
    .map(reportOf);
}

const OBJECTIVES = { p99Ms: 300, errorRate: 0.01 };
const RUN_NOTES = { whole: undefined, interrupted: 'the run was interrupted', budget: 'held by --budget' } as const;

function reportOf(scene: Scene): Report {
  const { suite, kind, environment, requests, stated } = scene;
  const sample = sampleLoadRun(0);
  const { note: _note, ...run } = sample.run;
  const note = RUN_NOTES[kind];
  const report: Report = {
    ...sample,
    findings: [],
    observations: [],
    run: { ...run, partial: kind === 'interrupted', ...(note === undefined ? {} : { note }) },
    target: { baseUrl: `https://${environment}.example.com`, environment },
    counts: { ...sample.counts, requests },
    load: { plans: [], suite, ...partOf(scene) } satisfies LoadPart,
  };
  const { soak, spike, capacity, isolation, plans } = report.load as LoadPart;
  if (suite === 'ceiling') return judgedCeilings(report, plans);
  if (isolation !== undefined) return judgedIsolation(report, isolation);
  if (soak !== undefined) return judgedSoak(report, soak, { stated, drift: null });
  if (spike !== undefined) return judgedSpike(report, spike, { stated, recoverySeconds: null });
  return capacity === undefined ? report : judgedCapacity(report, capacity, stated ? scene.rps : null);
}

function stepOf({ rps, dropped, errorRate, decision }: Scene): CapacityStep {
  const why = { met: 'met', missed: 'missed by latency', undecided: '42 samples are too few', void: 'k6 was late' };
  return {
    ...{ rps, seconds: 10, answers: 10 * rps, p50Ms: 1.4812, p95Ms: 20.04, p99Ms: 95.84, errorRate, limitedRate: 0 },
    ...{ dropped, lateP99Ms: 1, generatorCpu: 0.1, decision, why: why[decision] },
  };
}

function partOf(scene: Scene): Partial<LoadPart> {
  const step = stepOf(scene);
  const { requests, rps, dropped } = scene;
  if (scene.suite === 'soak') {
    const slices = Array.from({ length: 30 }, (_, at) => ({
      ...{ ...step, dropped: at === 0 ? dropped : 0, seconds: 1 / 3 },
      ...{ step: `soak.${at + 1}`, fromSeconds: at / 3, toSeconds: (at + 1) / 3 },
    }));
    const drifts = { p50Drift: null, p99Drift: null, errorsFromSeconds: null };
    return { soak: { ...step, heldBy: null, objectives: OBJECTIVES, slices, ...drifts, requests } };
  }
  if (scene.suite === 'spike') {
    const never = Math.min(0.9, dropped / 10_000);
    const shares = { limited: 0, refused: 0, unanswered: 0, serverErrors: 0, dropped: never, succeeded: 1 - never };
    const after = { afterSeconds: 30, recovery: { least: 0, best: 1, most: null }, requests };
    return {
      spike: { heldBy: null, objectives: OBJECTIVES, generator: null, before: step, peak: step, shares, ...after },
    };
  }
  if (scene.suite === 'ceiling') return { plans: ['std-1', 'ent-1'].map((key, at) => ceilingOf(scene, key, at)) };
  if (scene.suite === 'isolation') return { isolation: isolationOf(scene) };
  const bracket = { met: rps, missed: 2 * rps, open: step.decision === 'met' ? null : step.why };
  const { p50Ms, p99Ms, errorRate } = step;
  const steps = [
    { ...step, decision: 'met' as const },
    { ...step, rps: 2 * rps, decision: 'missed' as const },
  ];
  const told = { confidence: 'both ends measured at least 3 times', objectives: OBJECTIVES, steps, requests };
  return { capacity: { p50Ms, p99Ms, errorRate, ...bracket, ...told } };
}

/** The second key's limit is another, or not known where nothing was decided. */
function ceilingOf({ rps, decision, stated, requests }: Scene, key: string, at: number): PlanCeiling {
  const shared = { plan: key.slice(0, 3), key, costs: {}, calls: requests, stated: stated ? 900 : null };
  if (decision === 'void' || (decision === 'undecided' && at > 0)) {
    const evidence = [`${requests} units were admitted and nothing was refused`];
    const unknown = { limit: null, windowSeconds: null, burst: null, limitBounds: null, windowSecondsBounds: null };
    return { ...shared, ...unknown, algorithm: 'unknown', confidence: `unknown: ${evidence.join('; ')}`, evidence };
  }
  const limit = Math.round((at + 1) * rps);
  const bounds = { limitBounds: { least: limit - 1, best: limit, most: limit + 1 } };
  const windows = { windowSeconds: 3.9812, windowSecondsBounds: { least: 3.9, best: 3.9812, most: 4.1 } };
  const confidence = decision === 'met' ? 'sure' : 'likely';
  return { ...shared, ...bounds, ...windows, limit, burst: limit, algorithm: 'fixed-window', confidence };
}

function isolationOf({ decision, errorRate, stated, requests, dropped }: Scene): IsolationPart {
  const shift = ({ met: 'none', missed: 'sure', undecided: 'open', void: 'none' } as const)[decision];
  const factor = decision === 'void' ? null : { least: 1.5, best: 1.8, most: 3 };
  const unknown = decision === 'void' ? 'too few calls: 3 at rest, 2 under pressure' : null;
  const slowing = { p50RestMs: 1.5, p50PressedMs: 4, p90RestMs: 3, p90PressedMs: null, factor, shift, unknown };
  const calls = { callsAtRest: 40, callsUnderPressure: 40, refusedAtRest: 0 };
  const other = { plan: 'ent', key: 'ent-1', ...calls, refusedUnderPressure: errorRate > 0.1 ? 7 : 0, slowing };
  const pressed = { plan: 'std', key: 'std-1', admitted: requests, refused: dropped, others: [other] };
  return { slowdown: stated ? 1.2 : null, keys: [pressed] };
}
