// Load by the way that is longest: a proxy that wants a password, TLS under a private authority, a client certificate, a
// constant header, and tokens of a login that live for seconds. k6 gets through as the run's own client does, and the limits that it measures are those of the platform.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { systemClock } from '../../src/clock/system.ts';
import type { LoadPart } from '../../src/contract/load-part.ts';
import type { Report } from '../../src/contract/report.ts';
import { servePlatform } from '../../src/platform/http/serve.ts';
import type { StartedPlatform } from '../../src/platform/start.ts';
import { writeReports } from '../../src/reporters/files.ts';
import { runLoad } from '../../src/run/load/run-load.ts';
import { filesBelow, KNOWN } from '../leaks/artefacts.ts';
import { leaksIn } from '../leaks/search.ts';
import { OPTIONS } from '../loaded.ts';
import { reducedDocuments } from '../reduced-documents.ts';
import { k6Path, WITH_K6 } from '../support/load/k6/k6.ts';
import { newAuthority } from './authority.ts';
import { type ForwardProxy, startForwardProxy } from './forward-proxy.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { configOf } from './judged.ts';
import { type Provider, startProvider } from './provider.ts';

const HOST = 'shop.staging.test';
const GATE = 'gate-Zq81mXw72LpRt5Vb';
const PASSWORD = 'proxy-Lk20vBn61WqSd8Xc';
const LOGIN = 'login-Hy63kDn90QsWc4Fj';
/** Less than the load takes. */
const TOKEN_SECONDS = 6;

describe.skipIf(k6Path === null)(`${WITH_K6}, through a proxy and by mutual TLS`, () => {
  let platform: StartedPlatform;
  let gate: Gateway;
  let proxy: ForwardProxy;
  let provider: Provider;
  let folder: string;
  let report: Report;
  let key = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-ways-'));
    const limits = { standard: { calls: 60, seconds: 3 }, growth: { calls: 60, seconds: 3 } };
    platform = await servePlatform({ documents: await reducedDocuments(), deviations: [], limits, seed: 1, port: 0 });
    const authority = await newAuthority();
    const [server, client] = await Promise.all([
      authority.issue({ names: [HOST] }),
      authority.issue({ names: ['assay'] }),
    ]);
    key = client.key.replaceAll(/-----[^-]+-----|\s/g, '').slice(60);
    const tls = { cert: server.cert, key: server.key, ca: authority.ca, requestCert: true, rejectUnauthorized: true };
    provider = await startProvider({ clientId: 'assay', clientSecret: LOGIN, seconds: TOKEN_SECONDS });
    const own = (await configOf(platform, {})).keys.find(({ plan }) => plan === 'standard');
    const tokenFor = (token: string): string | null => (provider.isAlive(token) ? (own?.token ?? null) : null);
    gate = await startGateway({ to: platform.baseUrl, tls, gate: { name: 'X-Gate', value: GATE }, tokenFor });
    proxy = await startForwardProxy({ credentials: `assay:${PASSWORD}` });
    const env = { GATE, HTTPS_PROXY: `http://assay:${PASSWORD}@127.0.0.1:${proxy.port}` };
    const target = {
      baseUrl: `https://${HOST}:${gate.port}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a configuration names a variable.
      headers: { 'X-Gate': '${GATE}' },
      tls: { ca: authority.ca, cert: client.cert, key: client.key },
    };
    const oauth = { tokenUrl: provider.tokenUrl, clientId: 'assay', clientSecret: LOGIN };
    const keys = [{ name: 'std-1', plan: 'standard', oauth }];
    const config = await configOf(platform, target, env, { keys, load: { allow: [HOST] } });
    report = await runLoad({
      ...{ suite: 'ratelimit', config, descriptions: await loadDescriptions(config), options: OPTIONS },
      ...{ k6: k6Path, folder: join(folder, 'load'), outputs: [], clock: systemClock },
      stop: new AbortController().signal,
    });
    await writeReports(report, folder);
  });
  afterAll(async () => {
    await gate[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds the limits of the platform', () => {
    expect(report.verdict).toBe('pass');
    const rows = (report.load as LoadPart).plans.map(({ limit, windowSeconds }) => [limit, windowSeconds]);
    expect(rows).toEqual([[60, 3]]);
  });

  it('sends every request by that way', () => {
    expect(gate.refused()).toBe(0);
    expect(gate.passed.length).toBeGreaterThan(60);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:${gate.port}`]));
  });

  it('logs in again before its tokens expire', () => {
    expect(provider.given.length).toBeGreaterThan(1);
  });

  it('leaves neither header, key, password nor tokens in a file, and no file of authorities', async () => {
    const files = await filesBelow(folder);
    expect(leaksIn(files, [GATE, PASSWORD, LOGIN, key, ...provider.given], KNOWN)).toEqual([]);
    expect(files.filter(({ text }) => text.includes('BEGIN CERTIFICATE'))).toEqual([]);
  });
});
