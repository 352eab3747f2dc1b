// IDEM-02 (must): The effect happens once: after n sends with one key, one resource more exists. Tolerance: Seen
//   through the list operation, by identity, tolerant of others' writes.

import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, resting, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { type Effects, effectsOf } from '../../facts/effects.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { identityOf } from '../../facts/resource.ts';
import type { KeyLaw, KeySaid } from './law.ts';

export const UNCOUNTED = cannotTell(
  'precondition',
  'neither a list nor a thing shows how often it took effect: only the answers say that it was once',
);

/** That an effect is one, only a list or a thing shows; that there are two, the ids in the answers show as well. */
export const oneEffect: KeyLaw = {
  clause: 'IDEM-02',
  needs: { now: ['looked', 'watched'] },
  judge(history, now) {
    const isShown = history.among.creates || now.kind === 'watched';
    const isAgain = answersUntil(history, now).length > 1;
    return isShown && isAgain && !isTogether(history, now) ? effectsShown(history, now, 'IDEM-02') : null;
  },
};

/** Tells whether sends at once came since effects were looked at last: IDEM-03 judges those. */
export function isTogether(history: KeyHistory, now: KeyFact): boolean {
  return history.sentBefore(now).some(({ kind }) => kind === 'together');
}

/** The original, and what was answered since effects were looked at last, but for other effects of sends at once, which IDEM-03 judges. */
function answersUntil(history: KeyHistory, now: KeyFact): readonly Exchange[] {
  const { original } = history;
  const ofBursts = idsOf(history.all('together').flatMap(({ exchanges }) => exchanges));
  const isOfBurst = (id: string | null): boolean => id !== null && id !== history.identity && ofBursts.includes(id);
  const answers = history
    .sentBefore(now)
    .flatMap(({ exchanges }) => exchanges)
    .filter((answer) => !isOfBurst(identityOf(answer)));
  return original === null || answers.length === 0 ? answers : [...new Set([original, ...answers])];
}

/** No resource exists after a success. */
export const effectIsKept: KeyLaw = {
  clause: 'IDEM-02',
  needs: { now: ['lost'] },
  judge({ original }, { exchanges }) {
    const id = original === null ? null : identityOf(original);
    const actual = `none: ${id} cannot be read, and is not listed`;
    const kind = ['idem-02.lost', 'a send that succeeded has no effect'] as const;
    const breach = wrong(kind, `a send was answered a success with the id ${id}`, 'one resource more', actual);
    return { judgement: breached([breach]), evidence: exchanges };
  },
};

/** How many effects a list, a thing or the answers tell of. What showed several before is blamed for those that came since. */
export function effectsShown(history: KeyHistory, now: KeyFact, clause: 'IDEM-02' | 'IDEM-05'): KeySaid {
  const answers = answersUntil(history, now);
  const evidence = evidenceOf(answers, now);
  const shown = history.effectsAt(now);
  const isShown = shown !== null && shown.least > 0;
  const effects = isShown ? shown : effectsOf(idsOf(answers));
  if (effects.least === 0) {
    const reason = 'neither a list, nor a thing, nor an id in the answers shows the effect';
    return { judgement: cannotTell('precondition', reason), evidence };
  }
  const [kind, cause] = kindOf(effects, isShown);
  const how = `${answers.length} sends with one key`;
  if (effects.least > 1)
    return { judgement: breached([severalEffects([codeOf(clause, kind), cause], how, effects)]), evidence };
  return { judgement: isShown ? resting(holds(), { answers: answers.length, effects: 1 }) : UNCOUNTED, evidence };
}

function kindOf({ member }: Effects, isShown: boolean): readonly [string, string] {
  if (!isShown) return ['two-answered', 'the answers tell of two effects of one key'];
  if (member === null) return ['two-listed', 'a list shows two effects of one key'];
  return ['changed-again', 'a key that is sent again changes a thing once more'];
}

export function evidenceOf(answers: readonly Exchange[], { exchanges }: KeyFact): readonly Exchange[] {
  return [...answers.slice(0, 1), ...answers.slice(-1), ...exchanges.slice(-2)];
}

export function severalEffects(kind: readonly [string, string], how: string, effects: Effects): Breach {
  return wrong(kind, how, '1', `${effects.least}: ${effects.told}`, effects.member ?? undefined);
}

/** The ids that the successes show, each once. */
export function idsOf(answers: readonly Exchange[]): readonly string[] {
  return [...new Set(answers.filter(succeeded).flatMap((answer) => identityOf(answer) ?? []))];
}

/** A send of a key that the limiter refused at first, between two of the same operation under fresh ones. */
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
