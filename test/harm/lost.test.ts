// What a run lives by may be lost on the way: another one is made, once, and that is told. Nobody is blamed for it.
import { expect, test } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import type { Answer, Asked } from './things.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const fine = (schema: object) => ({ description: 'Fine', ...json(schema) });
const gone = { 404: { description: 'Gone' } };
const of = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const named = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } };
const thing = { type: 'object', required: ['id', 'name'], properties: { id: {}, name: { type: 'string' } } };
const makes = {
  requestBody: { required: true, ...json(named) },
  responses: { 201: fine(thing), 400: gone[404], ...gone },
};
const reads = { responses: { 200: fine(thing), ...gone } };
const lists = { responses: { 200: fine({ type: 'array', items: thing }), ...gone } };

/** Shops with shelves in them. */
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Shops', version: '1' },
  paths: {
    '/shops': { post: makes },
    '/shops/{shopId}': { parameters: [of('shopId')], get: reads },
    '/shops/{shopId}/shelves': { parameters: [of('shopId')], get: lists, post: makes },
    '/shops/{shopId}/shelves/{shelfId}': { parameters: [of('shopId'), of('shelfId')], get: reads },
    '/shops/{shopId}/sign': { parameters: [of('shopId')], get: reads },
    '/notes': { post: makes },
    '/notes/{noteId}': { parameters: [of('noteId')], delete: { responses: { 204: { description: 'Gone' }, ...gone } } },
  },
};

interface Kept {
  readonly id: string;
  readonly name: string;
}

/** How a thing of the path is lost; `made` counts what was made by then. */
interface Losing {
  /** Whether a request takes all shops away. */
  readonly takesShops?: (request: Asked, index: number) => boolean;
  /** The status of a further shop. */
  readonly further?: number;
  readonly id?: (index: number) => string;
}

interface Seen {
  readonly report: Report;
  readonly requests: readonly (Asked & { readonly status: number })[];
}

async function judged({
  takesShops = () => false,
  further = 201,
  id = (index) => `n-${index}-7f3e9d`,
}: Losing): Promise<Seen> {
  const kept = new Map<string, Kept>();
  const requests: (Asked & { readonly status: number })[] = [];
  let [made, shops] = [0, 0];
  const answerTo = ({ method, url, body }: Asked): Answer => {
    const path = url.replace(/\?.*/, '');
    const [, , parent = '', below] = path.split('/');
    if (below !== undefined && !kept.has(`/shops/${parent}`)) return { status: 404 };
    if (method === 'DELETE') return { status: kept.delete(path) ? 204 : 404 };
    if (method === 'POST') {
      if (!/^\/(shops|notes)(\/[^/]+\/shelves)?$/.test(path)) return { status: 404 };
      const name = nameIn(body);
      if (name === null) return { status: 400 };
      if (path === '/shops' && shops > 0 && further !== 201) return { status: further };
      if (path === '/shops') shops += 1;
      made += 1;
      const one = { id: id(made), name };
      kept.set(`${path}/${one.id}`, one);
      return { status: 201, body: one };
    }
    if (path.endsWith('/shelves')) {
      const items = [...kept].filter(([at]) => at.startsWith(`${path}/`));
      return { status: 200, body: items.map(([, one]) => one) };
    }
    // No shop has a sign: it is not there, and the shop is.
    const found = kept.get(path);
    return found === undefined ? { status: 404 } : { status: 200, body: found };
  };
  const answer = (request: Asked): Answer => {
    const index = requests.length;
    if (takesShops(request, index)) for (const path of kept.keys()) if (path.startsWith('/shops')) kept.delete(path);
    const told = answerTo(request);
    requests.push({ ...request, status: told.status });
    return told;
  };
  const report = await judgedInMemory({ collections: {}, described: () => DESCRIPTION }, answer, { budget: 400 });
  return { report, requests };
}

function nameIn(body: string): string | null {
  try {
    const { name } = JSON.parse(body);
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    return null;
  }
}

/** Calls within the shop that were answered 2xx, from the request on. */
function servedAfter({ requests }: Seen, index: number): number {
  return requests.slice(index).filter(({ url, status }) => /^\/shops\/[^/]+/.test(url) && status < 300).length;
}

const blamed = ({ report }: Seen) => report.findings.filter(({ kind }) => kind === 'violation').map(({ code }) => code);

test.each([
  ['ids of its own', undefined],
  ['ids that count', String],
])('what goes with the deletion of another thing is made anew, and called from then on (%s)', async (_, id) => {
  let at = -1;
  const seen = await judged({
    ...(id === undefined ? {} : { id }),
    takesShops: ({ method }, index) => {
      if (at >= 0 || method !== 'DELETE') return false;
      at = index;
      return true;
    },
  });
  expect(at).toBeGreaterThan(0);
  expect(seen.report.run.note).toMatch(
    /\/shops\/\S+ was there and is gone after DELETE \/notes\/\S+( \(and [^)]+\))?; POST \/shops has made \/shops\/\S+ in its place/,
  );
  expect(servedAfter(seen, at + 40)).toBeGreaterThan(20);
  expect(blamed(seen)).toEqual([]);
});

test('what is lost again and again is made anew once', async () => {
  const seen = await judged({ takesShops: (_, index) => index % 80 === 79 });
  expect(seen.report.run.note).toContain('no other is made, for what POST /shops makes was lost before');
  expect(seen.report.run.note?.match(/has made \/shops\/[^/]+ in its place/g)).toHaveLength(1);
  expect(blamed(seen)).toEqual([]);
});

test('what cannot be made anew is told, with the reason', async () => {
  const seen = await judged({ further: 409, takesShops: (_, index) => index === 60 });
  expect(seen.report.run.note).toContain('no other is made: POST /shops is answered 409');
});

test('where nothing is lost nothing is made anew, whatever is answered 404', async () => {
  const seen = await judged({});
  expect(seen.report.run.note ?? '').not.toContain('was there and is gone');
});
