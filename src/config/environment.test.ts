import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkConfig } from './load.ts';

const DOCUMENT = {
  target: { baseUrl: 'http://127.0.0.1:8080', docsUrl: 'https://docs.example.com', environment: 'local' },
  keys: [{ name: 'std-1', plan: 'standard', token: 'abc' }],
  fixtures: { storeId: 'store_1', forwardId: 'fwd_1' },
  environments: {
    staging: {
      target: { baseUrl: 'https://staging.example.com' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a configuration names a variable.
      keys: [{ name: 'std-s', plan: 'standard', token: '${STAGING_TOKEN}' }],
      fixtures: { storeId: 'store_9' },
    },
    blue: { target: { baseUrl: 'https://blue.example.com' }, mutations: 'allow' },
    same: { fixtures: { storeId: 'store_2' } },
  },
};

function configOf(environment: string | null, document: unknown = DOCUMENT) {
  const env = { STAGING_TOKEN: 'from-staging' };
  return checkConfig(document, '/x/assay.config.yaml', { baseUrl: null, env, environment });
}

function problemOf(environment: string | null, document: unknown): string {
  try {
    configOf(environment, document);
  } catch (error) {
    return `${(error as Error).message} | ${(error as { hint: string }).hint}`;
  }
  return 'nothing';
}

describe('an environment', () => {
  test('is merged member by member, and lists are replaced', () => {
    const { target, keys, fixtures, env } = configOf('staging');
    expect(target).toMatchObject({ baseUrl: 'https://staging.example.com', docsUrl: 'https://docs.example.com' });
    expect(keys.map(({ name, token }) => [name, token])).toEqual([['std-s', 'from-staging']]);
    expect({ fixtures, env }).toEqual({ fixtures: { storeId: 'store_9', forwardId: 'fwd_1' }, env: 'staging' });
  });

  test('that is not chosen changes nothing, and its variables need not be set', () => {
    const config = checkConfig(DOCUMENT, '/x/assay.config.yaml', { baseUrl: null, env: {} });
    expect(config).toMatchObject({ env: null, target: { baseUrl: 'http://127.0.0.1:8080', environment: 'local' } });
  });

  test('with another address is what its name says, else staging: a local consent to mutations does not follow', () => {
    expect(configOf(null).mutations).toBe('allow');
    expect(configOf('staging')).toMatchObject({ target: { environment: 'staging' }, mutations: 'deny' });
    expect(configOf('blue')).toMatchObject({ target: { environment: 'staging' }, mutations: 'allow' });
    expect(configOf('same')).toMatchObject({ target: { environment: 'local' }, mutations: 'allow' });
  });

  test('that is not there is named with the nearest one', () => {
    expect(problemOf('stagin', DOCUMENT)).toBe(
      '--env: /x/assay.config.yaml has no environment "stagin" (did you mean "staging"?) | assay conform --env staging',
    );
  });

  test.each([
    ['staging', { staging: { taget: {} } }, 'environments.staging.taget: unknown key (did you mean "target"?)'],
    [null, { staging: { taget: {} } }, 'environments.staging.taget: unknown key (did you mean "target"?)'],
    [
      'staging',
      { staging: { target: { baseUrl: 'nowhere' } } },
      'environments.staging.target.baseUrl: expected an http',
    ],
    ['staging', { staging: { keys: [{ name: 'k' }] } }, 'environments.staging.keys[0].plan: is missing'],
    ['staging', { staging: 3 }, 'environments.staging: expected an object'],
  ])('--env %s with %j is told where it stands', (environment, environments, message) => {
    expect(problemOf(environment, { ...DOCUMENT, environments })).toContain(message);
  });

  test('may have every key of the configuration that is no code', () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'config.schema.json'), 'utf8'));
    const all = Object.keys(schema.properties);
    const code = ['$schema', 'environments', 'extend', 'checks', 'hooks', 'reporters'];
    expect(Object.keys(schema.properties.environments.additionalProperties.properties).toSorted()).toEqual(
      all.filter((key) => !code.includes(key)).toSorted(),
    );
  });

  test('with an address of its own forgets those that services have in the base', () => {
    const services = { admin: { spec: 'a.yaml', baseUrl: 'https://admin.example.com' } };
    const document = { ...DOCUMENT, services, contract: 'openapi' };
    expect(configOf('same', document).services).toMatchObject([{ baseUrl: 'https://admin.example.com' }]);
    expect(configOf('blue', document).services[0]).not.toHaveProperty('baseUrl');
  });
});
