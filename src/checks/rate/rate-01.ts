// RATE-01: authenticated calls of described operations carry the three rate-limit headers. Exempt are health checks and
// 401s. An error is judged where the request was an ordinary one that reached its operation: 400, 404, 409 and 422. A 403,
// a 429 of another throttle, a 5xx and refusals of unreadable requests may come from before or beside the gateway.
//
// RATE-01 (must): Normal API calls (authenticated calls of described operations) carry X-RateLimit-Limit, -Remaining
//   and -Reset. Tolerance: Health checks and 401s exempt. Reset may be epoch seconds, epoch milliseconds, delta seconds
//   or a date: which one is observed; numeric applies to Limit and Remaining.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached } from '../../contract/judgement.ts';
import { HEALTH_PATH } from '../../contract/platform.ts';
import { numeric, rateHeader } from '../../limiters/reading.ts';
import { resetOf } from '../../limiters/reset-forms.ts';
import type { ExchangeCheck, Subject } from '../check.ts';

const HEADERS = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;
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
      const bare = breach(
        'rate-01.absent',
        'the rate-limit headers are absent',
        `the ${status} carries none`,
        'absent',
      );
      // What stands before the platform may throttle, too, and knows of no key's limit.
      return breached([status === 429 ? { ...bare, weight: 'advisory' } : bare], 3);
    }
    const breaches = NAMES.flatMap((name) => {
      const text = rateHeader(exchange, name);
      const code = (kind: string): string => codeOf('RATE-01', kind, name);
      if (text === null)
        return breach(code('absent'), `${HEADERS[name]} is absent`, `the ${status} carries the others only`, 'absent');
      if (name === 'reset')
        return resetOf(text) === null
          ? breach(code('unreadable'), `${HEADERS.reset} is neither a number nor a date`, text, text)
          : [];
      return numeric(text) === null ? breach(code('unreadable'), `${HEADERS[name]} is not numeric`, text, text) : [];
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

function breach(code: string, cause: string, detail: string, actual: string): Breach {
  const expected = 'Limit and Remaining as numbers, Reset as a number or a date';
  const shown = detail.slice(0, 80);
  return {
    weight: 'breach',
    code,
    cause,
    message: `${cause}: ${shown}, expected ${expected}`,
    expected,
    actual: actual.slice(0, 80),
  };
}
