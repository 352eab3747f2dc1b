// One load run from configuration to report: what can be read is found, limits are measured, the laws of limits concluded.
import { CLAUSES } from '../contract/clauses.ts';
import type { CapacityPart, ClauseRow, LoadPart, OperationRow, PlanCeiling, Report } from '../contract/report.ts';
import type { Absence } from '../grading/rows.ts';
import { verdictOfReport } from '../grading/verdict.ts';
import { StepLost } from '../load/caller/caller.ts';
import { capacitySettings } from '../load/capacity/settings.ts';
import { ceilings } from '../load/limits/ceiling.ts';
import { measuredRow, statedRow } from '../load/limits/plan-rows.ts';
import { rateLimits } from '../load/limits/ratelimit.ts';
import type { Outcome } from '../probes/probe.ts';
import { cleanUp } from './clean-up.ts';
import { RunEnded } from './interruption.ts';
import { loadBench } from './load-bench.ts';
import type { LoadGround } from './load-callers.ts';
import { capacityOf } from './load-capacity.ts';
import { Meter } from './meter.ts';
import { concludeRates, connect, newState, type RunInput, readingsOf, StopSwitch } from './opening.ts';
import { buildReport } from './report.ts';
import { clauseFilter } from './selection.ts';
import { SpilledUses } from './spilled-uses.ts';
import type { StageState } from './state.ts';

export type LoadSuite = 'ratelimit' | 'ceiling' | 'capacity';

export interface LoadInput extends RunInput, Pick<LoadGround, 'k6' | 'folder' | 'outputs'> {
  readonly suite: LoadSuite;
}

/** Families that load gives occasion to judge; the others are left to conformance. */
const FAMILIES: readonly string[] = ['RATE', 'ERR', 'SCH'];
/** Needs exports, or users that load does not have. */
const ELSEWHERE: readonly string[] = ['RATE-09'];
const ELSEWHERE_SAID = 'judged by assay conform';
const LOAD_CLAUSES = new Set(
  CLAUSES.filter(({ id, family }) => FAMILIES.includes(family) && !ELSEWHERE.includes(id)).map(({ id }) => id),
);

/** Runs and reports. Never rejects for what the target does; rejects for defects of the harness. */
export async function runLoad(input: LoadInput): Promise<Report> {
  const { config, options, descriptions } = input;
  const startedAtMs = Date.now();
  const runId = options.runId ?? `run-${startedAtMs.toString(36)}`;
  const stop = new StopSwitch(input.stop, options.timeLimitSeconds);
  const wanted = clauseFilter(options, config.contract);
  const firstUses = new SpilledUses();
  const state = newState(input, runId, firstUses, (clause) => LOAD_CLAUSES.has(clause) && wanted(clause));
  const client = connect(input, state, stop.signal);
  const meter = new Meter(
    { ...readingsOf(state), requests: () => state.session.traffic.total },
    input.onProgress,
    startedAtMs,
  );
  meter.start();
  const ground = { ...input, stop: stop.signal, enter: (phase: string) => meter.enter(phase) };
  const plans: PlanCeiling[] = [];
  let capacity: CapacityPart | null = null;
  let ended: Absence | null = null;
  let leftovers: readonly string[] = [];
  try {
    if (input.suite === 'capacity') capacity = await searched(state, ground);
    else await measure(state, ground, input.suite, plans);
    leftovers = await cleanUp(state.session, state.world, state.catalogue, state.creations);
  } catch (error) {
    const end = endOf(error);
    if (end === null) throw error;
    ended = stop.explain(end);
    leftovers = state.creations.lines();
  } finally {
    stop.dispose();
    await client.close();
    firstUses.close();
    meter.stop();
  }
  concludeRates(state);
  const facts = { ...state, config, options, descriptions, runId, startedAtMs };
  const report = buildReport({ ...facts, endedAtMs: Date.now(), ended, leftovers });
  const stated = state.rates.planFacts().map(statedRow);
  const measured = stated.filter(({ key }) => plans.every((one) => one.key !== key));
  const load: LoadPart = { plans: [...plans, ...measured], ...(capacity === null ? {} : { capacity }) };
  return judgedCapacity(withLoad(report, load, state, input.k6 === null), capacity, capacitySettings(config).minRps);
}

/** Enters its phase as the other suites do. Throws RunEnded without k6. */
async function searched(state: StageState, ground: LoadGround): Promise<CapacityPart> {
  ground.enter('reach');
  const { k6 } = ground;
  if (k6 === null) throw new RunEnded('precondition', 'a search for capacity cannot be made from samples');
  return capacityOf(state, { ...ground, k6 });
}

/** A bracket that is open says nothing of the platform; one that lies below the objective fails the run. */
function judgedCapacity(report: Report, capacity: CapacityPart | null, minRps: number | null): Report {
  if (capacity === null || report.verdict === 'fail') return report;
  const { met, missed, open } = capacity;
  const isShort = minRps !== null && missed !== null && missed <= minRps;
  if (isShort) {
    const note = `capacity: ${minRps} requests/s are demanded, and ${Math.round(missed)} missed the objectives`;
    return { ...report, verdict: 'fail', run: { ...report.run, note } };
  }
  if (met !== null && (minRps === null || met >= minRps))
    return open === null ? report : { ...report, run: { ...report.run, note: `capacity: ${open}` } };
  return {
    ...report,
    verdict: 'none',
    run: { ...report.run, note: `capacity: ${open ?? 'no rate met the objectives'}` },
  };
}

async function measure(
  state: StageState,
  ground: LoadGround,
  suite: Exclude<LoadSuite, 'capacity'>,
  plans: PlanCeiling[],
): Promise<void> {
  ground.enter('reach');
  const bench = await loadBench(state, ground, suite === 'ceiling');
  const course = suite === 'ratelimit' ? rateLimits(bench) : ceilings(bench, (one) => plans.push(measuredRow(one)));
  for await (const outcomes of course) book(state, outcomes);
}

function book({ ledger, inRun }: StageState, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes)
    if (inRun(outcome.clause)) ledger.book(outcome.clause, outcome, outcome.judgement, outcome.evidence);
}

/** Why the run ended; null for an error of the harness. */
function endOf(error: unknown): RunEnded | null {
  if (error instanceof RunEnded) return error;
  if (!(error instanceof StepLost)) return null;
  const reasonCode = {
    incomplete: 'harness-error',
    broken: 'target-lost',
    interrupted: 'interrupted',
    capped: 'budget',
  };
  return new RunEnded(reasonCode[error.code] as RunEnded['reasonCode'], error.message);
}

/** The report with what was measured; clauses that load does not judge are left to conformance. */
function withLoad(report: Report, load: LoadPart, state: StageState, isRecord: boolean): Report {
  const clauses = report.clauses.map((row): ClauseRow => {
    if (LOAD_CLAUSES.has(row.id) || row.checks > 0 || row.status === 'not-applicable') return row;
    return { ...row, status: 'not-tested', reasonCode: 'other-command', reason: ELSEWHERE_SAID };
  });
  const operations = report.operations.map(
    (row): OperationRow =>
      row.tested || row.reasonCode !== 'budget' ? row : { ...row, reasonCode: 'other-command', reason: ELSEWHERE_SAID },
  );
  const requests = isRecord ? 0 : state.session.traffic.total + (load.capacity?.requests ?? 0);
  const counts = { ...report.counts, requests };
  // How many operations conformance must reach is no question of load.
  const { minOperations: _gate, ...run } = report.run;
  const verdict = verdictOfReport({ counts, clauses, run });
  return { ...report, run, counts, clauses, operations, verdict, load };
}
