import { describe, expect, it } from 'vitest';
import { operationWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { changedAt, keyOf, lettersOf, ownKey, takesKey, uuidOf, withKey } from './keys.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;
const bound = { ...operationWith({ method: 'POST', path: '/orders' }), keyed: true } as const;
const plain = operationWith({ method: 'POST', path: '/api/v1/products' });
const { description } = await orders({ type: 'string' });

/** POST /orders, whose keys have this schema. */
async function orders(schema: unknown): Promise<Described> {
  const parameters = [{ name: 'Idempotency-Key', in: 'header', required: true, schema }];
  const post = { parameters, responses: { 201: { description: 'Made' } } };
  const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: { '/orders': { post } } };
  const description = await loadFiles({ 'shop.json': document });
  const [operation] = description.operations;
  if (operation === undefined) throw new Error('POST /orders was not read');
  return { operation, description };
}

describe('keys', () => {
  it('are one for each text, and the same in another run but for its id', () => {
    expect(uuidOf('a')).toMatch(UUID);
    const key = (run: string, text: string) => keyOf({ operation: plain, description }, run, text);
    expect(key('run-1', 'run-1 a')).toBe(`run-1-${key('run-2', 'run-2 a').slice('run-2-'.length)}`);
    expect(key('run-1', 'a')).not.toBe(key('run-1', 'b'));
  });

  it.each([
    ['UUIDs', { format: 'uuid' }, UUID],
    ['UUIDs, whatever the example', { format: 'uuid', example: '8e03978e-40d5-43dd-bc93-6894a57f9324' }, UUID],
    ['hexadecimal', { pattern: '^[0-9a-f]{32}$', examples: ['0123456789abcdef0123456789abcdef'] }, /^[0-9a-f]{32}$/],
    ['letters and digits', { pattern: '^[A-Za-z0-9]{20,64}$' }, /^[A-Za-z0-9]{20,64}$/],
    ['ULIDs', { pattern: '^[0-9A-HJKMNP-TV-Z]{26}$' }, /^[0-9A-HJKMNP-TV-Z]{26}$/],
    ['texts with a prefix', { pattern: '^ik_[A-Za-z0-9]{16,}$' }, /^ik_[A-Za-z0-9]{16,}$/],
    ['strings of structured fields', { pattern: '^"[ -~]{8,}"$' }, /^"[0-9a-f-]{36}"$/],
    ['short texts', { maxLength: 24 }, /^.{1,24}$/],
    ['long texts', { minLength: 64, maxLength: 128 }, /^.{64,128}$/],
  ])('that are to be %s fit the schema, each another one', async (_form, schema, pattern) => {
    const on = await orders({ type: 'string', ...schema });
    const keys = Array.from({ length: 100 }, (_, at) => keyOf(on, 'run-1', `text ${at}`));
    expect(keys.filter((key) => !pattern.test(key))).toEqual([]);
    expect(new Set(keys).size).toBe(100);
    expect(keyOf(on, 'run-1', 'text 7')).toBe(keys[7]);
    expect(keyOf(on, 'run-2', 'text 7')).not.toBe(keys[7]);
  });

  it('are taken by the operations that laws bind, and by those that declare the header in any case', () => {
    const schema = null;
    const declared = {
      name: 'idempotency-key',
      in: 'header',
      required: true,
      schema,
      style: 'simple',
      explode: false,
      examples: [],
    } as const;
    expect([bound, plain, { ...plain, parameters: [declared] }].map(takesKey)).toEqual([true, false, true]);
  });

  it('stand in the place of any other, or of none', () => {
    const headers = [
      ['X-A', '1'],
      ['idempotency-key', 'old'],
    ] as const;
    expect(withKey(bound, headers, 'new')).toEqual([
      ['X-A', '1'],
      ['Idempotency-Key', 'new'],
    ]);
    expect(withKey(bound, headers, null)).toEqual([['X-A', '1']]);
    const prefixed = { ...bound, keyHeader: 'X-Idempotency-Key' };
    const other = [...headers, ['x-idempotency-key', 'mine']] as const;
    expect(withKey(prefixed, other, 'new')).toEqual([...headers, ['X-Idempotency-Key', 'new']]);
  });

  it("are a request's own: equal requests share one, all others have another", () => {
    const key = (request: readonly unknown[]) =>
      ownKey({ operation: bound, description }, [], 'run-1', request)[0]?.[1];
    expect(key(['a', { amount: 1 }])).toBe(key(['a', { amount: 1 }]));
    expect(key(['a', { amount: 1 }])).not.toBe(key(['a', { amount: 2 }]));
    expect(ownKey({ operation: plain, description }, [], 'run-1', ['a'])).toEqual([]);
  });

  it('change in exactly one character', () => {
    const key = lettersOf('x', 255);
    expect(key).toMatch(/^[a-z]{255}$/);
    for (const how of ['case', 'character'] as const) {
      const other = changedAt(key, 64, how);
      expect([...other].filter((letter, index) => letter !== key[index])).toHaveLength(1);
      expect(other.toLowerCase() === key).toBe(how === 'case');
    }
  });
});
