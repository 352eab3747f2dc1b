// CLIENT-06: what changes something is sent again only so that the platform can know it: under the key of the first request.
//
// CLIENT-06 (must): A retry resends the same idempotency key where declared; a payment is never resent without it.
import { codeOf } from '../../contract/code.ts';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import type { Breach } from '../../contract/judgement.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { IdempotencyTerms, Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { ClientRequest, ClientRun, Retry } from '../../exchange/client-run.ts';
import {
  broken,
  held,
  isCutShort,
  judgeEach,
  misdeed,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

const RETRYABLE: readonly (number | null)[] = [null, 429, 500, 503];

/** The header that carries keys, and which operations take one, or are never executed twice for one. */
interface Keys {
  readonly header: string;
  isBound(operation: string | null): boolean;
  isPayment(operation: string | null): boolean;
}

function keysOf(terms: IdempotencyTerms | null): Keys {
  const matching = (globs: readonly string[]): ((operation: string | null) => boolean) => {
    const matches = globs.length === 0 ? () => false : operationMatcher(globs);
    return (operation) => operation !== null && matches(operation);
  };
  const { header, operations, never } = terms ?? { header: null, operations: [], never: [] };
  return { header: header ?? USUAL_KEY_HEADER, isBound: matching(operations), isPayment: matching(never) };
}

export function judgeKeys(runs: readonly ClientRun[], { idempotency }: Terms): readonly ScenarioJudgement[] {
  const keys = keysOf(idempotency);
  return judgeEach(
    runs,
    ({ task, trouble }) => (task === 'create-store' || task === 'pay') && isRetryable(trouble),
    (run) => judgeRun(run, keys),
  );
}

function isRetryable(trouble: ClientRun['scenario']['trouble']): boolean {
  return trouble !== null && RETRYABLE.includes(trouble.status);
}

function judgeRun(run: ClientRun, keys: Keys): ScenarioJudgement {
  const calls = troubledCalls(run).filter(({ call }) => keys.isBound(call[0]?.operation ?? null));
  const retries = calls.flatMap((one) => one.retries);
  const wrong = retries
    .map((retry) => ({ retry, breach: breachOf(retry, keys, run) }))
    .find(({ breach }) => breach !== null);
  if (wrong?.breach != null) return broken(run, [wrong.breach], [wrong.retry.before, wrong.retry.again]);
  if (retries.length > 0) {
    const keyed = retries.filter(({ before }) => keyOf(before, keys) !== null);
    return keyed.length > 0
      ? held(run, keyed.length)
      : untold(run, 'a create without a key was sent again after 429, which made nothing');
  }
  const isUnkeyedPayment = calls.some(
    ({ call: [first] }) => first !== undefined && keys.isPayment(first.operation) && keyOf(first, keys) === null,
  );
  if (isUnkeyedPayment && !isCutShort(run)) return held(run);
  return untold(run, 'it was not sent again');
}

function breachOf({ before, again }: Retry, keys: Keys, run: ClientRun): Breach | null {
  const [first, second] = [keyOf(before, keys), keyOf(again, keys)];
  const { header: name } = keys;
  const what = keys.isPayment(again.operation) ? 'payment' : 'create';
  if (second === null) {
    // 429 says that nothing was made: a create without a key may be sent again then.
    if (first === null && what === 'create' && before.answer.status === 429) return null;
    const kind = first === null ? 'without-key' : 'key-dropped';
    return breach(run, { kind, cause: `a ${what} is sent again without its ${name}`, what, name });
  }
  if (first === second) return null;
  return breach(run, { kind: 'key-changed', cause: `a ${what} is sent again under another ${name}`, what, name });
}

function breach(
  run: ClientRun,
  { kind, cause, what, name }: Readonly<Record<'kind' | 'cause' | 'what' | 'name', string>>,
): Breach {
  const actual = kind === 'key-changed' ? 'another key' : 'no key';
  const told = `${cause}, expected the same key`;
  return misdeed(run, [codeOf('CLIENT-06', kind, what), cause], told, `the ${name} of the first request`, actual);
}

function keyOf({ headers }: ClientRequest, keys: Keys): string | null {
  const value = header(headers, keys.header)?.trim() ?? '';
  return value === '' ? null : value;
}
