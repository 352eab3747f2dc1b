// Plants of RATE that take a series of calls: what is left does not fall, limits that are not those that are stated, waits that
// are too short, keys and users that share what each is to have alone.
import { EXPORT_OPERATION, RATE_HEADERS } from '../../contract/platform.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { type ExperimentPlant, type Occasion, withHeader } from '../plant.ts';

/** A limit that is stated by so much of itself too high or too low. */
const OFF_BY = 0.2;

type Entry = Pick<ExperimentPlant, 'id' | 'clause' | 'text' | 'lacks'> &
  Partial<Pick<ExperimentPlant, 'also' | 'at' | 'concerns' | 'countsCalls'>> & {
    change(occasion: Occasion, response: RecordedResponse): RecordedResponse | null;
  };

function plant({ change, ...entry }: Entry): ExperimentPlant {
  return {
    ...{ at: 'run', concerns: () => true },
    ...entry,
    change(occasion) {
      const { response } = occasion.exchange;
      const changed = response === null ? null : change(occasion, response);
      return changed === null ? null : { response: changed };
    },
  };
}

function keyOf({ plan: { credential } }: Pick<Exchange, 'plan'>): string | null {
  return credential.kind === 'key' ? credential.name : null;
}

/** Number in the header; null where it holds none. */
function told({ headers }: RecordedResponse, name: 'limit' | 'remaining'): number | null {
  const text = header(headers, RATE_HEADERS[name]) ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

function withTold(response: RecordedResponse, name: 'limit' | 'remaining', value: number): RecordedResponse {
  return withHeader(response, RATE_HEADERS[name], String(Math.max(0, Math.round(value))));
}

/** The answer of a limiter that states `share` of the limit that it has. */
function stating(share: number) {
  return (_occasion: Occasion, response: RecordedResponse): RecordedResponse | null => {
    const [limit, remaining] = [told(response, 'limit'), told(response, 'remaining')];
    if (limit === null || remaining === null) return null;
    const added = Math.round(limit * (share - 1));
    return withTold(withTold(response, 'limit', limit + added), 'remaining', remaining + added);
  };
}

/** The key that most of the calls so far were made with. */
function spentKey(earlier: readonly Exchange[]): string | null {
  const counts = [...Map.groupBy(earlier, keyOf)].toSorted(([, one], [, other]) => other.length - one.length);
  return counts[0]?.[0] ?? null;
}

const NOT_SPENT = 'no limit was spent';

export const limitPlants: readonly ExperimentPlant[] = [
  plant({
    ...{
      id: 'rate-03-uncounted',
      clause: 'RATE-03',
      text: 'One call in three does not lower what is left of the limit.',
    },
    ...{ lacks: 'no row of calls was made with nothing else under way', countsCalls: true },
    change({ exchange, earlier }, response) {
      const isRow = earlier.every((one) => one.plan.path === exchange.plan.path && keyOf(one) === keyOf(exchange));
      const calls = isRow ? earlier.length : 0;
      const remaining = told(response, 'remaining');
      return remaining === null || calls < 3
        ? null
        : withTold(response, 'remaining', remaining + Math.floor(calls / 3));
    },
  }),
  plant({
    ...{ id: 'rate-04-too-many', clause: 'RATE-04', text: 'A fifth more calls are admitted than Limit states.' },
    ...{ lacks: NOT_SPENT, also: ['RATE-10'], change: stating(1 - OFF_BY) },
  }),
  plant({
    ...{
      id: 'rate-06-refused',
      clause: 'RATE-06',
      text: 'The call after the wait that Retry-After asks for is refused.',
    },
    ...{ lacks: NOT_SPENT, countsCalls: true },
    change({ exchange, earlier }, response) {
      const refused = earlier.findLast((one) => keyOf(one) === keyOf(exchange) && one.response?.status === 429);
      return refused?.response != null && response.status < 300 ? refused.response : null;
    },
  }),
  plant({
    ...{ id: 'rate-07-shared', clause: 'RATE-07', text: 'Calls of one key are charged to the others, too.' },
    lacks: 'no second key was asked before and after',
    change({ exchange, earlier }, response) {
      const spent = spentKey(earlier);
      const remaining = told(response, 'remaining');
      if (remaining === null || spent === null || keyOf(exchange) === spent) return null;
      const calls = earlier.filter((one) => keyOf(one) === spent && (one.response?.status ?? 599) < 300).length;
      return calls < 2 ? null : withTold(response, 'remaining', remaining - calls);
    },
  }),
  plant({
    ...{ id: 'rate-09-unthrottled', clause: 'RATE-09', text: 'Exports are never throttled.', at: 'operation' },
    lacks: 'exports were not asked for again and again',
    concerns: ({ key }) => key === EXPORT_OPERATION,
    change({ plan, earlier }, response) {
      const accepted = earlier.find((one) => one.plan.path === plan.path && (one.response?.status ?? 599) < 300);
      return response.status === 429 ? (accepted?.response ?? null) : null;
    },
  }),
  plant({
    ...{ id: 'rate-09-shared', clause: 'RATE-09', text: 'One user is throttled by the exports of another.' },
    ...{ at: 'operation', lacks: 'no export of a second user was asked for' },
    concerns: ({ key }) => key === EXPORT_OPERATION,
    change({ exchange, earlier }, response) {
      const refused = earlier.findLast((one) => one.response?.status === 429);
      const isOther = refused !== undefined && keyOf(refused) !== keyOf(exchange);
      return isOther && response.status < 300 ? refused.response : null;
    },
  }),
  plant({
    ...{ id: 'rate-10-overstated', clause: 'RATE-10', text: 'Limit states a fifth more calls than are admitted.' },
    ...{ lacks: NOT_SPENT, also: ['RATE-04'], countsCalls: true, change: stating(1 + OFF_BY) },
  }),
];
