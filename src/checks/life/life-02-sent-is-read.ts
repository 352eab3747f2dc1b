// Judges whether what was sent is what is read: each member of a create, a replacement or a change against the next reading.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { breached, cannotTell, type Judgement, toldBreach } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { lettersIn } from '../../facts/differences.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Episode, Item } from '../../facts/item-history.ts';
import { idShown, resourceOf, showsId } from '../../facts/resource.ts';
import { readsAsGone } from '../../facts/states.ts';
import { type JsonObject, membersOf } from '../../openapi/json.ts';
import { exchangesOf, type ItemLaw, settledFrom } from './law.ts';
import { doubtfullyKept, wasClearedBefore } from './life-02-nulls.ts';
import { isAsSent, judgeSentIsRead, keptMembers } from './same-as-sent.ts';

/**
 * An item that could be read before it was changed, and not after it. An answer that shows an id made of what was sent has moved it, and what was
 * sent may have hidden it.
 */
function judgeStillRead({ exchange, sent }: ItemFact, reading: Exchange, id: string): Judgement {
  const { status = 0 } = reading.response ?? {};
  const shown = resourceOf(exchange);
  const isMoved = shown !== null && showsId(shown, id) === false && isMadeOf(idShown(shown) ?? '', sent);
  if (isMoved || membersOf(sent).some(([name, value]) => readsAsGone(name, value)))
    return cannotTell('precondition', 'no reading showed the resource after the write');
  const [expected, actual] = ['the item with what was sent', `${status}`];
  const kind = ['life-02.gone', 'what was changed can no longer be read'] as const;
  const message = `a change was answered ${exchange.response?.status ?? 0}, reading the item is answered ${status}; expected ${expected}`;
  return breached([toldBreach(kind, message, expected, actual, '')]);
}

const LETTERS_OF_SLUG = 8;

/** Tells whether the id holds the beginning of one of the texts that were sent, as a slug of a title does. */
function isMadeOf(id: string, sent: JsonObject): boolean {
  const texts = Object.values(sent).flatMap((value) => (typeof value === 'string' ? [lettersIn(value)] : []));
  return texts.some((text) => text !== '' && lettersIn(id).includes(text.slice(0, LETTERS_OF_SLUG)));
}

export const SENDING = ['made', 'amended', 'replaced'] as const;

/** LIFE-02: each write against the first reading that shows it, or the last one that had the time to. */
export const sentIsRead: ItemLaw = {
  clause: 'LIFE-02',
  needs: { any: SENDING, now: ['shown', 'missing'] },
  judge(item, now) {
    const { write, before, readings, shown } = item.episode;
    if (write === null || !isSending(write)) return null;
    const evidence = exchangesOf(before, write, now);
    const [on, standsFrom] = [write.by, settledFrom(write.exchange)];
    if (now.kind === 'missing') {
      if (write.kind === 'made' || shown.length > 0 || readings[0]?.kind === 'unread') return null;
      return { on, judgement: judgeStillRead(write, now.exchange, item.id), evidence, standsFrom };
    }
    if (shown.some((one) => one !== now && isAsSent(item, write, before, one))) return null;
    const judge = (was: ItemFact | null): Judgement => judgeSentIsRead(item, write, now, was, [...item.among.restless]);
    const name = doubtfullyKept(item, write, now, before);
    if (name === null || wasClearedBefore(item, write, before, name))
      return { on, judgement: judge(before), evidence, standsFrom };
    const lacks = { kind: 'other-value-between', write, name, was: now.shown?.[name] } as const;
    return { on, judgement: judge(null), evidence: [write.exchange, now.exchange], standsFrom, lacks };
  },
};

export function isSending({ kind }: ItemFact): boolean {
  return SENDING.some((one) => one === kind);
}

/** Tells whether the reading shows what the writes did, or would by now. */
export function isSettled(item: Item, { writes, write, before }: Episode, reading: ItemFact): boolean {
  const isEarly = (one: ItemFact): boolean => reading.exchange.sentAt < settledFrom(one.exchange);
  if (writes.some((one) => one.kind === 'touched' && isEarly(one))) return false;
  return write === null || !isSending(write) || !isEarly(write) || isAsSent(item, write, before, reading);
}

/** Members of the item that clients set, as writes before the place and what was read after them show; none that changes by itself. */
export function ownedBefore(item: Item, place: number): readonly string[] {
  const kept = item.episodes.flatMap(({ writes, shown }) => {
    const last = shown.findLast((one) => one.place < place);
    return last === undefined ? [] : writes.flatMap((write) => keptMembers(item, write, last));
  });
  return [...new Set(kept)].filter((name) => !item.among.restless.has(name));
}
