// Plants of IDEM: replays that are answered otherwise, effects that happen twice, keys that are mixed up.
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange, RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import { isObject } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
import { mutates } from '../../probes/world.ts';
import { type ExperimentPlant, type Occasion, type Sown, sown, withBody } from '../plant.ts';
import { pageOf } from './lists.ts';

/** A plant of a success under a key. */
function plant(
  clause: string,
  name: string,
  text: string,
  { change, ...entry }: Partial<Sown> & Pick<Sown, 'change'>,
): ExperimentPlant {
  return sown(clause, name, text, {
    ...{ concerns: isKeyed, lacks: 'no request was sent again under its key', also: ['IDEM-01', 'IDEM-02'], ...entry },
    change: (occasion, response) => (response.status >= 300 ? null : change(occasion, response)),
  });
}

/** Whatever a replay is answered, the original is left as it is. */
function replayed(answer: (response: RecordedResponse, exchange: Exchange) => RecordedResponse): Pick<Sown, 'change'> {
  return {
    change: (occasion, response) => (originalOf(occasion) === null ? null : answer(response, occasion.exchange)),
  };
}

const NOT_AT_ONCE = 'no requests were sent at once';
const asOther = replayed((response, exchange) => withBody(response, other(exchange)));
const as = (status: number) => replayed((response) => ({ ...response, status }));

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
    other.path === plan.path && other.method === plan.method && keyOf(other, at) === key && succeeded({ response });
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
  plant('IDEM-01', 'other-body', 'A replay is answered with another resource.', asOther),
  plant('IDEM-01', 'refused', 'A replay is refused.', as(409)),
  plant('IDEM-02', 'twice', 'A request that is sent again makes its resource once more.', {
    lacks: 'no list was read after a request was sent again under its key',
    change({ exchange, plan, earlier, at }) {
      const replay = earlier.find((one, index) => {
        const before = { at, exchange: one, plan: one.plan, earlier: earlier.slice(0, index), beside: [], proof: null };
        return succeeded(one) && originalOf(before) !== null;
      });
      const page = plan.method === 'GET' ? pageOf(exchange) : null;
      if (replay === undefined || page === null) return null;
      const { total } = page.body;
      const counts = typeof total === 'number' ? { '/total': total + 1 } : {};
      return page.with([...page.items, other(replay)], counts);
    },
  }),
  plant('IDEM-03', 'twice', 'Requests that are sent at once under one key have an effect each.', {
    ...{ lacks: NOT_AT_ONCE, ...asOther },
  }),
  plant('IDEM-03', 'failed', 'Of requests that are sent at once all but one are answered 500.', {
    ...{ lacks: NOT_AT_ONCE, ...as(500) },
  }),
  plant('IDEM-04', 'first', 'Every key is answered what the first one was.', {
    lacks: 'no two keys were sent',
    change({ exchange, plan, earlier, at }, response) {
      const first = earlier.find(
        (one) => one.plan.path === plan.path && one.plan.method === plan.method && succeeded(one),
      );
      const isOther =
        plan.method === 'POST' && first !== undefined && keyOf(first.plan, at) !== keyOf(exchange.plan, at);
      return isOther && first.response !== null ? withBody(response, first.response.body) : null;
    },
  }),
  plant('IDEM-05', 'again', 'A payment that is sent again is executed again.', {
    ...{ concerns: ({ neverTwice }) => neverTwice === true, ...asOther },
  }),
  plant('IDEM-06', 'refused', 'An operation without keys refuses the header.', {
    ...{ also: [], lacks: 'the header was not sent' },
    concerns: (operation) => mutates(operation) && !takesKey(operation),
    change: ({ plan, at }, response) => (keyOf(plan, at) === null ? null : { ...response, status: 400 }),
  }),
  sown('IDEM-08', 'accepted', 'Another body under a known key is answered like the first.', {
    lacks: 'no other body was sent under a known key',
    concerns: ({ keyed }, _description, { terms }) => keyed === true && terms.idempotency?.otherBody != null,
    change: (occasion, { status }) => (status >= 400 ? (originalOf(occasion)?.response ?? null) : null),
  }),
];
