// IDEM-02 on a key that the limiter refused at first: it has an effect once the limiter admits calls again.
//
// IDEM-02 (must): The effect happens once: after n sends with one key, one resource more exists. Tolerance: Seen
//   through the list operation, by identity, tolerant of others' writes.

import { breached, cannotTell, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { KeySaid } from './law.ts';

/** A send of an old key between two of the same operation under fresh ones. */
export interface Between {
  readonly old: Exchange;
  readonly fresh: readonly [Exchange, Exchange];
}

/** Only where sends under fresh keys before and after it succeed, each time, is it no matter of the limit that the old key is refused. */
export function judgeRefusedForGood(refusal: Exchange, turns: readonly Between[]): KeySaid {
  const evidence = [refusal, ...turns.flatMap(({ old, fresh }) => [fresh[0], old, fresh[1]])];
  const status = refusal.response?.status ?? 0;
  const isKept = turns.every(({ old, fresh }) => old.response?.status === status && fresh.every(succeeded));
  if (turns.length === 0 || !isKept)
    return { judgement: cannotTell('precondition', 'the limiter went on to refuse the key'), evidence };
  const kind = ['idem-02.stays-refused', `a key refused with ${status} stays refused`] as const;
  const actual = `${status} each time, between fresh keys that are answered successes`;
  const expected = 'one effect, once the limiter admits calls again';
  return {
    judgement: breached([wrong(kind, `a key whose first send was answered ${status}`, expected, actual)]),
    evidence,
  };
}
