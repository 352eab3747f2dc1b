// An orders API whose clients send their keys in X-Idempotency-Key, which its description does not declare.
import { uriDecoded } from '../../src/exchange/decoded.ts';
import type { Answer, Asked, ForeignApi } from './in-memory.ts';

/** What a server does otherwise than the plain one: a defect, or what its contract leaves open. */
export interface Ways {
  /** What becomes of a key that comes again with another body. */
  readonly otherBody?: 'accepted' | 'replayed' | 'executed' | 'refused-and-made' | 'fails' | 400 | 409 | 422;
  /** What becomes of a key that comes again. */
  readonly again?: 'executed' | 'answered-anew' | 'ignored-at-once' | 'fails';
  /** Whether the key is looked for in another header than the contract names. */
  readonly keyIn?: string;
  /** While the first request is under way: 409, or the answer of the first. */
  readonly meanwhile?: 409 | 'original';
  /** The form of keys: one that is not quoted is no key, and one that is no UUID is refused. */
  readonly keys?: 'quoted' | 'uuid';
  /** What other operations do with the header. */
  readonly elsewhere?: 'accepts' | 'refuses';
}

interface Order {
  readonly id: string;
  readonly customer: string;
  readonly quantity: number;
  readonly status: string;
}

interface Kept {
  readonly text: string;
  readonly answer: Answer;
  readonly doneAtMs: number;
}

const ORDER = {
  type: 'object',
  required: ['customer', 'quantity'],
  additionalProperties: false,
  properties: {
    customer: { type: 'string', minLength: 1, maxLength: 80 },
    quantity: { type: 'integer', minimum: 1, maximum: 100_000 },
  },
};
const SHOWN = {
  type: 'object',
  required: ['id', 'customer', 'quantity', 'status'],
  properties: { ...ORDER.properties, id: { type: 'string' }, status: { type: 'string' } },
};
const REFUSED = { description: 'Refused' };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const shown = (schema: unknown) => ({ description: 'As told', ...json(schema) });

const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '2.1.0' },
  paths: {
    '/orders': {
      get: { operationId: 'listOrders', responses: { 200: shown({ type: 'array', items: SHOWN }) } },
      post: {
        operationId: 'placeOrder',
        requestBody: { required: true, ...json(ORDER) },
        responses: { 201: shown(SHOWN), 400: REFUSED, 409: REFUSED, 422: REFUSED },
      },
    },
    '/orders/{orderId}': {
      parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readOrder', responses: { 200: shown(SHOWN), 404: REFUSED } },
      delete: { operationId: 'cancelOrder', responses: { 204: { description: 'Gone' }, 400: REFUSED, 404: REFUSED } },
    },
  },
};

const CONTRACT = [
  'contract: 1',
  'name: Orders API contract',
  'idempotency:',
  '  header: X-Idempotency-Key',
  '  operations: ["POST /orders"]',
  '  elsewhere: accepted',
  '  otherBody: { status: [409, 422] }',
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const QUOTED = /^"[^"]+"$/;
/** How long an order takes. ms. */
const PLACING_MS = 2;

export function ordersApi(ways: Ways = {}, contract: readonly string[] = CONTRACT): ForeignApi {
  return { description: DESCRIPTION, contract, start: ({ now }) => new Orders(ways, now).answer };
}

class Orders {
  readonly #ways: Ways;
  readonly #now: () => number;
  readonly #orders = new Map<string, Order>();
  readonly #kept = new Map<string, Kept>();
  #count = 0;

  constructor(ways: Ways, now: () => number) {
    this.#ways = ways;
    this.#now = now;
    for (const customer of ['Ada', 'Grace', 'Edsger']) this.#place({ customer, quantity: 3 });
  }

  readonly answer = (asked: Asked): Answer => {
    const [, collection, id] = asked.path.split('/');
    if (collection !== 'orders') return refusal(404);
    const key = this.#keyOf(asked);
    if (key === 'refused') return refusal(400);
    if (id === undefined) {
      if (asked.method === 'GET') return { status: 200, body: [...this.#orders.values()] };
      return asked.method === 'POST' ? this.#post(asked, key) : refusal(405);
    }
    const order = this.#orders.get(uriDecoded(id));
    if (order === undefined) return refusal(404);
    if (asked.method === 'GET') return { status: 200, body: order };
    if (asked.method !== 'DELETE') return refusal(405);
    if (key !== null && this.#ways.elsewhere === 'refuses') return refusal(400);
    this.#orders.delete(order.id);
    return { status: 204 };
  };

  #keyOf({ headers }: Asked): string | null {
    const { keyIn = 'x-idempotency-key', keys } = this.#ways;
    const sent = headers.get(keyIn) ?? null;
    if (sent === null || keys === undefined) return sent;
    if (keys === 'uuid') return UUID.test(sent) ? sent : 'refused';
    return QUOTED.test(sent) ? sent : null;
  }

  #post({ body }: Asked, key: string | null): Answer {
    const sent = orderIn(body);
    if (sent === null) return refusal(400);
    const known = key === null ? undefined : this.#kept.get(key);
    if (key === null) return this.#placed(sent);
    if (known === undefined) return this.#first(key, body, sent);
    if (known.text !== body) return this.#otherBody(known, sent);
    return this.#again(known, sent);
  }

  #first(key: string, text: string, sent: Sent): Answer {
    const answer = this.#placed(sent);
    this.#kept.set(key, { text, answer, doneAtMs: this.#now() + PLACING_MS });
    return answer;
  }

  #again({ answer, doneAtMs }: Kept, sent: Sent): Answer {
    const { again, meanwhile = 409 } = this.#ways;
    const isUnderWay = this.#now() < doneAtMs;
    if (again === 'fails') return refusal(500);
    if (again === 'executed' || (again === 'ignored-at-once' && isUnderWay)) return this.#placed(sent);
    if (again === 'answered-anew') {
      this.#place(sent);
      return answer;
    }
    return isUnderWay && meanwhile === 409 ? refusal(409) : answer;
  }

  #otherBody({ answer }: Kept, sent: Sent): Answer {
    const { otherBody = 422 } = this.#ways;
    if (otherBody === 'replayed') return answer;
    if (otherBody === 'accepted') {
      const { id } = answer.body as Order;
      this.#orders.set(id, { ...(answer.body as Order), ...sent });
      return { status: 201, body: this.#orders.get(id) };
    }
    if (otherBody === 'executed') return this.#placed(sent);
    if (otherBody === 'fails') return refusal(500);
    if (otherBody === 'refused-and-made') this.#place(sent);
    return refusal(typeof otherBody === 'number' ? otherBody : 422);
  }

  #placed(sent: Sent): Answer {
    return { status: 201, body: this.#place(sent), afterMs: PLACING_MS };
  }

  #place(sent: Sent): Order {
    this.#count += 1;
    const order = { id: `ord_${this.#count}`, ...sent, status: 'placed' };
    this.#orders.set(order.id, order);
    return order;
  }
}

type Sent = Pick<Order, 'customer' | 'quantity'>;

/** The order that the body asks for; null for none. */
function orderIn(body: string): Sent | null {
  try {
    const { customer, quantity, ...more } = JSON.parse(body) as Record<string, unknown>;
    const isOrder = typeof customer === 'string' && customer !== '' && customer.length <= 80;
    const isCount = Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= 100_000;
    return isOrder && isCount && Object.keys(more).length === 0 ? { customer, quantity: Number(quantity) } : null;
  } catch {
    return null;
  }
}

function refusal(status: number): Answer {
  return { status, body: { title: `refused with ${status}` } };
}
