import { describe, expect, it } from 'vitest';
import { operationWith } from '../../../test/support/checks/exchanges.ts';
import { changedAt, keyOf, lettersOf, ownKey, takesKey, uuidOf, withKey } from './keys.ts';

const bound = { ...operationWith({ method: 'POST', path: '/orders' }), keyed: true } as const;
const plain = operationWith({ method: 'POST', path: '/api/v1/products' });

describe('keys', () => {
  it('are one for each text, and the same in another run but for its id', () => {
    expect(uuidOf('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(keyOf(plain, 'run-1', 'run-1 a')).toBe(`run-1-${keyOf(plain, 'run-2', 'run-2 a').slice('run-2-'.length)}`);
    expect(keyOf(plain, 'run-1', 'a')).not.toBe(keyOf(plain, 'run-1', 'b'));
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
    const key = (request: readonly unknown[]) => ownKey(bound, [], 'run-1', request)[0]?.[1];
    expect(key(['a', { amount: 1 }])).toBe(key(['a', { amount: 1 }]));
    expect(key(['a', { amount: 1 }])).not.toBe(key(['a', { amount: 2 }]));
    expect(ownKey(plain, [], 'run-1', ['a'])).toEqual([]);
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
