// One judging run from its begin to its report, whatever is performed in it: what watches it, what ends it early, and what is undone.
import type { RunOptions } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import type { Absence } from '../../grading/rows.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { OwnChecks } from '../books/own-checks.ts';
import type { RunFacts } from '../books/run-facts.ts';
import { keyOf } from '../reach/reaching.ts';
import { Checkpoints, NOT_ENDED } from './checkpoints.ts';
import { FITTED } from './fit.ts';
import type { RunInput } from './input.ts';
import { RunEnded } from './interruption.ts';
import { Meter } from './meter.ts';
import { connect, newState, StopSwitch, undoingMs, undoRest } from './opening.ts';
import { StandstillWatch } from './standstill.ts';
import type { StageState } from './state.ts';
import { noteStrayErrors } from './stray-errors.ts';

/** The clauses and checks of a run, and its longest time. */
export interface RunTerms {
  readonly own: OwnChecks;
  readonly inRun: (clause: string) => boolean;
  /** null: the run takes as long as it takes. */
  readonly mostSeconds: number | null;
}

/** A run that has begun: nothing was sent yet. */
export interface Begun {
  readonly state: StageState;
  readonly runId: string;
  readonly startedAtMs: number;
  /** When its own time is over, epoch ms; null: it has none. */
  readonly endsAtMs: number | null;
  /** Aborted when nothing more is to be probed. */
  readonly stop: AbortSignal;
}

/** The work of a run between its begin and its end. */
export interface Course {
  /** Throws RunEnded where the run ends early. */
  perform(): Promise<void>;
  /** Requests that others than the run's own client sent by now; absent: none. */
  sentBesides?(): number;
  /** Why the error ends the run; null: it is one of the harness. Throws where there is nothing to report. Absent: only RunEnded does. */
  endOf?(error: unknown): RunEnded | null;
  /** Judges what is left, once nothing more is sent. */
  conclude?(ended: Absence | null, durationMs: number): Promise<void>;
  /** The report, as things stand. */
  tell(moment: Pick<RunFacts, 'ended' | 'endedAtMs'>): Promise<Report>;
}

/** Time by which a target that is down for a while may delay the clean-up of a run that fits itself to its time. ms. */
const MAX_LATE_MS = 20_000;

type Tell = (ended: Absence | null, endedAtMs: number) => Promise<Report>;

/** Runs and reports. Never rejects for what the target does, nor for what fails in the harness while it judges: the report tells. */
export async function performRun(given: RunInput, terms: RunTerms, begin: (run: Begun) => Course): Promise<Report> {
  const { own, inRun, mostSeconds } = terms;
  const watch = new StandstillWatch(given.clock);
  const { clock } = watch;
  const startedAtMs = clock.now();
  const runId = given.options.runId ?? `run-${startedAtMs.toString(36)}`;
  // Nobody stated the limit of a run that fits itself to one: better late than to leave behind what it made.
  const graceMs = given.options.fitSeconds === undefined ? 0 : MAX_LATE_MS;
  const stop = new StopSwitch(given.stop, mostSeconds, given.clock, { undoingMs: () => undoingMs(state), graceMs });
  const state: StageState = newState({ ...given, clock, stop: stop.signal }, runId, inRun, own);
  watch.follow(state.session.events);
  const endsAtMs = mostSeconds === null ? null : startedAtMs + mostSeconds * 1000;
  const begun = { state, runId, startedAtMs, endsAtMs, stop: stop.signal };
  const course = begin(begun);
  const tell: Tell = (ended, endedAtMs) => {
    own.voidFailed(state.books.ledger);
    state.books.errors.voidJudged(state.books.ledger);
    return course.tell({ ended, endedAtMs });
  };
  const release = show(begun, course, tell);
  watch.start();
  let ended: Absence | null = null;
  try {
    ended = await performCourse(begun, course, { watch, stop });
  } finally {
    watch.stop();
    stop.dispose();
    state.books.firstUses.close();
    release();
  }
  state.session.events.tell({ kind: 'concluding' });
  const endedAtMs = clock.now();
  await course.conclude?.(ended, endedAtMs - startedAtMs);
  return tell(ended, endedAtMs);
}

/** From now on shows how far the run is, and keeps its report as it stands, until the returned function is called. */
function show({ state, endsAtMs }: Begun, { sentBesides = () => 0 }: Course, tell: Tell): () => void {
  const { input, scope, session, books, reaching } = state;
  const { clock, onCheckpoint } = input;
  const isReached = (one: Described): boolean => reaching.reached.has(keyOf(one));
  /** The reached operations are counted where their number is read: violations are read after each request. */
  const now = () => ({
    operations: scope.share.own.length,
    get operationsTested() {
      return scope.share.own.filter(isReached).length;
    },
    requests: session.sent + sentBesides(),
    violations: books.ledger.violations,
  });
  const readings = { now, budget: input.options.budget, endsAtMs };
  const meter = new Meter(session.events, readings, clock);
  const checkpoints: Checkpoints = new Checkpoints(async () => {
    const report = await tell(NOT_ENDED, clock.now());
    if (!checkpoints.isStopped) await onCheckpoint?.(report);
  }, clock);
  meter.start();
  checkpoints.start();
  const release = noteStrayErrors(input.strays, books.errors);
  return () => {
    checkpoints.stop();
    meter.stop();
    release();
  };
}

/** Performs the course, and undoes what it did; why that did not come to its end, or null. */
async function performCourse(
  { state }: Begun,
  { perform, endOf = (error) => (error instanceof RunEnded ? error : null), sentBesides = () => 0 }: Course,
  { watch, stop }: { readonly watch: StandstillWatch; readonly stop: StopSwitch },
): Promise<Absence | null> {
  /** An error of the harness is noted: what was found is told. */
  const attempted = async (where: string, work: () => Promise<void>): Promise<Absence | null> => {
    try {
      await watch.during(work());
    } catch (error) {
      const end = endOf(error);
      if (end !== null) return fitted(stop.explain(end), state.input.options);
      state.books.errors.note({ clauses: [], where }, error, null);
    }
    return null;
  };
  const client = connect(state, stop.signal);
  const undone = (): Promise<Absence | null> =>
    attempted('the clean-up', () => undoRest(state, stop.end, sentBesides()));
  let ended: Absence | null = null;
  try {
    ended = await attempted('the run', () => stop.bounded(perform()));
  } finally {
    await client.close();
    const cut = ended?.reasonCode === 'target-lost' ? null : await undone();
    ended ??= cut;
  }
  return ended;
}

/** The end of a run that fits itself to a time, told as that; any other as it is. */
function fitted(ended: Absence, { fitSeconds }: RunOptions): Absence {
  return ended.reasonCode === 'time-limit' && fitSeconds !== undefined ? { ...ended, reason: FITTED } : ended;
}
