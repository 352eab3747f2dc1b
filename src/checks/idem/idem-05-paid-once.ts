// IDEM-05 (must): What the contract never lets happen twice is never executed twice for one key: same result
//   whenever, and however often, and after however many other calls in between, it is resent. Tolerance: Read as
//   never executed twice, the result returned. The harness itself never resends it without its key.

import { type Breach, breached, holds, noting, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { identityOf } from '../../facts/resource.ts';
import { seenOnce } from '../observation.ts';
import { whenSent } from './idem-01-replay.ts';
import { effectsShown, isTogether } from './idem-02-one-effect.ts';
import { isUnclear, latestBefore } from './idem-03-together.ts';
import { incomparable, type KeyLaw, type KeySaid, otherBody, told } from './law.ts';

/** No answer shows a charge that it does not tell of. */
const ANSWERED_ALIKE = seenOnce(
  'a payment resent under its key',
  'answered its result',
  'its answers; a second charge that they do not tell of is not seen from outside',
);

/** Two results tell of two executions; which status carries them is IDEM-01's. */
export const paidOnce: KeyLaw = {
  clause: 'IDEM-05',
  needs: { now: ['sent', 'together', 'looked', 'watched'] },
  judge(history, now) {
    if (history.among.operation.neverTwice !== true) return null;
    if (now.kind === 'looked' || now.kind === 'watched') {
      const isShownTwice = !isTogether(history, now) && (history.effectsAt(now)?.least ?? 0) > 1;
      return isShownTwice ? effectsShown(history, now, 'IDEM-05') : null;
    }
    const isAtOnce = now.kind === 'together';
    const original = isAtOnce ? latestBefore(history, now) : history.original;
    const when = isAtOnce ? 'sent at once' : whenSent(history, now);
    if (original === null || (!isAtOnce && isUnclear(history))) return null;
    const others = now.exchanges.filter((one) => one !== original && (!isAtOnce || succeeded(one)));
    const said = others.map((one) => judgePaidOnce(original, one, when));
    return said.find(({ judgement }) => judgement.kind === 'breached') ?? said[0] ?? null;
  },
};

function judgePaidOnce(original: Exchange, resent: Exchange, when: string): KeySaid {
  const evidence = [original, resent];
  const untold = incomparable(original, resent);
  if (untold !== null) return { judgement: untold, evidence };
  const breach = breachOf(original, resent, when);
  return { judgement: breach === null ? noting(holds(), [ANSWERED_ALIKE]) : breached([breach]), evidence };
}

function breachOf(original: Exchange, resent: Exchange, when: string): Breach | null {
  const [paid, again] = [identityOf(original), identityOf(resent)];
  if (!succeeded(resent)) {
    const expected = 'the payment result that the key was first answered';
    const kind = ['idem-05.not-answered', 'a payment resent is not answered its result'] as const;
    return wrong(kind, when, expected, `answered ${told(resent)}`);
  }
  if (paid !== null && again !== null && paid !== again)
    return wrong(['idem-05.executed-again', 'a payment is executed again under its key'], when, paid, again);
  return otherBody(['idem-05.other-result', 'a payment resent has another result'], when, [original, resent]);
}
