import { describe, expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { MAIN_KEY } from '../../../test/support/probes/world.ts';
import type { Credential, RequestPlan } from '../../exchange/exchange.ts';
import type { Operation, SecurityScheme } from '../../openapi/model/operation.ts';
import type { KnownKey } from '../../probes/auth/security.ts';
import { placePlan } from '../../probes/requests/platform-places.ts';
import { addressed, describesTrace } from './addressing.ts';

const scheme = (name: string, parameter: string): SecurityScheme => ({
  ...{ name, type: 'apiKey', scheme: null, bearerFormat: null, in: 'header', parameter },
});
const description = descriptionWith({ securitySchemes: [scheme('app', 'X-App'), scheme('user', 'X-User')] });
const key = (name: string, of: string | null): KnownKey => ({ ...MAIN_KEY, name, scheme: of });
const KEYS = [key('app-1', 'app'), key('user-1', 'user'), key('user-2', 'user')];
const named = (name: string): Credential => ({ kind: 'key', name });

/** Where the plan with the credential has its keys: "X-User user-1". */
function placed(security: string[][], credential: Credential, keys: readonly KnownKey[] = KEYS): readonly string[] {
  const described = { operation: operationWith({ security }), description };
  const { placements = [] } = addressed(placePlan('test', '/a', credential), described, keys);
  return placements.map((one) => `${one.name} ${one.key}`);
}

describe('keys stand where the schemes of the operation have them', () => {
  it('the first of a scheme where the plan names none', () => {
    expect(placed([['app', 'user']], { kind: 'none' })).toEqual(['X-App app-1', 'X-User user-1']);
  });

  it('the one that the plan names before others of its scheme, and only there', () => {
    expect(placed([['app', 'user']], named('user-2'))).toEqual(['X-App app-1', 'X-User user-2']);
    expect(placed([['app', 'user']], named('app-1'))).toEqual(['X-App app-1', 'X-User user-1']);
  });

  it('the one that the plan names, of keys that are for no scheme in particular', () => {
    expect(placed([['app']], named('b'), [key('a', null), key('b', null)])).toEqual(['X-App b']);
  });

  it('one of another name leads nothing', () => {
    expect(placed([['user']], named('unknown'))).toEqual(['X-User user-1']);
  });

  it('what the plan says of them stands', () => {
    const own = { in: 'query', name: 'key', form: 'plain', key: 'user-2' } as const;
    const plan = { ...placePlan('test', '/a', named('user-1')), placements: [own] };
    const described = { operation: operationWith({ security: [['user']] }), description };
    expect(addressed(plan, described, KEYS).placements).toEqual([own]);
    expect(addressed(plan, null, KEYS).placements).toEqual([own]);
  });

  it('a path of no description has no place for any', () => {
    expect(addressed(placePlan('test', '/a', named('user-1')), null, KEYS).placements).toEqual([]);
  });
});

describe('the answer is asked for', () => {
  const media = (...types: readonly string[]): Pick<Operation, 'responses'> => ({
    responses: [
      {
        ...{ status: '200', description: '', headers: [], links: [] },
        content: types.map((mediaType) => ({ mediaType, schema: null, examples: [] })),
      } as unknown as Operation['responses'][number],
    ],
  });
  const asked = (types: readonly string[], headers: RequestPlan['headers'] = []) =>
    addressed(
      { ...placePlan('test', '/a', { kind: 'none' }), headers },
      { operation: operationWith(media(...types)), description },
      [],
    ).headers;

  it('as declared JSON, each kind once, and anything else after it', () => {
    expect(asked(['application/xml', 'application/json', 'application/hal+json', 'application/json'])).toEqual([
      ['Accept', 'application/json, application/hal+json, */*;q=0.5'],
    ]);
  });

  it('in no way where no JSON is declared, or the plan asks for something', () => {
    expect(asked(['text/csv'])).toEqual([]);
    expect(asked(['application/json'], [['accept', 'text/csv']])).toEqual([['accept', 'text/csv']]);
  });
});

it('a trace is an input of the operation where it describes the header, in any case', () => {
  const taking = (place: 'header' | 'query') => {
    const parameter = { name: 'TraceParent', in: place, required: false } as Operation['parameters'][number];
    return describesTrace({ operation: operationWith({ parameters: [parameter] }), description });
  };
  expect([taking('header'), taking('query'), describesTrace(null)]).toEqual([true, false, false]);
});
