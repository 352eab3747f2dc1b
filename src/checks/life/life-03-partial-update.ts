// Judges whether a partial update leaves alone what it did not send, by the readings before and after it.
//
// LIFE-03 (should): A partial update changes the members that were sent and no other. Tolerance: Timestamps, versions,
//   computed totals may change: members that change on their own between two reads are not compared.
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, shortened } from '../../facts/answered.ts';
import { isTime, lettersIn, textOf } from '../../facts/differences.ts';
import { isLeftOut, isSecret, isServersOwn } from '../../facts/members.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { appended, isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { sentMembers } from './life-02-sent-is-read.ts';

const MOST_LEVELS = 4;

export interface PartialUpdate {
  readonly before: Exchange;
  readonly update: Exchange;
  readonly after: Exchange;
  /** Members that clients have set and that were read as they were sent: of others nobody knows who changes them. */
  readonly owned: readonly string[];
  /** Members that differed between two readings without a write in between. */
  readonly restless: readonly string[];
}

/** LIFE-03: the readings around one update that was answered with 2xx. */
export function judgePartialUpdate({ before, update, after, owned, restless }: PartialUpdate): Judgement {
  const [earlier, later] = [shownBy(before), shownBy(after)];
  if (earlier === null || later === null)
    return cannotTell('precondition', 'the resource could not be read before and after the update');
  const sent = sentMembers(update);
  const others = owned.filter((name) => !(name in sent) && !restless.includes(name) && name in earlier);
  if (others.length === 0)
    return cannotTell('precondition', 'no member beside those that the update sent is known to be set by clients');
  const changed = others.filter((name) => {
    const [was, is] = [earlier[name], later[name]];
    if (textOf(was) === textOf(is)) return false;
    if (sameness(was, is) !== 'other' && !hasLost(was, is)) return false;
    return !isTime({ pointer: '', name, before: was, after: is }) && !isComputed(is, Object.values(sent));
  });
  return breached(
    changed.map((name) => {
      const [expected, actual] = [shortened(earlier[name]), shortened(later[name] ?? null)];
      const cause = `a partial update changes ${name}, which it did not send`;
      return {
        ...({ weight: 'breach', code: codeOf('LIFE-03', 'changed', name), cause, expected, actual } as const),
        message: `${name} was ${expected} before an update of ${Object.keys(sent).join(', ')} and is ${actual} after it`,
        pointer: appended('', name),
      };
    }),
    others.length,
  );
}

/**
 * LIFE-03: the readings of another item around an update that was not meant for it. Of flags nothing is said: of several items only one may
 * have one.
 */
export function judgeOtherItem({ before, update, after, owned, restless }: PartialUpdate): Judgement {
  const [earlier, later] = [shownBy(before), shownBy(after)];
  if (earlier === null || later === null)
    return cannotTell('precondition', 'the other item could not be read before and after the update');
  const looked = owned.filter((name) => name in earlier && !restless.includes(name) && !isFlag(earlier[name]));
  if (looked.length === 0)
    return cannotTell('precondition', 'no member of the other item is known to be set by clients');
  const changed = looked.filter((name) => sameness(earlier[name], later[name]) === 'other');
  return breached(
    changed.map((name) => {
      const [expected, actual] = [shortened(earlier[name]), shortened(later[name] ?? null)];
      const cause = `an update of one item changes ${name} of another`;
      return {
        ...({ weight: 'breach', code: codeOf('LIFE-03', 'other-item', name), cause, expected, actual } as const),
        message: `${name} of another item was ${expected} before an update of ${Object.keys(sentMembers(update)).join(', ')} and is ${actual} after it`,
        pointer: appended('', name),
      };
    }),
    looked.length,
  );
}

/** A state that a client has set, and readings of it before and after an update that did not send it. */
export interface StateCase {
  readonly name: string;
  readonly was: unknown;
  readonly is: unknown;
  readonly update: Exchange;
}

/** LIFE-03: a state is the client's where a client's write sets it, whatever its name. */
export function judgeStateKept({ name, was, is, update }: StateCase): Judgement {
  if (sameness(was, is) !== 'other') return holds();
  const [expected, actual] = [shortened(was), shortened(is ?? null)];
  const cause = `a partial update changes ${name}, which it did not send`;
  const sent = Object.keys(sentMembers(update)).join(', ');
  const message = `${name} was set to ${expected}, and each time it is ${actual} after an update of ${sent}`;
  const code = codeOf('LIFE-03', 'changed', name);
  return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name) }]);
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** What a reading shows; null where it failed: an error is no resource. */
function shownBy(reading: Exchange): JsonObject | null {
  return isSuccess(reading.response?.status ?? 0) ? resourceOf(reading) : null;
}

/** Whether the value is made of one that was sent: a title of a name, say. */
function isComputed(value: unknown, sent: readonly unknown[]): boolean {
  const text = typeof value === 'string' ? lettersIn(value) : '';
  return sent.some((one) => typeof one === 'string' && lettersIn(one).length > 3 && text.includes(lettersIn(one)));
}

/** Whether the object lacks a member that an earlier reading showed: what was readable once is no secret. */
function hasLost(was: unknown, is: unknown, level = 0): boolean {
  if (level > MOST_LEVELS || !isObject(was) || !isObject(is)) return false;
  return membersOf(was).some(([name, value]) => {
    if (name in is) return hasLost(value, is[name], level + 1);
    return !isLeftOut(value) && !isServersOwn(name) && !isSecret(name);
  });
}
