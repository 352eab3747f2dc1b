import { describe, expect, it } from 'vitest';
import type { DeclaredResponse, Operation } from './operation.ts';
import { awaitsEvents, contentTypeOf, declaredMedia, declaredResponse, isJson } from './responses.ts';

const response = (status: string, ...types: string[]): DeclaredResponse => ({
  status,
  headers: [],
  content: types.map((mediaType) => ({ mediaType, schema: null, examples: [] })),
});

describe('the declared response', () => {
  const operation = (...statuses: string[]) =>
    ({ responses: statuses.map((status) => response(status)) }) as unknown as Operation;

  it.each([
    [404, 'default,4XX,404', '404'],
    [410, 'default,4XX,404', '4XX'],
    [500, 'default,4XX,404', 'default'],
    [500, '4XX,404', undefined],
  ])('of %d among %s is %s', (status, declared, expected) => {
    expect(declaredResponse(operation(...declared.split(',')), status)?.status).toBe(expected);
  });
});

describe('the declared media type', () => {
  it.each([
    ['application/json', 'application/json', 'application/json'],
    ['Application/JSON; charset=UTF-8', '*/*,application/*,application/json', 'application/json'],
    ['application/xml', '*/*,application/*,application/json', 'application/*'],
    ['text/html', '*/*,application/*', '*/*'],
    ['application/problem+json', 'application/json', undefined],
    ['application/problem+json', 'application/problem+json', 'application/problem+json'],
    ['application/vnd.shop.v2+json', 'application/*,application/*+json,application/json', 'application/*+json'],
    ['application/json', 'application/*+json', undefined],
    ['application/atom+xml', 'application/*+json', undefined],
    ['text/html', 'application/json', undefined],
    ['', 'application/json', undefined],
  ])('of "%s" among %s is %s', (contentType, declared, expected) => {
    expect(declaredMedia(response('200', ...declared.split(',')), contentType)?.mediaType).toBe(expected);
  });
});

describe('one media type that is declared with several parameters', () => {
  const versions = (...parameters: string[]): DeclaredResponse => ({
    ...response('200'),
    content: parameters.map((one) => ({
      mediaType: 'application/vnd.x+json',
      parameters: one,
      schema: null,
      examples: [],
    })),
  });

  it.each([
    ['application/vnd.x+json; version=2', '; version=2'],
    ['application/vnd.x+json;charset=utf-8;Version="2"', '; version=2'],
    ['application/vnd.x+json; version=2; level=a', ';version="2";level=a'],
    ['application/vnd.x+json; version=3', '; version=1'],
    ['application/vnd.x+json', '; version=1'],
    ['application/vnd.x+json; =', '; version=1'],
  ])('is for "%s" the one with %s', (contentType, expected) => {
    const declared = versions('; version=1', '; version=2', ';version="2";level=a');
    expect(declaredMedia(declared, contentType)?.parameters).toBe(expected);
  });

  it('is the one without parameters for a type that has none', () => {
    const declared = versions('; version=2', '');
    expect(declaredMedia(declared, 'application/vnd.x+json')?.parameters).toBe('');
  });
});

it('the content type is found whatever the case of its name', () => {
  expect(
    contentTypeOf([
      ['x', 'y'],
      ['Content-Type', 'a/b'],
    ]),
  ).toBe('a/b');
  expect(contentTypeOf([])).toBeNull();
});

it('JSON goes by several names', () => {
  const types = ['application/json', 'application/json;charset=utf-8', 'text/json', 'application/vnd.api+json'];
  expect(types.every(isJson)).toBe(true);
  expect(['application/jsonp', 'text/plain', ''].some(isJson)).toBe(false);
});

describe('events are awaited', () => {
  it.each([
    ['GET', [response('200', 'text/event-stream; charset=utf-8'), response('404', 'application/json')], true],
    // A chat is answered as one or the other, and a model may think for long.
    ['GET', [response('200', 'text/event-stream', 'application/json')], false],
    ['POST', [response('200', 'text/event-stream')], false],
    ['GET', [response('204')], false],
  ])('by %s of %j: %s', (method, responses, expected) => {
    expect(awaitsEvents({ method, responses })).toBe(expected);
  });
});
