// Judges whether entity tags tell states apart. Source: RFC 9110, 8.8.3.
//
// COND-03 (must): Two states that differ never have the same strong ETag; the same state read twice has the same. Tolerance: Members that change
//   by themselves aside.
import { breached, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { areSameStrongly, areSameWeakly, tagOf } from '../../facts/etag.ts';
import type { ItemLaw } from '../life/law.ts';
import { changedMembers, namesIn, shownBefore } from './states.ts';

/** COND-03: two readings with nothing written in between. Null where their bodies differ: something changed by itself, or by others. */
export function judgeSameState(one: Exchange, other: Exchange): Judgement | null {
  const [first, second] = [tagOf(one), tagOf(other)];
  if (first === null || second === null || !isSameRepresentation(one, other)) return null;
  if (areSameWeakly(first, second)) return holds();
  const [expected, actual] = [`${first.text}, as in the reading before`, second.text];
  const kind = ['cond-03.differs', 'the same state read twice has two ETags'] as const;
  const message = `the ETag is ${actual}, expected ${expected}, for the body is the same`;
  return breached([toldBreach(kind, message, expected, actual)]);
}

function isSameRepresentation(one: Exchange, other: Exchange): boolean {
  const [first, second] = [one.response, other.response];
  if (first === null || second === null || first.truncated || second.truncated) return false;
  const typeOf = ({ headers }: typeof first): string | null => header(headers, 'content-type');
  return (
    first.status === 200 && second.status === 200 && first.body === second.body && typeOf(first) === typeOf(second)
  );
}

/** COND-03 over the history of an item. */
export const tagsTellStates: ItemLaw = {
  clause: 'COND-03',
  needs: { any: ['shown'], now: ['shown'] },
  judge(item, now) {
    const before = shownBefore(item, now);
    if (now.by.conditional !== true || before === null) return null;
    const { shown, writes } = before;
    const evidence = [shown.exchange, ...writes.map(({ exchange }) => exchange), now.exchange];
    if (writes.length === 0) {
      const judgement = judgeSameState(shown.exchange, now.exchange);
      return judgement === null ? null : { on: now.by, judgement, evidence };
    }
    const sent = new Set(writes.flatMap((write) => namesIn(write.sent)));
    const changed = changedMembers(item, shown, now).filter((name) => sent.has(name));
    const [first, second] = [tagOf(shown.exchange), tagOf(now.exchange)];
    if (changed.length === 0 || first === null || second === null) return null;
    return { on: now.by, judgement: judgeOther(changed, first, second), evidence };
  },
};

function judgeOther(
  changed: readonly string[],
  first: NonNullable<ReturnType<typeof tagOf>>,
  second: NonNullable<ReturnType<typeof tagOf>>,
): Judgement {
  if (!areSameStrongly(first, second)) return holds();
  const [expected, actual] = [`another ETag than ${first.text}, for ${changed.join(', ')} changed`, second.text];
  const kind = ['cond-03.same', 'two states that differ have the same strong ETag'] as const;
  return breached([toldBreach(kind, `the ETag is ${actual}, expected ${expected}`, expected, actual)]);
}
