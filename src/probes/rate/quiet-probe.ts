// RATE-03 call by call: one cheap operation in a row under the main key, and once more after a pause. A defect that shows only
// now and then takes a row of calls with nothing else under way.

import {
  judgeQuietRun,
  judgeResetsInVain,
  PAUSE_FACTOR,
  type QuietRun,
  showsOthersIn,
} from '../../checks/rate/rate-03-quiet-run.ts';
import { unlessHidden } from '../../checks/rate/rate-03-remaining-falls.ts';
import type { Timing } from '../../clock/clock.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import type { RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { outcome } from '../experiment.ts';
import type { Conversation } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { asker, mainLimited, plainReads, spotOf } from './asking.ts';

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
/** A reset so near is waited for. ms. */
const NEAR_MS = 2500;
/** Timers may fire this early. ms. */
const TIMER_MS = 50;
/** A window that begins meanwhile, or a defect just then, hides what calls cost: another look is taken. Once more so many where one showed a breach. */
const MAX_LOOKS = 4;
/** A breach counts when it shows so often. */
const MIN_BREACHED = 2;

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
    probe: PROBE,
    stage: 'last',
    // Before the costs of each operation are looked at: these can be told of a key that nobody else uses.
    rank: 895,
    clauses: ['RATE-03'],
    service: null,
    operation: null,
    cost: 2 * MAX_CALLS + 1,
    repeatable: false,
    async converse(send) {
      const asked = asker(world, send, PROBE, 'never');
      const row = await rowsOf(() => asked(mainKey.name, cheap), book, mainKey.name, timing);
      if (row === null) return [];
      const judgement = unlessHidden(row.judgement, book.isUsedByOthers(mainKey.name) ? mainKey.name : null);
      const readings = judgement.kind === 'breached' ? [...row.last.before, ...row.last.after] : [];
      const evidence = readings.map(({ exchange }) => exchange);
      return [outcome('RATE-03', spotOf(cheap), judgement, evidence)];
    },
  };
}

/** Looks until it is told what single calls cost, and what the last look showed; null where there is no room for a row. */
async function rowsOf(
  ask: () => Promise<RateReading | null>,
  book: LimitBook,
  key: string,
  timing: Timing,
): Promise<{ readonly judgement: Judgement; readonly last: QuietRun } | null> {
  const history = book.historyOf(key);
  const first = await ask();
  const calls = callsOf(history.limit ?? 0, first === null ? 0 : first.answeredAt - first.sentAt);
  if (calls === null) return null;
  const runs: QuietRun[] = [];
  const breached: Judgement[] = [];
  for (;;) {
    const last = await quietRun(ask, calls, timing, history.clock);
    runs.push(last);
    if (showsOthersIn(last, history.clock)) book.noteOthers(key);
    const told = judgeQuietRun(last, history.clock);
    if (told.kind === 'breached') breached.push(told);
    const isOpen = told.kind !== 'holds' && breached.length < MIN_BREACHED;
    if (isOpen && runs.length < MAX_LOOKS + MAX_LOOKS * breached.length) continue;
    return { judgement: conclude(runs, told, breached, history.clock), last };
  }
}

/** How many calls make a row; null where there is no room for one. */
function callsOf(limit: number, tookMs: number): number | null {
  const calls = Math.floor(Math.min(MAX_CALLS, LONGEST_ROW_MS / Math.max(1, tookMs), limit * SHARE));
  if (calls >= MIN_CALLS) return calls;
  const hasRoom = limit >= 2 * MIN_CALLS + BESIDE && MIN_CALLS * tookMs <= LONGEST_SHORT_ROW_MS;
  return hasRoom ? MIN_CALLS : null;
}

function conclude(
  runs: readonly QuietRun[],
  last: Judgement,
  breached: readonly Judgement[],
  clock: TargetClock,
): Judgement {
  if (breached.length >= MIN_BREACHED) return last;
  if (last.kind === 'holds') return last;
  return (
    judgeResetsInVain(runs, clock) ?? cannotTell('precondition', 'what single calls cost was hidden by what came back')
  );
}

/** The pause is long enough for a reset that is stated to be near. */
async function quietRun(
  ask: () => Promise<RateReading | null>,
  calls: number,
  timing: Timing,
  clock: TargetClock,
): Promise<QuietRun> {
  const startedAt = timing.now();
  const before = await row(ask, calls);
  const last = before.at(-1);
  const reset = last === undefined ? null : clock.resetOf(last);
  const toResetMs = reset === null ? 0 : reset.latest - timing.now() + TIMER_MS;
  const pauseMs = Math.max(SHORTEST_PAUSE_MS, PAUSE_FACTOR * (timing.now() - startedAt));
  await timing.sleep(toResetMs <= NEAR_MS ? Math.max(pauseMs, toResetMs) : pauseMs);
  return { before, after: await row(ask, calls) };
}

async function row(ask: () => Promise<RateReading | null>, calls: number): Promise<readonly RateReading[]> {
  const readings: RateReading[] = [];
  for (let call = 0; call < calls; call += 1) {
    const reading = await ask();
    if (reading !== null) readings.push(reading);
  }
  return readings;
}
