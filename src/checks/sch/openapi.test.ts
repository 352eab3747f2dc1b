// Tests the SCH checks under the contract `openapi`, where no clause speaks of an envelope.
import { describe, expect, it } from 'vitest';
import {
  type Changes,
  declaring,
  descriptionWith,
  exchangeWith,
  handleOf,
  operationWith,
  subjectOf,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Breach } from '../../contract/judgement.ts';
import type { Intent } from '../../exchange/exchange.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { ExchangeCheck } from '../check.ts';
import { amid } from './declared.ts';
import { sch01 } from './sch-01.ts';
import { sch02 } from './sch-02.ts';
import { sch03 } from './sch-03.ts';
import { sch04 } from './sch-04.ts';
import { sch05, sch06, sch07, sch08 } from './sch-05-to-08-statuses.ts';

const PROBLEM = { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } };
const operation = operationWith({ responses: [declaring('200', {}), declaring('404', PROBLEM), declaring('502')] });
const said = (check: ExchangeCheck, changes: Changes, of: Operation = operation) =>
  brief(
    check,
    subjectOf(exchangeWith(changes), { operation: of, description: descriptionWith(), contract: 'openapi' }),
  );

describe("an error's body", () => {
  it('is judged by its own schema alone', async () => {
    const description = await loadFiles({
      'd.json': {
        openapi: '3.0.0',
        info: { title: 'T', version: '1' },
        paths: {
          '/a': {
            get: { responses: { 404: { description: 'x', content: { 'application/json': { schema: PROBLEM } } } } },
          },
        },
      },
    });
    const beside = { operation: description.operations[0] ?? null, description, contract: 'openapi' } as const;
    const judged = (body: unknown) => brief(sch01, subjectOf(exchangeWith({ status: 404, body }), beside));
    expect(judged({ detail: 'gone' })).toBe('holds');
    expect(judged({ error: 1 })).toEqual(['/detail breaks "required" of its schema (/detail)']);
  });

  it('is JSON where that is declared, and neither empty nor of another type', () => {
    expect(said(sch01, { status: 404, body: '<html>' })).toEqual(['the body is not valid JSON']);
    expect(said(sch02, { status: 404, headers: [['content-type', 'text/html']], body: '<html>' })).toEqual([
      'the content type is not declared',
    ]);
    expect(said(sch03, { status: 404 })).toEqual(['a declared body is empty']);
  });

  it('is free where nothing is declared', () => {
    const html: Changes = { status: 401, headers: [['content-type', 'text/html']], body: '<html>' };
    expect([sch01, sch02, sch03].map((check) => said(check, html))).toEqual(Array(3).fill('does not apply'));
  });
});

it('a success may be called error', () => {
  expect(said(sch01, { body: { error: { code: 'a', type: 'b', message: 'c', status: 200 } } })).toBe('holds');
});

describe('a status', () => {
  it('of success is declared', () => {
    expect(said(sch05, { status: 201 })).toEqual(['the status 201 is not declared']);
    expect(said(sch05, { status: 404 })).toBe('does not apply');
  });

  it('502 is no defect where it is declared, 500 always is', () => {
    const declares500 = operationWith({ responses: [declaring('500'), declaring('5XX')] });
    expect(said(sch06, { status: 502 })).toBe('holds');
    expect(said(sch06, { status: 504 })).toEqual(['a sound request is answered 504']);
    expect(said(sch06, { status: 500 }, declares500)).toEqual(['a sound request is answered 500']);
  });

  it.each([404, 405, 406, 413, 414, 415, 429, 431])('%i needs no declaration', (status) => {
    expect(said(sch08, { status })).toBe('does not apply');
  });

  it('402 or 423 is as any other error: it wants a declaration', () => {
    expect(said(sch08, { status: 423 })).toEqual(['the status 423 is not declared']);
    expect(said(sch07, { status: 200 })).toBe('holds');
  });
});

const SOUND_500 = 'sch-06.answered-500.sound';

it.each<[Intent | undefined, string, Partial<Breach>]>([
  [undefined, 'a sound request', { code: SOUND_500 }],
  ['sound', 'a sound request', { code: SOUND_500 }],
  ['invalid', 'a wrong request', { code: 'sch-06.answered-500.invalid', within: SOUND_500 }],
  ['unauthenticated', 'a wrong request', { code: 'sch-06.answered-500.invalid', within: SOUND_500 }],
  ['hostile', 'hostile input', { code: 'sch-06.answered-500.hostile', within: SOUND_500 }],
])('a 500 to what is meant to be %s is one to %s', (intent, what, kind) => {
  const exchange = exchangeWith({ status: 500, plan: intent === undefined ? {} : { intent } });
  const [breach] = outcome(sch06, subjectOf(exchange, { contract: 'openapi' }));
  expect(breach).toMatchObject({ cause: `${what} is answered 500`, ...kind });
  expect(Object.hasOwn(breach as Breach, 'within')).toBe('within' in kind);
});

it('nothing is decided by the name of a probe', () => {
  const exchange = exchangeWith({ status: 500, plan: { probe: 'hostile/body/5' } });
  const [breach] = outcome(sch06, subjectOf(exchange, { contract: 'openapi' }));
  expect(breach).toMatchObject({ code: SOUND_500 });
});

it('what is sent to hostile input is a cause of its own, within the one of ordinary input', () => {
  const html: Changes = { status: 404, headers: [['content-type', 'text/html']], plan: { intent: 'hostile' } };
  expect(said(sch02, { ...html, body: '<html>' })).toEqual(['the content type is not declared (hostile input)']);
  expect(said(sch03, html)).toEqual(['a declared body is empty (hostile input)']);
  const subject = subjectOf(exchangeWith(html), { contract: 'openapi' });
  expect(amid(subject, { code: 'sch-03.empty', cause: 'c', message: 'm' })).toMatchObject({
    code: 'sch-03.empty.hostile',
    within: 'sch-03.empty',
  });
});

describe('an empty body', () => {
  const empty = (mediaType: string, schema: unknown, type = mediaType): unknown => {
    const content = [{ mediaType, schema: handleOf(schema), examples: [] }];
    const of = operationWith({ responses: [declaring('200', undefined, { content })] });
    return said(sch03, { headers: [['content-type', type]] }, of);
  };

  it.each([
    ['text/plain', { type: 'string' }],
    ['application/octet-stream', { type: 'string', format: 'binary' }],
    ['text/csv', {}],
  ])('may be a value of %s', (mediaType, schema) => {
    expect(empty(mediaType, schema)).toBe('does not apply');
  });

  it.each([
    ['application/json', { type: 'string' }],
    ['text/plain', { type: 'string', minLength: 1 }],
    ['application/xml', {}],
  ])('is no value of %s %o', (mediaType, schema) => {
    expect(empty(mediaType, schema)).toEqual(['a declared body is empty']);
  });

  it('is no value of a type that the answer does not claim', () => {
    expect(empty('text/plain', { type: 'string' }, 'application/json')).toEqual(['a declared body is empty']);
  });
});

it('501 is the answer to a method of no description', () => {
  const beside = { operation: null, description: null, contract: 'openapi' } as const;
  expect(brief(sch06, subjectOf(exchangeWith({ status: 501 }), beside))).toBe('holds');
});

it.each(['application/*', 'application/json'])('a file of %s may be any JSON', (mediaType) => {
  const content = [{ mediaType, schema: handleOf({ type: 'string', format: 'binary' }), examples: [] }];
  const of = operationWith({ responses: [declaring('200', undefined, { content })] });
  expect(said(sch01, { body: [1, 2] }, of)).toBe('does not apply');
});

it('headers that are declared for HEAD itself are expected of it', () => {
  const count = { name: 'X-Count', required: true, schema: null };
  const responses = [declaring('200', undefined, { headers: [count] })];
  const asked = (method: string) =>
    said(sch04, { status: 200, plan: { method: 'HEAD' } }, operationWith({ method, responses }));
  expect(asked('HEAD')).toEqual(['the required header X-Count is absent']);
  expect(asked('GET')).toBe('does not apply');
});

it('an optional rate-limit header is held to its schema, on whatever path and status', () => {
  const value = { name: 'X-RateLimit-Reset', required: false, schema: handleOf({ type: 'integer' }) };
  const described = operationWith({
    path: '/api/health/live',
    responses: [declaring('401', undefined, { headers: [value] })],
  });
  const description = descriptionWith({
    validator: () => (sent) =>
      Number.isInteger(sent)
        ? []
        : [{ pointer: '', keyword: 'type', message: 'must be integer', expected: 'an integer' }],
  });
  const saidOf = (reset: string, contract: 'openapi' | 'commerce') => {
    const exchange = exchangeWith({ status: 401, headers: [['X-RateLimit-Reset', reset]] });
    return brief(sch04, subjectOf(exchange, { operation: described, description, contract }));
  };
  const date = 'Wed, 25 Nov 2026 10:00:00 GMT';
  expect(saidOf(date, 'openapi')).toEqual(['the header X-RateLimit-Reset does not validate']);
  expect(saidOf('17', 'openapi')).toBe('holds');
  expect(saidOf(date, 'commerce')).toBe('does not apply');
});
