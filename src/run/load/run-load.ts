// One load run from configuration to report: what can be read is found, limits are measured, the laws of limits concluded.

import { UsageError } from '../../config/errors.ts';
import { judgedBySuite } from '../../contract/judged-by.ts';
import type { LoadPart, PlanCeiling } from '../../contract/load-part.ts';
import type { ClauseRow, OperationRow, Report } from '../../contract/report.ts';
import { FileUnwritable } from '../../disk/whole-file.ts';
import { sealed } from '../../exchange/sealed.ts';
import { verdictOfReport } from '../../grading/verdict.ts';
import { expectationOf, type PlanExpectations } from '../../limiters/limit-book.ts';
import { StepLost } from '../../load/caller/caller.ts';
import { statedRow } from '../../load/limits/ceiling-verdicts.ts';
import { LoadLog, operationsUnder } from '../../load/samples/load-log.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { buildReport } from '../books/report.ts';
import type { RunFacts } from '../books/run-facts.ts';
import type { RunInput } from '../perform/input.ts';
import { RunEnded } from '../perform/interruption.ts';
import { type Begun, type Course, performRun } from '../perform/run.ts';
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
export function runLoad(input: LoadInput): Promise<Report> {
  const { config, options } = input;
  const own = new OwnChecks(input.checks ?? []);
  const wanted = clauseFilter(options, config.stated, own.clauses);
  const judged = clausesOf(input.suite, own);
  const inRun = (clause: string): boolean => judged.has(clause) && wanted(clause);
  const terms = { own, inRun, mostSeconds: options.timeLimitSeconds };
  return performRun(input, terms, (run) => courseOf(input, run, judged));
}

function courseOf(
  input: LoadInput,
  { state, runId, startedAtMs, endsAtMs, stop }: Begun,
  judged: ReadonlySet<string>,
): Course {
  const { config } = input;
  const { session, books } = state;
  const suite = suiteOf(input.suite);
  const log = new LoadLog(input.suite);
  const enter = (name: string, seconds?: number): void => session.events.tell({ kind: 'phase', name, seconds });
  const measured: Measured = { plans: [] };
  // Requests that reached operations and are not judged were sent, too.
  const sentBesides = (): number => Math.max(0, books.traffic.total - session.sent) + log.arrived;
  const unjudged = (moment: Pick<RunFacts, 'ended' | 'endedAtMs'>): Report => {
    const report = buildReport({ ...state, runId, startedAtMs, ...moment });
    const stated = books.rates.planFacts().map(statedRow);
    const others = stated.filter(({ key }) => measured.plans.every((one) => one.key !== key));
    const overTime = log.part(input.k6 === null ? null : startedAtMs);
    const plans = [...measured.plans, ...others].map((row) => expecting(row, config.expect.plans));
    const operations = operationsUnder(log, measured);
    const load: LoadPart = { suite: input.suite, ...measured, plans, operations, ...overTime };
    const requests = input.k6 === null ? log.arrived : session.sent + sentBesides();
    return withLoad(report, load, judged, requests);
  };
  return {
    sentBesides,
    async perform() {
      enter('reach');
      await suite.measure(state, { ...input, log, endsAtMs, stop, enter }, measured);
    },
    endOf,
    async tell(moment) {
      const work = { clauses: [], where: 'the verdict on the load' };
      const whole = unjudged(moment);
      const judge = (): Report => suite.judged?.(whole, measured, config) ?? whole;
      const decided = books.errors.attempt(work, null, null, judge);
      // Told anew, so that the report holds the error.
      return sealed(decided ?? unjudged(moment), state.input.redactor);
    },
  };
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

/** Why the run ended; null for an error of the harness. Throws where what is asked for cannot be measured. */
function endOf(error: unknown): RunEnded | null {
  if (error instanceof UsageError) throw error;
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
  // Requests of k6 are counted by its own measures.
  const { operationsSucceeded: _succeeded, checksOnAnswers: _checks, ...own } = report.counts;
  const counts = { ...own, requests };
  // How many operations conformance must reach is no question of load.
  const { minOperations: _gate, ...run } = report.run;
  const verdict = verdictOfReport({ counts, clauses, run });
  return { ...report, run, counts, clauses, operations, verdict, load };
}
