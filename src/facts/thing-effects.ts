// Counts the effects of requests on a thing that they change, by readings of it before and after them.
import { exactBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, type JsonObject } from '../openapi/json.ts';
import { shortened, succeeded } from './answered.ts';
import { type Difference, differencesOf, isTime, memberAt } from './differences.ts';
import { type Effects, effectsOf, fewer } from './effects.ts';
import { numberIn } from './same-value.ts';

/** Requests, and the thing as it was read before and after them. */
export interface Turn {
  readonly before: Exchange;
  /** Their answers. */
  readonly sent: readonly Exchange[];
  readonly after: Exchange;
}

/** Smaller amounts are also what counters go up by. */
const LEAST_AMOUNT = 2;
/** Arithmetic loses so much of a share. */
const MAX_ROUNDING = 1e-6;

/** The thing that a reading shows, in whatever envelope; null where it shows none. */
export function thingIn(reading: Exchange): JsonObject | null {
  const body = exactBody(reading);
  return succeeded(reading) && body.ok && isObject(body.value) ? body.value : null;
}

type Readings = Pick<Turn, 'before' | 'after'>;

/** Pointers of the members that are there with another value in the later reading, times aside: of what others use they tell no effect. */
export function membersChanged({ before, after }: Readings): readonly string[] {
  // A time may stand where nothing stood before.
  const isTold = (difference: Difference): boolean =>
    isTime({ ...difference, before: difference.before ?? difference.after }, after.sentAt);
  return changesIn({ before, after }).flatMap((one) => (isTold(one) ? [] : [one.pointer]));
}

/** The same with times, which stand still as well in what nobody else uses. */
export function anyChanged(readings: Readings): readonly string[] {
  return changesIn(readings).map(({ pointer }) => pointer);
}

function changesIn({ before, after }: Readings): readonly Difference[] {
  const [one, other] = [thingIn(before), thingIn(after)];
  return one === null || other === null ? [] : differencesOf(one, other).filter((each) => each.after !== undefined);
}

export class ThingEffects {
  /** Pointers of members that show an effect; null where an effect is known of no turn: then what grows by an amount that was sent shows one. */
  readonly members: readonly string[] | null;
  /** The growth of members that grow alike with each effect of such a request. */
  readonly #units = new Map<string, number>();
  readonly #restless: ReadonlySet<string>;
  readonly #isMade: boolean;

  /**
   * `alike`: turns of one effect each, of requests with one body, `other`: one of another body. `restless`: members that change by themselves,
   * among which more may come. `isMade`: the effect made the thing, in which nothing else is to change.
   */
  constructor(alike: readonly Turn[], other: Turn | null, restless: ReadonlySet<string>, { isMade = false } = {}) {
    this.#restless = restless;
    this.#isMade = isMade;
    const [first, last] = alike;
    this.members = first === undefined ? null : this.#stillIn(first);
    if (first === undefined) return;
    for (const pointer of this.members ?? []) {
      const unit = growthIn(first, pointer);
      if (unit === null || unit === 0) continue;
      const isSteady = last !== undefined && isNear(growthIn(last, pointer) ?? 0, unit);
      const isAmount = growsBySent(first, pointer) && other !== null && growsBySent(other, pointer);
      if (isSteady || isAmount) this.#units.set(pointer, unit);
    }
  }

  #stillIn(turn: Turn): readonly string[] {
    const changed = this.#isMade ? anyChanged(turn) : membersChanged(turn);
    return changed.filter((pointer) => !this.#restless.has(pointer));
  }

  /**
   * The effects of a turn in which so many are due; null where the thing does not tell. New keys need members that count their effects. Of
   * known ones none is due, and any member shows that there is one.
   */
  effectsIn(turn: Turn, due: number): Effects | null {
    const counted = this.#countIn(turn);
    if (due > 0) return counted;
    const [shown] = this.#stillIn(turn).filter(
      (pointer) => this.members?.includes(pointer) ?? (this.#isMade || growsBySent(turn, pointer)),
    );
    const [member] = this.members ?? [];
    if (shown !== undefined) return effectsBy(turn, shown, [Math.max(1, counted?.least ?? 1)]);
    if (member === undefined && this.#isMade && thingIn(turn.after) !== null) return fewer(effectsOf(['the thing']), 1);
    return member === undefined ? null : effectsBy(turn, member, [0]);
  }

  #countIn(turn: Turn): Effects | null {
    const units = [...this.#units].filter(([pointer]) => !this.#restless.has(pointer));
    const counts = units.map(([pointer, unit]) => (growthIn(turn, pointer) ?? Number.NaN) / unit);
    const isWhole = (count: number): boolean => count > -MAX_ROUNDING && isNear(count, Math.round(count));
    const [[member] = []] = units;
    return member !== undefined && counts.every(isWhole) ? effectsBy(turn, member, counts.map(Math.round)) : null;
  }
}

/** "balance of /wallets/w1 goes from 10 to 30" */
function effectsBy({ before, after }: Turn, member: string, counts: readonly number[]): Effects {
  const [was, is] = [before, after].map((reading) => shortened(memberAt(thingIn(reading), member)));
  const how = was === is ? `stays ${is}` : `goes from ${was} to ${is}`;
  const told = `${member.slice(1)} of ${after.plan.path} ${how}`;
  return { least: Math.min(...counts), most: Math.max(...counts), told, member };
}

/** How much a number is larger, or how much longer a list; null for other members. */
function growthIn({ before, after }: Turn, pointer: string): number | null {
  const [was, is] = [before, after].map((reading) => memberAt(thingIn(reading), pointer));
  if (Array.isArray(was) && Array.isArray(is)) return is.length - was.length;
  const [from, to] = [numberIn(was), numberIn(is)];
  return from === null || to === null ? null : to - from;
}

/** Tells whether the member grew or fell by a number that was sent, and is not that number itself. */
function growsBySent(turn: Turn, pointer: string): boolean {
  const [growth, is] = [growthIn(turn, pointer), numberIn(memberAt(thingIn(turn.after), pointer))];
  const body = turn.sent[0]?.plan.body;
  const amounts = body?.kind === 'json' ? numbersIn(body.value).filter((amount) => amount >= LEAST_AMOUNT) : [];
  return amounts.some((amount) => growth !== null && isNear(Math.abs(growth), amount) && is !== amount);
}

function numbersIn(value: unknown, level = 0): readonly number[] {
  if (typeof value !== 'object' || value === null || level > 3) return [numberIn(value) ?? 0];
  return Object.values(value).flatMap((member) => numbersIn(member, level + 1));
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= MAX_ROUNDING * Math.max(1, Math.abs(other));
}
