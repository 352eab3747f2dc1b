// RATE-03 call by call: one cheap operation in a row under the main key, and once more after a pause. A defect that shows only
// now and then takes a row of calls with nothing else under way.

import { unlessHidden } from '../../checks/rate/others.ts';
import { judgeQuietRuns, PAUSE_FACTOR, type QuietRun, showsOthersIn } from '../../checks/rate/rate-03-quiet-run.ts';
import type { Timing } from '../../clock/clock.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { asker, LAST, mainLimited, NOWHERE, plainReads, TIMER_MS } from './asking.ts';

const PROBE = 'rate/row';
/** Calls before the pause, and as many after. */
const MAX_CALLS = 40;
const MIN_CALLS = 10;
/** A row takes no longer than this, on a slow target, and no more than this share of the limit. */
const LONGEST_ROW_MS = 2000;
const SHARE = 0.125;
/** A smaller limit, or a slower target, has the shortest row, where two of them and the calls beside are within the limit. */
const LONGEST_SHORT_ROW_MS = 6000;
const BESIDE = 4;
const SHORTEST_PAUSE_MS = 1200;
/** Null without a key, or without an operation that can be asked again and again. */
export function quietConversation(
  world: World,
  reached: readonly Reached[],
  book: LimitBook,
  timing: Timing,
): Conversation | null {
  const [cheap] = plainReads(world, reached);
  const mainKey = mainLimited(world);
  if (mainKey === null || cheap === undefined) return null;
  return {
    // Before the costs of each operation are looked at: these can be told of a key that nobody else uses.
    ...{ ...LAST, ...NOWHERE, probe: PROBE, rank: 895, clauses: ['RATE-03'] },
    cost: 2 * MAX_CALLS + 1,
    async converse(send) {
      const asked = asker(world, send, PROBE, 'never');
      const key = mainKey.name;
      const ask = (reached: Reached) => asked(key, reached);
      const first = await ask(cheap);
      const calls = callsOf(book.historyOf(key).limit ?? 0, first === null ? 0 : first.answeredAt - first.sentAt);
      if (calls === null) return [];
      const row = new Array<Reached>(calls).fill(cheap);
      return [
        await looked(cheap, { before: row, after: row, leastPauseMs: SHORTEST_PAUSE_MS }, { ask, book, key, timing }),
      ];
    },
  };
}

/** How many calls make a row; null where there is no room for one. */
function callsOf(limit: number, tookMs: number): number | null {
  const calls = Math.floor(Math.min(MAX_CALLS, LONGEST_ROW_MS / Math.max(1, tookMs), limit * SHARE));
  if (calls >= MIN_CALLS) return calls;
  const hasRoom = limit >= 2 * MIN_CALLS + BESIDE && MIN_CALLS * tookMs <= LONGEST_SHORT_ROW_MS;
  return hasRoom ? MIN_CALLS : null;
}

/** Calls before a pause, and after it. */
interface Rows {
  readonly before: readonly Reached[];
  readonly after: readonly Reached[];
  /** A reset that comes within twice this time is waited for as well. */
  readonly leastPauseMs: number;
}

export interface Looking {
  readonly ask: (reached: Reached) => Promise<RateReading | null>;
  readonly book: LimitBook;
  readonly key: string;
  readonly timing: Timing;
}

/** Looks at the operation until it is told what single calls of it cost. */
export async function looked(about: Reached, rows: Rows, looking: Looking): Promise<Outcome> {
  const { book, key } = looking;
  const history = book.historyOf(key);
  const runs: QuietRun[] = [];
  for (;;) {
    const run = await quietRun(rows, looking);
    runs.push(run);
    history.isShared ||= showsOthersIn(run, history.clock);
    const judgement = judgeQuietRuns(runs, history.clock);
    if (judgement === null) continue;
    const evidence = judgement.kind === 'breached' ? [...run.before, ...run.after] : [];
    const exchanges = evidence.map(({ exchange }) => exchange);
    return outcome(
      'RATE-03',
      spotOf(about.operation),
      unlessHidden(judgement, history.isShared ? key : null),
      exchanges,
    );
  }
}

async function quietRun({ before, after, leastPauseMs }: Rows, looking: Looking): Promise<QuietRun> {
  const { timing, book, key } = looking;
  const startedAt = timing.now();
  const calls = await answersTo(before, looking);
  const last = calls.at(-1);
  const reset = last === undefined ? null : book.historyOf(key).clock.resetOf(last);
  const toResetMs = reset === null ? 0 : reset.latest - timing.now() + TIMER_MS;
  const pauseMs = Math.max(leastPauseMs, PAUSE_FACTOR * (timing.now() - startedAt));
  await timing.sleep(toResetMs <= 2 * leastPauseMs ? Math.max(pauseMs, toResetMs) : pauseMs);
  return { before: calls, after: await answersTo(after, looking) };
}

async function answersTo(row: readonly Reached[], { ask }: Looking): Promise<readonly RateReading[]> {
  const readings: RateReading[] = [];
  for (const reached of row) {
    const reading = await ask(reached);
    if (reading !== null) readings.push(reading);
  }
  return readings;
}
