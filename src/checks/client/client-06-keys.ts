// CLIENT-06: what changes something is sent again only so that the platform can know it: under the key of the first request.
//
// CLIENT-06 (must): A retry resends the same Idempotency-Key where declared; a payment is never resent without it.
import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import { IDEMPOTENCY_HEADER, isIdempotent, PAYMENT_OPERATION } from '../../contract/platform.ts';
import { header } from '../../exchange/body.ts';
import type { ClientRequest, ClientRun, Retry } from '../../exchange/client-run.ts';
import {
  broken,
  held,
  isCutShort,
  named,
  notMet,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

const RETRYABLE: readonly (number | null)[] = [null, 429, 500, 503];

export function judgeKeys(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs
    .filter(({ scenario: { task, trouble } }) =>
      task === 'create-store' || task === 'pay' ? isRetryable(trouble) : false,
    )
    .map(judgeRun);
}

function isRetryable(trouble: ClientRun['scenario']['trouble']): boolean {
  return trouble !== null && RETRYABLE.includes(trouble.status);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const reason = notMet(run);
  if (reason !== null) return untold(run, reason);
  const calls = troubledCalls(run).filter(({ call }) => isIdempotent(call[0]?.operation ?? null));
  const retries = calls.flatMap((one) => one.retries);
  const wrong = retries.map((retry) => ({ retry, breach: breachOf(retry, run) })).find(({ breach }) => breach !== null);
  if (wrong?.breach != null) return broken(run, [wrong.breach], [wrong.retry.before, wrong.retry.again]);
  if (retries.length > 0) {
    const keyed = retries.filter(({ before }) => keyOf(before) !== null);
    return keyed.length > 0
      ? held(run, keyed.length)
      : untold(run, 'a create without a key was sent again after 429, which made nothing');
  }
  const isUnkeyedPayment = calls.some(
    ({ call: [first] }) => first !== undefined && isPayment(first) && keyOf(first) === null,
  );
  if (isUnkeyedPayment && !isCutShort(run)) return held(run);
  return untold(run, 'it was not sent again');
}

function breachOf({ before, again }: Retry, run: ClientRun): Breach | null {
  const [first, second] = [keyOf(before), keyOf(again)];
  const what = isPayment(again) ? 'payment' : 'create';
  if (second === null) {
    // 429 says that nothing was made: a create without a key may be sent again then.
    if (first === null && what === 'create' && before.answer.status === 429) return null;
    return breach(
      run,
      first === null ? 'without-key' : 'key-dropped',
      `a ${what} is sent again without its Idempotency-Key`,
      what,
    );
  }
  return first === second
    ? null
    : breach(run, 'key-changed', `a ${what} is sent again under another Idempotency-Key`, what);
}

function breach(run: ClientRun, kind: string, cause: string, what: string): Breach {
  return {
    ...{ weight: 'breach', code: codeOf('CLIENT-06', kind, what), cause },
    message: `${named(run)}: ${cause}, expected the same key`,
    expected: `the ${IDEMPOTENCY_HEADER} of the first request`,
    actual: kind === 'key-changed' ? 'another key' : 'no key',
  };
}

function isPayment({ operation }: ClientRequest): boolean {
  return operation === PAYMENT_OPERATION;
}

function keyOf({ headers }: ClientRequest): string | null {
  const value = header(headers, IDEMPOTENCY_HEADER)?.trim() ?? '';
  return value === '' ? null : value;
}
