// ERR-09 to ERR-11: validation errors, and the catalogue of codes.
import { describe, expect, it } from 'vitest';
import {
  errorExchange,
  errorObject,
  exchangeWith,
  operationWith,
  subjectOf,
  validationError,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import type { PlannedBody } from '../../exchange/exchange.ts';
import { err09 } from './err-09.ts';
import { err10 } from './err-10.ts';
import { err11 } from './err-11.ts';
import { fieldSegments } from './field-names.ts';

const POST = { method: 'POST', body: { kind: 'json', value: { email: 1 } } } as const;
const rejected = (members: Record<string, unknown> = {}, body: PlannedBody = POST.body) =>
  subjectOf(errorExchange(validationError(members), { plan: { method: 'POST', body } }));

describe('ERR-09', () => {
  it('holds for a sound validation error and does not apply to other types', () => {
    expect(outcome(err09, rejected())).toBe('holds');
    expect(outcome(err09, subjectOf(errorExchange()))).toBe('does not apply');
  });

  it.each([
    [{ param: undefined }, 'error.param is absent (/error/param)'],
    [{ param: 3 }, 'error.param is not a non-empty string (/error/param)'],
    [{ param: '' }, 'error.param is not a non-empty string (/error/param)'],
    [{ errors: undefined }, 'error.errors is absent (/error/errors)'],
    [{ errors: [] }, 'error.errors is not a non-empty list (/error/errors)'],
    [{ errors: {} }, 'error.errors is not a non-empty list (/error/errors)'],
    [{ errors: ['email'] }, 'error.errors[] is not an object of field, code, message (/error/errors/0)'],
    [{ errors: [{ code: 'a', message: '' }] }, 'error.errors[].field is absent (/error/errors/0/field)'],
    [{ errors: [{ field: 'a', message: 'b' }] }, 'error.errors[].code is absent (/error/errors/0/code)'],
    [
      { errors: [{ field: 'a', code: 'invalidType', message: '' }] },
      'error.errors[].code is not a snake_case string (/error/errors/0/code)',
    ],
    [{ errors: [{ field: 'a', code: 'b' }] }, 'error.errors[].message is absent (/error/errors/0/message)'],
    [
      { errors: [{ field: 'a', code: 'b', message: {} }] },
      'error.errors[].message is not a string (/error/errors/0/message)',
    ],
  ])('is breached by %j', (members, cause) => {
    expect(brief(err09, rejected(members))).toEqual([cause]);
  });

  it('finds the one bad entry behind good ones', () => {
    const entry = { field: 'a', code: 'b', message: 'c' };
    expect(brief(err09, rejected({ errors: [entry, entry, { ...entry, code: 7 }] }))).toEqual([
      'error.errors[].code is not a snake_case string (/error/errors/2/code)',
    ]);
  });

  it('lets malformed JSON answer without param and errors when the code is not validation_failed', () => {
    const malformed: PlannedBody = { kind: 'raw', text: '{"email":', contentType: 'application/json' };
    const bare = { param: undefined, errors: undefined };
    expect(outcome(err09, rejected({ ...bare, code: 'malformed_json' }, malformed))).toBe('holds');
    expect(outcome(err09, rejected({ ...bare, param: null, code: 'malformed_json' }, malformed))).toBe('holds');
    expect(outcome(err09, rejected(bare, malformed))).toHaveLength(2);
    expect(outcome(err09, rejected({ ...bare, code: 'malformed_json' }))).toHaveLength(2);
    expect(outcome(err09, rejected({ errors: [], code: 'malformed_json' }, malformed))).toHaveLength(1);
    const soundText: PlannedBody = { ...malformed, text: '{}' };
    expect(outcome(err09, rejected({ ...bare, code: 'malformed_json' }, soundText))).toHaveLength(2);
  });

  it('lets a body that parsers differ on be told as malformed JSON', () => {
    const long: PlannedBody = { kind: 'raw', text: `{"email":${'9'.repeat(5000)}}`, contentType: 'application/json' };
    const told = (code: string, intent: 'hostile' | 'sound') =>
      outcome(
        err09,
        subjectOf(
          errorExchange(validationError({ param: undefined, errors: undefined, code }), {
            plan: { method: 'POST', body: long, intent },
          }),
        ),
      );
    expect(told('malformed_json', 'hostile')).toBe('holds');
    expect(told('malformed_json', 'sound')).toHaveLength(2);
    expect(told('validation_failed', 'hostile')).toHaveLength(2);
  });

  it('allows an empty name where the body as a whole offends', () => {
    const whole = { param: '', errors: [{ field: '', code: 'invalid_type', message: 'Must be an object' }] };
    expect(outcome(err09, rejected(whole, { kind: 'json', value: [] }))).toBe('holds');
    const described = operationWith({ requestBody: { required: true, content: [] } });
    const none = { ...rejected(whole, { kind: 'none' }), operation: described };
    expect(outcome(err09, none)).toBe('holds');
    expect(outcome(err09, rejected(whole))).toHaveLength(2);
  });

  it('excuses no request that has no body, and is described with none', () => {
    const bare = rejected({ param: undefined, errors: undefined, code: 'invalid_id' }, { kind: 'none' });
    expect(outcome(err09, bare)).toHaveLength(2);
    expect(outcome(err09, { ...bare, operation: operationWith({ requestBody: null }) })).toHaveLength(2);
  });

  it('reports at most ten breaches of one answer', () => {
    expect(outcome(err09, rejected({ errors: Array(1000).fill(1) }))).toHaveLength(10);
  });
});

describe('ERR-10', () => {
  const withFields = (param: string, ...fields: string[]) =>
    rejected({ param, errors: fields.map((field) => ({ field, code: 'invalid', message: '' })) });

  it.each([
    ['a', ['a']],
    ['a', ['a.b']],
    ['a', ['a[0]']],
    ['a', ['a[0].b']],
    ['a', ['/a/b']],
    ['a', ['/a/0/b']],
    ['a', ['a/0/b']],
    ['a', ['a["b"]']],
    ['a', ['b.c', 'a.c']],
    ['a/b', ['/a~1b/c']],
    ['/a', ['/a/b']],
  ])('holds for %s of %j', (param, fields) => {
    expect(outcome(err10, withFields(param, ...fields))).toBe('holds');
  });

  it.each([
    ['b', ['a.b']],
    ['a.b', ['a.b']],
    ['A', ['a']],
    ['ab', ['a']],
    ['email', ['body.email']],
    ['0', ['a[0]']],
  ])('is breached by %s of %j', (param, fields) => {
    expect(brief(err10, withFields(param, ...fields))).toEqual([
      'error.param is not the top-level field of a listed error (/error/param)',
    ]);
  });

  it('knows top-level names that hold a dot or brackets', () => {
    const error = validationError({ param: 'filter[a]', errors: [{ field: 'filter[a]', code: 'x', message: '' }] });
    expect(outcome(err10, subjectOf(errorExchange(error)))).toHaveLength(1);
    expect(outcome(err10, subjectOf(errorExchange(error, { plan: { query: 'filter[a]=1' } })))).toBe('holds');
    const parameter = {
      name: 'filter[a]',
      in: 'query',
      required: false,
      schema: null,
      style: 'form',
      explode: true,
      examples: [],
    } as const;
    const operation = operationWith({ parameters: [parameter] });
    expect(outcome(err10, subjectOf(errorExchange(error), { operation }))).toBe('holds');
  });

  it('does not apply where ERR-09 has a say', () => {
    expect(outcome(err10, rejected({ param: undefined }))).toBe('does not apply');
    expect(outcome(err10, rejected({ errors: [{ code: 'a' }] }))).toBe('does not apply');
    expect(outcome(err10, subjectOf(errorExchange(errorObject({ param: 'a' }))))).toBe('does not apply');
  });

  it('splits field paths', () => {
    expect(fieldSegments('a["b.c"][\'d\'][0].e')).toEqual(['a', 'b.c', 'd', '0', 'e']);
    expect(fieldSegments('')).toEqual([]);
  });
});

describe('ERR-11', () => {
  const coded = (members: Record<string, unknown>, status: number) =>
    brief(err11, subjectOf(errorExchange(errorObject({ status, ...members }), { status })));

  it.each([
    ['auth_token_invalid', 'authentication_error', 401],
    ['resource_not_found', 'invalid_request_error', 404],
    ['validation_failed', 'validation_error', 400],
  ])('holds for %s', (code, type, status) => {
    expect(coded({ code, type }, status)).toBe('holds');
  });

  it('is breached by another type or status', () => {
    expect(coded({ type: 'not_found_error' }, 404)).toEqual([
      'resource_not_found comes with another type (/error/type)',
    ]);
    expect(coded({}, 400)).toEqual(['resource_not_found comes with another status (/error/code)']);
    const validation = { code: 'validation_failed', type: 'validation_error' };
    expect(coded(validation, 404)).toEqual(['validation_failed comes with another status (/error/code)']);
    expect(coded(validation, 422)).toEqual(['advisory: validation_failed comes with another status (/error/code)']);
  });

  it('leaves a status that differs from the body alone to ERR-04', () => {
    const subject = (stated: number, status: number) =>
      subjectOf(errorExchange(errorObject({ status: stated }), { status }));
    expect(outcome(err11, subject(404, 400))).toBe('holds');
    expect(outcome(err11, subject(400, 404))).toBe('holds');
  });

  it('collects unlisted codes and types, and allows a listed type with another code', () => {
    expect(coded({ code: 'email_taken', type: 'conflict_error' }, 409)).toEqual([
      'observation: unlisted code email_taken (/error/code)',
      'observation: unlisted type conflict_error (/error/type)',
    ]);
    expect(coded({ code: 'token_expired', type: 'authentication_error' }, 401)).toEqual([
      'observation: unlisted code token_expired (/error/code)',
    ]);
    expect(outcome(err11, subjectOf(exchangeWith({ status: 404, body: { error: {} } })))).toBe('does not apply');
  });
});
