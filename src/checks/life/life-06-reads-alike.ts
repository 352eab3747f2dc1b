// Judges whether reading changes what is read: an item read twice, and where that differs a second item as a control.
//
// LIFE-06 (should): A read changes nothing: reading an item twice without writes in between gives the same, members
//   that change on their own aside. Tolerance: Counters of views and `last_seen` kinds are observations.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { shortened } from '../../facts/answered.ts';
import { type Difference, differencesOf, isTime, memberAt, snakeCase } from '../../facts/differences.ts';
import type { Item } from '../../facts/item-history.ts';
import { resourceOf } from '../../facts/resource.ts';
import type { JsonObject } from '../../openapi/json.ts';
import type { ItemLaw } from './law.ts';

/**
 * Readings of a second item, which nobody had read before: two at once when it had had the time to settle, and after a rest
 * two more.
 */
export type Control = readonly [Exchange, Exchange, Exchange, Exchange];

const LOOKED_AT =
  /view|visit|hits?$|impression|seen|(^|_)(un)?read(_|s|$)|access|fetch|opened|popular|request_count|last_|is_new$/;

/** The time of the last change: without a write in between it has no reason to move. */
const LAST_CHANGE = /^(last_)?(updated|modified|changed)(_(at|on|time|date|timestamp))?$/;

/** Steps differ by their rounding alone: as a share of the step. */
const SAME_STEP = 1e-6;

/** Tells whether two readings differ in what reading may be the cause of: times other than that of the last change are not. */
export function differ(first: Exchange, second: Exchange): boolean {
  const [one, other] = [resourceOf(first), resourceOf(second)];
  return one !== null && other !== null && telling(one, other).length > 0;
}

/** LIFE-06: two readings of one item, one right after the other. `control` is null where none could be made. */
export function judgeReadsAlike(first: Exchange, second: Exchange, control: Control | null): Judgement {
  const [one, other] = [resourceOf(first), resourceOf(second)];
  if (one === null || other === null) return cannotTell('precondition', 'the item could not be read twice');
  const differences = telling(one, other);
  if (differences.length === 0) return holds();
  const shown = control?.map(resourceOf) ?? [];
  if (shown.length === 0 || shown.some((reading) => reading === null))
    return cannotTell('precondition', 'two readings differ, and no second item showed whether reading is the cause');
  const caused = differences.filter((difference) => {
    const values = shown.map((reading) => memberAt(reading, difference.pointer));
    return tellsLastChange(difference) ? isMovedByEach(values) : isCaused(values);
  });
  return breached(caused.map(toldOf));
}

function telling(one: JsonObject, other: JsonObject): readonly Difference[] {
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
    const isAbout = item === first ? item.firstReadings?.[1] === now : controlIn(item)?.at(-1) === now.exchange;
    const pair = first?.firstReadings ?? null;
    if (pair === null || !isAbout) return null;
    const [one, two] = pair.map(({ exchange }) => exchange) as [Exchange, Exchange];
    const isSuspected = differ(one, two);
    if (item !== first && !isSuspected) return null;
    const judgement = judgeReadsAlike(one, two, item === first ? null : controlIn(item));
    const lacks = item === first && isSuspected ? ({ lacks: { kind: 'control' } } as const) : {};
    return { on: now.by, judgement, evidence: [one, two], ...lacks };
  },
};

/** An item is settled so long after it was made; readings that are this far apart rested. ms. */
export const SETTLING_MS = 6_000;
export const REST_MS = 2_000;

/** Four readings of an item, two at once when it had settled, and two more after a rest; null for none. */
function controlIn({ episode: { write, readings } }: Item): Control | null {
  if (write?.kind !== 'made' || readings.length !== 4) return null;
  const control = readings.map(({ exchange }) => exchange) as [Exchange, Exchange, Exchange, Exchange];
  const [one, two, three] = control;
  const isRested = one.sentAt - write.exchange.sentAt >= SETTLING_MS && three.sentAt - two.sentAt >= REST_MS;
  return isRested ? control : null;
}
