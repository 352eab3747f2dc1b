import { describe, expect, it } from 'vitest';
import { errorExchange, exchangeWith, validationError } from '../../test/support/checks/exchanges.ts';
import { COMMERCE_TERMS } from '../contract/shipped.ts';
import type { ErrorTerms } from '../contract/terms.ts';
import { envelopeOf, isCode, placedAt, placeName, topField } from './envelope.ts';

const { errors: places } = COMMERCE_TERMS;

describe('envelopeOf', () => {
  it('reads code, type, param and the listed fields', () => {
    expect(envelopeOf(errorExchange(validationError()), places)).toEqual({
      code: 'validation_failed',
      type: 'validation_error',
      param: 'email',
      fields: ['email'],
    });
  });

  it('reads members of the wrong type as absent', () => {
    const broken = errorExchange({ code: 7, type: null, param: ['a'], errors: [1, { field: 2 }, { field: 'b' }] });
    expect(envelopeOf(broken, places)).toEqual({ code: null, type: null, param: null, fields: ['b'] });
  });

  it.each([undefined, 'text', '[]', 'null', { error: 'text' }, { error: [] }, { data: {} }])(
    'is null for %j',
    (body) => {
      expect(envelopeOf(exchangeWith({ status: 400, body }), places)).toBeNull();
    },
  );
});

describe('at the places of another contract', () => {
  const at = (members: Record<string, string>, more: Partial<ErrorTerms> = {}) => ({
    envelope: null,
    ...more,
    members: Object.fromEntries(
      Object.entries(members).map(([role, place]) => [role, { at: place, isOptional: true, form: null }]),
    ),
  });

  it('reads lists of errors, and codes that are numbers', () => {
    const body = { errors: [{ code: 12, source: { pointer: '/data' } }, { source: { pointer: '/meta' } }] };
    const listed = at({ code: '/errors/*/code', field: '/errors/*/source/pointer' });
    const read = envelopeOf(exchangeWith({ status: 422, body }), listed);
    expect(read).toEqual({ code: '12', type: null, param: null, fields: ['/data', '/meta'] });
  });

  it('takes a problem without a type for one of about:blank', () => {
    const problem = { envelope: null, members: { code: { at: '/type', isOptional: true, form: 'uri' } } };
    expect(envelopeOf(exchangeWith({ status: 404, body: { status: 404 } }), problem)?.code).toBe('about:blank');
  });

  it('is null where the envelope holds no list of errors', () => {
    const listed = at({ code: '/errors/*/code' }, { envelope: '/errors' });
    expect(envelopeOf(exchangeWith({ status: 404, body: { errors: {} } }), listed)).toBeNull();
  });
});

it('finds what stands at a place, each item of its lists, and tells where nothing does', () => {
  const body = { a: [{ b: 1 }, {}], 'c/d': 2, e: [] };
  expect(placedAt(body, '/a/*/b')).toEqual([
    { pointer: '/a/0/b', value: 1 },
    { pointer: '/a/1/b', value: undefined },
  ]);
  expect(placedAt(body, '/c~1d')).toEqual([{ pointer: '/c~1d', value: 2 }]);
  expect(placedAt(body, '/e/*/b')).toEqual([{ pointer: '/e/b', value: undefined }]);
});

it.each([
  ['/traceId', '/traceId'],
  ['/error/code', 'error.code'],
  ['/errors/*/source/pointer', 'errors[].source.pointer'],
])('the place %s is called %s', (at, name) => {
  expect(placeName(at)).toBe(name);
});

it.each([
  ['not-found', 'not-found', true],
  ['https://api.example.com/problems/not-found', 'not-found', true],
  ['urn:problem:not-found', 'not-found', true],
  ['problem-not-found', 'not-found', false],
  ['found', 'not-found', false],
])('the code %s is the listed %s: %s', (code, listed, expected) => {
  expect(isCode(code, listed)).toBe(expected);
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
