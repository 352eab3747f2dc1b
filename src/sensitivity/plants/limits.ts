// Plants of RATE that take a series of calls: what is left does not fall, limits that are not those that are stated, waits that
// are too short, keys and users that share what each is to have alone.
import type { Under } from '../../checks/check.ts';
import { stating as changed, statedNumber } from '../../defects/limits.ts';
import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { isRefusal } from '../../limiters/reading.ts';
import { throttleOf } from '../../limiters/throttles.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { differing, type ExperimentPlant, type Occasion, sown } from '../plant.ts';

/** A limit that is stated by so much of itself too high or too low. */
const OFF_BY = 0.2;

function keyOf({ plan: { credential } }: Pick<Exchange, 'plan'>): string | null {
  return credential.kind === 'key' ? credential.name : null;
}

/** The number that the answer states; null where it states none. */
function told({ at }: Occasion, response: RecordedResponse, what: 'limit' | 'remaining'): number | null {
  return statedNumber(response.headers, what, at.terms.rateLimits);
}

function withTold(
  { at }: Occasion,
  response: RecordedResponse,
  what: 'limit' | 'remaining',
  value: number,
): RecordedResponse {
  return differing(response, changed(response.headers, what, Math.max(0, value), at.terms.rateLimits));
}

function isRefused({ response }: Exchange, { at }: Occasion): boolean {
  return response !== null && isRefusal(response, at.terms.rateLimits);
}

/** The answer of a limiter that states `share` of the limit that it has. */
function stating(share: number) {
  return (occasion: Occasion, response: RecordedResponse): RecordedResponse | null => {
    const [limit, remaining] = [told(occasion, response, 'limit'), told(occasion, response, 'remaining')];
    if (limit === null || remaining === null) return null;
    const added = Math.round(limit * (share - 1));
    return withTold(occasion, withTold(occasion, response, 'limit', limit + added), 'remaining', remaining + added);
  };
}

/** The key that most of the calls so far were made with. */
function spentKey(earlier: readonly Exchange[]): string | null {
  const counts = [...Map.groupBy(earlier, keyOf)].toSorted(([, one], [, other]) => other.length - one.length);
  return counts[0]?.[0] ?? null;
}

function isThrottled({ key }: Operation, _description: unknown, { terms }: Under): boolean {
  return throttleOf(terms, key) !== null;
}

const NOT_SPENT = 'no limit was spent';

export const limitPlants: readonly ExperimentPlant[] = [
  sown('RATE-03', 'uncounted', 'One call in three does not lower what is left of the limit.', {
    ...{ at: 'run', lacks: 'no row of calls was made with nothing else under way', countsCalls: true },
    change(occasion, response) {
      const { exchange, earlier } = occasion;
      const isRow = earlier.every((one) => one.plan.path === exchange.plan.path && keyOf(one) === keyOf(exchange));
      const calls = isRow ? earlier.length : 0;
      const remaining = told(occasion, response, 'remaining');
      return remaining === null || calls < 3
        ? null
        : withTold(occasion, response, 'remaining', remaining + Math.floor(calls / 3));
    },
  }),
  sown('RATE-04', 'too-many', 'A fifth more calls are admitted than Limit states.', {
    ...{ at: 'run', lacks: NOT_SPENT, also: ['RATE-10'], change: stating(1 - OFF_BY) },
  }),
  sown('RATE-06', 'refused', 'The call after the wait that Retry-After asks for is refused.', {
    ...{ at: 'run', lacks: NOT_SPENT, countsCalls: true },
    change(occasion, response) {
      const { exchange, earlier } = occasion;
      const refused = earlier.findLast((one) => keyOf(one) === keyOf(exchange) && isRefused(one, occasion));
      return refused?.response != null && response.status < 300 ? refused.response : null;
    },
  }),
  sown('RATE-07', 'shared', 'Calls of one key are charged to the others, too.', {
    ...{ at: 'run', lacks: 'no second key was asked before and after' },
    change(occasion, response) {
      const { exchange, earlier } = occasion;
      const spent = spentKey(earlier);
      const remaining = told(occasion, response, 'remaining');
      if (remaining === null || spent === null || keyOf(exchange) === spent) return null;
      const calls = earlier.filter((one) => keyOf(one) === spent && succeeded(one)).length;
      return calls < 2 ? null : withTold(occasion, response, 'remaining', remaining - calls);
    },
  }),
  sown('RATE-09', 'unthrottled', 'The operation is never throttled.', {
    ...{ lacks: 'it was not asked for again and again', concerns: isThrottled },
    change(occasion, response) {
      const { plan, earlier, exchange } = occasion;
      const accepted = earlier.find((one) => one.plan.path === plan.path && succeeded(one));
      return isRefused({ ...exchange, response }, occasion) ? (accepted?.response ?? null) : null;
    },
  }),
  sown('RATE-09', 'shared', 'One user is throttled by the calls of another.', {
    ...{ lacks: 'it was not asked for by a second user', concerns: isThrottled },
    change(occasion, response) {
      const { exchange, earlier } = occasion;
      const refused = earlier.findLast((one) => isRefused(one, occasion));
      const isOther = refused !== undefined && keyOf(refused) !== keyOf(exchange);
      return isOther && response.status < 300 ? refused.response : null;
    },
  }),
  sown('RATE-10', 'overstated', 'Limit states a fifth more calls than are admitted.', {
    ...{ at: 'run', lacks: NOT_SPENT, also: ['RATE-04'], countsCalls: true, change: stating(1 + OFF_BY) },
  }),
];
