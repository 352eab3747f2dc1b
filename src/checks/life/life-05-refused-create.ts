// Judges whether creates that were refused left something behind, by the texts that only they carried.
//
// LIFE-05 (should): A create that was refused with 4xx leaves nothing behind. Tolerance: Looked for by the name or email
//   that only this request carried.

import { breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { jsonText } from '../../exchange/body.ts';
import { shortened } from '../../facts/answered.ts';
import { type ItemFact, isBetween } from '../../facts/item-facts.ts';
import type { Conflict, Item } from '../../facts/item-history.ts';
import { isItem } from '../../facts/resource.ts';
import { isEmpty, sameness } from '../../facts/same-value.ts';
import type { Listing } from '../../facts/walked-list.ts';
import { membersOf } from '../../openapi/json.ts';
import { type ItemLaw, wrongMember } from './law.ts';

/** The texts that refused creates alone carried, and that of a create which succeeded: where a list does not show it, it shows no such texts. */
function judgeNothingLeft({ items, isWhole }: Listing, refused: readonly string[], accepted: string | null): Judgement {
  if (refused.length === 0)
    return cannotTell('precondition', 'no create was refused that carried a name or an email of its own');
  const texts = items.map((item) => jsonText(item).toLowerCase());
  const left = refused.filter((mark) => texts.some((text) => text.includes(mark)));
  if (left.length > 0) {
    const [expected, actual] = ['nothing', `${left.length} of ${refused.length} listed`];
    const cause = 'a create that was refused leaves something behind';
    const message = `${cause}: the list shows ${left.slice(0, 3).join(', ')}, which only refused requests carried`;
    return breached([toldBreach(['life-05.left', cause], message, expected, actual)], refused.length);
  }
  if (accepted === null)
    return cannotTell('precondition', 'the list does not show the name by which an item could be found');
  if (!isWhole) return cannotTell('precondition', 'the list is longer than the pages that were read');
  return holds(refused.length);
}

/**
 * LIFE-05: an item before and after a create that was refused because it is there already. What it shows now of the refused request's values, and
 * did not show before, was taken all the same.
 */
function judgeConflict({ shown: was }: ItemFact, refused: Conflict, { shown: is }: ItemFact): Judgement {
  if (was === null || is === null) return cannotTell('precondition', 'no reading showed the item after the conflict');
  const telling = membersOf(refused.sent).filter(
    ([name, sent]) => !isEmpty(sent) && name in was && sameness(sent, was[name]) === 'other',
  );
  if (telling.length === 0)
    return cannotTell('precondition', 'the refused create sent no other value than the item has');
  const taken = telling.filter(([name, sent]) => sameness(sent, is[name]) === 'same');
  const { status = 0 } = refused.exchange.response ?? {};
  return breached(
    taken.map(([name, sent]) => {
      const [expected, actual] = [shortened(was[name]), shortened(sent)];
      const cause = `a create that was refused sets ${name} of the item that is there`;
      const message = `${name} was ${expected} and is ${actual} after a create that sent this and was answered ${status}`;
      return wrongMember(['LIFE-05', 'overwritten', name], cause, message, expected, actual);
    }),
    telling.length,
  );
}

/** LIFE-05: the list shows one item with the text, in small letters, that the item which is there and the refused create carried alone. */
function judgeNoDouble({ id, nouns }: Item, items: readonly unknown[], mark: string): Judgement {
  const marked = items.filter((item) => jsonText(item).toLowerCase().includes(mark));
  if (!marked.some((item) => isItem(item, id, nouns)))
    return cannotTell('precondition', 'the list does not show the item with which the refused create conflicts');
  if (marked.length === 1) return holds();
  const [expected, actual] = ['one item', plural(marked.length, 'item')];
  const kind = ['life-05.twice', 'a create that was refused because its item is there makes another one'] as const;
  const message = `the list shows ${actual} with ${mark}, of which one was made and the other creates were answered 409`;
  return breached([toldBreach(kind, message, expected, actual)]);
}

/** LIFE-05: the list that shows what was made shows nothing of what was refused. */
export const refusedLeavesNothing: ItemLaw = {
  clause: 'LIFE-05',
  needs: { any: ['made'], now: ['listed', 'unlisted'] },
  judge(item, { exchange, listing, shown }) {
    const { write } = item.episode;
    const { elsewhere, kind, all } = item.among;
    const looks = item.facts.filter(({ listing: one }) => one !== undefined);
    if (write?.kind !== 'made' || all[0] !== item || listing === undefined) return null;
    if (looks.slice(0, -1).some((one) => one.kind === 'listed')) return null;
    const accepted =
      shown === null
        ? null
        : elsewhere.markIn(jsonText(listing.items.filter((one) => isItem(one, item.id, item.nouns))));
    const refused = elsewhere.refusedAt(write.exchange.plan.path);
    const judgement = judgeNothingLeft(listing, refused, accepted);
    return { on: kind.creator, judgement, evidence: [write.exchange, exchange] };
  },
};

/** LIFE-05: a create that conflicts with what is there changes nothing of it. */
export const conflictChangesNothing: ItemLaw = {
  clause: 'LIFE-05',
  needs: { any: ['shown'], now: ['shown'] },
  judge(item, now) {
    const { among, episode } = item;
    const before = episode.shown.findLast((one) => one !== now);
    const refused = before === undefined ? null : among.conflicts.findLast((one) => isBetween(one, before, now));
    if (before === undefined || refused === undefined || refused === null) return null;
    const judgement = judgeConflict(before, refused, now);
    return { on: among.kind.creator, judgement, evidence: [before.exchange, refused.exchange, now.exchange] };
  },
};

/** LIFE-05: a create that conflicts with what is there adds nothing to its list. */
export const conflictMakesNothing: ItemLaw = {
  clause: 'LIFE-05',
  needs: { any: ['made'], now: ['listed'] },
  judge(item, { exchange, listing, place }) {
    const { among } = item;
    const refused = among.conflicts.at(-1);
    const isLooked = item.facts.some(
      (one) => one.kind === 'listed' && one.place < place && one.place > (refused?.place ?? 0),
    );
    if (refused === undefined || listing === undefined || refused.place > place || isLooked) return null;
    const mark = among.elsewhere.markIn(jsonText(refused.sent));
    // Another create may have carried the same text, and was accepted.
    const isMarked = ({ facts: [made] }: Item): boolean =>
      jsonText(made?.sent)
        .toLowerCase()
        .includes(mark ?? '');
    if (mark === null || among.all.filter(isMarked).length > 1) return null;
    const judgement = judgeNoDouble(item, listing.items, mark);
    return { on: among.kind.creator, judgement, evidence: [refused.exchange, exchange] };
  },
};
