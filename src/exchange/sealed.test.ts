import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';
import { sealed } from './sealed.ts';

const redactor = createRedactor([{ name: 'key std-1', value: 'standard-key-0123456789' }]);

describe('what is sealed', () => {
  it('holds no part of a secret at any depth, and keeps names that are ours', () => {
    const told = {
      plan: 'standard',
      message: 'is standard',
      rows: [{ operation: 'GET /standard', why: ['standard'] }],
    };
    expect(sealed(told, redactor)).toEqual({
      plan: 'standard',
      message: 'is [part of key std-1]',
      rows: [{ operation: 'GET /standard', why: ['[part of key std-1]'] }],
    });
  });

  it('keeps trace ids, which are drawn, whatever they hold by chance', () => {
    const traceId = 'ab01234567890123456789abcdefabcd';
    const told = { traceId, rows: [{ traceIds: [traceId] }] };
    expect(sealed(told, redactor)).toBe(told);
    expect(sealed({ other: traceId }, redactor)).not.toEqual({ other: traceId });
  });

  it('is the same object where there is nothing to hide', () => {
    const told = { a: [{ b: 'plain' }], c: null, d: 1 };
    expect(sealed(told, redactor)).toBe(told);
  });
});
