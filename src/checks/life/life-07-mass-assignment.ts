// Judges whether members that clients do not own are applied when they are sent all the same.
//
// LIFE-07 (should): Read-only and undeclared members of a request are refused or ignored, never applied (mass
//   assignment): `id`, owner, plan, role, price paid, state. Tolerance: Applied only where the next read shows the sent
//   value and a control shows that it would not be there by itself.
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, shortened } from '../../facts/answered.ts';
import { textOf } from '../../facts/differences.ts';
import { type ItemFact, isSending } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { describedMembers, sentOf } from '../../facts/kind.ts';
import { isForeign, shapesOf } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';
import { exchangesOf, type ItemLaw, type RequestLaw, wrongMember } from './law.ts';

/** Members that a write sent and clients do not own, by a reading after it and by readings of what was written without them. */
function judgeNotApplied(sent: JsonObject, reading: ItemFact, controls: readonly ItemFact[]): Judgement {
  if (reading.shown === null) return cannotTell('precondition', 'the resource could not be read after the write');
  const breaches = appliedMembers(sent, reading, controls).map((name) => toldOf(name, sent[name]));
  return breached(breaches, Object.keys(sent).length);
}

/** Members that the reading shows as they were sent, and no control does. */
function appliedMembers(sent: JsonObject, reading: ItemFact, controls: readonly ItemFact[]): readonly string[] {
  return Object.keys(sent).filter((name) => {
    const isShown = (one: ItemFact): boolean => shows(one, name, sent[name]);
    return isShown(reading) && !controls.some(isShown);
  });
}

function toldOf(name: string, sent: unknown): Breach {
  const cause = `${name}, which clients do not own, is applied`;
  const actual = shortened(sent);
  const message = `${name} was sent as ${actual} and is read so, though it is read-only or not described for the request`;
  return wrongMember(['LIFE-07', 'applied', name], cause, message, 'refused or ignored', actual);
}

/** LIFE-07: what a change sent that is not the client's to set is not shown, unless it was before. */
export const nothingIsAssigned: ItemLaw = {
  clause: 'LIFE-07',
  needs: { any: ['amended', 'replaced'], now: ['shown'] },
  judge(item, now) {
    const { write, before, shown } = item.episode;
    if (write === null || write.kind === 'made' || !isSending(write) || before === null) return null;
    const sent = foreignIn(item, write);
    if (Object.keys(sent).length === 0 || shown.some((one) => one !== now)) return null;
    return { on: write.by, judgement: judgeNotApplied(sent, now, [before]), evidence: exchangesOf(write, now) };
  },
};

/** LIFE-07: neither is what a create sent, unless another item, read before and after it, shows it, too. */
export const nothingIsAssignedAnew: ItemLaw = {
  clause: 'LIFE-07',
  needs: { any: ['made'], now: ['shown'] },
  judge(item, now) {
    const { all, kind } = item.among;
    const made = all.find(
      (one) => one.facts[0]?.kind === 'made' && Object.keys(foreignIn(one, one.facts[0])).length > 0,
    );
    const [write, reading] = [made?.facts[0], made?.facts.find(({ kind: one }) => one === 'shown')];
    if (made === undefined || write === undefined || reading === undefined || item === made) return null;
    const controls = controlsAround(all, made, reading);
    const trials = all.flatMap((one) => trialIn(one, reading));
    if (controls === null || (controls[1] !== now && trials.at(-1)?.reading !== now)) return null;
    const sent = foreignIn(made, write);
    const few = appliedMembers(sent, reading, controls).filter((name) => isOfFew(made, write, name, controls[0].shown));
    const openAfter = (count: number): readonly string[] =>
      few.filter((name) =>
        trials.slice(0, count).every((one) => name in one.sent === shows(one.reading, name, sent[name])),
      );
    if (controls[1] !== now && openAfter(trials.length - 1).length === 0) return null;
    const open = openAfter(trials.length);
    const turns = kind.remover === null ? TURNS.slice(0, TURNS_WHERE_ITEMS_STAY) : TURNS;
    if (trials.length > turns.length) return null;
    const isSent = open.length === 0 ? undefined : turns[trials.length];
    // A value that may be there by itself is no breach before all turns were taken.
    const unsure = isSent === undefined ? few.filter((name) => !open.includes(name)) : few;
    const told = Object.fromEntries(Object.entries(sent).filter(([name]) => !unsure.includes(name)));
    const judgement = judgeNotApplied(told, reading, controls);
    const said = { on: write.by, judgement, evidence: exchangesOf(write, reading) };
    if (isSent === undefined) return said;
    const members = isSent ? Object.fromEntries(few.map((name) => [name, sent[name]])) : {};
    return { ...said, lacks: { kind: 'made-with', members } };
  },
};

/** The turns of further items, true where one is sent values that may be there by themselves: those may come by turns or by chance. */
const TURNS = [true, false, false, true, false, true, true, false];
const TURNS_WHERE_ITEMS_STAY = 4;

/** The last reading of another item before this one, and the first after it. */
function controlsAround(all: readonly Item[], made: Item, reading: ItemFact): readonly [ItemFact, ItemFact] | null {
  for (const other of all) {
    const shown = other === made ? [] : other.facts.filter(({ kind }) => kind === 'shown');
    const before = shown.findLast(({ place }) => place < reading.place);
    const after = shown.find(({ place }) => place > reading.place);
    if (before !== undefined && after !== undefined) return [before, after];
  }
  return null;
}

/** The values that were sent to make an item after that, and its first reading. */
function trialIn(
  { facts: [write, ...others] }: Item,
  { place }: ItemFact,
): readonly { readonly sent: JsonObject; readonly reading: ItemFact }[] {
  const reading = others.find(({ kind }) => kind === 'shown');
  return write?.kind !== 'made' || write.place < place || reading === undefined ? [] : [{ sent: write.sent, reading }];
}

function shows({ shown }: ItemFact, name: string, value: unknown): boolean {
  return shown !== null && (textOf(shown[name]) === textOf(value) || sameness(value, shown[name]) === 'same');
}

/** Tells whether the member has but few values: another item may have any of them by itself. */
function isOfFew(item: Item, write: ItemFact, name: string, shown: JsonObject | null): boolean {
  const [, shape] = shapesOf(item.members(write), name);
  return Array.isArray(shape?.enum) || typeof shown?.[name] === 'boolean';
}

/** The members that the write sent and that are read-only or not described for it. */
function foreignIn({ among: { kind } }: Pick<Item, 'among'>, { by, sent }: Pick<ItemFact, 'by' | 'sent'>): JsonObject {
  const members = describedMembers(kind.description, by, kind.reader ?? by);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isForeign(members, name)));
}

/** LIFE-07: a write is refused for what is not the client's to set. */
export const assignmentIsRefused: RequestLaw = {
  clause: 'LIFE-07',
  judge(among, write) {
    const { creator, amender, replacer } = among.kind;
    const by = [creator, amender, replacer].find((one) => one?.key === write.plan.operation);
    if (by == null || isSuccess(write.response?.status ?? 0)) return null;
    const { length } = Object.keys(foreignIn({ among }, { by, sent: sentOf(among.kind, write) }));
    return length === 0 ? null : { on: by, judgement: judgeRefused(write, length), evidence: [write] };
  },
};

function judgeRefused(write: Exchange, members: number): Judgement {
  const seen = answerOf(write);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  return status >= 400 ? holds(members) : cannotTell('precondition', `the write is answered ${status}`);
}
