// How lists page, as the parameters of their descriptions say.
import { describe, expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { termsOfBase } from '../../../test/support/run/terms.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { Parameter } from './operation.ts';
import { pagingOf } from './paging.ts';

const INTEGER = { type: 'integer' };

function query(name: string, value: unknown = INTEGER, changes: Partial<Parameter> = {}): Parameter {
  const schema = { pointer: '', value };
  return { name, in: 'query', required: false, schema, style: 'form', explode: true, examples: [], ...changes };
}

const pagingBy = (parameters: readonly Parameter[], contract: 'openapi' | 'commerce' = 'openapi') =>
  pagingOf(
    { operation: operationWith({ method: 'GET', path: '/items', parameters }), description: descriptionWith() },
    { contract, terms: termsOfBase(contract) },
  );

/** Roles of the parameters by their names alone: "size, turner by what". */
function inWords(...parameters: readonly Parameter[]): string | null {
  const paging = pagingBy(parameters);
  const turner = paging?.turner;
  return paging && `${paging.size?.name ?? '-'}, ${turner == null ? '-' : `${turner.name} by ${turner.by}`}`;
}

describe('by a description alone', () => {
  it.each([
    [['page', 'size'], 'size, page by page'],
    [['page', 'per_page'], 'per_page, page by page'],
    [['pageNumber', 'pageSize'], 'pageSize, pageNumber by page'],
    [['page[number]', 'page[size]'], 'page[size], page[number] by page'],
    [['page[offset]', 'page[limit]'], 'page[limit], page[offset] by item'],
    [['$skip', '$top'], '$top, $skip by item'],
    [['skip', 'take'], 'take, skip by item'],
    [['startIndex', 'count'], 'count, startIndex by item'],
    [['start', 'rows'], 'rows, start by item'],
    [['offset', 'limit', 'page'], 'limit, offset by item'],
    [['page'], '-, page by page'],
    [['limit', 'cursor'], 'limit, -'],
  ])('%j is %s', (names, expected) => {
    expect(inWords(...names.map((name) => query(name)))).toBe(expected);
  });

  it('reads the members of an object that is written as several parameters', () => {
    const pageable = { type: 'object', properties: { page: { ...INTEGER, minimum: 0 }, size: INTEGER, sort: {} } };
    expect(inWords(query('pageable', pageable))).toBe('size, page by page');
    const deep = { type: 'object', properties: { number: INTEGER, size: INTEGER } };
    expect(inWords(query('page', deep, { style: 'deepObject' }))).toBe('page[size], page[number] by page');
  });

  it.each([
    ['Number of items. 0 means no limit.', ['0']],
    ['Use -1 to fetch all items', ['-1']],
    ['A limit of 10 is usual; all pages begin at 0.', []],
    ['At most 10 items, 20 without a limit', []],
    ['', []],
  ])('reads which values ask for all items: %s', (prose, values) => {
    const unlimited = (parameter: Parameter): unknown => pagingBy([parameter])?.size?.unlimited ?? [];
    expect(unlimited(query('limit', INTEGER, { prose }))).toEqual(values);
    expect(unlimited(query('limit', { ...INTEGER, description: prose }))).toEqual(values);
  });

  it('takes a usual word for a parameter of pages only where it is a number', () => {
    const text = { type: 'string' };
    expect(inWords(query('size', { enum: ['small', 'large'] }), query('from', { ...text, format: 'date' }))).toBeNull();
    expect(inWords(query('count', { type: 'boolean' }), query('start', text))).toBeNull();
    expect(inWords(query('limit', text), query('offset', text))).toBe('limit, offset by item');
    expect(inWords(query('p', { anyOf: [INTEGER, { type: 'null' }] }), query('limit'))).toBe('limit, p by page');
  });

  it.each([
    [{ default: 0, minimum: 0 }, 0, 0],
    [{ default: 1, minimum: 0 }, 1, 0],
    [{ minimum: 1 }, 1, 1],
    [{ exclusiveMinimum: 0 }, 1, 1],
    [{ minimum: 0 }, null, 0],
    [{}, null, 1],
  ])('pages of %j begin at %j, else at %j', (schema, stated, assumed) => {
    expect(pagingBy([query('page', { ...INTEGER, ...schema })])?.turner).toMatchObject({ stated, assumed });
  });

  it('is told by the query of a GET alone', () => {
    expect(inWords()).toBeNull();
    expect(inWords(query('page', INTEGER, { in: 'header' }))).toBeNull();
    const operation = operationWith({ method: 'POST', path: '/items', parameters: [query('limit')] });
    expect(
      pagingOf({ operation, description: descriptionWith() }, { contract: 'openapi', terms: NO_TERMS }),
    ).toBeNull();
  });
});

it('the contract commerce has three names, and pages from 1', () => {
  expect(pagingBy([query('page'), query('size')], 'commerce')).toBeNull();
  const paging = pagingBy([query('page', { default: 0 }), query('limit')], 'commerce');
  expect(paging).toMatchObject({ size: { name: 'limit' }, turner: { name: 'page', by: 'page', stated: 1 } });
});
