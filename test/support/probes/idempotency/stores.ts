// Stores and payments for the tests of this family: a server as a function, that keeps its keys unless told otherwise.

import type { Exchange, RequestPlan } from '../../../../src/exchange/exchange.ts';
import type { Description } from '../../../../src/openapi/model/operation.ts';
import type { Answered, Conversation, Experiment, Outcome, Send } from '../../../../src/probes/probe.ts';
import type { Reached, World } from '../../../../src/probes/world.ts';
import { type Changes, errorObject, exchangeWith } from '../../checks/exchanges.ts';
import { loadBound, reachedWith } from '../world.ts';

export const STORES = 'POST /api/v1/stores';
export const PAYMENT = 'POST /api/v1/stores/process-payment';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const ok = { 200: { description: 'As told', ...json({}) } };
const store = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, seats: { type: 'integer' } },
};
const payment = {
  type: 'object',
  required: ['amount', 'currency'],
  additionalProperties: false,
  properties: { amount: { type: 'integer', minimum: 1 }, currency: { type: 'string', enum: ['EUR'] } },
};

/** Two operations with keys, a paged list of stores, one store, and a change that takes no key. */
export const PATHS = {
  '/api/v1/stores': {
    get: {
      parameters: ['limit', 'offset'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      responses: ok,
    },
    post: { parameters: [KEY], requestBody: { required: true, ...json(store) }, responses: ok },
  },
  '/api/v1/stores/process-payment': {
    post: { parameters: [KEY], requestBody: { required: true, ...json(payment) }, responses: ok },
  },
  '/api/v1/stores/{storeId}': {
    parameters: [{ name: 'storeId', in: 'path', required: true, schema: { type: 'string' } }],
    get: { responses: ok },
    patch: { requestBody: json(store), responses: ok },
    delete: { responses: { 204: { description: 'Gone' } } },
  },
};

export const loadStores = (paths: Record<string, unknown> = PATHS): Promise<Description> => loadBound(paths);

/** Every operation of the description, called with success. */
export function reachedStores(world: World, description: Description): readonly Reached[] {
  return description.operations.map(({ key }) => reachedWith(world, description, key, { storeId: 'store_1' }));
}

interface Made {
  readonly id: string;
  readonly body: Record<string, unknown>;
}

type Reply = { readonly status: number; readonly body?: unknown };

/** What the server does otherwise than it should, or may. */
export interface Ways {
  /** The key as the server sees it. */
  readonly keyAs?: (key: string, stores: Stores) => string;
  /** The replay in place of the kept reply; `resend` counts from 1. */
  readonly replayAs?: (reply: Reply, resend: number, again: () => Reply) => Reply;
  /** The answer to sends while the first of the key is under way; null lets them through, executed again. */
  readonly meanwhile?: Reply | null;
  /** A create's reply before it is sent. */
  readonly createdAs?: (made: Made) => Reply;
  /** An item of the list as shown. */
  readonly itemAs?: (made: Made) => unknown;
  /** The list's body, from the items of its page. */
  readonly listAs?: (items: readonly unknown[]) => unknown;
  /** Whether what is made is not kept. */
  readonly loses?: (made: Made) => boolean;
  /** What becomes of the kept reply when its store is changed or deleted; else it stays. */
  readonly whenTouched?: 'changed' | 'forgotten';
  /** Whatever comes before everything else. */
  readonly first?: (plan: RequestPlan, stores: Stores) => Reply | null;
}

export class Stores {
  readonly ways: Ways;
  readonly made: Made[] = [];
  readonly plans: RequestPlan[] = [];
  readonly exchanges: Exchange[] = [];
  readonly #kept = new Map<string, { readonly sent: string; readonly reply: Reply; resends: number }>();
  #count = 0;
  readonly #underWay = new Map<string, Promise<Reply>>();

  constructor(ways: Ways = {}) {
    this.ways = ways;
  }

  readonly send: Send = async (plan): Promise<Answered> => {
    this.plans.push(plan);
    const { status, body } = await this.#reply(plan);
    const changes: Changes = { status, body, plan, id: `ex-${this.plans.length}` };
    const last = exchangeWith(changes);
    this.exchanges.push(last);
    return { attempts: [last], last };
  };

  async #reply(plan: RequestPlan): Promise<Reply> {
    const first = this.ways.first?.(plan, this);
    if (first != null) return first;
    if (plan.method === 'GET') return this.#read(plan);
    if (plan.method === 'DELETE' || plan.method === 'PATCH') return this.#touch(plan);
    const body = plan.body.kind === 'json' ? (plan.body.value as Record<string, unknown>) : null;
    if (body === null || !('name' in body || 'amount' in body)) return refusal(400, 'validation_failed');
    const key = plan.headers.find(([name]) => name === 'Idempotency-Key')?.[1];
    if (key === undefined) return this.execute(plan, body);
    const credential = plan.credential.kind === 'key' ? plan.credential.name : '';
    return this.#once(plan, body, `${credential} ${plan.path} ${this.ways.keyAs?.(key, this) ?? key}`);
  }

  async #once(plan: RequestPlan, body: Record<string, unknown>, name: string): Promise<Reply> {
    const sent = JSON.stringify(body);
    const kept = this.#kept.get(name);
    if (kept !== undefined) {
      if (kept.sent !== sent) return refusal(409, 'idempotency_key_reused');
      kept.resends += 1;
      return this.ways.replayAs?.(kept.reply, kept.resends, () => this.execute(plan, body)) ?? kept.reply;
    }
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined && this.ways.meanwhile === null) return this.execute(plan, body);
    if (underWay !== undefined) return this.ways.meanwhile ?? underWay;
    const working = Promise.resolve().then(() => this.execute(plan, body));
    this.#underWay.set(name, working);
    const reply = await working;
    await Promise.resolve();
    this.#underWay.delete(name);
    if (reply.status < 300) this.#kept.set(name, { sent, reply, resends: 0 });
    return reply;
  }

  #touch({ method, path, body }: RequestPlan): Reply {
    const id = path.slice(path.lastIndexOf('/') + 1);
    const changes = body.kind === 'json' ? (body.value as Record<string, unknown>) : {};
    const at = this.made.findIndex((one) => one.id === id);
    const changed = { id, body: { ...this.made[at]?.body, ...changes } };
    if (at >= 0) this.made.splice(at, 1, ...(method === 'DELETE' ? [] : [changed]));
    for (const [name, { reply, ...kept }] of this.#kept) {
      if (this.ways.whenTouched === undefined || (reply.body as { id?: string })?.id !== id) continue;
      if (this.ways.whenTouched === 'forgotten') this.#kept.delete(name);
      else this.#kept.set(name, { ...kept, reply: { ...reply, body: { ...(reply.body as object), ...changes } } });
    }
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { ...changes, id } };
  }

  execute(plan: RequestPlan, body: Record<string, unknown>): Reply {
    const made = { id: `${plan.path.endsWith('stores') ? 'store' : 'pay'}_${++this.#count}`, body };
    if (this.ways.loses?.(made) !== true) this.made.push(made);
    return this.ways.createdAs?.(made) ?? { status: 201, body: { ...body, id: made.id, meta: { at: 1 } } };
  }

  #read(plan: RequestPlan): Reply {
    const stores = this.made.filter(({ id }) => id.startsWith('store'));
    if (plan.path !== '/api/v1/stores') {
      const one = stores.find(({ id }) => plan.path.endsWith(`/${id}`));
      if (one === undefined) return refusal(404, 'resource_not_found');
      return { status: 200, body: { ...one.body, id: one.id } };
    }
    const query = new URLSearchParams(plan.query);
    const start = Number(query.get('offset') ?? 0);
    const page = stores.slice(start, start + Math.min(50, Number(query.get('limit') ?? 20)));
    const items = page.map((one) => this.ways.itemAs?.(one) ?? { ...one.body, id: one.id });
    return { status: 200, body: this.ways.listAs?.(items) ?? items };
  }
}

export function refusal(status: number, code: string): Reply {
  return { status, body: { error: errorObject({ status, code }) } };
}

/** Runs an experiment or a conversation to its outcomes. */
export async function performed(one: Experiment | Conversation, send: Send): Promise<readonly Outcome[]> {
  if ('converse' in one) return one.converse(send);
  const course = one.run();
  let step = course.next();
  while (step.done !== true) step = course.next(await send(step.value));
  return step.value;
}

/** Clause and cause of every breach, each once; observations left out. */
export function breachesOf(outcomes: readonly Outcome[]): readonly string[] {
  const told = outcomes.flatMap(({ clause, judgement }) =>
    judgement.kind !== 'breached'
      ? []
      : judgement.breaches.filter(({ weight }) => weight === 'breach').map(({ cause }) => `${clause} ${cause}`),
  );
  return [...new Set(told)];
}

/** The messages of all breaches of the clause. */
export function messagesOf(outcomes: readonly Outcome[], clause: string): readonly string[] {
  return outcomes.flatMap(({ clause: own, judgement }) =>
    own === clause && judgement.kind === 'breached' ? judgement.breaches.map(({ message }) => message) : [],
  );
}
