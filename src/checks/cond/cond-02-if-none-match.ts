// Judges readings that name the state which the client has. Source: RFC 9110, 13.1.2 and 15.4.5.
//
// COND-02 (must): A read with an `If-None-Match` that names the present state is answered 304 without a body, with the same ETag; after a change
//   200. Tolerance: Compared weakly.

import { type Breach, breached, holds, type Judgement } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { differencesOf } from '../../facts/differences.ts';
import { areSameWeakly, type Tag, tagOf, tagsNamed } from '../../facts/etag.ts';
import { type ItemFact, isWrite } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { resourceOf } from '../../facts/resource.ts';
import { type ItemLaw, settledFrom } from '../life/law.ts';
import { changedMembers, namesIn, presentBefore, shownBefore } from './states.ts';

function breach(code: string, cause: string, actual: string, expected: string): Judgement {
  const message = `${actual}, expected ${expected}`;
  return breached([{ weight: 'breach', code: `cond-02.${code}`, cause, message, expected, actual } satisfies Breach]);
}

/** COND-02: an answer to a plain reading, or to one that names a state. `known`: a plain reading that shows the present one; null for none. */
export function judgeAsked(now: Exchange, known: Exchange | null): Judgement | null {
  const [shown, named] = [tagOf(now), tagsNamed(now, 'if-none-match')];
  const status = now.response?.status ?? 0;
  if (status === 200 && shown === null)
    return breach(
      'no-tag',
      'a reading shows no ETag',
      'answered 200 without an ETag',
      'an ETag, as the contract states',
    );
  const present = known === null ? null : tagOf(known);
  if (named === null || named === '*' || known === null || present === null) return null;
  const isPresent = named.some((tag) => areSameWeakly(tag, present));
  if (status === 304) return isPresent ? judgeNotModified(now, present, shown) : afterChange(named, present);
  if (status !== 200) return null;
  if (!isPresent) return holds();
  // Another tag is COND-03's affair, or a change by somebody else.
  if (shown === null || !areSameWeakly(shown, present)) return null;
  const cause = 'a reading that names the present state is answered in full';
  return breach(
    'sent-again',
    cause,
    `If-None-Match: ${present.text} is answered 200 with the ETag ${shown.text}`,
    '304',
  );
}

function judgeNotModified({ response }: Exchange, present: Tag, shown: Tag | null): Judgement {
  if ((response?.body ?? '') !== '')
    return breach(
      'body',
      'a 304 carries a body',
      `a 304 with ${plural(response?.body.length ?? 0, 'character')}`,
      'no body',
    );
  const expected = `the ETag of the present state, ${present.text}`;
  if (shown === null) return breach('no-tag-of-304', 'a 304 shows no ETag', 'a 304 without an ETag', expected);
  if (!areSameWeakly(shown, present))
    return breach('other-tag', 'a 304 shows another ETag', `a 304 with the ETag ${shown.text}`, expected);
  return holds();
}

function afterChange(named: readonly Tag[], present: Tag): Judgement {
  return stale(named.map(({ text }) => text).join(', '), `and the present state is ${present.text}`);
}

function stale(asked: string, why: string): Judgement {
  const cause = 'a reading that names a former state is answered 304';
  return breach('stale', cause, `If-None-Match: ${asked} is answered 304, ${why}`, '200');
}

/** A former state under the tag of the present one, and the names of what a write has changed since. */
interface Former {
  readonly tag: Tag;
  readonly changed: readonly string[];
}

/** The earlier state that bore the present state's tag although a written member differs; null where no such state is known. */
function formerNamed(item: Item, known: ItemFact | null): Former | null {
  const present = known === null ? null : tagOf(known.exchange);
  if (known === null || present === null) return null;
  const before = item.facts.slice(0, item.facts.indexOf(known));
  const isSame = (fact: ItemFact): boolean => {
    const tag = fact.kind === 'shown' ? tagOf(fact.exchange) : null;
    return tag !== null && areSameWeakly(tag, present);
  };
  const at = before.findIndex(isSame);
  const earlier = before[at];
  if (earlier === undefined) return null;
  const sent = new Set(
    before
      .slice(at)
      .filter(isWrite)
      .flatMap((write) => namesIn(write.sent)),
  );
  const changed = changedMembers(item, earlier, known).filter((name) => sent.has(name));
  return changed.length === 0 ? null : { tag: present, changed };
}

/** A 304 after a write whose own answer tells the tag of another state. Null where it does not, or nothing surely changed. */
function judgeReplaced(item: Item, now: ItemFact): Judgement | null {
  const { shown = null, writes = [] } = shownBefore(item, now) ?? {};
  const write = writes.at(-1);
  const [named, present] = [tagsNamed(now.exchange, 'if-none-match'), write ? tagOf(write.exchange) : null];
  if (named === null || named === '*' || write === undefined || present === null) return null;
  // Some frameworks give any answer a weak tag of its own body.
  const after = { ...(present.isWeak ? {} : write.sent), ...resourceOf(write.exchange) };
  const sent = new Set(namesIn(write.sent));
  const isChanged = differencesOf(shown?.shown ?? {}, after).some(
    ({ name, after }) => after !== undefined && sent.has(name),
  );
  return isChanged && !named.some((tag) => areSameWeakly(tag, present)) ? afterChange(named, present) : null;
}

/** COND-02 over the history of an item. */
export const askedAnew: ItemLaw = {
  clause: 'COND-02',
  needs: { any: ['shown'], now: ['shown', 'unchanged'] },
  judge(item, now) {
    if (now.by.conditional !== true) return null;
    const known = presentBefore(item, now);
    const asked = judgeAsked(now.exchange, known?.exchange ?? null);
    const former = asked?.kind === 'holds' && now.kind === 'unchanged' ? formerNamed(item, known) : null;
    const replaced = known === null && now.kind === 'unchanged' ? judgeReplaced(item, now) : null;
    const judgement =
      former === null ? (asked ?? replaced) : stale(former.tag.text, `though ${former.changed.join(', ')} changed`);
    if (judgement === null) return null;
    // A 304 may come of a copy that does not know of the last write yet.
    const write = now.kind === 'unchanged' ? item.facts.findLast(isWrite) : undefined;
    return {
      on: now.by,
      judgement,
      evidence: [known ?? (replaced && write), now].flatMap((fact) => fact?.exchange ?? []),
      ...(write === undefined ? {} : { standsFrom: settledFrom(write.exchange) }),
    };
  },
};
