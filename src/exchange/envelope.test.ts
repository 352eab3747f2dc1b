import { describe, expect, it } from 'vitest';
import { errorExchange, exchangeWith, validationError } from '../../test/support/checks/exchanges.ts';
import { envelopeOf, topField } from './envelope.ts';

describe('envelopeOf', () => {
  it('reads code, type, param and the listed fields', () => {
    expect(envelopeOf(errorExchange(validationError()))).toEqual({
      code: 'validation_failed',
      type: 'validation_error',
      param: 'email',
      fields: ['email'],
      codes: ['invalid_type'],
    });
  });

  it('reads members of the wrong type as absent', () => {
    const broken = errorExchange({ code: 7, type: null, param: ['a'], errors: [1, { field: 2 }, { field: 'b' }] });
    expect(envelopeOf(broken)).toEqual({ code: null, type: null, param: null, fields: ['b'], codes: ['', ''] });
  });

  it.each([undefined, 'text', '[]', 'null', { error: 'text' }, { error: [] }, { data: {} }])(
    'is null for %j',
    (body) => {
      expect(envelopeOf(exchangeWith({ status: 400, body }))).toBeNull();
    },
  );
});

it.each([
  ['a', 'a'],
  ['a.b', 'a'],
  ['a[0].b', 'a'],
  ['/a/b', 'a'],
  ['', ''],
])('the top field of %j is %j', (path, top) => {
  expect(topField(path)).toBe(top);
});
