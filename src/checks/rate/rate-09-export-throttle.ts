// RATE-09 (must): An operation with a throttle of its own, called again and again by one user, is refused, and
//   another user is not throttled by it. Tolerance: Within the calls and seconds that the contract states; the second
//   half needs keys of two users.

import { breached, cannotTell, holds, type Judgement, noting, type Observed } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Limited, readingOf } from '../../limiters/reading.ts';
import type { Throttle } from '../../limiters/throttles.ts';
import { rateBreach } from '../../wording/rate.ts';

/** Equal answers in a row that are no accident. */
const STEADY = 100;
/** A busy target answers so, too. */
const UNAVAILABLE = 503;

/** The flood of one user. */
export interface ExportBurst {
  readonly throttle: Throttle;
  readonly limited: Limited;
  /** In the order sent. */
  readonly exchanges: readonly Exchange[];
  /** A call of another operation by the same key, right after a refusal; null when nothing was refused, or nothing else can be read. */
  readonly elsewhere: Exchange | null;
}

/** Tells whether exports were throttled: by the throttle itself, not by the key's own limit. */
export function judgeThrottled(flood: ExportBurst): Judgement {
  const { exchanges, elsewhere, throttle } = flood;
  const { many } = nounOf(throttle);
  const refused = refusedIn(flood);
  const accepted = exchanges.filter(({ response }) => response !== null && response.status < 400);
  if (refused.length > 0) {
    if (elsewhere?.response?.status === throttle.refused)
      return cannotTell('precondition', `the key's own limit refused before the ${nounOf(throttle).one} throttle did`);
    if (elsewhere === null && !refused.some((one) => leavesCalls(one, flood)))
      return cannotTell('precondition', `${many} were refused: whether by the key's own limit could not be told`);
    return noting(holds(), [throttleRow(flood)]);
  }
  const otherwise = refusedOtherwise(flood);
  if (otherwise !== null) return otherwise;
  const elapsedMs = (exchanges.at(-1)?.sentAt ?? 0) - (exchanges[0]?.sentAt ?? 0);
  if (accepted.length < throttle.calls || elapsedMs > throttle.seconds * 1000)
    return cannotTell(
      'precondition',
      `${accepted.length} ${many} were accepted in ${elapsedMs} ms: too few, or too slow, to tell`,
    );
  const actual = `${plural(accepted.length, 'call')} in ${elapsedMs} ms, none refused`;
  return breached([
    rateBreach('rate-09.never', `${many} are never throttled`, { actual, expected: expectedOf(throttle) }),
  ]);
}

/** Tells whether the key had calls left as it was refused: then its own limit did not refuse. */
function leavesCalls(exchange: Exchange, { limited }: ExportBurst): boolean {
  return (readingOf(exchange, limited)?.remaining ?? 0) >= 1;
}

/** The calls that were refused by the status that the contract states. */
export function refusedIn({ exchanges, throttle }: Pick<ExportBurst, 'exchanges' | 'throttle'>): readonly Exchange[] {
  return exchanges.filter(({ response }) => response?.status === throttle.refused);
}

function expectedOf({ refused, calls, seconds }: Throttle): string {
  return `a ${refused} within ${plural(calls, 'call')} sent in ${seconds} s`;
}

/** The name of what an operation makes, by the last word of its path: export, exports, an export. */
export function nounOf({ operation }: Pick<Throttle, 'operation'>) {
  const words = operation.split('/').filter((word) => word !== '' && !word.includes('{'));
  const one = (words.at(-1) ?? 'call').replace(/s$/, '');
  return { one, many: `${one}s`, withArticle: `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}` };
}

/** How many exports were accepted before the first refusal; some were under way together. */
function throttleRow({ exchanges, throttle }: ExportBurst): Observed {
  const { one, many } = nounOf(throttle);
  const first = exchanges.findIndex(({ response }) => response?.status === throttle.refused);
  const accepted = exchanges
    .slice(0, first)
    .filter(({ response }) => response !== null && response.status < 400).length;
  return {
    subject: `${one} throttle`,
    value: `${accepted} accepted, then ${throttle.refused}`,
    confidence: 'likely',
    calls: exchanges.length,
    basis: `${many} of one user in quick succession, after those of the run before`,
  };
}

/** The status other than 429 by which many exports in a row were refused, where others were accepted; null where there is none. A window may begin meanwhile, and a lost answer ends no row. */
export function steadyRefusal({ exchanges, throttle }: Pick<ExportBurst, 'exchanges' | 'throttle'>): number | null {
  const statuses = exchanges.flatMap(({ response }) => (response === null ? [] : [response.status]));
  if (exchanges.length < throttle.calls || !statuses.some((status) => status >= 200 && status < 400)) return null;
  let alike = 0;
  const steady = statuses.find((status, at) => {
    alike = status === statuses[at - 1] ? alike + 1 : 1;
    const isRefusal = (status >= 400 && status < 500 && status !== throttle.refused) || status === UNAVAILABLE;
    return isRefusal && alike >= STEADY;
  });
  return steady ?? null;
}

/** Refusals by another status than 429; null for none. A 503 counts where the same key is served elsewhere: else the target is busy. */
function refusedOtherwise(flood: ExportBurst): Judgement | null {
  const { exchanges, elsewhere, throttle } = flood;
  const last = steadyRefusal(flood);
  const isServed = (elsewhere?.response?.status ?? UNAVAILABLE) < 400;
  if (last === null || (last === UNAVAILABLE && !isServed)) return null;
  const { refused } = throttle;
  const cause = `repeated ${nounOf(throttle).many} are refused by another status than ${refused}`;
  const actual = `${last} on ${STEADY} calls in a row, of ${exchanges.length}, others accepted`;
  return breached([rateBreach('rate-09.other-status', cause, { actual, expected: expectedOf(throttle) })]);
}

/** `other`: the first export of another user, who had rested, while the first user is refused. */
export function judgeOtherUser(other: Exchange, throttle: Throttle): Judgement {
  const { refused } = throttle;
  const { one, many, withArticle } = nounOf(throttle);
  const status = other.response?.status ?? 0;
  if (status === 0 || (status >= 400 && status !== refused))
    return cannotTell('precondition', `the other user's ${one} was answered ${status === 0 ? 'not at all' : status}`);
  if (status !== refused) return holds();
  const expected = `${withArticle} of a user who asked for none lately is not throttled`;
  const cause = `one user's ${many} throttle another user`;
  return breached([
    rateBreach('rate-09.other-user', cause, {
      told: `${cause}: answered ${refused}`,
      actual: String(refused),
      expected,
    }),
  ]);
}
