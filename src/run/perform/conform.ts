// One conformance run from configuration to report. The stages are in stages.ts; here stand start, end and what ends early.
import { computeInTurns } from '../../clock/pieces.ts';
import type { RunOptions } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import type { Absence } from '../../grading/rows.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { buildInPieces } from '../books/report.ts';
import { SpilledUses } from '../books/spilled-uses.ts';
import { clauseFilter } from '../plan/selection.ts';
import { tryExperiments } from '../sensitivity/sitting.ts';
import { Checkpoints, NOT_ENDED } from './checkpoints.ts';
import { judgeDescriptions, judgeLateProblems } from './descriptions.ts';
import { FITTED } from './fit.ts';
import type { RunInput } from './input.ts';
import { RunEnded } from './interruption.ts';
import { Meter } from './meter.ts';
import { concludeLaws, connect, newState, readingsOf, StopSwitch, undoingMs, undoRest } from './opening.ts';
import { runStages } from './stages.ts';
import { StandstillWatch } from './standstill.ts';
import type { StageState } from './state.ts';
import { noteStrayErrors } from './stray-errors.ts';

/** Throws RunEnded where no operation is left to judge: a run that looks at nothing has no verdict. */
function mustHaveChanged({ changed }: RunOptions): void {
  if (changed?.operations.length === 0)
    throw new RunEnded('filtered', `no operation is described otherwise than at ${changed.since}: nothing was judged`);
}

/** Throws RunEnded where nothing is described that could be called: webhooks alone, or no paths. */
function mustDescribe(descriptions: readonly Description[]): void {
  if (descriptions.length === 0 || descriptions.some(({ operations }) => operations.length > 0)) return;
  throw new RunEnded('not-declared', 'no description shows an operation: there is nothing to call');
}

/** Runs and reports. Never rejects for what the target does, nor for what fails in the harness while it judges: the report tells. */
export async function conform(given: RunInput): Promise<Report> {
  const watch = new StandstillWatch(given.clock);
  const input = { ...given, clock: watch.clock };
  const { config, options, descriptions, clock } = input;
  const startedAtMs = clock.now();
  const runId = options.runId ?? `run-${startedAtMs.toString(36)}`;
  const firstUses = new SpilledUses();
  const own = new OwnChecks(input.checks ?? []);
  const inRun = clauseFilter(options, config.stated, own.clauses);
  const { timeLimitSeconds, fitSeconds = null } = options;
  const mostSeconds = timeLimitSeconds ?? fitSeconds;
  const stop = new StopSwitch(input.stop, mostSeconds, given.clock, () => undoingMs(state));
  const state: StageState = newState({ ...input, stop: stop.signal }, runId, firstUses, inRun, own);
  watch.follow(state.session.events);
  const known = judgeDescriptions(state);
  const client = connect(state, stop.signal);
  const endMs = mostSeconds === null ? null : startedAtMs + mostSeconds * 1000;
  const meter = new Meter(state.session.events, readingsOf(state, endMs), input.onProgress, clock);
  meter.start();
  const facts = { ...state, runId, startedAtMs };
  const checkpoints: Checkpoints = new Checkpoints(async () => {
    voidFailed(state);
    const pieces = buildInPieces({ ...facts, endedAtMs: clock.now(), ended: NOT_ENDED });
    const report = await computeInTurns(pieces, clock.turn);
    if (!checkpoints.isStopped) await input.onCheckpoint?.(report);
  }, clock);
  checkpoints.start();
  const release = noteStrayErrors(input.strays, state.books.errors);
  let ended: Absence | null = null;
  watch.start();
  try {
    mustHaveChanged(options);
    mustDescribe(descriptions);
    await stop.bounded(watch.during(runStages(state)));
  } catch (error) {
    if (error instanceof RunEnded) ended = fitted(stop.explain(error), options);
    else state.books.errors.note({ clauses: [], where: 'the run' }, error, null);
  } finally {
    await client.close();
    if (ended?.reasonCode !== 'target-lost') {
      const cut = await undone(state, stop, watch);
      ended ??= cut;
    }
    watch.stop();
    checkpoints.stop();
    stop.dispose();
    firstUses.close();
    meter.stop();
    release();
  }
  concludeLaws(state);
  judgeLateProblems(state, known);
  voidFailed(state);
  const endedAtMs = clock.now();
  if (ended?.reasonCode !== 'interrupted') await tryExperiments(state, endedAtMs - startedAtMs, input.stop);
  return computeInTurns(buildInPieces({ ...facts, endedAtMs, ended }), clock.turn);
}

/** Undoes what the run did; why that did not come to its end, or null. An error of it is noted: what was found is told. */
async function undone(state: StageState, stop: StopSwitch, watch: StandstillWatch): Promise<Absence | null> {
  try {
    await watch.during(undoRest(state, stop.end));
    return null;
  } catch (error) {
    if (error instanceof RunEnded) return stop.explain(error);
    state.books.errors.note({ clauses: [], where: 'the clean-up' }, error, null);
    return null;
  }
}

/** The end of a run that fits itself to a time, told as that; any other as it is. */
function fitted(ended: Absence, { fitSeconds }: RunOptions): Absence {
  return ended.reasonCode === 'time-limit' && fitSeconds !== undefined ? { ...ended, reason: FITTED } : ended;
}

/** What rests on a check or probe that turned out not to work counts no more. */
function voidFailed({ scope: { own }, books: { ledger, errors } }: StageState): void {
  own.voidFailed(ledger);
  errors.voidJudged(ledger);
}
