// Creates that take a form with a file: what its fields say is read back, and its inputs are spoiled as their receiver reads them.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import type { Answer, Asked } from './things.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const fine = (schema: object) => ({ description: 'Fine', ...json(schema) });
const told = { 400: { description: 'Wrong' }, 404: { description: 'Gone' }, 415: { description: 'No form' } };
const PHOTO = {
  type: 'object',
  required: ['id', 'name', 'pages', 'size'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    note: { type: 'string' },
    pages: { type: 'integer' },
    size: { type: 'integer' },
  },
};
const FORM = {
  type: 'object',
  required: ['name', 'pages', 'file'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 80 },
    note: { type: 'string' },
    pages: { type: 'integer', minimum: 1, maximum: 900 },
    file: { type: 'string', format: 'binary' },
  },
};
const id = { name: 'photoId', in: 'path', required: true, schema: { type: 'integer' } };
const description = (mediaType: string) => ({
  openapi: '3.0.3',
  info: { title: 'Photos', version: '1' },
  paths: {
    '/photos': {
      get: { responses: { 200: fine({ type: 'array', items: PHOTO }) } },
      post: {
        requestBody: { required: true, content: { [mediaType]: { schema: FORM } } },
        responses: { 201: fine(PHOTO), ...told },
      },
    },
    '/photos/{photoId}': {
      parameters: [id],
      get: { responses: { 200: fine(PHOTO), ...told } },
      delete: { responses: { 204: { description: 'Gone' }, ...told } },
    },
  },
});

interface Defect {
  /** Members of a new photo that are shown otherwise than they were sent. */
  readonly shows?: (fields: Readonly<Record<string, string>>) => object;
  /** What is taken though the description rules it out. */
  readonly takes?: (fields: Readonly<Record<string, string>>) => boolean;
}

async function judged(mediaType: string, { shows = () => ({}), takes = () => false }: Defect = {}): Promise<Report> {
  const photos = new Map<string, object>();
  let made = 0;
  const answer = ({ method, url, body, contentType = '' }: Asked): Answer => {
    const [, , key = ''] = url.replace(/\?.*/, '').split('/');
    if (method === 'GET' && key === '') return { status: 200, body: [...photos.values()] };
    if (method === 'DELETE') return { status: photos.delete(key) ? 204 : 404 };
    if (method === 'GET') {
      const photo = photos.get(key);
      return photo === undefined ? { status: 404 } : { status: 200, body: photo };
    }
    if (method !== 'POST' || key !== '') return { status: 404 };
    if (!contentType.startsWith(mediaType)) return { status: 415 };
    const fields = fieldsOf(body, contentType);
    if (fields === null || (!isSound(fields) && !takes(fields))) return { status: 400 };
    const { name = '', note = '', pages = '', file = '' } = fields;
    made += 1;
    const photo = { id: made, name, note, pages: Math.trunc(Number(pages)) || 0, size: file.length, ...shows(fields) };
    photos.set(String(made), photo);
    return { status: 201, body: photo };
  };
  return judgedInMemory({ collections: {}, described: () => description(mediaType) }, answer);
}

/** As a receiver of forms reads one, each name once; null for none. */
function fieldsOf(body: string, contentType: string): Record<string, string> | null {
  if (!contentType.startsWith('multipart/')) return Object.fromEntries(new URLSearchParams(body));
  const boundary = /boundary=(\S+)/.exec(contentType)?.[1];
  if (boundary === undefined || !body.includes(`--${boundary}--`)) return null;
  const parts = body.split(`--${boundary}`).slice(1, -1);
  const pairs = parts.map((part): [string, string] => {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    return [/name="([^"]*)"/.exec(head)?.[1] ?? '', rest.join('\r\n\r\n').replace(/\r\n$/, '')];
  });
  return Object.fromEntries(pairs);
}

function isSound({ name, pages, file }: Readonly<Record<string, string>>): boolean {
  const isName = name !== undefined && name !== '' && [...name].length <= 80;
  return isName && file !== undefined && /^\d+$/.test(pages ?? '') && Number(pages) >= 1 && Number(pages) <= 900;
}

const codes = ({ findings }: Report): readonly string[] =>
  findings.flatMap(({ kind, code = '' }) => (kind === 'observation' ? [] : [code]));
const checksOf = (report: Report, clause: string): number =>
  report.operations.find(({ operation }) => operation === 'POST /photos')?.clauses[clause]?.checks ?? 0;

describe.each(['multipart/form-data', 'application/x-www-form-urlencoded'])('a create by %s', (mediaType) => {
  it('is judged by the life of what it makes, and by what it refuses, and is not blamed where it is sound', async () => {
    const report = await judged(mediaType);
    expect(codes(report)).toEqual([]);
    for (const clause of ['LIFE-01', 'LIFE-02', 'REQ-03', 'REQ-04', 'REQ-08'])
      expect(checksOf(report, clause), clause).toBeGreaterThan(0);
  });

  it.each<[string, string, Defect]>([
    ['loses a field', 'life-02.lost.note', { shows: () => ({ note: null }) }],
    ['shows another field', 'life-02.other.pages', { shows: () => ({ pages: 901 }) }],
    ['takes a form without a field', 'req-03.accepted.missing', { takes: ({ name }) => name === undefined }],
    ['takes a text for a number', 'req-04.accepted.wrong-type', { takes: ({ pages }) => !/^\d*$/.test(pages ?? '') }],
    ['takes a number out of range', 'req-08.accepted.constraint', { takes: ({ pages }) => Number(pages) > 900 }],
  ])('that %s is told', async (_, code, defect) => {
    expect(codes(await judged(mediaType, defect))).toContain(code);
  });
});
