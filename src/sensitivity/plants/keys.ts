// Plants of IDEM: replays that are answered otherwise, effects that happen twice, keys that are mixed up.
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange, RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { isObject } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
import { mutates } from '../../probes/world.ts';
import { type ExperimentPlant, type Occasion, withBody } from '../plant.ts';
import { pageOf } from './lists.ts';

type Entry = Pick<ExperimentPlant, 'id' | 'clause' | 'text'> &
  Partial<Pick<ExperimentPlant, 'concerns' | 'also' | 'lacks'>> & {
    change(occasion: Occasion, response: RecordedResponse): RecordedResponse | null;
  };

function plant({ change, ...entry }: Entry): ExperimentPlant {
  return {
    ...{
      at: 'operation',
      concerns: isKeyed,
      lacks: 'no request was sent again under its key',
      also: ['IDEM-01', 'IDEM-02'],
    },
    ...entry,
    change(occasion) {
      const { response } = occasion.exchange;
      const changed = response === null || response.status >= 300 ? null : change(occasion, response);
      return changed === null ? null : { response: changed };
    },
  };
}

function isKeyed({ keyed }: Operation): boolean {
  return keyed === true;
}

/** The request's key, in the header that the contract names, else in the usual one. */
function keyOf({ headers }: Pick<RequestPlan, 'headers'>, { terms }: Occasion['at']): string | null {
  return keyIn(headers, terms.idempotency?.header ?? undefined) ?? keyIn(headers);
}

/** The success that the request's key was first answered; null where the key is new. */
function originalOf({ plan, earlier, at }: Occasion): Exchange | null {
  const key = keyOf(plan, at);
  const isOriginal = ({ plan: other, response }: Exchange): boolean =>
    other.path === plan.path &&
    other.method === plan.method &&
    keyOf(other, at) === key &&
    (response?.status ?? 599) < 300;
  return key === null ? null : (earlier.find(isOriginal) ?? null);
}

/** The resource with another id; one member more where it shows none. */
function other(exchange: Exchange): unknown {
  const body = jsonBody(exchange);
  const value = body.ok && isObject(body.value) ? body.value : {};
  const name = Object.keys(value).find((one) => /(^|_)id$/i.test(one) && typeof value[one] === 'string');
  return name === undefined ? { ...value, assay_once_more: true } : { ...value, [name]: `${value[name]}2` };
}

export const keyPlants: readonly ExperimentPlant[] = [
  plant({
    ...{ id: 'idem-01-other-body', clause: 'IDEM-01', text: 'A replay is answered with another resource.' },
    change: (occasion, response) =>
      originalOf(occasion) === null ? null : withBody(response, other(occasion.exchange)),
  }),
  plant({
    ...{ id: 'idem-01-refused', clause: 'IDEM-01', text: 'A replay is refused.' },
    change: (occasion, response) => (originalOf(occasion) === null ? null : { ...response, status: 409 }),
  }),
  plant({
    ...{ id: 'idem-02-twice', clause: 'IDEM-02', text: 'A request that is sent again makes its resource once more.' },
    lacks: 'no list was read after a request was sent again under its key',
    change({ exchange, plan, earlier, at }) {
      const replay = earlier.find((one, index) => {
        const before = { at, exchange: one, plan: one.plan, earlier: earlier.slice(0, index), beside: [], proof: null };
        return (one.response?.status ?? 599) < 300 && originalOf(before) !== null;
      });
      const page = plan.method === 'GET' ? pageOf(exchange) : null;
      if (replay === undefined || page === null) return null;
      const { total } = page.body;
      const counts = typeof total === 'number' ? { '/total': total + 1 } : {};
      return page.with([...page.items, other(replay)], counts);
    },
  }),
  plant({
    ...{
      id: 'idem-03-twice',
      clause: 'IDEM-03',
      text: 'Requests that are sent at once under one key have an effect each.',
    },
    lacks: 'no requests were sent at once',
    change: (occasion, response) =>
      originalOf(occasion) === null ? null : withBody(response, other(occasion.exchange)),
  }),
  plant({
    ...{
      id: 'idem-03-failed',
      clause: 'IDEM-03',
      text: 'Of requests that are sent at once all but one are answered 500.',
    },
    lacks: 'no requests were sent at once',
    change: (occasion, response) => (originalOf(occasion) === null ? null : { ...response, status: 500 }),
  }),
  plant({
    ...{ id: 'idem-04-first', clause: 'IDEM-04', text: 'Every key is answered what the first one was.' },
    lacks: 'no two keys were sent',
    change({ exchange, plan, earlier, at }, response) {
      const first = earlier.find(
        (one) => one.plan.path === plan.path && one.plan.method === plan.method && (one.response?.status ?? 599) < 300,
      );
      const isOther =
        plan.method === 'POST' && first !== undefined && keyOf(first.plan, at) !== keyOf(exchange.plan, at);
      return isOther && first.response !== null ? withBody(response, first.response.body) : null;
    },
  }),
  plant({
    ...{ id: 'idem-05-again', clause: 'IDEM-05', text: 'A payment that is sent again is executed again.' },
    concerns: ({ neverTwice }) => neverTwice === true,
    change: (occasion, response) =>
      originalOf(occasion) === null ? null : withBody(response, other(occasion.exchange)),
  }),
  plant({
    ...{ id: 'idem-06-refused', clause: 'IDEM-06', text: 'An operation without keys refuses the header.', also: [] },
    lacks: 'the header was not sent',
    concerns: (operation) => mutates(operation) && !takesKey(operation),
    change: ({ plan, at }, response) => (keyOf(plan, at) === null ? null : { ...response, status: 400 }),
  }),
  {
    ...plant({
      ...{
        id: 'idem-08-accepted',
        clause: 'IDEM-08',
        text: 'Another body under a known key is answered like the first.',
      },
      ...{ also: [], lacks: 'no other body was sent under a known key', change: () => null },
      concerns: ({ keyed }, _description, { terms }) => keyed === true && terms.idempotency?.otherBody != null,
    }),
    change(occasion) {
      const { response = null } = originalOf(occasion) ?? {};
      const isRefused = (occasion.exchange.response?.status ?? 0) >= 400;
      return response === null || !isRefused ? null : { response };
    },
  },
];
