// RATE-01: authenticated calls of described operations carry the three rate-limit headers. Exempt are health checks and
// 401s. An error is judged where the request was an ordinary one that reached its operation: 400, 404, 409 and 422. A 403,
// a 429 of another throttle, a 5xx and refusals of unreadable requests may come from before or beside the gateway.
//
// RATE-01 (must): Normal API calls (authenticated calls of described operations) carry X-RateLimit-Limit, -Remaining
//   and -Reset. Tolerance: Health checks and 401s exempt. Reset may be epoch seconds, epoch milliseconds, delta seconds
//   or a date: which one is observed; numeric applies to Limit and Remaining.
import { breached } from '../../contract/judgement.ts';
import { HEALTH_PATH } from '../../contract/platform.ts';
import { numeric, rateHeader } from '../../limiters/reading.ts';
import { resetOf } from '../../limiters/reset-forms.ts';
import { rate, rateBreach } from '../../wording/rate.ts';
import type { ExchangeCheck, Subject } from '../check.ts';

const HEADERS = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;
const EXPECTED = 'Limit and Remaining as numbers, Reset as a number or a date';
const SHOWN_CHARACTERS = 80;
const NAMES = Object.keys(HEADERS) as readonly (keyof typeof HEADERS)[];
/** Refusals that come of the operation, or of the limit itself. What others have may come from before both. */
const JUDGED_ERRORS: readonly number[] = [400, 404, 409, 422, 429];

export const rate01: ExchangeCheck = {
  clause: 'RATE-01',
  title: 'A call of a described operation carries X-RateLimit-Limit, -Remaining and -Reset',
  applies: isNormalCall,
  judge({ exchange }) {
    const absent = NAMES.filter((name) => rateHeader(exchange, name) === null);
    const status = exchange.response?.status;
    if (absent.length === NAMES.length) {
      // What stands before the platform may throttle, too, and knows of no key's limit.
      const weight = status === 429 ? 'advisory' : 'breach';
      const told = `the rate-limit headers are absent: the ${status} carries none`;
      return breached([rate('rate-01.absent', { told, actual: 'absent', expected: EXPECTED, weight })], 3);
    }
    const breaches = NAMES.flatMap((name) => {
      const text = rateHeader(exchange, name);
      const isReadable = text !== null && (name === 'reset' ? resetOf(text) : numeric(text)) !== null;
      if (isReadable) return [];
      const lack = name === 'reset' ? 'neither a number nor a date' : 'not numeric';
      const cause = `${HEADERS[name]} is ${text === null ? 'absent' : lack}`;
      const actual = (text ?? 'absent').slice(0, SHOWN_CHARACTERS);
      const told = `${cause}: ${text === null ? `the ${status} carries the others only` : actual}`;
      const kind = text === null ? 'rate-01.absent' : 'rate-01.unreadable';
      return rateBreach(kind, cause, { told, actual, expected: EXPECTED }, name);
    });
    return breached(breaches, 3);
  },
};

function isNormalCall({ exchange, operation }: Subject): boolean {
  const { plan, response } = exchange;
  if (response === null || operation === null || plan.credential.kind !== 'key') return false;
  if (operation.path === HEALTH_PATH || plan.path === HEALTH_PATH) return false;
  if (response.status >= 200 && response.status < 400) return true;
  return JUDGED_ERRORS.includes(response.status) && plan.operation !== null && plan.intent !== 'hostile';
}
