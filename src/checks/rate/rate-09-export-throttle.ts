// RATE-09 (must): `POST /auth/activity/export` called again and again by one user answers 429, and another user is not
//   throttled by it. Tolerance: Within 200 calls sent in 10 s; the second half needs keys of two users.
import { breached, cannotTell, holds, type Judgement, noting, type Observed } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { numeric, rateHeader } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';

/** Within so many calls, sent in so short a time. Source: RATE-09. */
export const THROTTLE_CALLS = 200;
export const THROTTLE_MS = 10_000;

/** So many equal answers at the end are no accident. */
const STEADY = 100;
/** A busy target answers so, too. */
const UNAVAILABLE = 503;

/** The flood of one user. */
export interface Flood {
  /** In the order sent. */
  readonly exchanges: readonly Exchange[];
  /** A call of another operation by the same key, right after a refusal; null when nothing was refused, or nothing else can be read. */
  readonly elsewhere: Exchange | null;
}

/** Whether exports were throttled: by the throttle itself, not by the key's own limit. */
export function judgeThrottled({ exchanges, elsewhere }: Flood): Judgement {
  const refused = exchanges.filter(({ response }) => response?.status === 429);
  const accepted = exchanges.filter(({ response }) => response !== null && response.status < 400);
  if (refused.length > 0) {
    if (elsewhere?.response?.status === 429)
      return cannotTell('precondition', "the key's own limit refused before the export throttle did");
    if (elsewhere === null && !refused.some(leavesCalls))
      return cannotTell('precondition', "exports were refused: whether by the key's own limit could not be told");
    return noting(holds(), [throttleRow(exchanges)]);
  }
  const otherwise = refusedOtherwise(exchanges, elsewhere);
  if (otherwise !== null) return otherwise;
  const elapsedMs = (exchanges.at(-1)?.sentAt ?? 0) - (exchanges[0]?.sentAt ?? 0);
  if (accepted.length < THROTTLE_CALLS || elapsedMs > THROTTLE_MS)
    return cannotTell(
      'precondition',
      `${accepted.length} exports were accepted in ${elapsedMs} ms: too few, or too slow, to tell`,
    );
  const expected = `a 429 within ${THROTTLE_CALLS} calls sent in ${THROTTLE_MS / 1000} s`;
  const actual = `${accepted.length} calls in ${elapsedMs} ms, none refused`;
  return breached([rate('rate-09.never', { actual, expected })]);
}

/** Whether the key had calls left as it was refused: then its own limit did not refuse. */
function leavesCalls(exchange: Exchange): boolean {
  return (numeric(rateHeader(exchange, 'remaining') ?? '') ?? 0) >= 1;
}

/** How many exports were accepted before the first refusal; some were under way together. */
function throttleRow(exchanges: readonly Exchange[]): Observed {
  const first = exchanges.findIndex(({ response }) => response?.status === 429);
  const accepted = exchanges
    .slice(0, first)
    .filter(({ response }) => response !== null && response.status < 400).length;
  return {
    subject: 'export throttle',
    value: `${accepted} accepted, then 429`,
    confidence: 'likely',
    calls: exchanges.length,
    basis: 'exports of one user in quick succession, after those of the run before',
  };
}

/** The status other than 429 by which exports were all refused in the end, after some were accepted; null where there is none. */
export function steadyRefusal(exchanges: readonly Exchange[]): number | null {
  const statuses = exchanges.map(({ response }) => response?.status ?? 0);
  const [last] = statuses.slice(-1);
  const isSteady = statuses.length >= THROTTLE_CALLS && statuses.slice(-STEADY).every((status) => status === last);
  const wasAccepted = statuses.some((status) => status >= 200 && status < 400);
  const isRefusal = last !== undefined && last !== 429 && ((last >= 400 && last < 500) || last === UNAVAILABLE);
  return isRefusal && isSteady && wasAccepted ? last : null;
}

/** Refusals by another status than 429; null for none. A 503 counts where the same key is served elsewhere: else the target is busy. */
function refusedOtherwise(exchanges: readonly Exchange[], elsewhere: Exchange | null): Judgement | null {
  const last = steadyRefusal(exchanges);
  const isServed = (elsewhere?.response?.status ?? UNAVAILABLE) < 400;
  if (last === null || (last === UNAVAILABLE && !isServed)) return null;
  const expected = `a 429 within ${THROTTLE_CALLS} calls sent in ${THROTTLE_MS / 1000} s`;
  const actual = `${last} on each of the last ${STEADY} of ${exchanges.length} calls, accepted before`;
  return breached([rate('rate-09.other-status', { actual, expected })]);
}

/** `other`: the first export of another user, who had rested, while the first user is refused. */
export function judgeOtherUser(other: Exchange): Judgement {
  const status = other.response?.status ?? 0;
  if (status === 0 || (status >= 400 && status !== 429))
    return cannotTell('precondition', `the other user's export was answered ${status === 0 ? 'not at all' : status}`);
  if (status !== 429) return holds();
  const expected = 'an export of a user who asked for none lately is not throttled';
  return breached([
    rate('rate-09.other-user', {
      told: "one user's exports throttle another user: answered 429",
      actual: '429',
      expected,
    }),
  ]);
}
