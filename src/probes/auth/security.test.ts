import { describe, expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { MAIN_KEY, worldWith } from '../../../test/support/probes/world.ts';
import type { SecurityScheme } from '../../openapi/model/operation.ts';
import { ordinaryCredential } from '../world.ts';
import { type KnownKey, ledBy, placementsOf } from './security.ts';

const scheme = (name: string, changes: Partial<SecurityScheme>): SecurityScheme => ({
  name,
  type: 'apiKey',
  scheme: null,
  bearerFormat: null,
  in: null,
  parameter: null,
  ...changes,
});
const description = descriptionWith({
  securitySchemes: [
    scheme('header', { in: 'header', parameter: 'X-Key' }),
    scheme('query', { in: 'query', parameter: 'key' }),
    scheme('cookie', { in: 'cookie', parameter: 'sid' }),
    scheme('basic', { type: 'http', scheme: 'Basic' }),
    scheme('oauth', { type: 'oauth2' }),
  ],
});
const key = (name: string, forScheme: string | null): KnownKey => ({ ...MAIN_KEY, name, scheme: forScheme });
const placed = (security: string[][], keys: readonly KnownKey[] = [key('any', null)]) =>
  placementsOf(description, operationWith({ security }), keys).map(
    ({ in: place, name, form, key: of }) => `${place} ${name} ${form} ${of}`,
  );

describe('a credential is placed', () => {
  it.each([
    ['header', 'header X-Key plain any'],
    ['query', 'query key plain any'],
    ['cookie', 'cookie sid plain any'],
    ['basic', 'header Authorization basic any'],
    ['oauth', 'header Authorization bearer any'],
    ['not described', 'header Authorization bearer any'],
  ])('where the scheme %s has it', (name, place) => {
    expect(placed([[name]])).toEqual([place]);
  });

  it('by the first alternative for which there are keys', () => {
    expect(placed([['basic'], ['query']], [key('q', 'query')])).toEqual(['query key plain q']);
  });

  it('with the key that leads, in place of the first of its scheme', () => {
    const keys = [key('a', 'query'), key('b', 'cookie'), key('c', 'query')];
    expect(placed([['query', 'cookie']], ledBy(keys, 'c'))).toEqual(['query key plain c', 'cookie sid plain b']);
    expect(ledBy(keys, null)).toBe(keys);
  });

  it('beside all that its alternative asks for', () => {
    const keys = [key('a', 'header'), key('b', 'cookie')];
    expect(placed([['header', 'cookie']], keys)).toEqual(['header X-Key plain a', 'cookie sid plain b']);
  });

  it('on an operation that declares none, where the scheme of the first key has it, else the first of the description', () => {
    expect(placed([], [key('b', 'basic'), key('c', 'cookie')])).toEqual(['header Authorization basic ']);
    expect(placed([])).toEqual(['header X-Key plain ']);
    expect(placed([], [key('a', 'not described')])).toEqual(['header X-Key plain ']);
  });

  it('on an operation that declares none, where another one requires it, unless the key is for a scheme', () => {
    const guarded = {
      ...description,
      operations: [operationWith({ security: [[]] }), operationWith({ security: [['query']] })],
    };
    const places = (scheme: string | null) =>
      placementsOf(guarded, operationWith({ security: [] }), [key('a', scheme)]).map(({ name }) => name);
    expect([places(null), places('cookie')]).toEqual([['key'], ['sid']]);
  });
});

it('an operation is called with the key that satisfies it, or without any', () => {
  const world = worldWith({ contract: 'openapi', keys: [key('q', 'query')], mainKey: key('q', 'query') });
  const credential = (security: string[][]) => ordinaryCredential(world, operationWith({ security }));
  expect(credential([['basic'], ['query']])).toEqual({ kind: 'key', name: 'q' });
  expect(credential([['basic']])).toEqual({ kind: 'none' });
  expect(credential([[], ['query']])).toEqual({ kind: 'none' });
});
