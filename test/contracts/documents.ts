// A documents API with entity tags: readings show them, and writes may name them.

import { createHash } from 'node:crypto';
import { uriDecoded } from '../../src/exchange/decoded.ts';
import type { Answer, Asked, ForeignApi } from './in-memory.ts';

/** What a server does otherwise than the plain one: a defect, or what its contract leaves open. */
export interface Ways {
  readonly tags?: 'weak' | 'coded' | 'none' | 'never-new' | 'always-new' | 'of-title-alone' | 'of-all-it-shows';
  /** What becomes of a write whose If-Match names another state. */
  readonly stale?: 'accepted' | 'changed' | 409 | 'deletes';
  readonly present?: 'refused';
  readonly weak?: 'accepted';
  readonly list?: 'unknown';
  /** What a reading with If-None-Match is answered. */
  readonly reading?: '304-always' | '200-always' | '304-without-tag' | '304-with-body' | 'strong-alone';
  /** A write without If-Match: 428. */
  readonly needsCondition?: true;
  /** Each reading is counted, and shown. */
  readonly counts?: true;
  /** A write shows after so long. ms. */
  readonly lateMs?: number;
}

interface Doc {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly version: number;
}

const DOC = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: { title: { type: 'string', minLength: 1, maxLength: 200 }, text: { type: 'string', maxLength: 2000 } },
};
const CHANGE = { ...DOC, required: [], minProperties: 1 };
const SHOWN = {
  type: 'object',
  required: ['id', 'title', 'text'],
  properties: { ...DOC.properties, id: { type: 'string' }, views: { type: 'integer' } },
};
const REFUSED = { description: 'Refused' };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const shown = (schema: unknown) => ({ description: 'As told', ...json(schema) });
const body = (schema: unknown) => ({ requestBody: { required: true, ...json(schema) } });
const REFUSALS = { 400: REFUSED, 404: REFUSED };

const description = (methods: readonly string[], made: 'with-create' | 'without-create') => {
  const create = {
    post: { operationId: 'writeDoc', ...body(DOC), responses: { 201: shown(SHOWN), 400: REFUSED } },
  };
  const item = {
    get: { operationId: 'readDoc', responses: { 200: shown(SHOWN), 404: REFUSED } },
    put: { operationId: 'replaceDoc', ...body(DOC), responses: { 200: shown(SHOWN), ...REFUSALS } },
    patch: { operationId: 'changeDoc', ...body(CHANGE), responses: { 200: shown(SHOWN), ...REFUSALS } },
    delete: { operationId: 'removeDoc', responses: { 204: { description: 'Gone' }, 404: REFUSED } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Documents', version: '1.0.0' },
    paths: {
      '/docs': {
        get: { operationId: 'listDocs', responses: { 200: shown({ type: 'array', items: SHOWN }) } },
        ...(made === 'with-create' ? create : {}),
      },
      '/docs/{docId}': {
        parameters: [{ name: 'docId', in: 'path', required: true, schema: { type: 'string' } }],
        ...Object.fromEntries(Object.entries(item).filter(([method]) => methods.includes(method))),
      },
    },
  };
};

const CONTRACT = [
  'contract: 1',
  'name: Documents API contract',
  'conditional: { operations: ["GET /docs/*", "PUT /docs/*", "PATCH /docs/*", "DELETE /docs/*"] }',
];
const METHODS = ['get', 'put', 'patch', 'delete'];

export function documentsApi(
  ways: Ways = {},
  contract: readonly string[] = CONTRACT,
  methods: readonly string[] = METHODS,
  made: 'with-create' | 'without-create' = 'with-create',
): ForeignApi {
  return { description: description(methods, made), contract, start: ({ now }) => new Documents(ways, now).answer };
}

class Documents {
  readonly #ways: Ways;
  readonly #now: () => number;
  readonly #docs = new Map<string, Doc>();
  /** What readings show until a time, where writes show late. */
  readonly #former = new Map<string, { readonly doc: Doc; readonly untilMs: number }>();
  readonly #views = new Map<string, number>();
  #count = 0;
  #readings = 0;

  constructor(ways: Ways, now: () => number) {
    this.#ways = ways;
    this.#now = now;
    for (const title of ['Charter', 'Minutes', 'Plan']) this.#write({ title, text: '' });
  }

  readonly answer = (asked: Asked): Answer => {
    const [, collection, id] = asked.path.split('/');
    if (collection !== 'docs') return refusal(404);
    if (id === undefined) return this.#atList(asked);
    const doc = this.#docs.get(uriDecoded(id));
    if (doc === undefined) return refusal(404);
    if (asked.method === 'GET') return this.#read(asked, doc);
    if (!['PUT', 'PATCH', 'DELETE'].includes(asked.method)) return refusal(405);
    return this.#change(asked, doc);
  };

  #atList({ method, body: text }: Asked): Answer {
    if (method === 'GET') return { status: 200, body: [...this.#docs.values()].map((doc) => this.#shown(doc)) };
    const sent = method === 'POST' ? docIn(text) : null;
    if (sent === null) return refusal(method === 'POST' ? 400 : 405);
    const doc = this.#write(sent);
    return { status: 201, headers: this.#tagged(doc), body: this.#shown(doc) };
  }

  #read({ headers }: Asked, now: Doc): Answer {
    const { reading, counts } = this.#ways;
    const former = this.#former.get(now.id);
    const doc = former !== undefined && this.#now() < former.untilMs ? former.doc : now;
    this.#readings += 1;
    if (counts) this.#views.set(doc.id, (this.#views.get(doc.id) ?? 0) + 1);
    const told = this.#tagged(doc);
    const named = tagsIn(headers.get('if-none-match'));
    const isStrong = reading === 'strong-alone';
    const isNamed = named.some((tag) =>
      isStrong ? tag === told.etag && !tag.startsWith('W/') : opaque(tag) === opaque(told.etag ?? ''),
    );
    const isUnchanged = named.length > 0 && reading !== '200-always' && (isNamed || reading === '304-always');
    if (!isUnchanged) return { status: 200, headers: told, body: this.#shown(doc) };
    const body = reading === '304-with-body' ? { body: this.#shown(doc) } : {};
    return { status: 304, headers: reading === '304-without-tag' ? {} : told, ...body };
  }

  #change({ method, headers, body: text }: Asked, doc: Doc): Answer {
    const condition = headers.get('if-match');
    if (condition === undefined && this.#ways.needsCondition) return refusal(428);
    const isMet = condition === undefined || this.#isMet(condition, doc);
    const { stale } = this.#ways;
    if (!isMet && !this.#actsOnStale(method)) return refusal(stale === 409 ? 409 : 412);
    const sent = method === 'DELETE' ? null : docIn(text, method === 'PATCH' ? doc : undefined);
    if (method !== 'DELETE' && sent === null) return refusal(400);
    const after = sent === null ? this.#remove(doc) : this.#write(sent, doc);
    if (!isMet && stale !== 'accepted') return refusal(412);
    return this.#done(after);
  }

  #done(after: Doc | null): Answer {
    return after === null ? { status: 204 } : { status: 200, headers: this.#tagged(after), body: this.#shown(after) };
  }

  /** Whether a write has its effect though it names another state. */
  #actsOnStale(method: string): boolean {
    const { stale } = this.#ways;
    return stale === 'accepted' || stale === (method === 'DELETE' ? 'deletes' : 'changed');
  }

  #isMet(condition: string, doc: Doc): boolean {
    const present = this.#tagged(doc).etag ?? '';
    if (condition.trim() === '*') return true;
    const named = tagsIn(condition);
    if (this.#ways.list === 'unknown' && named.length > 1) return false;
    if (this.#ways.present === 'refused' && named.includes(present)) return false;
    const isSame = (tag: string): boolean =>
      this.#ways.weak === 'accepted' ? opaque(tag) === opaque(present) : tag === present && !tag.startsWith('W/');
    return named.some(isSame);
  }

  #remove(doc: Doc): null {
    this.#docs.delete(doc.id);
    return null;
  }

  #write(sent: Pick<Doc, 'title' | 'text'>, before?: Doc): Doc {
    this.#count += before === undefined ? 1 : 0;
    const doc = { id: before?.id ?? `doc_${this.#count}`, ...sent, version: (before?.version ?? 0) + 1 };
    if (before !== undefined && this.#ways.lateMs !== undefined)
      this.#former.set(doc.id, { doc: before, untilMs: this.#now() + this.#ways.lateMs });
    this.#docs.set(doc.id, doc);
    return doc;
  }

  #shown({ version: _, ...doc }: Doc): Record<string, unknown> {
    return this.#ways.counts ? { ...doc, views: this.#views.get(doc.id) ?? 0 } : doc;
  }

  #tagged(doc: Doc): Readonly<Record<string, string>> {
    const { tags } = this.#ways;
    const hash = (value: unknown): string =>
      createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
    const plain = `"${doc.version}-${hash([doc.title, doc.text])}"`;
    switch (tags) {
      case 'none':
        return {};
      case 'weak':
        return { etag: `W/${plain}` };
      case 'coded':
        return { etag: `${plain.slice(0, -1)}-gzip"`, vary: 'accept-encoding' };
      case 'never-new':
        return { etag: `"${doc.id}"` };
      case 'always-new':
        return { etag: `"${this.#readings}-${doc.version}"` };
      case 'of-title-alone':
        return { etag: `"${hash(doc.title)}"` };
      case 'of-all-it-shows':
        return { etag: `"${hash(this.#shown(doc))}"` };
      default:
        return { etag: plain };
    }
  }
}

function tagsIn(text: string | undefined): readonly string[] {
  return text?.match(/(W\/)?"[^"]*"/g) ?? [];
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** The document that the body describes, on top of what is there; null for none. */
function docIn(
  body: string,
  before: Pick<Doc, 'title' | 'text'> = { title: '', text: '' },
): Pick<Doc, 'title' | 'text'> | null {
  try {
    const sent: unknown = JSON.parse(body);
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent) || Object.keys(sent).length === 0) return null;
    const { title = before.title, text = before.text, ...more } = sent as Record<string, unknown>;
    const isSound = typeof title === 'string' && typeof text === 'string' && title !== '' && title.length <= 200;
    return isSound && text.length <= 2000 && Object.keys(more).length === 0 ? { title, text } : null;
  } catch {
    return null;
  }
}

function refusal(status: number): Answer {
  return { status, body: { title: `refused with ${status}` } };
}
