import { describe, expect, it } from 'vitest';
import { configWith } from '../../../test/support/run/test-config.ts';
import { settingsOf } from './settings.ts';

const USUAL = configWith();
const [KEY] = USUAL.keys;

describe('settings', () => {
  it('are the same for other tokens, another address and another order', () => {
    const moved = { ...USUAL.target, baseUrl: 'http://127.0.0.1:9999' };
    const plans = { standard: { limit: 1 }, growth: { limit: 2 } };
    const turned = { growth: { limit: 2 }, standard: { limit: 1 } };
    expect(settingsOf(configWith({ target: moved, keys: [{ ...KEY!, token: 'renewed' }] }))).toBe(settingsOf(USUAL));
    expect(settingsOf(configWith({ expect: { plans, isolation: false } }))).toBe(
      settingsOf(configWith({ expect: { plans: turned, isolation: false } })),
    );
  });

  it.each([
    { mutations: 'deny' },
    { contract: 'openapi' },
    { promote: ['REQ-08'] },
    { keys: [] },
    { credentials: { locked: 'token', expired: null } },
    { fixtures: { storeId: 's' } },
    { target: { ...USUAL.target, environment: 'staging' } },
    { services: [{ name: 'admin', spec: null, basePath: null }] },
  ] as const)('are others with %o', (changes) => {
    expect(settingsOf(configWith(changes))).not.toBe(settingsOf(USUAL));
  });
});
