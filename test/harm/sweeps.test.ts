// A call that names nothing takes away or changes whatever is there: it is sent where that is the run's own, or where the user allows it.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, TOKEN, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone' } as const;
type Paths = Record<string, Record<string, unknown>>;

/** Calls that name nothing, with the word that a report has for why they were not sent. */
const SWEEPS = [
  'DELETE /pets',
  'POST /pets/purge',
  'PATCH /pets',
  'POST /pets/update-by-query',
  'POST /reset',
] as const;

function withSweeps(whole: Record<string, unknown>): unknown {
  const responses = { 204: { description: 'Done' } };
  const content = { 'application/json': { schema: { type: 'object', properties: { note: { type: 'string' } } } } };
  const paths = { ...(whole.paths as Paths) };
  for (const key of SWEEPS) {
    const [method = '', path = ''] = key.split(' ');
    const call = method === 'DELETE' ? { responses } : { responses, requestBody: { content } };
    paths[path] = { ...paths[path], [method.toLowerCase()]: call };
  }
  return { ...whole, paths };
}

interface Circumstances {
  readonly isForeign?: boolean;
  readonly isListed?: boolean;
  readonly allowed?: string;
}

/** A run on this machine, and which of the calls it sent as somebody who may. */
async function judged({ isForeign = true, isListed = true, allowed }: Circumstances) {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  if (!isForeign) for (const index of [0, 1, 2]) target.take(`/pets/pets-theirs-${index}`);
  const sent = new Set<string>();
  let most = 0;
  const answer = (asked: Asked): Answer => {
    const key = `${asked.method} ${asked.url.split('?')[0]}`;
    if (!(SWEEPS as readonly string[]).includes(key))
      return key === 'GET /pets' && !isListed ? { status: 500, body: { error: 'no list' } } : target.answer(asked);
    if (asked.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'no token' } };
    sent.add(key);
    most = Math.max(most, Object.values(target.left()).flat().length);
    return { status: 204 };
  };
  const operations = allowed === undefined ? '' : `, operations: { "${allowed}": ordinary }`;
  const configuration = [`mutations: { default: allow${operations} }`];
  const report: Report = await judgedInMemory(
    { collections: COLLECTIONS, described: withSweeps, configuration },
    answer,
    { clauses: ['SCH-06'], budget: 300 },
    clock,
  );
  const told = (key: string): unknown => report.operations.find(({ operation }) => operation === key);
  return { sent: [...sent].sort(), told, changed: report.created?.changed };
}

const REACHES = 'it may reach all that is there, and GET /pets shows 3 things that this run did not make';
const UNSEEN = 'no list shows all that it takes away or changes, so nobody can tell whose it is';

test('what others made is neither taken away nor changed by a call that names nothing, and the report says why', async () => {
  const { sent, told } = await judged({});
  expect(sent).toEqual([]);
  for (const key of SWEEPS) {
    const reason = `${key === 'POST /reset' ? UNSEEN : REACHES}; mutations: { operations: { "${key}": ordinary } } allows it`;
    expect(told(key)).toMatchObject({ tested: false, reasonCode: 'precondition', reason });
  }
});

test('such calls are sent where a list shows that nothing but the run could lose anything', async () => {
  const { sent, told, changed } = await judged({ isForeign: false });
  expect(sent).toEqual(SWEEPS.filter((key) => key !== 'POST /reset').sort());
  expect(changed).toBeUndefined();
  expect(told('DELETE /pets')).toMatchObject({ tested: true });
});

test('what cannot be listed is nobody knows whose, and stays', async () => {
  const { sent, told } = await judged({ isListed: false });
  expect(sent).toEqual([]);
  expect(told('DELETE /pets')).toMatchObject({ tested: false, reason: expect.stringContaining(UNSEEN) });
});

test('a call is sent where the configuration names it, and nothing else is', async () => {
  const { sent } = await judged({ allowed: 'POST /reset' });
  expect(sent).toEqual(['POST /reset']);
});

test('what a call that the configuration names has changed of others is told', async () => {
  const { changed } = await judged({ allowed: 'PATCH /pets' });
  expect(changed).toEqual(['/pets: nothing showed what it was before']);
});

test.each([
  ['is not called where no read has shown what it holds', 500, false],
  ['is called where a read has shown that nothing is there', 404, true],
])('a text that a PUT replaces %s', async (_what, status, isCalled) => {
  const target = thingsOf(COLLECTIONS, simulatedClock());
  let isSet = false;
  const answer = (asked: Asked): Answer => {
    if (!asked.url.startsWith('/note')) return target.answer(asked);
    if (asked.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'no token' } };
    if (asked.method === 'GET') return { status: isSet ? 200 : status, body: 'a note' };
    isSet ||= asked.method === 'PUT';
    return { status: 200, body: {} };
  };
  const content = { 'text/plain': { schema: { type: 'string' } } };
  const put = { requestBody: { content }, responses: { 200: { description: 'Set' } } };
  const note = { get: { responses: { 200: { description: 'The note', content } } }, put };
  const described = (whole: Record<string, unknown>): unknown => ({
    ...whole,
    paths: { ...(whole.paths as Paths), '/note': note },
  });
  const given = { clauses: ['SCH-06'], budget: 300 };
  await judgedInMemory({ collections: COLLECTIONS, described, configuration: ['mutations: allow'] }, answer, given);
  expect(isSet).toBe(isCalled);
});

test('no glob allows what may take away what others made', async () => {
  const { sent } = await judged({ allowed: '* /pets*' });
  expect(sent).toEqual([]);
});

const DONE = { 200: { description: 'Done' }, 400: { description: 'Wrong' } };

const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } };

/** Calls that take away or replace by a word what their bodies choose, each with the member by which they choose. */
const CHOOSING = {
  '/pets/delete': { names: { type: 'array', minItems: 1, items: { type: 'string' } } },
  '/pets/delete-by-name': { name: { type: 'string', minLength: 1 } },
  '/pets/delete-by-kind': { kind: { type: 'string', enum: ['cat', 'dog'] } },
  '/pets/erase': { id: { type: 'string', minLength: 1 } },
  '/deletePet': { petId: { type: 'string' } },
  '/pets/remove-expired': { days: { type: 'integer' } },
  '/pets/import': { pets: { type: 'array', minItems: 1, items: NAMED } },
} as const;

/** A run, and the members by which calls have chosen what is taken away, by path. */
async function chosen(isForeign: boolean, examples: Record<string, unknown> = {}, isInSchema = false) {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  if (!isForeign) for (const index of [0, 1, 2]) target.take(`/pets/pets-theirs-${index}`);
  const sent = new Map<string, unknown[]>();
  const answer = (asked: Asked): Answer => {
    const path = asked.url.split('?')[0] ?? '';
    if (!(path in CHOOSING) || asked.method !== 'POST') return target.answer(asked);
    if (asked.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'no token' } };
    sent.set(path, [...(sent.get(path) ?? []), asked.body]);
    const imported = /^\{"pets":\[\{"name":"([^"]+)"\}\]\}$/.exec(asked.body)?.[1];
    if (imported !== undefined) target.put('pets', imported);
    return { status: 200, body: {} };
  };
  const described = (whole: Record<string, unknown>): unknown => {
    const paths = { ...(whole.paths as Paths) };
    for (const [path, properties] of Object.entries(CHOOSING)) {
      const shown = path in examples ? { example: examples[path] } : {};
      const schema = { type: 'object', required: Object.keys(properties), properties, ...(isInSchema ? shown : {}) };
      paths[path] = {
        post: {
          requestBody: { content: { 'application/json': { schema, ...(isInSchema ? {} : shown) } } },
          responses: DONE,
        },
      };
    }
    return { ...whole, paths };
  };
  const given = { clauses: ['SCH-06', 'REQ-03'] };
  const configuration = ['mutations: { default: allow }'];
  const { created } = await judgedInMemory(
    { collections: COLLECTIONS, described, configuration },
    answer,
    given,
    clock,
  );
  return { sent, left: [...Object.values(target.left()).flat()], told: created?.left };
}

test('what a body chooses is taken away where names that the run has made up choose it', async () => {
  const { sent } = await chosen(true);
  expect([...sent.keys()].sort()).toEqual(['/pets/delete', '/pets/delete-by-name', '/pets/erase']);
  for (const body of [...sent.values()].flat()) expect(body).toMatch(/^\{"(names?|id)":\[?"(?!pets-theirs)\w/);
});

test('what a body chooses is taken away, however it does, where nothing is there but the run’s own', async () => {
  const { sent, left, told } = await chosen(false);
  expect([...sent.keys()].sort()).toEqual(Object.keys(CHOOSING).sort());
  expect({ left, told }).toEqual({ left: [], told: 0 });
});

test.each([false, true])(
  'what others are called in an example is not taken away (in the schema: %s)',
  async (isInSchema) => {
    const names = ["the shop's own 0"];
    const { sent } = await chosen(
      true,
      { '/pets/delete': { names }, '/pets/delete-by-name': { name: names[0] } },
      isInSchema,
    );
    // They are sent with names of the run's own.
    expect([...sent.keys()].sort()).toEqual(['/pets/delete', '/pets/delete-by-name', '/pets/erase']);
    expect(JSON.stringify([...sent.values()])).not.toContain(names[0]);
  },
);
