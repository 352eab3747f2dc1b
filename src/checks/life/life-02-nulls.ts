// LIFE-02 on null: it is read as null, or as a default, and leaves nothing of what was there before.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { breached, cannotTell } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { textOf } from '../../facts/differences.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Episode, Item } from '../../facts/item-history.ts';
import { isClientsOwn, isLeftOut, isNullable, shapesOf } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { membersOf } from '../../openapi/json.ts';
import { exchangesOf, type ItemLaw, type Said, wrongMember } from './law.ts';
import { isAsSent } from './life-02-sent-is-read.ts';

/**
 * A member that a body sent as null, as both sides are described to have it, and that is read with a value: it may be a default, or not. Null
 * for none.
 */
function nullReadAsValue(item: Item, { write, reading }: WriteRead): string | null {
  const { shown: resource } = reading;
  if (resource === null) return null;
  const members = item.members(write);
  const hasDefault = (name: string): boolean => shapesOf(members, name).some((shape) => shape?.default !== undefined);
  const isOther = ([name, value]: readonly [string, unknown]): boolean =>
    value === null &&
    !isLeftOut(resource[name] ?? null) &&
    isClientsOwn(members, name) &&
    isNullable(members, name) &&
    !item.among.restless.has(name) &&
    !hasDefault(name);
  return membersOf(write.sent).find(isOther)?.[0] ?? null;
}

const UNTOLD = cannotTell('precondition', 'what is read in place of null may be a default');

/**
 * Null that is read as a value, and always as the same one, which is not that of a member that is left out. `again`: null sent once more; null
 * where it was not, as without the member there is no value, or the value may be made anew for each write.
 */
function judgeNullIsRead(
  name: string,
  first: WriteRead,
  without: WriteRead,
  again: WriteRead | null,
): Pick<Said, 'judgement' | 'evidence' | 'lacks'> {
  const [read, left] = [first, without].map(({ reading }) => reading.shown?.[name]);
  const evidence = exchangesOf(first.write, first.reading, without.reading, again?.reading);
  const isDefault = sameness(read, left) === 'same';
  const isConstant = isLeftOut(left ?? null) || sameness(read, again?.reading.shown?.[name]) === 'same';
  if (isDefault || !isConstant) {
    const isOpen = !isDefault && again === null;
    return { judgement: UNTOLD, evidence, ...(isOpen ? { lacks: { kind: 'once-more', write: first.write } } : {}) };
  }
  const [expected, actual] = ['null', shortened(read)];
  const cause = `${name} is read with a value where null was sent`;
  const message = `${name} was sent as null and is read as ${actual}; left out it is read as ${shortened(left ?? null)}`;
  const breach = wrongMember(['LIFE-02', 'null-otherwise', name], cause, message, expected, actual);
  return { judgement: breached([breach]), evidence };
}

/** LIFE-02: null is read as null, unless a default takes its place: that is the value of a member that is left out. */
export const nullIsRead: ItemLaw = {
  clause: 'LIFE-02',
  needs: { any: ['made', 'replaced'], now: ['shown'] },
  judge(item, now) {
    const { among, episode } = item;
    const { write, before } = episode;
    if (write === null || (write.kind !== 'made' && write.kind !== 'replaced')) return null;
    const earlier = among.episodes.filter((one) => one !== episode && one.write?.by === write.by);
    const [third, second] = earlier.flatMap(writeReadIn).slice(-2);
    const last = { write, reading: now };
    const isAgain = third !== undefined && textOf(third.write.sent) === textOf(write.sent);
    const [first, without, again] = isAgain ? [third, second, last] : [second ?? third, last, null];
    const name = first === undefined ? null : nullReadAsValue(item, first);
    if (first === undefined || without === undefined || name === null || !isWithout(name, first, without)) {
      const own = isAgain || !isAsSent(item, write, before, now) ? null : nullReadAsValue(item, last);
      if (own === null) return null;
      return { on: write.by, judgement: UNTOLD, evidence: [], lacks: { kind: 'once-more', write, without: own } };
    }
    return { on: write.by, ...judgeNullIsRead(name, first, without, again) };
  },
};

/** A write, and what was read after it. */
interface WriteRead {
  readonly write: ItemFact;
  readonly reading: ItemFact;
}

function writeReadIn({ write, shown }: Episode): readonly WriteRead[] {
  const reading = shown.at(-1);
  return write === null || reading === undefined ? [] : [{ write, reading }];
}

/** Tells whether the one sends what the other does without the member; members that are not the client's to set may lack, too. */
function isWithout(name: string, { write: { sent } }: WriteRead, without: WriteRead): boolean {
  const others = without.write.sent;
  return !(name in others) && membersOf(others).every(([one, value]) => textOf(value) === textOf(sent[one]));
}
