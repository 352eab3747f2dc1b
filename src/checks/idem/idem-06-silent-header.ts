// IDEM-06 (must): Other mutating operations accept the header silently: it never turns a success into an error.
import { breached, cannotTell, holds, type Judgement, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/**
 * `keyed` and `plain`: the same valid call with the header and without, in the order sent; two of each where the first failed. `how`: with what
 * key it was sent, in words: "with Idempotency-Key".
 */
export function judgeSilent(keyed: readonly Exchange[], plain: readonly Exchange[], how: string): Judgement {
  const [first] = keyed;
  const status = first?.response?.status;
  if (status === undefined) return cannotTell('precondition', 'no answer to the call with the header');
  if (status < 400) return holds();
  if (!keyed.every(isRefusal))
    return cannotTell('precondition', 'the call with the header fails now and then only, or is throttled');
  if (!plain.every(isAccepted)) {
    return cannotTell('precondition', `the call fails without the header, too (${statusOf(plain.at(-1))})`);
  }
  if (keyed.length < 2 || plain.length < 2)
    return cannotTell('precondition', 'the call could not be compared often enough');
  const expected = `${statusOf(plain.at(-1))}, as without the header`;
  const kind = ['idem-06.refused', 'the idempotency key turns a success into an error'] as const;
  return breached([wrong(kind, `the call ${how}`, expected, String(status))]);
}

/** Where the contract states that such operations refuse the header. `plain`: the same call without it, where the other was refused. */
export function judgeRefusedHeader(keyed: Exchange | undefined, plain: Exchange | undefined, how: string): Judgement {
  if (keyed === undefined) return cannotTell('precondition', 'no call with the header could be sent');
  if (isAccepted(keyed)) {
    const kind = ['idem-06.accepted', 'the idempotency key is accepted where it is to be refused'] as const;
    return breached([wrong(kind, `the call ${how}`, 'a 4xx, for the operation takes no key', statusOf(keyed))]);
  }
  if (!isRefusal(keyed)) return cannotTell('precondition', `the call with the header is answered ${statusOf(keyed)}`);
  if (plain === undefined || !isAccepted(plain))
    return cannotTell('precondition', `the call fails without the header, too (${statusOf(plain)})`);
  return holds();
}

function isRefusal({ response }: Exchange): boolean {
  const status = response?.status ?? 0;
  return status >= 400 && status !== 401 && status !== 429 && status !== 503;
}

function isAccepted({ response }: Exchange): boolean {
  return response !== null && response.status < 400;
}

function statusOf(exchange: Exchange | undefined): string {
  return String(exchange?.response?.status ?? 'no answer');
}
