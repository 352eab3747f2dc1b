// IDEM-01 (must): The same key and request again → the original response: status and body equal, where the first
//   answer was 2xx; also after 50 and more other calls of any kind in between. Tolerance: Body compared as JSON;
//   per-request headers and, in errors, the request's id and time may differ.

import { breached, cannotTell, holds, type Judgement, wrong } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { isUnclear } from './idem-03-together.ts';
import { incomparable, type KeyLaw, otherBody, told } from './law.ts';

export const replayIsOriginal: KeyLaw = {
  clause: 'IDEM-01',
  needs: { now: ['sent'] },
  judge(history, now) {
    const { original } = history;
    const [answer] = now.exchanges;
    if (answer === undefined || answer === original || isUnclear(history)) return null;
    const unsent = `the first send was answered ${answer.response?.status ?? 'not at all'}`;
    if (original === null) return { judgement: cannotTell('precondition', unsent), evidence: [answer] };
    const when = whenSent(history, now);
    // A call right before the send was served by its token.
    const isTokenValid = history.facts.at(-2)?.kind === 'served';
    return { judgement: judgeReplay(original, answer, when, isTokenValid), evidence: [original, answer] };
  },
};

/** Where among all calls the send stands: "send 3 of the key, after 5 other calls". */
export function whenSent(history: KeyHistory, now: KeyFact): string {
  return `send ${history.answers.length} of the key, after ${plural(history.othersBefore(now), 'other call')}`;
}

function judgeReplay(original: Exchange, replay: Exchange, when: string, isTokenValid: boolean): Judgement {
  const untold = incomparable(original, replay, { isTokenValid });
  if (untold !== null) return untold;
  const status = replay.response?.status ?? 0;
  if (original.response?.status === status) {
    const kind = ['idem-01.other-body', 'a replay has another body than the original'] as const;
    const other = otherBody(kind, when, [original, replay]);
    return other === null ? holds(2) : breached([other]);
  }
  const kind =
    status >= 400
      ? (['idem-01.refused', 'a replay is refused'] as const)
      : (['idem-01.other-status', 'a replay has another status than the original'] as const);
  const expected = `the original response: ${told(original)} with its body`;
  return breached([wrong(kind, when, expected, `answered ${told(replay)}`)]);
}
