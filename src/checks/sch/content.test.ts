// SCH-02, SCH-03 and SCH-09: content types, empty bodies, drift.
import { describe, expect, it } from 'vitest';
import {
  type Changes,
  declaring,
  descriptionWith,
  errorExchange,
  errorObject,
  exchangeWith,
  operationWith,
  subjectOf,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { sch02 } from './sch-02.ts';
import { sch03 } from './sch-03.ts';
import { sch09 } from './sch-09.ts';

/** A subject whose operation declares these responses, under a description whose validators say what is given. */
function declared(changes: Changes, responses = [declaring('200', {})], description: Partial<Description> = {}) {
  return subjectOf(exchangeWith(changes), {
    operation: operationWith({ responses }),
    description: descriptionWith(description),
  });
}

describe('SCH-02', () => {
  const typed = (contentType: string | null, changes: Changes = {}, responses = [declaring('200', {})]) =>
    brief(
      sch02,
      declared(
        { body: {}, headers: contentType === null ? [] : [['content-type', contentType]], ...changes },
        responses,
      ),
    );

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
  ])('allows %s', (contentType) => {
    expect(typed(contentType)).toBe('holds');
  });

  it('is breached by another content type and by none', () => {
    for (const contentType of ['text/html', 'text/json', 'application/vnd.api+json']) {
      expect(typed(contentType)).toEqual(['the content type is not declared']);
    }
    expect(typed(null)).toEqual(['the content type is absent']);
    expect(typed('')).toEqual(['the content type is absent']);
  });

  it('does not apply to an empty body, an undeclared status, a response without content', () => {
    expect(typed('text/html', { body: undefined })).toBe('does not apply');
    expect(typed('text/html', { status: 201 })).toBe('does not apply');
    expect(typed('text/html', {}, [declaring('200')])).toBe('does not apply');
    expect(typed('text/html', { plan: { method: 'HEAD' } })).toBe('does not apply');
  });

  it('demands JSON of errors, declared or not, described or not', () => {
    const errorTyped = (contentType: string) =>
      brief(sch02, subjectOf(errorExchange(errorObject(), { headers: [['content-type', contentType]] })));
    expect(errorTyped('application/json')).toBe('holds');
    expect(errorTyped('application/problem+json; charset=utf-8')).toBe('holds');
    expect(errorTyped('text/plain')).toEqual(['the content type is not declared']);
    const body = { error: errorObject() };
    expect(typed('application/problem+json', { status: 404, body }, [declaring('404')])).toBe('holds');
    expect(typed('application/problem+json', { status: 405, body }, [declaring('404', {})])).toBe('holds');
  });

  it('demands of an error the type that its status is declared with, where it is', () => {
    const body = { error: errorObject() };
    expect(typed('application/problem+json', { status: 404, body }, [declaring('404', {})])).toEqual([
      'the content type is not declared',
    ]);
    expect(typed('application/json; charset=utf-8', { status: 404, body }, [declaring('404', {})])).toBe('holds');
  });

  it('leaves errors without the envelope to ERR-01', () => {
    for (const body of ['<p>', '404', { message: 'x' }, undefined]) {
      expect(typed('text/html', { status: 404, body })).toBe('does not apply');
    }
  });
});

describe('SCH-03', () => {
  const judged = (changes: Changes, responses = [declaring('200', {}), declaring('204')]) =>
    brief(sch03, declared(changes, responses));

  it('is breached by a body on a 204 or 304', () => {
    expect(judged({ status: 204, body: {} })).toEqual(['a 204 carries a body']);
    expect(judged({ status: 304, body: 'x' })).toEqual(['a 304 carries a body']);
    expect(judged({ status: 204, headers: [['content-length', '2']] })).toEqual(['a 204 carries a body']);
  });

  it('holds without one, announced for a 304 or chunked aside', () => {
    expect(judged({ status: 204 })).toBe('holds');
    expect(judged({ status: 204, headers: [['content-length', '0']] })).toBe('holds');
    expect(judged({ status: 204, headers: [['transfer-encoding', 'chunked']] })).toBe('holds');
    expect(judged({ status: 304, headers: [['content-length', '20']] })).toBe('holds');
    expect(outcome(sch03, subjectOf(exchangeWith({ status: 204 })))).toBe('holds');
  });

  it('is breached by an empty body where one is declared', () => {
    expect(judged({})).toEqual(['a declared body is empty']);
    expect(judged({ body: {} })).toBe('holds');
    expect(judged({ status: 204 }, [declaring('2XX', {})])).toBe('holds');
  });

  it('does not apply to HEAD, errors and responses that declare no body', () => {
    expect(judged({ plan: { method: 'HEAD' } })).toBe('does not apply');
    expect(judged({ status: 404 }, [declaring('404', {})])).toBe('does not apply');
    expect(judged({}, [declaring('200')])).toBe('does not apply');
    expect(judged({ response: null })).toBe('does not apply');
  });
});

describe('SCH-09', () => {
  const schema = { properties: { id: {} } };
  const drifting = (pointers: string[]): Partial<Description> => ({ undescribed: () => pointers });

  it('lists each property once, whatever item it is in', () => {
    const subject = declared(
      {
        body: [
          { id: 1, a: 1 },
          { a: 2, b: 3 },
        ],
      },
      [declaring('200', { items: schema })],
      drifting(['/0/a', '/1/a', '/1/b']),
    );
    expect(brief(sch09, subject)).toEqual(['/*/a is not described (/0/a)', '/*/b is not described (/1/b)']);
  });

  it('holds without drift', () => {
    expect(outcome(sch09, declared({ body: { id: 1 } }, [declaring('200', schema)]))).toBe('holds');
  });

  it('does not apply to schemas that describe no property, to errors and to other answers', () => {
    for (const open of [
      {},
      true,
      { type: 'object' },
      { anyOf: [{ type: 'array', items: {} }, { type: 'object' }] },
      { properties: {} },
    ]) {
      expect(outcome(sch09, declared({ body: { a: 1 } }, [declaring('200', open)], drifting(['/a'])))).toBe(
        'does not apply',
      );
    }
    expect(outcome(sch09, declared({ status: 404, body: { a: 1 } }, [declaring('404', schema)]))).toBe(
      'does not apply',
    );
    expect(outcome(sch09, declared({ body: '{' }, [declaring('200', schema)]))).toBe('does not apply');
  });

  it('looks through allOf and items for described properties', () => {
    const nested = { items: { allOf: [{}, schema] } };
    expect(outcome(sch09, declared({ body: [{}] }, [declaring('200', nested)]))).toBe('holds');
  });
});
