// Deletes what an earlier run made and could not delete, from what it wrote down.
import type { Clock } from '../../clock/clock.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Announced, CreationJournal, JournalPart } from '../books/journal.ts';
import { lineOf, reasonOf } from '../books/made.ts';
import { credentialOf, madeBy } from './inheritance.ts';
import type { RunInput } from './input.ts';
import { connect, newState } from './opening.ts';
import type { StageState } from './state.ts';
import type { Lost } from './strays.ts';

/** No part of a run: nothing is judged, and nothing narrows it. */
const OPTIONS: RunOptions = {
  out: null,
  services: [],
  operations: [],
  clauses: [],
  seed: 1,
  runId: null,
  budget: null,
  timeLimitSeconds: null,
};

export interface CleaningInput {
  readonly config: Config;
  readonly descriptions: readonly Description[];
  readonly part: JournalPart;
  readonly journal: CreationJournal;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** The result of cleaning one part of a run. */
export interface Cleaned {
  readonly deleted: number;
  /** The objects that are left, a line each with the reason. */
  readonly left: readonly string[];
  /** Requests of which nobody can tell whether something came of them, a line each. */
  readonly unknown: readonly string[];
  readonly requests: number;
}

/** Deletes what the part made, newest first. Throws RunEnded where the target is lost or the work is stopped. */
export async function cleanPart({ config, descriptions, part, journal, clock, stop }: CleaningInput): Promise<Cleaned> {
  const input: RunInput = { config, options: OPTIONS, descriptions, journal, clock, stop };
  const state = newState(input, part.head.run, () => false);
  const client = connect(state, stop);
  try {
    takeIn(state, part, config);
    await state.undoer.lookForAbsent();
    const untold = await state.undoer.undoAll(part.open.map((intent) => lostBy(intent, config)));
    const { session } = state;
    const { creations } = state.books;
    const deleted = creations.byOperation().reduce((sum, one) => sum + one.deleted, 0);
    const left = creations.left().map((entry) => `${lineOf(entry)}: ${reasonOf(entry)}`);
    const unknown = likelyMade(untold, part).map(({ operation, path }) => `${operation} at ${path}`);
    return { deleted, left, unknown, requests: session.sent };
  } finally {
    await client.close();
    state.books.firstUses.close();
  }
}

function takeIn({ scope: { catalogue }, books: { creations } }: StageState, part: JournalPart, config: Config): void {
  for (const object of part.made) if (!object.isGone) creations.add(madeBy(object, catalogue, config));
}

function lostBy(intent: Announced, config: Config): Lost {
  const { service, operation, path, mark = null, isRepeated = false } = intent;
  return { service, operation, path, mark, isRepeated, credential: credentialOf(intent, config) };
}

/** The requests, among those that cannot be looked up, whose operations did make something. */
function likelyMade(lost: readonly Lost[], { made }: JournalPart): readonly Lost[] {
  const makers = new Set(made.map(({ intent }) => intent.operation));
  return lost.filter(({ operation }) => makers.has(operation));
}
