// RATE-07: the other keys' answers before a key is drained, after, and, where they are refused, as long as that key is.

import {
  fellJust,
  judgeUntouched,
  type OtherKeyReadings,
  ROUND_CALLS,
  type Round,
  touchOf,
} from '../../checks/rate/rate-07-other-keys-unaffected.ts';
import { onTarget } from '../../checks/rate/series-law.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { Moment } from '../../limiters/reset-clock.ts';
import type { KnownKey } from '../auth/security.ts';
import type { Outcome } from '../probe.ts';
import { type AskedKey, LONGEST_WAIT_MS } from './asking.ts';

/** Keys that are watched beside one that is spent. */
export const MAX_OTHERS = 4;
/** With room for fewer rounds no pattern shows, unless the key fell by just what was spent. */
const MIN_ROUNDS = 4;
/** Where others use the key, too. */
const MAX_ROUNDS = 12;
/** When a refused key is asked again: shares of the time to the drained key's reset. */
const AGAIN_AT = [0.4, 0.9] as const;

/** The keys that are compared: those that most likely share something with the drained one first. */
export function othersOf(drained: KnownKey, keys: readonly KnownKey[]): readonly KnownKey[] {
  const distance = ({ plan, account }: KnownKey): number =>
    (plan === drained.plan ? 0 : 2) + (account !== null && account === drained.account ? 0 : 1);
  return keys
    .filter(({ name }) => name !== drained.name)
    .toSorted((left, right) => distance(left) - distance(right))
    .slice(0, MAX_OTHERS);
}

/** One answer of each of the keys, at once. */
export async function askAll(tools: AskedKey, keys: readonly KnownKey[]): Promise<readonly RateReading[]> {
  const readings = await Promise.all(keys.map(({ name }) => tools.callOf(name)));
  return readings.flatMap((reading) => reading ?? []);
}

/**
 * The same, asked again once those that have next to no call left have calls again: with none nothing shows. A window that ends within `soonMs` is left
 * to end, too: one that ends meanwhile leaves the question open.
 */
export async function askAllWithCalls(
  tools: AskedKey,
  book: LimitBook,
  keys: readonly KnownKey[],
  soonMs = 0,
): Promise<readonly RateReading[]> {
  const asked = await askAll(tools, keys);
  const nowMs = tools.timing.now();
  const dueMs = asked.flatMap((one) => {
    const isSpent = one.isRefused || (one.remaining ?? Number.POSITIVE_INFINITY) <= 1;
    const backMs = book.historyOf(one.key, one.policy).clock.resetOf(one)?.latest ?? 0;
    return backMs > nowMs && backMs <= nowMs + (isSpent ? LONGEST_WAIT_MS : soonMs) ? [backMs] : [];
  });
  if (dueMs.length === 0) return asked;
  await tools.until(Math.max(...dueMs));
  return askAll(tools, keys);
}

/** With what the keys beside are watched: `spent`, so many calls of the drained key were admitted meanwhile. */
export interface Watching {
  readonly tools: AskedKey;
  readonly book: LimitBook;
  readonly spent: number;
}

/**
 * Keys that were answered both times. Those that fell by just what was spent are asked again after as long a time in which
 * nothing is; those refused with the drained key as long as it is refused, `until` its reset, and then as well.
 */
export async function watchOtherKeys(
  watching: Watching,
  before: readonly RateReading[],
  after: readonly RateReading[],
  until: Moment | null,
): Promise<readonly OtherKeyReadings[]> {
  const { book, spent } = watching;
  const pairs = before.flatMap((one) => {
    const other = one.isRefused ? undefined : after.find(({ key }) => key === one.key);
    return other === undefined
      ? []
      : [{ key: one.key, before: one, after: other, clock: book.historyOf(one.key, one.policy).clock }];
  });
  return Promise.all(
    pairs.map(async (pair) => {
      const seen = { ...pair, refused: [], freed: null, rested: null };
      if (pair.after.isRefused) return { ...pair, ...(await whileRefused(watching, pair, until)) };
      return touchOf(spent, seen) === 'charged' ? { ...seen, rested: await rest(watching, pair, pair.after) } : seen;
    }),
  );
}

/**
 * Where a key fell by a part of what was spent, or its window ended meanwhile: a few calls of the drained key between two answers of the other, and as long a
 * time without them, again and again. As it was where the drained key has no room for them.
 */
export async function inRounds(
  watching: Watching,
  beside: readonly OtherKeyReadings[],
): Promise<readonly OtherKeyReadings[]> {
  const { tools, spent } = watching;
  const isOpen = (one: OtherKeyReadings): boolean => touchOf(spent, one) === 'open';
  if (!beside.some(isOpen)) return beside;
  const fresh = await tools.call();
  if (fresh === null || !isAdmitted(fresh)) return beside;
  const affordable = Math.min(MAX_ROUNDS, Math.floor(((fresh.remaining ?? 0) - 1) / ROUND_CALLS));
  const needed = beside.some((one) => isOpen(one) && fellJust(spent, one)) ? 1 : MIN_ROUNDS;
  if (affordable < needed) return beside;
  const told: OtherKeyReadings[] = [];
  // One key that is shown to be charged decides, and the rounds of further ones are saved.
  let isDecided = false;
  for (const one of beside) {
    const looked: OtherKeyReadings =
      isOpen(one) && !isDecided ? { ...one, rounds: await roundsOn(watching, one, affordable) } : one;
    isDecided ||= touchOf(spent, looked) === 'charged';
    told.push(looked);
  }
  return told;
}

/** Until they tell who makes the other key fall, or never will. */
async function roundsOn(watching: Watching, one: OtherKeyReadings, most: number): Promise<readonly Round[]> {
  const { tools, spent } = watching;
  const rounds: Round[] = [];
  for (let turn = 0; turn < most; turn += 1) {
    const before = await tools.callOf(one.key);
    // At once: the less time it takes, the less others do meanwhile.
    await Promise.all(Array.from({ length: ROUND_CALLS }, () => tools.call()));
    const after = await tools.callOf(one.key);
    if (before === null || after === null) continue;
    const rested = await rest(watching, { key: one.key, before, after }, after);
    if (rested !== null) rounds.push({ before, after, rested });
    if (touchOf(spent, { ...one, rounds }) !== 'open') break;
  }
  return rounds;
}

type Pair = Pick<OtherKeyReadings, 'key' | 'before' | 'after'>;

/** The key's answer as long after `from` as its second answer came after its first. */
async function rest({ tools }: Watching, { key, before, after }: Pair, from: RateReading): Promise<RateReading | null> {
  await tools.until(from.answeredAt + after.sentAt - before.answeredAt);
  return tools.callOf(key);
}

async function whileRefused(
  watching: Watching,
  pair: Pair,
  until: Moment | null,
): Promise<Pick<OtherKeyReadings, 'refused' | 'freed' | 'rested'>> {
  const { tools } = watching;
  const refused: RateReading[] = [];
  const fromMs = tools.timing.now();
  if (until === null || until.latest - fromMs > LONGEST_WAIT_MS) return { refused, freed: null, rested: null };
  for (const share of AGAIN_AT) {
    await tools.until(fromMs + share * (until.earliest - fromMs));
    const again = await tools.callOf(pair.key);
    if (again !== null) refused.push(again);
  }
  await tools.until(until.latest);
  const freed = await tools.callOf(pair.key);
  return { refused, freed, rested: freed === null ? null : await rest(watching, pair, freed) };
}

/** RATE-07 on what was seen; `spent`: calls of the drained key that were admitted meanwhile. */
export function judgeOtherKeys({ tools, book, spent }: Watching, beside: readonly OtherKeyReadings[]): Outcome {
  const judgement = judgeUntouched(
    tools.key,
    spent,
    // A Remaining that rises and falls by itself tells nothing.
    beside.filter(({ before }) => book.historyOf(before.key, before.policy).isMeasure),
  );
  const readings = beside.flatMap(({ before, refused, after }) => [before, ...refused, after]);
  return onTarget('RATE-07', judgement, judgement.kind === 'breached' ? readings : []);
}
