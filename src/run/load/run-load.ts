// One load run from configuration to report: what can be read is found, limits are measured, the laws of limits concluded.

import { UsageError } from '../../config/errors.ts';
import { judgedBySuite } from '../../contract/dossiers.ts';
import type { LoadPart, PlanCeiling } from '../../contract/load-part.ts';
import type { ClauseRow, OperationRow, Report } from '../../contract/report.ts';
import { FileUnwritable } from '../../disk/whole-file.ts';
import { sealed } from '../../exchange/sealed.ts';
import type { Absence } from '../../grading/rows.ts';
import { verdictOfReport } from '../../grading/verdict.ts';
import { expectationOf, type PlanExpectations } from '../../limiters/limit-book.ts';
import { StepLost } from '../../load/caller/caller.ts';
import { statedRow } from '../../load/limits/plan-rows.ts';
import { LoadLog, operationsUnder } from '../../load/samples/load-log.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { buildReport } from '../books/report.ts';
import { SpilledUses } from '../books/spilled-uses.ts';
import { Checkpoints, NOT_ENDED } from '../perform/checkpoints.ts';
import type { RunInput } from '../perform/input.ts';
import { RunEnded } from '../perform/interruption.ts';
import { Meter } from '../perform/meter.ts';
import { concludeLaws, connect, newState, readingsOf, StopSwitch, undoingMs, undoRest } from '../perform/opening.ts';
import { StandstillWatch } from '../perform/standstill.ts';
import type { StageState } from '../perform/state.ts';
import { noteStrayErrors } from '../perform/stray-errors.ts';
import { clauseFilter } from '../plan/selection.ts';
import type { LoadGround } from './callers.ts';
import { type LoadSuite, type Measured, suiteOf } from './suites.ts';

export interface LoadInput extends RunInput, Pick<LoadGround, 'k6' | 'folder' | 'outputs' | 'resumes' | 'cluster'> {
  readonly suite: LoadSuite;
}

const ELSEWHERE_SAID = 'judged by assay conform';

/**
 * Runs and reports. Never rejects for what the target does, nor for what fails in the harness while it measures: the report
 * tells. Rejects with UsageError where what is asked for cannot be measured.
 */
export async function runLoad(given: LoadInput): Promise<Report> {
  const watch = new StandstillWatch(given.clock);
  const input = { ...given, clock: watch.clock };
  const { config, options, clock } = input;
  const startedAtMs = clock.now();
  const runId = options.runId ?? `run-${startedAtMs.toString(36)}`;
  const own = new OwnChecks(input.checks ?? []);
  const wanted = clauseFilter(options, config.stated, own.clauses);
  const firstUses = new SpilledUses();
  const suite = suiteOf(input.suite);
  const judged = clausesOf(input.suite, own);
  const inRun = (clause: string): boolean => judged.has(clause) && wanted(clause);
  const stop = new StopSwitch(input.stop, options.timeLimitSeconds, given.clock, () => undoingMs(state));
  const state: StageState = newState({ ...input, stop: stop.signal }, runId, firstUses, inRun, own);
  watch.follow(state.session.events);
  const client = connect(state, stop.signal);
  const log = new LoadLog(input.suite);
  // What reached operations and is not judged was sent, too.
  const sent = () => Math.max(state.session.sent, state.books.traffic.total) + log.arrived;
  const meter = new Meter(state.session.events, { ...readingsOf(state), requests: sent }, input.onProgress, clock);
  meter.start();
  const limit = options.timeLimitSeconds;
  const endsAtMs = limit === null ? null : startedAtMs + limit * 1000;
  const ground = {
    ...input,
    log,
    endsAtMs,
    stop: stop.signal,
    enter: (name: string, seconds?: number) => state.session.events.tell({ kind: 'phase', name, seconds }),
  };
  const measured: Measured = { plans: [] };
  const facts = { ...state, runId, startedAtMs };
  const unjudged = (ended: Absence | null): Report => {
    own.voidFailed(state.books.ledger);
    state.books.errors.voidJudged(state.books.ledger);
    const report = buildReport({ ...facts, endedAtMs: clock.now(), ended });
    const stated = state.books.rates.planFacts().map(statedRow);
    const others = stated.filter(({ key }) => measured.plans.every((one) => one.key !== key));
    const overTime = log.part(input.k6 === null ? null : startedAtMs);
    const plans = [...measured.plans, ...others].map((row) => expecting(row, config.expect.plans));
    const operations = operationsUnder(log, measured);
    const load: LoadPart = { suite: input.suite, ...measured, plans, operations, ...overTime };
    const requests = input.k6 === null ? log.arrived : sent();
    return withLoad(report, load, judged, requests);
  };
  const tell = (ended: Absence | null): Report => {
    const work = { clauses: [], where: 'the verdict on the load' };
    const whole = unjudged(ended);
    const decided = state.books.errors.attempt(
      work,
      null,
      null,
      () => suite.judged?.(whole, measured, config) ?? whole,
    );
    // Told anew, so that the report holds the error.
    return sealed(decided ?? unjudged(ended), state.input.redactor);
  };
  const checkpoints = new Checkpoints(async () => {
    await input.onCheckpoint?.(tell(NOT_ENDED));
  }, clock);
  checkpoints.start();
  const release = noteStrayErrors(input.strays, state.books.errors);
  let ended: Absence | null = null;
  watch.start();
  try {
    ground.enter('reach');
    await stop.bounded(watch.during(suite.measure(state, ground, measured)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const end = endOf(error);
    if (end === null) state.books.errors.note({ clauses: [], where: 'the run' }, error, null);
    else ended = stop.explain(end);
  } finally {
    checkpoints.stop();
    await client.close();
    if (ended?.reasonCode !== 'target-lost')
      await undoRest({ ...state, input: withoutSpent(state.input, sent() - state.session.sent) }, stop.end);
    watch.stop();
    stop.dispose();
    firstUses.close();
    meter.stop();
    release();
  }
  concludeLaws(state);
  return tell(ended);
}

/** The input with a budget that so many requests of others than the session's client have been taken from. */
function withoutSpent(input: StageState['input'], requests: number): StageState['input'] {
  const { options } = input;
  const budget = options.budget === null ? null : options.budget - requests;
  return { ...input, options: { ...options, budget } };
}

/** The clauses that a load run judges: of the user's own, those of exchanges. */
function clausesOf(suite: LoadSuite, own: OwnChecks): ReadonlySet<string> {
  return new Set([...judgedBySuite(suite), ...own.onExchanges.map(({ clause }) => clause)]);
}

/** The row with what the configuration expects of its plan. */
function expecting(row: PlanCeiling, plans: PlanExpectations): PlanCeiling {
  const expected = expectationOf(plans, row.plan);
  return expected === undefined ? row : { ...row, expected };
}

/** Why the run ended; null for an error of the harness. */
function endOf(error: unknown): RunEnded | null {
  if (error instanceof RunEnded) return error;
  if (error instanceof FileUnwritable) return new RunEnded('harness-error', error.message);
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
function withLoad(report: Report, load: LoadPart, judged: ReadonlySet<string>, requests: number): Report {
  const clauses = report.clauses.map((row): ClauseRow => {
    if (judged.has(row.id) || row.checks > 0 || row.status === 'not-applicable' || row.reasonCode === 'other-command')
      return row;
    return { ...row, status: 'not-tested', reasonCode: 'other-command', reason: ELSEWHERE_SAID };
  });
  const operations = report.operations.map(
    (row): OperationRow =>
      row.tested || row.reasonCode !== 'budget' ? row : { ...row, reasonCode: 'other-command', reason: ELSEWHERE_SAID },
  );
  // What k6 sends is counted by its own measures.
  const { operationsSucceeded: _succeeded, checksOnAnswers: _checks, ...own } = report.counts;
  const counts = { ...own, requests };
  // How many operations conformance must reach is no question of load.
  const { minOperations: _gate, ...run } = report.run;
  const verdict = verdictOfReport({ counts, clauses, run });
  return { ...report, run, counts, clauses, operations, verdict, load };
}
