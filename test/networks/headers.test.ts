// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax of a configuration
// Targets that want a header of every request, live at IPv6, or have a host for each service: they are judged as without.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartedPlatform } from '../../src/platform/start.ts';
import { inTurn } from '../programme.ts';
import { startGateway } from './gateway.ts';
import { configOf, judge, openPlatform, verdictsOf } from './judged.ts';

const GATE = 'gate-Zq81mXw72LpRt5Vb';

async function hasIpv6(): Promise<boolean> {
  const server = createServer().listen(0, '::1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

const isIpv6Here = await hasIpv6();

describe('a platform', () => {
  let platform: StartedPlatform;
  let direct: readonly string[];
  beforeAll(async () => {
    platform = await openPlatform();
    direct = verdictsOf(await judge(await configOf(platform, {})));
  });
  afterAll(() => platform.stop());

  inTurn(
    () => {
      it('behind a gate that wants a secret header is judged as without the gate, and the header is nowhere', async () => {
        await using gate = await startGateway({ to: platform.baseUrl, gate: { name: 'X-Gate', value: GATE } });
        const target = { baseUrl: gate.baseUrl, headers: { 'X-Gate': '${GATE}' }, timeoutSeconds: 20 };
        const report = await judge(await configOf(platform, target, { GATE }));
        expect(gate.refused()).toBe(0);
        expect(gate.passed.length).toBeGreaterThan(20);
        expect(verdictsOf(report)).toEqual(direct);
        expect(direct[0]).toBe('pass');
        expect(JSON.stringify(report)).not.toContain(GATE.slice(5));
      });
    },
    () => {
      it('behind that gate is not judged without the header', async () => {
        await using gate = await startGateway({ to: platform.baseUrl, gate: { name: 'X-Gate', value: GATE } });
        const report = await judge(await configOf(platform, { baseUrl: gate.baseUrl }));
        expect(report.verdict).not.toBe('pass');
      });

      it('whose services have hosts of their own is called there', async () => {
        await using gate = await startGateway({ to: platform.baseUrl });
        const config = await configOf(platform, {});
        const services = config.services.map((one) => (one.name === 'admin' ? { ...one, baseUrl: gate.baseUrl } : one));
        expect(verdictsOf(await judge({ ...config, services }))).toEqual(direct);
        expect(gate.passed.some((path) => path.startsWith('/api/v1/stores'))).toBe(true);
        expect(gate.passed.some((path) => path.startsWith('/api/health'))).toBe(false);
      });
    },
    () => {
      it.skipIf(!isIpv6Here)('at an IPv6 address is judged as at another', async () => {
        await using gate = await startGateway({ to: platform.baseUrl, host: '::1' });
        const report = await judge(await configOf(platform, { baseUrl: gate.baseUrl }));
        expect(gate.baseUrl).toContain('[::1]');
        expect(verdictsOf(report)).toEqual(direct);
      });
    },
  );
});
