import { describe, expect, it } from 'vitest';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { boundlessFormExperiments, malformedExperiments } from './not-understood.ts';

/** The first text that each experiment sends. */
async function textsFor(schema: unknown): Promise<readonly string[]> {
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: '' } },
  };
  const shop = await loadShop({ '/api/v1/notes': { post } });
  const world = worldWith();
  return malformedExperiments(world, reachedWith(world, shop, 'POST /api/v1/notes')).map((one) => {
    const { body } = one.run().next().value as RequestPlan;
    return body.kind === 'raw' ? body.text : '';
  });
}

describe('malformed JSON', () => {
  it.each([
    [{ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }],
    [{ type: 'object' }],
    [{ type: 'array', items: { type: 'integer' } }],
    [{ type: 'integer' }],
    [{ type: 'string' }],
  ])('is none for any parser of JSON, where the body is %j', async (schema) => {
    const texts = await textsFor(schema);
    expect(texts).toHaveLength(7);
    for (const text of texts) expect(() => JSON.parse(text), text).toThrow(SyntaxError);
  });

  it('is among others the valid body with something that lenient parsers overlook', async () => {
    const texts = await textsFor({ type: 'object', required: ['size'], properties: { size: { const: 7 } } });
    expect(texts).toEqual(expect.arrayContaining([`{'size':7}`, '{"size":7,}', '{"size":7} assay']));
  });
});

it('a form without a boundary is sent to what reads and to what takes a body of another kind, by a description alone', async () => {
  const answers = { responses: { 200: { description: '' } } };
  const taking = (mediaType: string) => ({ requestBody: { content: { [mediaType]: {} } }, ...answers });
  const shop = await loadShop({
    '/notes': { get: answers, post: taking('application/json'), delete: answers },
    '/files': { post: taking('multipart/form-data') },
  });
  const sent = (key: string, contract: 'openapi' | 'commerce' = 'openapi') => {
    const world = worldWith({ contract });
    return boundlessFormExperiments(world, reachedWith(world, shop, key)).map((one) => {
      const { body, headers } = one.run().next().value as RequestPlan;
      return body.kind === 'raw' ? body.contentType : headers.find(([name]) => name === 'Content-Type')?.[1];
    });
  };
  for (const key of ['GET /notes', 'POST /notes']) expect(sent(key)).toEqual(['multipart/form-data']);
  for (const key of ['DELETE /notes', 'POST /files']) expect(sent(key)).toEqual([]);
  expect(sent('GET /notes', 'commerce')).toEqual([]);
});
