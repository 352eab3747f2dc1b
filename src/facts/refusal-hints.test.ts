import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { hintsOf } from './refusal-hints.ts';

const told = (body: unknown, status = 422) =>
  hintsOf(exchangeWith({ status, body })).map(({ part, path, demand }) => [
    part,
    path.join('.'),
    demand.kind === 'fits' ? demand.schema : demand.kind,
  ]);

describe('a refusal tells where, and what it demands there', () => {
  it.each([
    [
      'FastAPI',
      { detail: [{ type: 'missing', loc: ['body', 'a', 0, 'name'], msg: 'Field required' }] },
      ['body', 'a.0.name', 'missing'],
    ],
    [
      'a parameter in FastAPI',
      { detail: [{ loc: ['query', 'page'], msg: 'Input should be less than 9' }] },
      ['query', 'page', { maximum: 8 }],
    ],
    [
      'what Pydantic states for programs',
      { detail: [{ loc: ['body', 'kind'], msg: 'wrong', ctx: { enum_values: ['a', 'b'] } }] },
      ['body', 'kind', { enum: ['a', 'b'] }],
    ],
    ['DRF', { name: ['This field is required.'] }, [null, 'name', 'missing']],
    ['DRF, nested', { owner: { email: ['Enter a valid email address.'] } }, [null, 'owner.email', { format: 'email' }]],
    [
      'ASP.NET',
      { title: 'One or more errors', status: 400, errors: { Name: ['The Name field is required.'] } },
      [null, 'Name', 'missing'],
    ],
    ['webargs', { errors: { json: { name: ['Missing data for required field.'] } } }, ['body', 'name', 'missing']],
    [
      'JSON Schema',
      { errors: [{ instancePath: '/a', message: "must have required property 'b'" }] },
      [null, 'a.b', 'missing'],
    ],
    [
      'what ajv states for programs',
      { errors: [{ instancePath: '/a', params: { allowedValues: ['x'] } }] },
      [null, 'a', { enum: ['x'] }],
    ],
    [
      'JSON:API',
      { errors: [{ source: { pointer: '/data/name' }, detail: 'is required' }] },
      ['body', 'name', 'missing'],
    ],
    [
      'problem details',
      { title: 'Bad', 'invalid-params': [{ name: 'age', reason: 'must be at least 1' }] },
      [null, 'age', { minimum: 1 }],
    ],
    [
      'Zod',
      { issues: [{ code: 'invalid_enum_value', path: ['k'], options: ['x', 'y'] }] },
      [null, 'k', { enum: ['x', 'y'] }],
    ],
    [
      'FastAPI, handed on as a text',
      [
        'ValueError',
        "1 validation error:\n  {'type': 'missing', 'loc': ('body', 'a', 0), 'msg': 'Field required', 'input': {}}",
      ],
      ['body', 'a.0', 'missing'],
    ],
    ['one sentence', { message: 'missing field `name` at line 1 column 2' }, [null, 'name', 'missing']],
  ])('as %s writes it', (_form, body, hint) => {
    expect(told(body)).toContainEqual(hint);
  });

  it('each once, and nothing where it is served, or says nothing', () => {
    expect(told({ message: 'Field required: name', error: 'Field required: name' })).toHaveLength(2);
    expect(told({ message: 'missing field `name`' }, 200)).toEqual([]);
    for (const body of ['', null, [], { code: 'E17', status: 400, type: 'about:blank' }, { a: { b: { c: {} } } }])
      expect(told(body)).toEqual([]);
  });
});
