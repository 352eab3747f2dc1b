// IDEM-02 (must): The effect happens once: after n sends with one key, one resource more exists. Tolerance: Seen
//   through the list operation, by identity, tolerant of others' writes.

import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, resting, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { identityOf } from '../../facts/resource.ts';
import type { KeyLaw, KeySaid } from './law.ts';

export const UNCOUNTED = cannotTell(
  'precondition',
  'no list shows how often it took effect: only the answers say that it was once',
);

/** That an effect is one, only a list shows; that there are two, the ids in the answers show as well. */
export const oneEffect: KeyLaw = {
  clause: 'IDEM-02',
  needs: { now: ['looked'] },
  judge(history, now) {
    const isTogether = history.sentBefore(now).some(({ kind }) => kind === 'together');
    const isAgain = answersUntil(history, now).length > 1;
    return history.among.creates && isAgain && !isTogether ? effectsShown(history, now, 'IDEM-02') : null;
  },
};

/** The original, and what was answered since the list was looked at last, but for other effects of sends at once, which IDEM-03 judges. */
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

/** How many effects the list and the answers tell of. A list that showed several before is blamed for those that came since. */
export function effectsShown(history: KeyHistory, now: KeyFact, clause: 'IDEM-02' | 'IDEM-05'): KeySaid {
  const answers = answersUntil(history, now);
  const evidence = [...answers.slice(0, 1), ...answers.slice(-1), ...now.exchanges.slice(-1)];
  const listed = shownSince(history, now) ?? [];
  const ids = listed.length > 0 ? listed : idsOf(answers);
  if (ids.length === 0)
    return {
      judgement: cannotTell('precondition', 'neither a list nor an id in the answers shows the effect'),
      evidence,
    };
  if (ids.length === 1)
    return {
      judgement: ids === listed ? resting(holds(), { answers: answers.length, effects: 1 }) : UNCOUNTED,
      evidence,
    };
  const [kind, cause] =
    listed.length > 1
      ? (['two-listed', 'a list shows two effects of one key'] as const)
      : (['two-answered', 'the answers tell of two effects of one key'] as const);
  const how = `${answers.length} sends with one key`;
  return { judgement: breached([severalEffects([codeOf(clause, kind), cause], how, ids)]), evidence };
}

/** Effects of the key that the list shows: one that was there before, and those that are new. Equal bodies leave equal marks under other keys. */
export function shownSince({ facts, among, original }: KeyHistory, now: KeyFact): readonly string[] | null {
  const before = facts.findLast(({ kind, place }) => kind === 'looked' && place < now.place)?.shown ?? null;
  const shown = now.shown?.filter((id) => !among.isOfAnother(id, original)) ?? null;
  if (before === null || shown === null) return shown;
  return [...before.slice(0, 1), ...shown.filter((id) => !before.includes(id))];
}

export function severalEffects(kind: readonly [string, string], how: string, ids: readonly string[]): Breach {
  const told = ids.slice(0, 4).join(', ');
  return wrong(kind, how, '1', `${ids.length}: ${told}`);
}

/** The ids that the successes show, each once. */
export function idsOf(answers: readonly Exchange[]): readonly string[] {
  return [...new Set(answers.filter(succeeded).flatMap((answer) => identityOf(answer) ?? []))];
}
