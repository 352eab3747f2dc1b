// Judges whether reading changes what is read: an item read twice, and where that differs a second item as a control.
//
// LIFE-06 (should): A read changes nothing: reading an item twice without writes in between gives the same, members
//   that change on their own aside. Tolerance: Counters of views and `last_seen` kinds are observations.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { type Difference, differencesOf, isTime, memberAt, snakeCase } from '../../facts/differences.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { exchangesOf, type ItemLaw } from './law.ts';

const LOOKED_AT =
  /view|visit|hits?$|impression|seen|(^|_)(un)?read(_|s|$)|access|fetch|opened|popular|request_count|last_|is_new$/;

/** The time of the last change: without a write in between it has no reason to move. */
const LAST_CHANGE = /^(last_)?(updated|modified|changed)(_(at|on|time|date|timestamp))?$/;

/** Steps differ by their rounding alone: as a share of the step. */
const SAME_STEP = 1e-6;

/** Two readings of one item, one right after the other, and those of another item; none where it could not be made. */
function judgeReadsAlike([one, two]: readonly ItemFact[], control: readonly ItemFact[]): Judgement {
  if (one?.shown == null || two?.shown == null) return cannotTell('precondition', 'the item could not be read twice');
  const differences = telling(one, two);
  if (differences.length === 0) return holds();
  const shown = control.map((reading) => reading.shown);
  if (shown.length === 0 || shown.includes(null))
    return cannotTell('precondition', 'two readings differ, and no second item showed whether reading is the cause');
  const caused = differences.filter((difference) => {
    const values = shown.map((reading) => memberAt(reading, difference.pointer));
    return tellsLastChange(difference) ? isMovedByEach(values) : isCaused(values);
  });
  return breached(caused.map(toldOf));
}

/** The differences that reading may be the cause of: times other than that of the last change are not. */
function telling({ shown: one }: ItemFact, { shown: other }: ItemFact): readonly Difference[] {
  if (one === null || other === null) return [];
  return differencesOf(one, other).filter((difference) => !isTime(difference) || tellsLastChange(difference));
}

/**
 * Tells whether reading is what changes the value: by one step a reading whatever the time between, once, with the
 * first, or to and fro. Of a list its length counts.
 */
function isCaused(readings: readonly unknown[]): boolean {
  const values = readings.every(Array.isArray) ? readings.map(({ length }) => length) : readings;
  const numbers = values.filter((value) => typeof value === 'number');
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (numbers.length === 4 && b !== a && ((isStep(c - b, b - a) && isStep(d - c, b - a)) || (c === b && d === b)))
    return true;
  const [first, second, third, fourth] = values.map((value) => JSON.stringify(value) ?? 'absent');
  const turnsOnce = second === third && third === fourth;
  const turnsBack = first === third && second === fourth;
  return first !== second && (turnsOnce || turnsBack);
}

/** Tells whether both steps are one: 0.3 - 0.2 and 0.2 - 0.1 differ in their last binary places. */
function isStep(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.abs(other) * SAME_STEP;
}

function tellsLastChange({ name }: Difference): boolean {
  return LAST_CHANGE.test(snakeCase(name));
}

/** Tells whether each reading shows a later time, also of two at once: work done once, or now and then, moves it less often. */
function isMovedByEach(values: readonly unknown[]): boolean {
  const times = values.map((value) => (typeof value === 'number' ? value : Date.parse(String(value))));
  return times.slice(1).every((time, index) => time > (times[index] ?? Number.NaN));
}

function toldOf({ pointer, name, before, after }: Difference): Breach {
  const [expected, actual] = [shortened(before), shortened(after)];
  if (LOOKED_AT.test(snakeCase(name))) {
    const cause = `${name} tells that an item was read`;
    const message = `${pointer} is ${expected} in one reading and ${actual} in the next`;
    const told = toldBreach([codeOf('LIFE-06', 'counted', name), cause], message, expected, actual, pointer);
    return { ...told, weight: 'observation' };
  }
  const message = `${pointer} is ${expected} in one reading and ${actual} in the next, without a write in between`;
  return toldBreach(['life-06.changed', 'reading an item changes it'], message, expected, actual, pointer);
}

/** LIFE-06: two readings of an item in a row, and where they differ, whether those of another one differ by reading alone. */
export const readsAlike: ItemLaw = {
  clause: 'LIFE-06',
  needs: { any: ['made'], now: ['shown'] },
  judge(item, now) {
    const [first] = item.among.all;
    const control = controlIn(item);
    const isAbout = item === first ? item.firstReadings?.[1] === now : control.at(-1) === now;
    const pair = first?.firstReadings ?? null;
    if (pair === null || !isAbout) return null;
    const isSuspected = telling(...pair).length > 0;
    if (item !== first && !isSuspected) return null;
    const judgement = judgeReadsAlike(pair, item === first ? [] : control);
    const lacks = item === first && isSuspected ? ({ lacks: { kind: 'control' } } as const) : {};
    return { on: now.by, judgement, evidence: exchangesOf(...pair), ...lacks };
  },
};

/** An item is settled so long after it was made; readings that are this far apart rested. ms. */
export const SETTLING_MS = 6_000;
export const REST_MS = 2_000;

/** Readings of an item that nobody had read before: two at once when it had settled, and two more after a rest; empty for none. */
function controlIn({ episode: { write, readings } }: Item): readonly ItemFact[] {
  const [one = 0, two = 0, three = 0] = readings.map(({ exchange }) => exchange.sentAt);
  if (write?.kind !== 'made' || readings.length !== 4) return [];
  return one - write.exchange.sentAt >= SETTLING_MS && three - two >= REST_MS ? readings : [];
}
