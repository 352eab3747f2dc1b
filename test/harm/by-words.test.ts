// A run deletes what it made where a word in the path says what a call does, and its body or query names the thing; nothing else.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, descriptionOf, type Things, TOKEN, thingsOf } from './things.ts';

type Paths = Record<string, Record<string, Record<string, unknown>>>;

const COLLECTIONS = { pets: 'gone' } as const;
/** What the removal asks for, by the members of its body. */
const BY_ID = { id: { type: 'string' } };
const BY_IDS = { ids: { type: 'array', items: { type: 'string' } } };
const BY_ID_AND_MORE = { ...BY_ID, reason: { type: 'string' } };

/** The description of the same things, in such calls. */
function inWords(
  whole: Record<string, unknown>,
  asked: Record<string, unknown>,
  listBy: 'get' | 'post' = 'get',
): unknown {
  const { '/pets': all, '/pets/{id}': one } = whole.paths as Paths;
  const schema = (properties: Record<string, unknown>) => ({
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } } },
  });
  const id = { name: 'id', in: 'query', required: true, schema: { type: 'string' } };
  const paths = {
    '/pets.list': { [listBy]: listBy === 'get' ? all?.get : { responses: all?.get?.responses } },
    '/pets.create': { post: all?.post },
    '/pets.get': { get: { ...one?.get, parameters: [id] } },
    '/pets.delete': { post: { ...one?.delete, requestBody: schema(asked) } },
    '/sessions.delete': { post: { ...one?.delete, requestBody: schema({ all: { type: 'boolean' } }) } },
  };
  return { ...whole, paths };
}

/** The request to the things that such a call means; null for a call of another kind. */
function meant(request: Asked): Asked | null {
  const [path = '', query = ''] = request.url.split('?');
  const idOf = (): string => {
    const { id, ids } = JSON.parse(request.body);
    return encodeURIComponent(String(id ?? ids));
  };
  if (path === '/pets.list') return { ...request, method: 'GET', url: `/pets?limit=500&${query}` };
  if (path === '/pets.create') return { ...request, url: '/pets' };
  if (path === '/pets.get') return { ...request, url: `/pets/${new URLSearchParams(query).get('id')}` };
  return path === '/pets.delete' ? { ...request, method: 'DELETE', url: `/pets/${idOf()}` } : null;
}

interface Ended {
  readonly report: Report;
  readonly target: Things;
  /** Calls that delete, sent by one who may. */
  readonly removals: readonly Asked[];
}

async function judged(
  asked: Record<string, unknown>,
  environment = 'local',
  change: (answered: Answer) => Answer = (answered) => answered,
  further: { readonly listBy?: 'post'; readonly isLost?: (request: Asked) => boolean } = {},
): Promise<Ended> {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  const seen: Asked[] = [];
  const answer = (request: Asked): Answer => {
    seen.push(request);
    try {
      const own = meant(request);
      return own === null ? { status: 404, body: { error: 'no such path' } } : change(target.answer(own));
    } catch {
      return { status: 400, body: { error: 'no JSON' } };
    }
  };
  const described = (): unknown => inWords(descriptionOf(COLLECTIONS), asked, further.listBy);
  const configuration = environment === 'local' ? [] : ['mutations: allow'];
  const options = { collections: COLLECTIONS, described, environment, configuration };
  const report = await judgedInMemory(options, answer, {}, clock, { isLost: further.isLost });
  const isRemoval = ({ url, authorization }: Asked): boolean =>
    url.includes('.delete') && authorization === `Bearer ${TOKEN}`;
  return { report, target, removals: seen.filter(isRemoval) };
}

test.each([
  ['local', BY_ID],
  ['staging', BY_ID],
  ['local', BY_IDS],
  ['staging', BY_IDS],
])('a run in %s deletes what it made by calls that take %j, and tells so', async (environment, asked) => {
  const { report, target } = await judged(asked, environment);
  expect(target.most('pets')).toBeGreaterThan(0);
  expect(target.left()).toEqual({ pets: [] });
  expect(target.isUntouched()).toBe(true);
  expect(report.leftovers).toEqual([]);
  expect(report.created).toMatchObject({ left: 0, deleted: report.created?.made });
});

test('none but calls that take nothing but an id delete, and they name things of the run alone', async () => {
  const { removals } = await judged(BY_ID, 'staging');
  expect(removals.length).toBeGreaterThan(0);
  for (const { url, body } of removals)
    expect([url, JSON.parse(body)]).toEqual(['/pets.delete', { id: expect.stringMatching(/^pets-\d+$/) }]);
});

test('a call that asks for more is left alone', async () => {
  const { report, removals, target } = await judged(BY_ID_AND_MORE, 'staging');
  expect(removals).toEqual([]);
  expect(target.left().pets).toHaveLength(report.created?.left ?? 0);
  expect(report.leftovers.length).toBeGreaterThan(0);
});

test('what somebody else made is not deleted where a create names it', async () => {
  const { report, target } = await judged(BY_ID, 'staging', (answered) =>
    answered.status === 201 ? { status: 201, body: { ...(answered.body as object), id: 'pets-theirs-1' } } : answered,
  );
  expect(target.most('pets')).toBeGreaterThan(0);
  expect(target.isUntouched()).toBe(true);
  expect(report.created).toMatchObject({ left: 0, deleted: report.created?.made });
});

test.each([undefined, 'post'] as const)(
  'what a create made whose answer was lost is found by a list (%s)',
  async (listBy) => {
    let created = 0;
    const isLost = ({ url }: Asked): boolean => url.includes('.create') && ++created % 3 === 0;
    const { report, target } = await judged(BY_ID, 'staging', undefined, { ...(listBy && { listBy }), isLost });
    expect(created).toBeGreaterThan(9);
    const left = target.left().pets ?? [];
    expect(left.filter((name) => name.includes('9f3a2b'))).toEqual([]);
    expect(report.created?.unknown ?? 0).toBeGreaterThanOrEqual(left.length);
    expect(report.created?.left).toBe(0);
    expect(target.isUntouched()).toBe(true);
  },
);
