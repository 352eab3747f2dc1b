// Judges whether what was deleted is gone: from reading, and from its list.
//
// LIFE-04 (should): After a delete answered with 2xx, reading the id gives 404 (or 410), and the list no longer shows
//   it. Tolerance: A soft delete that shows itself in the resource (a state, `deleted_at`) is an observation.
import { breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { differencesOf, isTime } from '../../facts/differences.ts';
import { isItem, resourceIn, resourceOf } from '../../facts/resource.ts';
import { deletionShown } from '../../facts/states.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';
import { exchangesOf, type ItemLaw, settledFrom } from './law.ts';
import { wasListedInTime } from './life-01-created.ts';

/** The last reading before the delete (null where there was none that succeeded), and the last one after it. */
export interface DeletedCase {
  readonly id: string;
  readonly before: Exchange | null;
  readonly deletion: Exchange;
  readonly after: Exchange;
}

const GONE = '404 or 410';

/** LIFE-04: reading the id after the delete, which was repeated until the target had had the time to delete it. */
export function judgeGone({ id, before, deletion, after }: DeletedCase): Judgement {
  const seen = answerOf(after);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status === 404 || status === 410) return holds();
  if (status >= 300) return cannotTell('precondition', `reading what was deleted is answered ${status}`);
  const earlier = before === null ? null : resourceOf(before);
  const later = resourceOf(after);
  const shown = later === null ? null : deletionShown(earlier, later);
  if (shown !== null) return softlyDeleted(id, shown);
  if (earlier !== null && later !== null && !isSame(earlier, later))
    return cannotTell('precondition', 'the id shows another resource: it may have been given to a new one');
  const kind = ['life-04.still-served', 'what was deleted can still be read'] as const;
  const done = deletion.response?.status ?? 0;
  const message = `the delete of ${id} is answered ${done}, reading it after that ${status}; expected ${GONE}`;
  return breached([toldBreach(kind, message, GONE, String(status))]);
}

/** LIFE-04: reading what stands below what was deleted, by a path that names that. */
function judgeGoneBelow(id: string, after: Exchange): Judgement {
  const seen = answerOf(after);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status === 404 || status === 410) return holds();
  if (status >= 300)
    return cannotTell('precondition', `reading what stands below what was deleted is answered ${status}`);
  const shown = resourceOf(after);
  if (shown !== null && deletionShown(null, shown) !== null)
    return cannotTell('precondition', 'what stands below what was deleted says that it is deleted, too');
  const kind = ['life-04.served-below', 'what stands below what was deleted can still be read'] as const;
  const message = `${id} below what was deleted is read by the same path with ${status}; expected ${GONE}`;
  return breached([toldBreach(kind, message, GONE, String(status))]);
}

/** LIFE-04: items of the list after the delete; until then it showed the item. `nouns`: what the items are called. */
export function judgeUnlisted(id: string, nouns: readonly string[], items: readonly unknown[]): Judgement {
  const listed = items.find((one) => isItem(one, id, nouns));
  if (listed === undefined) return holds();
  const resource = isObject(listed) ? resourceIn(listed) : null;
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
    const standsFrom = settledFrom(deletion.exchange);
    const on = deletion.by;
    if (deletion.kind === 'removed-above')
      return { on, judgement: judgeGoneBelow(item.id, now.exchange), evidence: exchangesOf(deletion, now), standsFrom };
    if (deletion.kind !== 'removed') return null;
    const about = { id: item.id, before: before?.exchange ?? null, deletion: deletion.exchange, after: now.exchange };
    return { on, judgement: judgeGone(about), evidence: exchangesOf(before, deletion, now), standsFrom };
  },
};

/** LIFE-04: a list that shows new items in time no longer shows what was deleted. */
export const deletedIsUnlisted: ItemLaw = {
  clause: 'LIFE-04',
  needs: { any: ['removed'], now: ['listed', 'unlisted'] },
  judge(item, { exchange, listing }) {
    const { write: deletion } = item.episode;
    if (deletion?.kind !== 'removed' || listing === undefined || !wasListedInTime(item)) return null;
    const judgement = judgeUnlisted(item.id, item.nouns, listing.items);
    const { by: on, exchange: done } = deletion;
    return { on, judgement, evidence: [done, exchange], standsFrom: settledFrom(done) };
  },
};
