// LIFE-02 on lists: they show the values that an item has when it is read by its id.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { type ItemFact, isSending, SENDING } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { type DescribedMembers, isClientsOwn, isSecret, isServersOwn } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { type ItemLaw, listedFrom, wrongMember } from './law.ts';

/**
 * A list beside what a write sent. `item`: what reading by the id shows; only what is right there is compared. Lists may leave members out or
 * empty, at any depth, or shorten texts and lists within.
 */
function judgeSentIsListed(
  write: ItemFact,
  item: JsonObject,
  listed: JsonObject,
  members: DescribedMembers,
): Judgement {
  const compared = membersOf(write.sent)
    .filter(([name, sent]) => isClientsOwn(members, name) && sameness(sent, item[name]) === 'same')
    .map(([name, sent]) => ({ name, sent, shown: listed[name], pairs: comparableIn(sent, listed[name]) }))
    .filter(({ pairs }) => pairs.length > 0);
  if (compared.length === 0) return cannotTell('precondition', 'the list shows no member that was sent');
  const other = compared.filter(({ pairs }) => pairs.some(([sent, shown]) => sameness(sent, shown) === 'other'));
  return breached(other.map(listedOtherwise), compared.length);
}

/** The values of what was sent that a list shows as values of the same type, beside them; texts that it shortens or masks aside. */
function comparableIn(sent: unknown, shown: unknown): readonly (readonly [unknown, unknown])[] {
  if (isObject(sent) && isObject(shown))
    return membersOf(sent)
      .filter(([name]) => !isServersOwn(name) && !isSecret(name))
      .flatMap(([name, value]) => comparableIn(value, shown[name]));
  if (typeof sent !== typeof shown || typeof sent === 'object') return [];
  return typeof sent === 'string' && typeof shown === 'string' && isAbridged(sent, shown) ? [] : [[sent, shown]];
}

function isAbridged(sent: string, shown: string): boolean {
  return sent.startsWith(shown) || /\*\*|…|\.\.\.$/.test(shown);
}

function listedOtherwise({ name, sent, shown }: { name: string; sent: unknown; shown: unknown }): Breach {
  const [expected, actual] = [shortened(sent), shortened(shown)];
  const message = `${name} was sent as ${expected} and is read so by the id; the list shows ${actual}`;
  const cause = `the list shows another ${name} than was sent`;
  return wrongMember(['LIFE-02', 'other-in-list', name], cause, message, expected, actual);
}

/** LIFE-02: each list shows the values that the item has: where it seems not to, reading the item once more tells what it has by then. */
export const sentIsListed: ItemLaw = {
  clause: 'LIFE-02',
  needs: { any: SENDING, now: ['listed', 'shown'] },
  judge(item, now) {
    const { write, shown } = item.episode;
    const listed = now.kind === 'listed' ? now : (item.facts.at(-2) ?? null);
    const read = shown.findLast((one) => one !== now) ?? null;
    if (write === null || !isSending(write) || listed?.kind !== 'listed' || read === null) return null;
    const said = { on: listed.by, evidence: [write.exchange, listed.exchange] };
    const judgement = judgeAllListed(item, read, listed);
    if (now.kind === 'shown')
      return judgement.kind === 'breached' ? { ...said, judgement: judgeAllListed(item, now, listed) } : null;
    const looked = item.facts.filter(
      ({ kind, place }) => kind === 'listed' && place > write.place && place < now.place,
    );
    if (looked.some((one) => judgeAllListed(item, read, one).kind !== 'breached')) return null;
    const lacks = judgement.kind === 'breached' ? ({ lacks: { kind: 'reading' } } as const) : {};
    return { ...said, judgement, standsFrom: listedFrom(write.exchange), ...lacks };
  },
};

/** Every write of the item: what the reading shows as it was sent, the list is to show, too. */
function judgeAllListed(item: Item, { shown }: ItemFact, { shown: listed }: ItemFact): Judgement {
  if (shown === null || listed === null) return cannotTell('precondition', 'the list shows the item no longer');
  const writes = item.episodes.flatMap((one) => one.writes);
  const said = writes.map((write) => judgeSentIsListed(write, shown, listed, item.members(write)));
  const told = said.find(({ kind }) => kind === 'breached') ?? said.findLast(({ kind }) => kind === 'holds') ?? said[0];
  return told ?? cannotTell('precondition', 'the list shows the item no longer');
}
