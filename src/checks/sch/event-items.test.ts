// Events are judged by what their schema speaks of: the fields of an event, or what its data hold.
import { describe, expect, it } from 'vitest';
import { exchangeWith, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief } from '../../../test/support/checks/judging.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { sch01 } from './sch-01.ts';

const ORDER = { type: 'object', required: ['id', 'state'], properties: { id: { type: 'integer' }, state: {} } };
const EVENT = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'string' }, event: { enum: ['tick'] } },
};
const OF_ORDERS = { type: 'object', properties: { id: { type: 'string' }, data: ORDER } };

async function told(itemSchema: object, body: string): Promise<unknown> {
  const responses = { 200: { description: 'Told', content: { 'text/event-stream': { itemSchema } } } };
  const info = { title: 'Events', version: '1' };
  const description = await loadFiles({
    'a.json': { openapi: '3.2.0', info, paths: { '/a': { get: { responses } } } },
  });
  const operation = description.operations[0] as Operation;
  const headers = [['content-type', 'text/event-stream; charset=utf-8']] as const;
  return brief(sch01, subjectOf(exchangeWith({ body, headers }), { operation, description }));
}

describe('an event', () => {
  it.each<[string, object, string]>([
    ['is its fields', EVENT, 'event: tick\ndata: {"n":1}\n\n'],
    ['is any of them', {}, 'data: x\n\n'],
    ['holds what is described in place of it', ORDER, 'id: 7\ndata: {"id":1,"state":"open"}\n\ndata: [DONE]\n\n'],
    ['holds one of several', { oneOf: [ORDER, { type: 'integer' }] }, 'data: {"id":1,"state":0}\n\ndata: 3\n\n'],
    ['holds a text', { type: 'string', maxLength: 3 }, 'event: x\ndata: abc\n\n'],
    ['holds an object in its data', OF_ORDERS, 'id: 7\ndata: {"id":1,"state":"open"}\n\n'],
  ])('%s', async (_what, schema, body) => {
    expect(await told(schema, body)).toBe('holds');
  });

  it.each<[string, object, string, string]>([
    ['is of another kind', EVENT, 'event: tock\ndata: x\n\n', '/*/event'],
    ['lacks a member in its data', ORDER, 'data: {"id":1}\n\n', '/*/state'],
    ['has another member there', OF_ORDERS, 'data: {"id":"x","state":1}\n\n', '/*/data/id'],
    ['holds too long a text', { type: 'string', maxLength: 3 }, 'data: abcd\n\n', '/*'],
    ['holds no JSON', ORDER, 'data: {"id":\n\n', 'not valid JSON'],
  ])('breaches where it %s', async (_what, schema, body, where) => {
    expect(JSON.stringify(await told(schema, body))).toContain(where);
  });
});
