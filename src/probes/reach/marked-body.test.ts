import { beforeAll, describe, expect, it } from 'vitest';
import { loadStores, PATHS, PAYMENT, STORES } from '../../../test/support/probes/idempotency/stores.ts';
import { reachedWith, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { holdsMark, markedBody, plainBody } from './marked-body.ts';

const world = worldWith();
let description: Description;
beforeAll(async () => {
  description = await loadStores();
});

async function storesTaking(schema: unknown, example?: unknown): Promise<Description> {
  const media = { schema, ...(example === undefined ? {} : { example }) };
  const post = { ...PATHS['/api/v1/stores'].post, requestBody: { content: { 'application/json': media } } };
  return loadStores({ ...PATHS, '/api/v1/stores': { post } });
}

const bodyOf = (made: ReturnType<typeof markedBody>) => sentJson({ body: made.body } as Parameters<typeof sentJson>[0]);

describe('a marked body', () => {
  it('carries a mark in its name, another for each label', () => {
    const reached = reachedWith(world, description, STORES);
    const [one, two] = [markedBody(world, reached, 'a', 1), markedBody(world, reached, 'b', 2)];
    expect(one.distinct).toBe(true);
    expect(holdsMark(bodyOf(one), one.mark ?? '')).toBe(true);
    expect(holdsMark(bodyOf(two), one.mark ?? '')).toBe(false);
  });

  it('carries another mark in every run, and in every round of a replay', () => {
    const marks = ['20260101-120000-aaaaaa', '20260101-120001-bbbbbb', '20260101-120000-aaaaaa-1'].map((nonce) => {
      const run = worldWith({ nonce });
      const made = markedBody(run, reachedWith(run, description, STORES), 'a', 1);
      return { mark: made.mark ?? '', body: bodyOf(made) };
    });
    for (const { mark } of marks)
      expect(marks.filter(({ body }) => holdsMark(body, mark))).toEqual(marks.filter((one) => one.mark === mark));
    expect(new Set(marks.map(({ mark }) => mark)).size).toBe(3);
  });

  it('has an amount of its own where it has no name', () => {
    const reached = reachedWith(world, description, PAYMENT);
    const made = [1, 2, 3].map((turn) => markedBody(world, reached, `p${turn}`, turn));
    expect(new Set(made.map((one) => JSON.stringify(bodyOf(one)))).size).toBe(3);
    expect(made.map(({ mark, distinct }) => [mark, distinct])).toEqual([
      [null, true],
      [null, true],
      [null, true],
    ]);
  });

  it("renews the name in the description's example, and leaves references and codes alone", async () => {
    const example = { name: 'Corner shop', owner_id: 'own_1', currency: 'EUR' };
    const reached = reachedWith(world, await storesTaking({}, example), STORES);
    const made = markedBody(world, reached, 'a', 1);
    expect(bodyOf(made)).toMatchObject({ owner_id: 'own_1', currency: 'EUR' });
    expect(made.mark).not.toBeNull();
    expect(plainBody(world, reached, 'a')).toMatchObject({ mark: null, distinct: false, body: { value: example } });
  });

  it('carries its mark in a text that is free to be anything, on whatever level, and leaves what is looked up alone', async () => {
    const text = { type: 'string' };
    const attributes = { type: 'object', required: ['note'], properties: { note: text } };
    const properties = { customer_id: text, currency: text, attributes };
    const taking = await storesTaking({ type: 'object', required: Object.keys(properties), properties });
    const reached = reachedWith(world, taking, STORES);
    const made = markedBody(world, reached, 'a', 1);
    const { attributes: sent, ...others } = bodyOf(made) as { attributes: { note: string } };
    expect(holdsMark(sent.note, made.mark ?? '')).toBe(true);
    expect(holdsMark(others, made.mark ?? '')).toBe(false);
  });

  it('has a member more where the schema is open and empty', async () => {
    const made = markedBody(world, reachedWith(world, await storesTaking({}), STORES), 'a', 1);
    expect(Object.keys(bodyOf(made) as object)).toEqual(['reference']);
  });

  it('is not distinct where nothing may differ', async () => {
    const closed = {
      type: 'object',
      additionalProperties: false,
      properties: { kind: { type: 'string', enum: ['x'] } },
      required: ['kind'],
    };
    const made = markedBody(world, reachedWith(world, await storesTaking(closed), STORES), 'a', 1);
    expect(made).toMatchObject({ mark: null, distinct: false });
  });
});
