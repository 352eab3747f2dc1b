// SPEC-09 and SPEC-10: the description against what the source shows.
import { describe, expect, it } from 'vitest';
import { declaring, descriptionWith, handleOf, operationWith } from '../../../test/support/checks/exchanges.ts';
import { briefOf, underBase } from '../../../test/support/checks/judging.ts';
import type { DeclaredResponse, Operation, Parameter } from '../../openapi/model/operation.ts';
import { spec09 } from './spec-09.ts';
import { spec10 } from './spec-10.ts';

const parameter = (name: string, place: Parameter['in'] = 'query', schema: unknown = {}): Parameter => {
  return { name, in: place, required: false, schema: handleOf(schema), style: 'form', explode: true, examples: [] };
};
const described = (...operations: Operation[]) => descriptionWith({ operations });

describe('SPEC-09', () => {
  it('observes sizes, statuses and lacking operations, and judges nothing', () => {
    const responses = [declaring('200'), declaring('2XX')];
    const [judged] = spec09.judge(described(operationWith({ tags: ['A'], responses })), underBase('commerce'));
    const breaches = judged?.judgement.kind === 'breached' ? judged.judgement.breaches : [];
    expect(new Set(breaches.map(({ weight }) => weight))).toEqual(new Set(['observation']));
    expect(breaches.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'the number of operations is 1; the source says 292',
        'the number of resources (tags) is 1; the source says 30',
        'the number of operations that declare 200 is 1; the source says 326',
        'the number of operations that declare 2XX is 1; the source says not stated by the source',
        'the description has no GET /api/v1/themes, which the source shows',
      ]),
    );
  });

  it('lists shown operations and statuses for Admin alone', () => {
    const [judged] = spec09.judge(descriptionWith({ service: 'ai' }), underBase('commerce'));
    expect(judged?.judgement).toMatchObject({
      breaches: [
        { actual: '0', expected: '46' },
        { actual: '0', expected: '10' },
      ],
    });
  });
});

it('SPEC-09 shows counts that agree, too', () => {
  const operations = Array.from({ length: 46 }, (_, index) => operationWith({ tags: [`T${index % 10}`] }));
  const [judged] = spec09.judge(descriptionWith({ service: 'ai', operations }), underBase('commerce'));
  expect(judged?.judgement).toMatchObject({
    kind: 'holds',
    observed: [
      { subject: 'operations', value: '46; the source says 46' },
      { subject: 'resources (tags)', value: '10; the source says 10' },
    ],
  });
});

describe('SPEC-10', () => {
  const json = (schema: unknown) => ({
    required: true,
    content: [{ mediaType: 'application/json', schema: handleOf(schema), examples: [] }],
  });
  const registering = (schema: unknown) =>
    Object.values(
      briefOf(
        spec10,
        described(
          operationWith({ method: 'POST', path: '/api/v1/auth/register', requestBody: json(schema), pointer: '/o' }),
        ),
      ),
    )[0];
  const text = { type: 'string' };
  const sound = { required: ['email', 'password'], properties: { email: text, password: text } };

  it('holds for registration with email and password, through allOf and alternatives too', () => {
    expect(registering(sound)).toBe('holds');
    expect(
      registering({
        allOf: [
          { required: ['email'], properties: { email: { format: 'email', ...text } } },
          { required: ['password'], properties: { password: { anyOf: [text, { enum: ['a'] }, { const: 'b' }] } } },
        ],
      }),
    ).toBe('holds');
    expect(registering({ ...sound, properties: { ...sound.properties, email: { type: ['string'] } } })).toBe('holds');
  });

  it('takes what each alternative describes for described, and what one lacks for lacking', () => {
    const { properties, required } = sound;
    const company = { properties: { ...properties, company: text }, required };
    expect(registering({ oneOf: [sound, company] })).toBe('holds');
    expect(registering({ required, anyOf: [{ properties }, company] })).toBe('holds');
    expect(registering({ oneOf: [sound, { properties: { email: text }, required: ['email'] }] })).toEqual([
      'the body member password is not a required string (/o/requestBody)',
    ]);
  });

  it.each([
    [{ ...sound, required: ['email'] }, 'the body member password is not a required string'],
    [{ ...sound, properties: { email: text } }, 'the body member password is not a required string'],
    [
      { ...sound, properties: { email: { type: 'integer' }, password: text } },
      'the body member email is not a required string',
    ],
    [{ ...sound, properties: { email: {}, password: text } }, 'the body member email is not a required string'],
    [
      { ...sound, properties: { email: { type: ['string', 'number'] }, password: text } },
      'the body member email is not a required string',
    ],
  ])('is breached by registration as %j', (schema, cause) => {
    expect(registering(schema)).toEqual([`${cause} (/o/requestBody)`]);
  });

  const listing = (path: string, ...parameters: Parameter[]) =>
    Object.values(briefOf(spec10, described(operationWith({ path, parameters, pointer: '/o' }))))[0];
  const notifications = '/api/v1/stores/{id}/domains/notifications';

  it('demands limit and offset as strings, whatever the path parameter is called', () => {
    expect(listing(notifications, parameter('limit', 'query', text), parameter('offset', 'query', text))).toBe('holds');
    expect(
      listing(notifications, parameter('limit', 'query', { type: 'integer' }), parameter('offset', 'query', text)),
    ).toEqual(['the query parameter limit is not a string (/o/parameters)']);
    expect(listing(notifications, parameter('limit', 'query', text))).toEqual([
      'the query parameter offset is not a string (/o/parameters)',
    ]);
  });

  it('demands limit and page as numbers or integers', () => {
    expect(
      listing(
        '/api/v1/themes',
        parameter('limit', 'query', { type: 'integer' }),
        parameter('page', 'query', { type: 'number' }),
      ),
    ).toBe('holds');
    expect(listing('/api/v1/themes', parameter('limit', 'query', text), parameter('page', 'query', {}))).toHaveLength(
      2,
    );
  });

  it('demands of a limit without a stated type that it is declared', () => {
    expect(listing('/api/v1/taxes/hs-codes', parameter('limit'))).toBe('holds');
    expect(listing('/api/v1/taxes/hs-codes')).toEqual(['the query parameter limit is not declared (/o/parameters)']);
  });

  it('demands JSON bodies', () => {
    const csv = { required: true, content: [{ mediaType: 'text/csv', schema: null, examples: [] }] };
    const responses: DeclaredResponse[] = [{ status: '200', headers: [], content: csv.content }];
    const store = (changes: Partial<Operation>) =>
      Object.values(briefOf(spec10, described(operationWith({ method: 'POST', pointer: '/o', ...changes }))))[0];
    expect(store({ requestBody: json({}) })).toBe('holds');
    expect(store({ requestBody: csv })).toEqual(['the request body is not JSON (/o/requestBody)']);
    expect(store({})).toEqual(['the request body is not JSON (/o/requestBody)']);
    expect(store({ requestBody: json({}), responses })).toEqual(['the body of 200 is not JSON (/o/responses/200)']);
    expect(store({ path: '/api/v1/auth/activity/export' })).toBeUndefined();
  });

  it('says nothing of operations that the source does not show', () => {
    expect(briefOf(spec10, described(operationWith({ path: '/api/v1/orders' })))).toEqual({});
  });
});
