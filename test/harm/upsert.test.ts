// A POST may change what was there before, where both have one name: outside local that is put back at the end, or told.
import { expect, test } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import type { Answer, Asked } from './things.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const REFUSED = { default: { description: 'Refused', ...json({ type: 'object' }) } };
const MEMBERS = {
  code: { type: 'string', enum: ['red', 'blue'] },
  size: { type: 'integer', minimum: 20, maximum: 90 },
};
const SHELF = { type: 'object', required: ['code', 'size'], properties: MEMBERS };
const shows = (schema: object) => ({ responses: { 200: { description: 'Fine', ...json(schema) }, ...REFUSED } });
const takes = { requestBody: { required: true, ...json(SHELF) }, ...shows({}) };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const THEIRS = [
  { id: 1, code: 'red', size: 20 },
  { id: 2, code: 'blue', size: 21 },
];

interface Shelf {
  readonly id: number;
  readonly code: string;
  readonly size: number;
}

interface Target {
  /** Set: what is there stays as it is. */
  readonly keeps?: true;
  /** Set: no PUT is described. */
  readonly hasPut?: false;
}

async function judged({ keeps, hasPut }: Target): Promise<{ report: Report; shelves: Shelf[]; writes: Asked[] }> {
  let shelves: Shelf[] = THEIRS;
  const writes: Asked[] = [];
  const write = (asked: Asked, isThat: (shelf: Shelf, sent: Shelf) => boolean): Answer => {
    const sent = soundIn(asked.body);
    const there = sent === null ? undefined : shelves.find((one) => isThat(one, sent));
    if (sent === null || there === undefined) return { status: sent === null ? 422 : 404, body: {} };
    writes.push(asked);
    const now = keeps && asked.method === 'POST' ? there : { ...there, ...sent };
    shelves = shelves.map((one) => (one === there ? now : one));
    return { status: 200, body: now };
  };
  const answer = (asked: Asked): Answer => {
    const [path = ''] = asked.url.split('?');
    const id = Number(path.split('/')[2]);
    if (path === '/shelves' && asked.method === 'GET') return { status: 200, body: shelves };
    if (path === '/shelves') return write(asked, (one, sent) => one.code === sent.code);
    const there = shelves.find((one) => one.id === id);
    if (there === undefined) return { status: 404, body: {} };
    return asked.method === 'GET' ? { status: 200, body: there } : write(asked, (one) => one.id === id);
  };
  const paths = {
    '/shelves': { get: shows({ type: 'array', items: SHELF }), post: takes },
    '/shelves/{id}': { parameters: [ID], get: shows(SHELF), ...(hasPut === false ? {} : { put: takes }) },
  };
  const described = () => ({ openapi: '3.1.0', info: { title: 'Shelves', version: '1' }, paths });
  const options = { collections: {}, described, environment: 'staging', configuration: ['mutations: allow'] };
  return { report: await judgedInMemory(options, answer, { budget: 200 }), shelves, writes };
}

function soundIn(body: string): Shelf | null {
  try {
    const { code, size } = JSON.parse(body);
    const isSound = MEMBERS.code.enum.includes(code) && Number.isInteger(size) && size >= 20 && size <= 90;
    return isSound ? ({ code, size } as Shelf) : null;
  } catch {
    return null;
  }
}

test('what a POST changed that was there before is put back', async () => {
  const { report, shelves, writes } = await judged({});
  expect(writes.some(({ method }) => method === 'PUT')).toBe(true);
  expect(shelves).toEqual(THEIRS);
  expect(report.created?.changed).toBeUndefined();
});

test('what a POST changed that was there before is told where nothing puts it back', async () => {
  const { report, shelves } = await judged({ hasPut: false });
  expect(shelves).not.toEqual(THEIRS);
  expect(report.created?.changed).toContain('/shelves/1: no PUT or PATCH is described that would put it back');
});

test('what a POST found and left as it was is neither written nor told', async () => {
  const { report, writes } = await judged({ keeps: true });
  expect(writes.map(({ method }) => method)).toContain('POST');
  expect(writes.map(({ method }) => method)).not.toContain('PUT');
  expect(report.created?.changed).toBeUndefined();
});
