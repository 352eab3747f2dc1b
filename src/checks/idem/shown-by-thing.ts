// Judges effects that a thing shows which requests change and none makes: each new key that is answered a success has one, every other send none.
//
// IDEM-02 (must): The effect happens once: after n sends with one key, one resource more exists. Tolerance: Seen
//   through the list operation, by identity, tolerant of others' writes.
// IDEM-03 (must): The same key sent concurrently → at most one effect; each answer is the original or a 4xx with the
//   envelope (409 and the like), never 5xx.
// IDEM-04 (must): Different keys (and no key) → separate effects. Tolerance: A 409 for a duplicate of an equal body is
//   no breach; answering with the first resource is.
// IDEM-08 (must): The same key with another body is refused with the status that the contract states, and has no effect. Tolerance: Bound by a
//   contract file; under the commerce contract it stays an observation (IDEM-07).
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, resting, wrong } from '../../contract/judgement.ts';
import { shortened, succeeded } from '../../facts/answered.ts';
import { memberAt } from '../../facts/differences.ts';
import { type ThingEffects, type Turn, thingIn } from '../../facts/thing-effects.ts';
import { SEVERAL_AT_ONCE } from './idem-03-together.ts';
import { DIFFERENCES, type KeyDifference } from './idem-04-separate.ts';
import { EFFECT_OF_REFUSED } from './idem-08-other-body.ts';

/** `again`: a key that was answered before, `together`: a new one several times at once, `other-body`: a known key with another body, else new keys. */
export type TurnKind = 'again' | 'together' | 'other-body' | KeyDifference;

/** A judgement, and the pointers of the members that show a breach. */
export interface SaidOfThing {
  readonly clause: string;
  readonly judgement: Judgement;
  readonly members: readonly string[];
}

export const UNSHOWN = cannotTell('precondition', 'the thing that a send changes does not show it');
const UNCOUNTED = cannotTell('precondition', 'the thing that sends change does not count them');

/** Null where nothing is said. */
export function judgeTurn(kind: TurnKind, turn: Turn, thing: ThingEffects): SaidOfThing | null {
  if (kind === 'again') return saidOf('IDEM-02', judgeAgain(turn, thing), thing.shownIn(turn));
  if (kind === 'together') return saidOf('IDEM-03', judgeTogether(turn, thing), thing.shownIn(turn));
  if (kind !== 'other-body') return saidOf('IDEM-04', judgeSeparate(kind, turn, thing), thing.members ?? []);
  const isRefused = turn.sent.every(({ response }) => response !== null && response.status >= 400);
  const [shown] = isRefused ? thing.shownIn(turn) : [];
  if (shown === undefined) return null;
  const actual = `answered ${statusesOf(turn)}, and ${changeIn(turn, shown)}`;
  const breach = wrong(EFFECT_OF_REFUSED, 'a known key with another body', 'a refusal, and no effect', actual);
  return saidOf('IDEM-08', breached([breach]), [shown]);
}

function saidOf(clause: string, judgement: Judgement, shown: readonly string[]): SaidOfThing {
  return { clause, judgement, members: judgement.kind === 'breached' ? shown : [] };
}

function judgeAgain(turn: Turn, thing: ThingEffects): Judgement {
  const [shown] = thing.shownIn(turn);
  const isKnown = thing.members !== null && thing.members.length > 0;
  if (shown === undefined && !turn.sent.every(succeeded)) return cannotTell('precondition', 'a send was no success');
  if (shown === undefined) return isKnown ? resting(holds(), { answers: 2, effects: 1 }) : UNSHOWN;
  const kind = ['idem-02.changed-again', 'a key that is sent again changes a thing once more'] as const;
  const subject = `${shown.slice(1)} of ${turn.after.plan.path} after two sends with one key`;
  const [was, is] = valuesIn(turn, shown);
  return breached([wrong(kind, subject, `${was}, as after the first`, is)]);
}

function judgeTogether(turn: Turn, thing: ThingEffects): Judgement {
  const [count, sent] = [thing.countIn(turn), turn.sent.length];
  if (count === null || count.most === 0 || sent < 2) return UNCOUNTED;
  if (count.least < 2) return resting(holds(), { answers: sent, effects: 1 });
  return breached([
    wrong(SEVERAL_AT_ONCE, `${sent} sends at once with one key`, '1', countedIn(turn, thing, count.least)),
  ]);
}

function judgeSeparate(kind: KeyDifference, turn: Turn, thing: ThingEffects): Judgement {
  const [count, expected] = [thing.countIn(turn), turn.sent.filter(succeeded).length];
  if (count === null || expected === 0) return UNCOUNTED;
  if (count.most >= expected) return resting(holds(), { comparisons: 1 });
  const told: Breach = wrong(
    [codeOf('IDEM-04', 'no-effect', kind), `${DIFFERENCES[kind]} has no effect of its own`],
    `a send with ${DIFFERENCES[kind]}`,
    'a separate effect',
    `answered ${statusesOf(turn)}, and of ${expected} effects ${countedIn(turn, thing, count.most)}`,
  );
  return breached([told]);
}

function countedIn(turn: Turn, thing: ThingEffects, count: number): string {
  const [pointer = ''] = thing.counted;
  return `${count}: ${changeIn(turn, pointer)}`;
}

/** "balance of /wallets/w1 goes from 10 to 30" */
function changeIn(turn: Turn, pointer: string): string {
  const [was, is] = valuesIn(turn, pointer);
  const how = was === is ? `stays ${is}` : `goes from ${was} to ${is}`;
  return `${pointer.slice(1)} of ${turn.after.plan.path} ${how}`;
}

function valuesIn({ before, after }: Turn, pointer: string): readonly [string, string] {
  return [shortened(memberAt(thingIn(before), pointer)), shortened(memberAt(thingIn(after), pointer))];
}

function statusesOf({ sent }: Turn): string {
  return sent.map(({ response }) => response?.status ?? 'not at all').join(' and ');
}
