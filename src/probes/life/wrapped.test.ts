// Tests the course of things whose requests wrap them, as answers may: sound servers are blamed for nothing, and what is lost is found.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import { lifeExperiments } from './family.ts';

const text = { type: 'string', minLength: 1, maxLength: 80 };
const MEMBERS = { title: text, pages: { type: 'integer', minimum: 1, maximum: 5_000 } };
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });
const ID = { id: { type: 'string' } };
const TYPE = { type: { type: 'string', enum: ['books'] } };

interface Style {
  /** Schemas of the members as they are sent and of the thing as it is shown, in what wraps them. */
  readonly sent: (members: object) => object;
  readonly shown: (members: object) => object;
  /** The members that a body of this style holds; null where it is refused. `id`: that of the path of a change. */
  readonly taken: (body: JsonObject, id: string | null) => unknown;
  readonly answer: (id: string, members: JsonObject) => JsonObject;
  readonly members?: object;
}

const STYLES: Readonly<Record<string, Style>> = {
  'a resource object of JSON:API': {
    sent: (attributes) => object({ data: object({ ...TYPE, ...ID, attributes }, ['type', 'attributes']) }, ['data']),
    shown: (attributes) => object({ data: object({ ...TYPE, ...ID, attributes }) }),
    taken: ({ data }, id) => {
      if (!isObject(data) || data.type !== 'books' || (id !== null && data.id !== id)) return null;
      return data.attributes;
    },
    answer: (id, attributes) => ({ data: { type: 'books', id, attributes } }),
  },
  'data beside permissions': {
    sent: (data) => object({ data, permissions: { type: 'object' } }, ['data']),
    shown: (members) => object({ data: { allOf: [object(ID), members] }, permissions: { type: 'object' } }),
    taken: ({ data, permissions }, id) => (id !== null && permissions !== undefined ? null : data),
    answer: (id, members) => ({ data: { id, ...members }, permissions: {} }),
  },
  'the name of the thing': {
    sent: (book) => object({ book }, ['book']),
    shown: (members) => ({ allOf: [object(ID), members] }),
    taken: ({ book }) => book,
    answer: (id, members) => ({ id, ...members }),
  },
  nothing: {
    sent: (members) => members,
    shown: (members) => ({ allOf: [object(ID), members] }),
    taken: (body) => body,
    answer: (id, members) => ({ id, ...members }),
  },
};

/** The members that a server keeps of those sent; `was`: what the thing has, null for a new one. */
const KEEPERS = {
  none: (own: JsonObject, was: JsonObject | null) => ({ ...was, ...own }),
  loses: (own: JsonObject, was: JsonObject | null) => (was === null ? own : { ...was, ...own, pages: was.pages }),
  resets: (own: JsonObject, was: JsonObject | null) => (was === null ? own : { ...was, pages: 1, ...own }),
  cuts: (own: JsonObject, was: JsonObject | null) =>
    was === null ? { ...own, title: `${own.title}`.slice(0, 3) } : { ...was, ...own },
};

/** Books that are kept, and sent and shown in a style. */
class Books {
  readonly #kept = new Map<string, JsonObject>([['0', { title: 'Theirs', pages: 3 }]]);
  readonly #style: Style;
  readonly #keeper: keyof typeof KEEPERS;
  #made = 0;

  constructor(style: Style, keeper: keyof typeof KEEPERS) {
    this.#style = style;
    this.#keeper = keeper;
  }

  answered({ method, path, body }: RequestPlan) {
    const id = path.split('/')[2] ?? null;
    const was = id === null ? null : (this.#kept.get(id) ?? null);
    if (id !== null && was === null) return { status: 404, body: { message: 'Not found' } };
    if (id !== null && method === 'DELETE') return { status: this.#kept.delete(id) ? 204 : 404 };
    if (method !== 'GET') return this.#write(id, was, body.kind === 'json' ? body.value : null);
    return { status: 200, body: this.#style.answer(id ?? '', was ?? {}) };
  }

  #write(id: string | null, was: JsonObject | null, body: unknown) {
    const { taken, answer, members = MEMBERS } = this.#style;
    const value = isObject(body) ? taken(body, id) : null;
    const own = Object.entries(isObject(value) ? value : {}).filter(([name]) => name in members);
    const isWhole = own.length === Object.keys(members).length;
    if (!isObject(value) || (id === null && !isWhole)) return { status: 400, body: { message: 'not understood' } };
    this.#made += id === null ? 1 : 0;
    const at = id ?? `${this.#made}-b`;
    const kept = KEEPERS[this.#keeper](Object.fromEntries(own), was);
    this.#kept.set(at, kept);
    return { status: id === null ? 201 : 200, body: answer(at, kept) };
  }
}

/** The codes of what the course blames on books that are sent and shown in this style. */
async function blamed(style: Style, keeper: keyof typeof KEEPERS = 'none') {
  const { sent, shown, members = MEMBERS } = style;
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const world = worldWith({ contract: 'openapi', timing: { now: () => nowMs, sleep } });
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const one = (status: number) => ({
    responses: { [status]: { description: 'One', ...json(shown(object(members))) } },
  });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
  const books = await loadShop({
    '/books': { post: { requestBody: json(sent(object(members, Object.keys(members)))), ...one(201) } },
    '/books/{id}': {
      parameters,
      get: one(200),
      patch: { requestBody: json(sent(object(members))), ...one(200) },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  });
  const store = new Books(style, keeper);
  const keys = books.operations.map(({ key }) => key);
  const reached = keys.map((key) => reachedWith(world, books, key, key.endsWith('}') ? { id: '0' } : {}));
  const codes = new Set<string>();
  const held = new Set<string>();
  for (const course of lifeExperiments(world, reached)) {
    const outcomes = await course.converse(async (plan) => {
      nowMs += 10;
      const last = { ...exchangeWith({ plan, ...store.answered(plan) }), sentAt: nowMs };
      return { last, attempts: [last] };
    });
    for (const { clause, judgement } of outcomes) {
      if (judgement.kind === 'holds') held.add(clause);
      if (judgement.kind === 'breached' && clause !== 'LIFE-08')
        for (const { code } of judgement.breaches) codes.add(code);
    }
  }
  return { codes: [...codes].toSorted(), held };
}

it.each(Object.entries(STYLES))(
  'a sound server whose requests are wrapped in %s is blamed for nothing',
  async (_, style) => {
    const { codes, held } = await blamed(style);
    expect(codes).toEqual([]);
    expect([...held]).toEqual(expect.arrayContaining(['LIFE-02', 'LIFE-03']));
  },
);

it.each(Object.entries(STYLES))('what is lost of requests that are wrapped in %s is found', async (_, style) => {
  expect((await blamed(style, 'loses')).codes).toContain('life-02.other.pages');
  expect((await blamed(style, 'resets')).codes).toContain('life-03.changed.pages');
  expect((await blamed(style, 'cuts')).codes).toContain('life-02.other.title');
});

const address = object({ title: text, pages: text }, ['title']);

it.each(['item', 'data'])('a thing whose only member is an object called %s is the thing itself', async (name) => {
  const style: Style = { ...STYLES.nothing!, members: { [name]: address } };
  const { codes, held } = await blamed(style);
  expect(codes).toEqual([]);
  expect([...held]).toContain('LIFE-02');
});

it('a thing with a member called data beside others is the thing itself', async () => {
  const style: Style = { ...STYLES.nothing!, members: { ...MEMBERS, data: address } };
  const { codes, held } = await blamed(style);
  expect(codes).toEqual([]);
  expect([...held]).toEqual(expect.arrayContaining(['LIFE-02', 'LIFE-03']));
  expect((await blamed(style, 'loses')).codes).toContain('life-02.other.pages');
  expect((await blamed(style, 'resets')).codes).toContain('life-03.changed.pages');
});
