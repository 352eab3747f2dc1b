// Histories of items for tests of laws: calls on the things of a made-up shop, a minute apart, and what the laws of LIFE say of the last one.

import { judgeNewest } from '../../../src/checks/law.ts';
import { LIFE_LAWS, LIFE_REQUEST_LAWS } from '../../../src/checks/life/family.ts';
import type { Lack, Told } from '../../../src/checks/life/law.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { type Elsewhere, type Item, KindHistory } from '../../../src/facts/item-history.ts';
import type { Role } from '../../../src/facts/kind.ts';
import type { Operation } from '../../../src/openapi/model/operation.ts';
import { loadFiles } from '../openapi/descriptions.ts';
import { exchangeWith } from './exchanges.ts';
import { inBrief, spoken } from './judging.ts';

type Properties = Readonly<Record<string, unknown>>;

/** How a call departs from the usual one: of the thing `t1`, and answered by it. */
interface Call {
  readonly id?: string;
  readonly status?: number;
  readonly body?: unknown;
  /** How long after the call before. Absent: a minute. */
  readonly afterMs?: number;
}

interface Parts extends Call {
  readonly sent?: object;
  readonly status: number;
}

const MINUTE_MS = 60_000;
const METHODS = { creator: 'POST', reader: 'GET', lister: 'GET', amender: 'PATCH', replacer: 'PUT', remover: 'DELETE' };

/** The life of things of a shop which takes these members, and shows them, or others. */
export async function lifeWith(properties: Properties = {}, shown = properties, elsewhere: Partial<Elsewhere> = {}) {
  const json = (schema: object) => ({ content: { 'application/json': { schema: { type: 'object', ...schema } } } });
  const answered = (status: number) => ({
    responses: { [status]: { description: 'One', ...json({ properties: shown }) } },
  });
  const taking = { requestBody: json({ properties }) };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const changes = { patch: { ...taking, ...answered(200) }, put: { ...taking, ...answered(200) } };
  const paths = {
    '/things': { post: { ...taking, ...answered(201) }, get: { responses: { 200: { description: 'All' } } } },
    '/things/{id}': {
      parameters,
      get: answered(200),
      ...changes,
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  };
  const description = await loadFiles({ 'a.json': { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths } });
  const by = (role: Role): Operation => {
    const path = role === 'creator' || role === 'lister' ? '/things' : '/things/{id}';
    const found = description.operations.find((one) => one.key === `${METHODS[role]} ${path}`);
    if (found === undefined) throw new Error(`no ${role}`);
    return found;
  };
  const roles = { creator: by('creator'), reader: by('reader'), lister: by('lister'), amender: by('amender') };
  const kind = { description, ...roles, replacer: by('replacer'), remover: by('remover') };
  const none: Elsewhere = { madeAt: () => [], refusedAt: () => [], markIn: () => null };
  return new Life(new KindHistory(kind, { ...none, ...elsewhere }));
}

export class Life {
  readonly history: KindHistory;
  #nowMs = 0;
  #told: readonly Told[] = [];

  constructor(history: KindHistory) {
    this.history = history;
  }

  make(sent: object = {}, { id = 't1', status = 201, body = { ...sent, id }, afterMs }: Call = {}): this {
    return this.#call('creator', '/things', { sent, status, body, afterMs });
  }

  read(body: unknown, { id = 't1', status = 200, afterMs }: Call = {}): this {
    return this.#call('reader', `/things/${id}`, { status, body, afterMs });
  }

  change(sent: object, { id = 't1', status = 200, body = { id }, afterMs }: Call = {}): this {
    return this.#call('amender', `/things/${id}`, { sent, status, body, afterMs });
  }

  /** A change whose answer was lost: nobody knows whether it has an effect. */
  changeUnanswered(sent: object, { id = 't1', afterMs }: Pick<Call, 'id' | 'afterMs'> = {}): this {
    const exchange = this.#exchange('amender', `/things/${id}`, { sent, status: 200, afterMs });
    return this.#judge(exchange, this.history.observe({ ...exchange, response: null }));
  }

  replace(sent: object, { id = 't1', status = 200, body = { id }, afterMs }: Call = {}): this {
    return this.#call('replacer', `/things/${id}`, { sent, status, body, afterMs });
  }

  remove({ id = 't1', status = 204, afterMs }: Call = {}): this {
    return this.#call('remover', `/things/${id}`, { status, afterMs });
  }

  /** The whole list, or its beginning. `about`: the thing of which the laws are asked. */
  list(items: readonly unknown[], { isWhole = true, about = 't1', afterMs = MINUTE_MS } = {}): this {
    const page = this.#exchange('lister', '/things', { status: 200, body: items, afterMs });
    this.history.noteList({ items, pages: [page], isWhole }, '/things');
    return this.#judge(page, this.history.itemAt(`/things/${about}`));
  }

  /** The judgement of the clause on the last call: the breaches first; null for none. */
  said(clause: string): string | readonly string[] | null {
    const own = this.#told.filter((one) => one.clause === clause).map(({ judgement }) => spoken(judgement));
    const said = own.find((one) => typeof one !== 'string') ?? own.find((one) => one === 'holds') ?? own[0] ?? null;
    return said === null || typeof said === 'string' ? said : said.map(inBrief);
  }

  /** The facts that the laws of the clause lack to decide on the last call. */
  lacks(clause: string): readonly Lack[] {
    return this.#told.flatMap((one) => (one.clause === clause && one.lacks !== undefined ? [one.lacks] : []));
  }

  /** Why laws of the clause can tell nothing on the last call. */
  untold(clause: string): readonly string[] {
    return this.#told.flatMap(({ clause: one, judgement }) =>
      one === clause && judgement.kind === 'cannot-tell' ? [judgement.reason] : [],
    );
  }

  #call(role: Role, path: string, parts: Parts): this {
    const exchange = this.#exchange(role, path, parts);
    return this.#judge(exchange, this.history.observe(exchange));
  }

  #exchange(role: Role, path: string, { sent, afterMs = MINUTE_MS, status, body }: Parts): Exchange {
    this.#nowMs += afterMs;
    const operation = this.history.kind[role]?.key ?? null;
    const given = sent === undefined ? ({ kind: 'none' } as const) : ({ kind: 'json', value: sent } as const);
    const plan = { method: METHODS[role], operation, path, body: given };
    return { ...exchangeWith({ plan, status, body }), id: `ex-${this.#nowMs}`, sentAt: this.#nowMs };
  }

  #judge(exchange: Exchange, item: Item | null): this {
    const requests = LIFE_REQUEST_LAWS.flatMap(({ clause, judge }) => {
      const said = judge(this.history, exchange);
      return said === null ? [] : [{ clause, ...said }];
    });
    this.#told = [...requests, ...(item === null ? [] : judgeNewest(LIFE_LAWS, item))];
    return this;
  }
}
