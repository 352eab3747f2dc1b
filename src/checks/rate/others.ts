// Holds conclusions against calls of others under the key: what these may explain is neither blamed nor passed. They are noted in the
// key's history (src/limiters/key-history.ts); laws say of a breach whether it is about calls that come back.
import { entryOf } from '../../contract/clauses.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { RateConclusion } from './series-law.ts';

/** Facts of others who call under the same key. */
export interface OtherUsers {
  /** True where they may have taken what came back. */
  readonly mayTake: boolean;
  /** The key that they were seen to use; null: none were seen. */
  readonly seenOn: string | null;
}

const TOOK = 'another client uses the key, too, or seems to: it may have taken what came back';
const UNRECORDED = 'others may have called with the same key, and the recording does not show their calls';

/** The conclusion of a law over a key's series, but where calls of others may be the reason. */
export function unlessByOthers(one: RateConclusion, { mayTake, seenOn }: OtherUsers): RateConclusion {
  const isTaken = one.isOfReturn === true && mayTake && one.judgement.kind === 'breached';
  const told = isTaken ? open(one, TOOK) : one;
  return told.clause === 'RATE-03' ? { ...told, judgement: unlessHidden(told.judgement, seenOn) } : told;
}

/** The same on a recording: it may lack calls of the key, and shows only some clauses to be broken then. */
export function unlessUnrecorded(one: RateConclusion): RateConclusion {
  const entry = entryOf(one.clause);
  const isShown = entry?.shownByTraffic !== undefined || entry?.on.includes('exchange') === true;
  return one.judgement.kind === 'breached' && !isShown ? open(one, UNRECORDED) : one;
}

/** RATE-03: calls of others lower Remaining as well. They hide a call that is not counted, and one that does not come back. */
export function unlessHidden(judgement: Judgement, seenOn: string | null): Judgement {
  if (judgement.kind === 'breached' || seenOn === null) return judgement;
  const reason = `another client uses key ${seenOn}, too: its calls may hide those that are not counted, or that do not come back`;
  return cannotTell('precondition', reason);
}

function open(one: RateConclusion, reason: string): RateConclusion {
  return { ...one, service: null, operation: null, judgement: cannotTell('precondition', reason), evidence: [] };
}
