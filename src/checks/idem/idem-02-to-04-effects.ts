// How many effects there were: IDEM-02 by what the list shows, IDEM-03 for sends at once, IDEM-04 between keys.
//
// IDEM-02 (must): The effect happens once: after n sends with one key, one resource more exists. Tolerance: Seen
//   through the list operation, by identity, tolerant of others' writes.
// IDEM-03 (must): The same key sent concurrently → at most one effect; each answer is the original or a 4xx with the
//   envelope (409 and the like), never 5xx.
// IDEM-04 (must): Different keys (and no key) → separate effects. Tolerance: A 409 for a duplicate of an equal body is
//   no breach; answering with the first resource is.
import { codeOf } from '../../contract/code.ts';
import type { ContractName } from '../../contract/contract.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, resting } from '../../contract/judgement.ts';
import { envelopeOf } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { identityOf } from '../../facts/identity.ts';
import { answerOf, spoken } from '../answer.ts';
import { bodyDifference } from './difference.ts';

/** Ids of the resources that a list shows for one key; null where no list shows them. */
export type Shown = readonly string[] | null;

const UNCOUNTED = cannotTell('precondition', 'no list shows the effect: the answers alone speak of one');

/**
 * IDEM-02: after `sends` sends with one key, one resource more exists. That it is one, only a list shows; that there are two,
 * the ids in the answers show as well. Of a payment it is told as IDEM-05, too.
 */
export function judgeOneEffect(
  sends: number,
  answers: readonly Exchange[],
  shown: Shown,
  clause: 'IDEM-02' | 'IDEM-05' = 'IDEM-02',
): Judgement {
  const told = idsOf(answers);
  const ids = shown !== null && shown.length > 0 ? shown : told;
  if (ids.length === 0) return cannotTell('precondition', 'neither a list nor an id in the answers shows the effect');
  if (ids.length === 1 && ids !== shown) return UNCOUNTED;
  if (ids.length === 1) return resting(holds(), { answers: answers.length, effects: 1 });
  const [kind, cause] =
    shown !== null && shown.length > 1
      ? (['two-listed', 'a list shows two effects of one key'] as const)
      : (['two-answered', 'the answers tell of two effects of one key'] as const);
  return breached([twoEffects({ code: codeOf(clause, kind), cause }, `${sends} sends with one key`, ids)]);
}

/** IDEM-02: no resource exists after a success: it cannot be read by its id, nor is it listed. */
export function judgeLost(id: string): Judgement {
  const [expected, actual] = ['one resource more', `none: ${id} cannot be read, and is not listed`];
  const message = `a send was answered a success with the id ${id}, which cannot be read and is not listed; expected ${expected}`;
  const [code, cause] = ['idem-02.lost', 'a send that succeeded has no effect'];
  return breached([{ weight: 'breach', code, cause, message, expected, actual }]);
}

/** A send of an old key between two of the same operation under fresh ones. */
export interface Between {
  readonly old: Exchange;
  readonly fresh: readonly [Exchange, Exchange];
}

/**
 * IDEM-02: a key that the limiter refused at first and that is answered 429 for good has no effect at all. Only where sends
 * under fresh keys before and after it succeed, each time, is it no matter of the limit.
 */
export function judgeRefusedForGood(turns: readonly Between[]): Judgement {
  const isKept = turns.every(({ old, fresh }) => old.response?.status === 429 && fresh.every(succeeded));
  if (turns.length === 0 || !isKept) return cannotTell('precondition', 'the limiter went on to refuse the key');
  const expected = 'one effect, once the limiter admits calls again';
  const actual = `429 each time, between fresh keys that are answered successes`;
  const message = `a key whose first send was answered 429: ${actual}, expected ${expected}`;
  const [code, cause] = ['idem-02.stays-refused', 'a key refused with 429 stays refused'];
  return breached([{ weight: 'breach', code, cause, message, expected, actual }]);
}

/** IDEM-03: sends at once under one key. Sound answers do not show that there was one effect: a list does. `original`: the answer of an earlier send under the key; null for none. */
export function judgeTogether(
  original: Exchange | null,
  answers: readonly Exchange[],
  shown: Shown,
  contract: ContractName = 'commerce',
): Judgement {
  const seen = answers.filter(
    ({ response }) => response !== null && response.status !== 429 && response.status !== 503,
  );
  if (seen.length < 2) return cannotTell('precondition', 'fewer than two of the sends at once were answered');
  const how = `${answers.length} sends at once with one key`;
  const successes = [...(original === null ? [] : [original]), ...seen.filter(succeeded)];
  const told = idsOf(successes);
  const ids = shown !== null && shown.length > told.length ? shown : told;
  const several = { code: 'idem-03.several-effects', cause: 'sends at once have more than one effect' };
  if (ids.length > 1) return breached([twoEffects(several, how, ids)], seen.length);
  const [first] = successes;
  const breaches = seen.flatMap((answer) => togetherBreach(first ?? null, answer, how, contract) ?? []);
  if (breaches.length === 0 && (shown === null || shown.length === 0)) return UNCOUNTED;
  return resting(breached(breaches.slice(0, 1), seen.length), { answers: seen.length, effects: shown?.length ?? 0 });
}

function togetherBreach(
  original: Exchange | null,
  answer: Exchange,
  how: string,
  contract: ContractName,
): Breach | null {
  const status = answer.response?.status ?? 0;
  const expected = 'the original response, or a 4xx with the envelope';
  const told = (kind: string, cause: string, actual: string, pointer?: string): Breach => ({
    weight: 'breach',
    code: codeOf('IDEM-03', kind),
    cause,
    message: `${how}: ${actual}, expected ${expected}`,
    expected,
    actual,
    ...(pointer === undefined ? {} : { pointer }),
  });
  if (status >= 500)
    return told('server-error', 'sends at once are answered a server error', `one is answered ${status}`);
  if (status >= 400) {
    return contract === 'commerce' && envelopeOf(answer) === null
      ? told(
          'no-envelope',
          'sends at once are refused without the envelope',
          `one is answered ${status} without an error object`,
        )
      : null;
  }
  if (!isSuccess(status))
    return told('other-answer', 'sends at once are answered neither a success nor a 4xx', `one is answered ${status}`);
  if (original === null || original === answer) return null;
  const first = original.response?.status;
  if (first !== status)
    return told('other-status', 'sends at once differ in their status', `one is answered ${first}, another ${status}`);
  const difference = bodyDifference(original, answer);
  if (difference === null) return null;
  const where = difference.pointer === '' ? 'the body' : difference.pointer;
  return told(
    'other-body',
    'sends at once differ in their body',
    `${where} is ${difference.expected} in one, ${difference.actual} in another`,
    difference.pointer,
  );
}

/** How a send differs from an earlier one, by its part of a code, and in words. */
const DIFFERENCES = {
  'other-key': 'another key',
  'no-key': 'no key',
  'no-key-equal-body': 'no key and an equal body',
  'other-key-equal-body': 'another key and an equal body',
  'key-case': 'a key that differs in case',
  'key-character': 'a key that differs in one character',
  'key-dashes': 'a key that differs in its dashes',
} as const;

export type KeyDifference = keyof typeof DIFFERENCES;

/**
 * IDEM-04: a success has an effect of its own. `identity`: the id, or whatever tells effects apart, that the answer shows;
 * `owner`: the earlier send that it belongs to, null where it is new.
 */
export function judgeSeparate(
  owner: Exchange | null,
  answer: Exchange,
  identity: string | null,
  how: KeyDifference,
): Judgement {
  if (answer.response === null || !succeeded(answer))
    return cannotTell(
      'precondition',
      `answered ${answer.response?.status ?? 'not at all'}: no second effect to compare`,
    );
  if (identity === null) return cannotTell('precondition', 'nothing in the answers tells one effect from another');
  if (owner === null) return holds();
  const expected = 'a separate effect';
  const message = `a send with ${DIFFERENCES[how]} is answered ${identity}, which an earlier send with ${keyInWords(owner)} made; expected ${expected}`;
  const code = codeOf('IDEM-04', 'first-resource', how);
  const cause = `${DIFFERENCES[how]} is answered with the first resource`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual: identity }]);
}

/** IDEM-04: a key that no other send had is refused, though keys as long and unlike any other are accepted. */
export function judgeRefusedKey(refused: Exchange, how: KeyDifference): Judgement {
  return judgeRefused(
    refused,
    how,
    {
      code: codeOf('IDEM-04', 'refused', how),
      cause: `${DIFFERENCES[how]} is refused as if the key had been used`,
    },
    'while unrelated keys are accepted',
  );
}

/** IDEM-04: a send without a key is refused, though the key is optional and sends with one are accepted. */
export function judgeRefusedKeyless(refused: Exchange): Judgement {
  const kind = { code: codeOf('IDEM-04', 'refused', 'no-key'), cause: 'a send without a key is refused' };
  return judgeRefused(refused, 'no-key', kind, 'while sends with a key are accepted');
}

function judgeRefused(
  refused: Exchange,
  how: KeyDifference,
  kind: Pick<Breach, 'code' | 'cause'>,
  though: string,
): Judgement {
  const seen = answerOf(refused);
  if (!seen.ok) return seen.judgement;
  const [expected, actual] = ['a separate effect', spoken(seen.answer)];
  const message = `a send with ${DIFFERENCES[how]} is answered ${actual} again and again, ${though}; expected ${expected}`;
  return breached([{ weight: 'breach', ...kind, message, expected, actual }]);
}

function twoEffects(kind: Pick<Breach, 'code' | 'cause'>, how: string, ids: readonly string[]): Breach {
  const actual = `${ids.length}: ${ids.slice(0, 4).join(', ')}`;
  return {
    weight: 'breach',
    ...kind,
    message: `${how}: ${ids.length} effects (${ids.slice(0, 4).join(', ')}), expected 1`,
    expected: '1',
    actual,
  };
}

function idsOf(answers: readonly Exchange[]): readonly string[] {
  return [...new Set(answers.filter(succeeded).flatMap((answer) => identityOf(answer) ?? []))];
}

function succeeded({ response }: Exchange): boolean {
  return response !== null && isSuccess(response.status);
}

function keyInWords({ plan }: Exchange): string {
  return plan.headers.some(([name]) => name.toLowerCase() === 'idempotency-key') ? 'its own key' : 'no key';
}
