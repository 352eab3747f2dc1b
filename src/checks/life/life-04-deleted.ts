// Judges whether what was deleted is gone: from reading, and from its list.
//
// LIFE-04 (should): After a delete answered with 2xx, reading the id gives 404 (or 410), and the list no longer shows
//   it. Tolerance: A soft delete that shows itself in the resource (a state, `deleted_at`) is an observation.
import { breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import { differencesOf, isTime } from '../../facts/differences.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { deletionShown } from '../../facts/states.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';
import { exchangesOf, type ItemLaw, settledFrom } from './law.ts';
import { wasListedInTime } from './life-01-created.ts';

const GONE = '404 or 410';

/** The item, or what stands below it, as its id is read after the delete. `what`: the two in words. */
function judgeGone(now: ItemFact, what: string, judgeShown: (status: number) => Judgement): Judgement {
  const seen = answerOf(now.exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status === 404 || status === 410) return holds();
  return status >= 300 ? cannotTell('precondition', `reading ${what} is answered ${status}`) : judgeShown(status);
}

function judgeServed({ id, episode: { write, before } }: Item, { shown: later }: ItemFact, status: number): Judgement {
  const earlier = before?.shown ?? null;
  const shown = later === null ? null : deletionShown(earlier, later);
  if (shown !== null) return softlyDeleted(id, shown);
  if (earlier !== null && later !== null && !isSame(earlier, later))
    return cannotTell('precondition', 'the id shows another resource: it may have been given to a new one');
  const kind = ['life-04.still-served', 'what was deleted can still be read'] as const;
  const done = write?.exchange.response?.status ?? 0;
  const message = `the delete of ${id} is answered ${done}, reading it after that ${status}; expected ${GONE}`;
  return breached([toldBreach(kind, message, GONE, String(status))]);
}

/** Something that is read by a path which names what was deleted. */
function judgeServedBelow(id: string, { shown }: ItemFact, status: number): Judgement {
  if (shown !== null && deletionShown(null, shown) !== null)
    return cannotTell('precondition', 'a resource below the deleted one says that it is deleted, too');
  const kind = ['life-04.served-below', 'what stands below what was deleted can still be read'] as const;
  const message = `${id} below what was deleted is read by the same path with ${status}; expected ${GONE}`;
  return breached([toldBreach(kind, message, GONE, String(status))]);
}

/** The item, in a list that goes on to show it. */
function judgeListed(id: string, resource: JsonObject | null): Judgement {
  const shown = resource === null ? null : deletionShown(null, resource);
  if (shown !== null) return softlyDeleted(id, shown);
  const expected = `no item with the id ${id}`;
  const message = `${id} was deleted, and the list goes on to show it; expected ${expected}`;
  return breached([toldBreach(['life-04.still-listed', 'what was deleted is still listed'], message, expected, 'one')]);
}

function softlyDeleted(id: string, member: string): Judgement {
  const cause = 'a deleted resource can still be read, and says that it is deleted';
  const told = toldBreach(['life-04.soft', cause], `${cause}: ${member} of ${id} says so`, GONE, member);
  return breached([{ ...told, weight: 'observation' }]);
}

/** Tells whether both readings show one resource: whatever takes its id later has other values. */
function isSame(before: JsonObject, after: JsonObject): boolean {
  const lost = differencesOf(before, after).filter((one) => !isTime(one) && one.before !== undefined);
  const members = Object.keys(before).length;
  return lost.length <= Math.max(1, members / 3);
}

/** LIFE-04: what was deleted, or stands below what was, can no longer be read. */
export const deletedIsGone: ItemLaw = {
  clause: 'LIFE-04',
  needs: { any: ['removed', 'removed-above'], now: ['shown', 'missing', 'unread'] },
  judge(item, now) {
    const { write: deletion, before, readings } = item.episode;
    if (deletion === null || readings.some(({ kind }) => kind === 'missing' && now.kind !== kind)) return null;
    const said = { on: deletion.by, standsFrom: settledFrom(deletion.exchange) };
    if (deletion.kind === 'removed-above') {
      const judgement = judgeGone(now, 'what stands below what was deleted', (status) =>
        judgeServedBelow(item.id, now, status),
      );
      return { ...said, judgement, evidence: exchangesOf(deletion, now) };
    }
    if (deletion.kind !== 'removed') return null;
    const judgement = judgeGone(now, 'what was deleted', (status) => judgeServed(item, now, status));
    return { ...said, judgement, evidence: exchangesOf(before, deletion, now) };
  },
};

/** LIFE-04: a list that shows new items in time no longer shows what was deleted. */
export const deletedIsUnlisted: ItemLaw = {
  clause: 'LIFE-04',
  needs: { any: ['removed'], now: ['listed', 'unlisted'] },
  judge(item, { exchange, kind, shown }) {
    const { write: deletion } = item.episode;
    if (deletion?.kind !== 'removed' || !wasListedInTime(item)) return null;
    const judgement = kind === 'unlisted' ? holds() : judgeListed(item.id, shown);
    const { by: on, exchange: done } = deletion;
    return { on, judgement, evidence: [done, exchange], standsFrom: settledFrom(done) };
  },
};
