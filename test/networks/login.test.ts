// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax of a configuration
// A platform whose tokens come from a login and live for seconds: it is judged as under a token that does not age.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartedPlatform } from '../../src/platform/start.ts';
import { leaksIn } from '../leaks/search.ts';
import { startGateway } from './gateway.ts';
import { configOf, judge, openPlatform, verdictsOf } from './judged.ts';
import { startProvider } from './provider.ts';

const SECRET = 'login-Hy63kDn90QsWc4Fj';

let platform: StartedPlatform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.stop());

describe('a key that logs in', () => {
  it('is judged as one with a token, altered tokens included, and neither its secret nor its tokens are told', async () => {
    const own = await configOf(platform, {});
    const [key] = own.keys;
    const direct = verdictsOf(await judge({ ...own, keys: own.keys.slice(0, 1) }));
    await using provider = await startProvider({ clientId: 'assay', clientSecret: SECRET, seconds: 2 });
    const tokenFor = (token: string): string | null => (provider.isAlive(token) ? (key?.token ?? null) : null);
    // However fast the run is, it outlasts half of its first token's life: that is when the token is renewed.
    const oneIsHeld = async (): Promise<void> => (gate.passed.length === 20 ? sleep(1100) : undefined);
    await using gate = await startGateway({ to: platform.baseUrl, tokenFor, hold: oneIsHeld });
    const oauth = { tokenUrl: provider.tokenUrl, clientId: 'assay', clientSecret: '${SECRET}' };
    const keys = [{ name: key?.name, plan: key?.plan, oauth }];
    const report = await judge(await configOf(platform, { baseUrl: gate.baseUrl }, { SECRET }, { keys }));
    expect(verdictsOf(report)).toEqual(direct);
    expect(report.clauses.find(({ id }) => id === 'AUTH-02')?.status).toBe('pass');
    expect(provider.given.length).toBeGreaterThan(1);
    const told = [{ name: 'report', text: JSON.stringify(report) }];
    expect(leaksIn(told, [SECRET, ...provider.given])).toEqual([]);
  });

  it("that is refused ends the run with the provider's error", async () => {
    await using provider = await startProvider({ clientId: 'assay', clientSecret: SECRET, seconds: 60 });
    const oauth = { tokenUrl: provider.tokenUrl, clientId: 'assay', clientSecret: 'wrong-Np27cXe94JtUb6Ws' };
    const report = await judge(await configOf(platform, {}, {}, { keys: [{ name: 'k', plan: 'standard', oauth }] }));
    expect(report.verdict).not.toBe('pass');
    expect(report.verdict).not.toBe('fail');
    const told = JSON.stringify(report);
    expect(told).toContain('it answers 401 invalid_client');
    expect(told).not.toContain('wrong-Np27');
  });
});
