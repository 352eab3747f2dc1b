// Judges writes that name the state which they are meant for. Source: RFC 9110, 13.1.1.
//
// COND-01 (must): A write with an `If-Match` that names a former state is refused with 412 and changes nothing; with the present one it succeeds.
//   Tolerance: Weak tags never match (412).
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { areSameStrongly, areSameWeakly, type Tag, tagOf, tagsNamed } from '../../facts/etag.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { ItemLaw } from '../life/law.ts';
import { changedMembers, surelyPresentBefore } from './states.ts';

const CLAUSE = 'COND-01';

/** Refusals that have reasons of their own, whatever the condition. */
const OTHER_REASONS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413, 415, 422, 429]);

/** The state that a condition names, beside the present one. */
type Named = 'present' | 'weak' | 'former';

function namedBy(condition: readonly Tag[] | '*', present: Tag): Named {
  if (condition === '*' || condition.some((tag) => areSameStrongly(tag, present))) return 'present';
  return condition.some((tag) => areSameWeakly(tag, present)) ? 'weak' : 'former';
}

interface Conditioned {
  readonly known: ItemFact;
  readonly present: Tag;
  readonly named: Named;
  /** The condition as it was sent. */
  readonly sent: string;
}

function conditionOf(known: ItemFact | null, { exchange, by }: ItemFact): Conditioned | null {
  const condition = tagsNamed(exchange, 'if-match');
  const present = known === null ? null : tagOf(known.exchange);
  if (by.conditional !== true || condition === null || known === null || present === null) return null;
  const sent = condition === '*' ? '*' : condition.map(({ text }) => text).join(', ');
  return { known, present, named: namedBy(condition, present), sent };
}

function told(
  code: string,
  cause: string,
  { sent, present }: Conditioned,
  actual: string,
  expected: string,
): Judgement {
  const message = `If-Match: ${sent}, where the present state is ${present.text}: ${actual}, expected ${expected}`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual } satisfies Breach]);
}

/** COND-01: a write that was accepted named the present state. */
export const acceptedNamesPresent: ItemLaw = {
  clause: CLAUSE,
  needs: { any: ['shown'], now: ['amended', 'replaced', 'removed'] },
  isOfRuns: true,
  judge(item, now) {
    const seen = conditionOf(surelyPresentBefore(item, now), now);
    if (seen === null) return null;
    const actual = `answered ${now.exchange.response?.status}`;
    const judgement =
      seen.named === 'present'
        ? holds()
        : seen.named === 'weak'
          ? told(
              'cond-01.weak-accepted',
              'a weak tag is accepted in If-Match',
              seen,
              actual,
              '412: weak tags never match',
            )
          : told('cond-01.stale-accepted', 'a write that names a former state is accepted', seen, actual, '412');
    return { on: now.by, judgement, evidence: [seen.known.exchange, now.exchange] };
  },
};

/** COND-01: a write that names the present state is not refused, and one that does not is refused with 412. */
export const refusedNamesOther: ItemLaw = {
  clause: CLAUSE,
  needs: { any: ['shown'], now: ['refused'] },
  isOfRuns: true,
  judge(item, now) {
    const seen = conditionOf(surelyPresentBefore(item, now), now);
    const status = now.exchange.response?.status ?? 0;
    if (seen === null) return null;
    const evidence = [seen.known.exchange, now.exchange];
    const say = (judgement: Judgement) => ({ on: now.by, judgement, evidence });
    if (status >= 500 || OTHER_REASONS.has(status)) return say(cannotTell('precondition', `answered ${status}`));
    if (seen.named !== 'present') {
      if (status === 412) return null;
      const cause = 'a write that names another state is refused with another status';
      return say(told('cond-01.other-status', cause, seen, `answered ${status}`, '412'));
    }
    if (seen.present.isCoded) return say(cannotTell('precondition', 'a front end has added a coding to the tag'));
    const cause = 'a write that names the present state is refused';
    return say(told('cond-01.present-refused', cause, seen, `answered ${status}`, 'a success'));
  },
};

/** COND-01: a write that was refused for its condition has changed nothing. */
export const refusedChangesNothing: ItemLaw = {
  clause: CLAUSE,
  needs: { any: ['refused'], now: ['shown', 'missing'] },
  isOfRuns: true,
  judge(item, now) {
    const refused = item.facts.at(-2);
    const known = refused?.kind === 'refused' ? surelyPresentBefore(item, refused) : null;
    const seen = refused === undefined ? null : conditionOf(known, refused);
    if (seen === null || refused?.exchange.response?.status !== 412 || seen.named === 'present') return null;
    const changed = now.kind === 'missing' ? ['the whole item'] : changedMembers(item, seen.known, now);
    const cause = 'a write that was refused with 412 has changed the item';
    const actual = `412, and ${changed.join(', ')} changed`;
    return {
      on: refused.by,
      judgement: changed.length === 0 ? holds() : told('cond-01.changed', cause, seen, actual, '412, and no change'),
      evidence: [seen.known.exchange, refused.exchange, now.exchange],
    };
  },
};
