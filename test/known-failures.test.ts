// A run asks no more than it has to of what is known to fail, and learns as much of the rest.
import { expect, test } from 'vitest';
import type { Report } from '../src/contract/report.ts';
import { judgedInMemory } from './harm/in-memory.ts';
import type { Answer, Asked } from './harm/things.ts';

const NOTE = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, text: { type: 'string' } } };
const served = (schema: object) => ({
  200: { description: 'Found', content: { 'application/json': { schema } } },
  404: { description: 'Not found' },
});
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'n1' };
const LANGUAGE = { name: 'lang', in: 'query', schema: { type: 'string' } };

/** An API of one list, which is empty, and of one note. */
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/boxes': { get: { responses: served({ type: 'array', items: NOTE }) } },
    '/notes/{id}': { get: { parameters: [ID, LANGUAGE], responses: served(NOTE) } },
  },
};

async function judged(read: (id: string, query: URLSearchParams) => number) {
  const paths: string[] = [];
  const answerTo = ({ method, url }: Asked): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://things');
    paths.push(pathname);
    if (pathname === '/boxes') return { status: method === 'GET' ? 200 : 404, body: [] };
    const id = /^\/notes\/([^/]+)$/.exec(pathname)?.[1];
    const status = id === undefined || method !== 'GET' ? 404 : read(id, searchParams);
    return { status, body: status === 200 ? { id } : { error: 'no' } };
  };
  const report = await judgedInMemory({ collections: {}, described: () => DESCRIPTION }, answerTo);
  return { report, reads: paths.filter((path) => path.startsWith('/notes')).length };
}

const failures = ({ findings }: Report): readonly string[] =>
  findings.filter(({ clause }) => clause === 'SCH-06').map(({ operation, code }) => `${operation} ${code}`);

test.each([
  ['whatever is sent', () => 500],
  ['where it is there', (id: string) => (id === 'n1' ? 500 : 404)],
])('a read that fails %s gets no most of the requests, and is told', async (_, read) => {
  const { report, reads } = await judged(read);
  expect(failures(report)).toEqual(['GET /notes/{id} sch-06.answered-500.sound']);
  expect(reads).toBeLessThan(80);
});

test('a read that hostile input alone fails is told with what fails it', async () => {
  const isHostile = (query: URLSearchParams): boolean => (query.get('lang') ?? '').includes('\0');
  const { report, reads } = await judged((id, query) => (id !== 'n1' ? 404 : isHostile(query) ? 500 : 200));
  expect(failures(report)).toEqual([expect.stringContaining('hostile')]);
  expect(reads).toBeGreaterThan(80);
});
