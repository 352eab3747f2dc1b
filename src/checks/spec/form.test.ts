// SPEC-01 to SPEC-05: a sound description, and each way to break it.
import { describe, expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { briefOf, underBase } from '../../../test/support/checks/judging.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { spec01 } from './spec-01.ts';
import { spec02 } from './spec-02.ts';
import { spec03 } from './spec-03.ts';
import { spec04 } from './spec-04.ts';
import { spec05 } from './spec-05.ts';

const described = (...operations: Operation[]) => descriptionWith({ operations });
const STORES = 'GET /api/v1/stores';

describe('SPEC-01', () => {
  it('holds without problems', () => {
    expect(briefOf(spec01, descriptionWith())).toEqual({ '': 'holds' });
  });

  it('reports every problem with file, pointer and rule', () => {
    const problem = {
      file: 'a.yaml',
      pointer: '/paths/~1x',
      rule: 'unresolved-ref',
      message: 'leads nowhere',
      line: 7,
    };
    const [judged] = spec01.judge(
      descriptionWith({ problems: [problem, { ...problem, rule: 'schema-keyword' }] }),
      underBase('commerce'),
    );
    expect(judged?.judgement).toMatchObject({
      breaches: [
        {
          cause: 'unresolved-ref',
          message: 'a.yaml:7 at /paths/~1x: leads nowhere (rule unresolved-ref)',
          pointer: '/paths/~1x',
        },
        { cause: 'schema-keyword' },
      ],
    });
  });

  it('blames no reference that was not to be followed', () => {
    const problem = { file: 'a.yaml', pointer: '/x', rule: 'unread-ref', message: 'm' };
    const [judged] = spec01.judge(descriptionWith({ problems: [problem] }), underBase('commerce'));
    expect(judged?.judgement).toMatchObject({ breaches: [{ weight: 'advisory', cause: 'unread-ref' }] });
  });

  it('takes every version that is read where the description alone is the contract', () => {
    for (const openapi of ['2.0', '3.2.0'])
      expect(briefOf(spec01, descriptionWith({ openapi }), 'openapi')).toEqual({ '': 'holds' });
    expect(briefOf(spec01, descriptionWith({ openapi: '3.2.0' }))).toEqual({ '': ['openapi-version (/openapi)'] });
  });

  it('demands version 3.0.x or 3.1.x, once', () => {
    expect(briefOf(spec01, descriptionWith({ openapi: '3.1.1' }))).toEqual({ '': 'holds' });
    expect(briefOf(spec01, descriptionWith({ openapi: '3.0' }))).toEqual({ '': ['openapi-version (/openapi)'] });
    const known = { file: 'a', pointer: '/openapi', rule: 'version', message: 'm' };
    expect(briefOf(spec01, descriptionWith({ openapi: '3.0', problems: [known] }))).toEqual({
      '': ['version (/openapi)'],
    });
  });
});

describe('SPEC-02', () => {
  it('compares both versions with the table', () => {
    expect(briefOf(spec02, descriptionWith())).toEqual({ '': 'holds' });
    expect(briefOf(spec02, descriptionWith({ service: 'store', openapi: '3.1.0', version: '0.0.0-pending' }))).toEqual({
      '': 'holds',
    });
    expect(briefOf(spec02, descriptionWith({ service: 'ai', openapi: '3.0.3' }))).toEqual({
      '': [
        'OpenAPI version differs from the Versioning table (/openapi)',
        'info.version differs from the Versioning table (/info/version)',
      ],
    });
  });

  it('cannot tell of a service that the table lacks', () => {
    expect(briefOf(spec02, descriptionWith({ service: 'billing' }))).toEqual({ '': 'cannot tell' });
  });
});

describe('SPEC-03', () => {
  const bearer = { name: 'bearer', type: 'http', scheme: 'bearer', bearerFormat: 'JWT', in: null, parameter: null };

  it('allows JWT in any case', () => {
    expect(
      briefOf(spec03, descriptionWith({ securitySchemes: [{ ...bearer, scheme: 'Bearer', bearerFormat: 'jwt' }] })),
    ).toEqual({ '': 'holds' });
  });

  it.each([
    [[], 'the security scheme bearer is absent (/components/securitySchemes)'],
    [[{ ...bearer, name: 'jwt' }], 'the security scheme bearer is absent (/components/securitySchemes)'],
    [[bearer, { ...bearer, name: 'a/b' }], 'there is a further security scheme (/components/securitySchemes/a~1b)'],
    [
      [{ ...bearer, bearerFormat: null }],
      'the security scheme bearer is not http, bearer, JWT (/components/securitySchemes/bearer)',
    ],
    [
      [{ ...bearer, bearerFormat: 'opaque' }],
      'the security scheme bearer is not http, bearer, JWT (/components/securitySchemes/bearer)',
    ],
    [
      [{ ...bearer, scheme: 'basic' }],
      'the security scheme bearer is not http, bearer, JWT (/components/securitySchemes/bearer)',
    ],
    [
      [{ ...bearer, type: 'apiKey', scheme: null }],
      'the security scheme bearer is not http, bearer, JWT (/components/securitySchemes/bearer)',
    ],
  ])('is breached by %j', (securitySchemes, cause) => {
    expect(briefOf(spec03, descriptionWith({ securitySchemes }))).toEqual({ '': [cause] });
  });
});

describe('SPEC-04', () => {
  const secured = (...security: string[][]) => briefOf(spec04, described(operationWith({ security })))[STORES];

  it('holds where bearer is required, optionally too', () => {
    expect(secured(['bearer'])).toBe('holds');
    expect(secured([], ['bearer'])).toBe('holds');
  });

  it('says nothing of public operations', () => {
    expect(secured()).toBeUndefined();
    expect(secured([])).toBeUndefined();
  });

  it('is breached by a description that nowhere speaks of security', () => {
    const pointer = '/paths/~1a/get';
    const silent = (document: unknown, path = '/api/v1/stores') =>
      briefOf(spec04, descriptionWith({ operations: [operationWith({ path, pointer })], document }))[''];
    expect(silent({ paths: { '/a': { get: {} } } })).toEqual(['the description speaks of no requirement']);
    expect(silent({ paths: { '/a': { get: { security: [] } } } })).toBeUndefined();
    expect(silent({ security: [], paths: { '/a': { get: {} } } })).toBeUndefined();
    expect(silent({ paths: { '/a': { get: {} } } }, '/api/health/live')).toBeUndefined();
  });

  it('is breached by another scheme, instead, beside or as an alternative', () => {
    const pointer = '(/paths/~1api~1v1~1stores/get)';
    expect(secured(['apiKey'])).toEqual([`the requirement bearer is absent ${pointer}`]);
    expect(secured(['bearer', 'apiKey'])).toEqual([`a scheme other than bearer is required ${pointer}`]);
    expect(secured(['bearer'], ['apiKey'])).toEqual([`a scheme other than bearer is required ${pointer}`]);
  });
});

describe('SPEC-05', () => {
  const under = (path: string) => Object.values(briefOf(spec05, described(operationWith({ path, pointer: '/p' }))))[0];

  it.each(['/api/v1/stores', '/api/v1', '/api/health/live', '/api/v1/internal/x'])('allows %s', (path) => {
    expect(under(path)).toBe('holds');
  });

  it.each(['/stores', '/api/v2/stores', '/api/v10/stores', '/api/health/ready', '/api/internal', '/v1/api/v1/stores'])(
    'is breached by %s',
    (path) => {
      expect(under(path)).toEqual(['a path is not under /api/v1 (/p)']);
    },
  );

  it('looks at every server', () => {
    const on = (...urls: string[]) => {
      const document = { servers: urls.map((url) => ({ url })), paths: { '/stores': { get: {} } } };
      const operation = operationWith({ path: '/api/v1/stores', pointer: '/paths/~1stores/get' });
      return Object.values(briefOf(spec05, descriptionWith({ operations: [operation], document })))[0];
    };
    expect(on('https://a.example/api/v1', 'https://b.example/api/v1/')).toBe('holds');
    expect(on('https://a.example/api/v1', 'https://b.example/v2')).toEqual([
      'a path is not under /api/v1 (/paths/~1stores/get)',
    ]);
  });

  it('names an internal path', () => {
    expect(under('/api/internal/taxes')).toEqual(['an internal path is described (/p)']);
  });
});
