// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax of a configuration
// Ways to a target: TLS under a private authority, client certificates, proxies, and all of it at once. A run that gets there
// is judged as without; one that does not says which hop refused it, and what to do.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveness } from '../../src/cli/init/way-to-target.ts';
import type { Config } from '../../src/config/config.ts';
import { checkConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../../src/disk/passing.ts';
import type { StartedPlatform } from '../../src/platform/start.ts';
import { leaksIn } from '../leaks/search.ts';
import { type Authority, type Issued, newAuthority } from './authority.ts';
import { startForwardProxy } from './forward-proxy.ts';
import { startGateway } from './gateway.ts';
import { configOf, judge, openPlatform, verdictsOf } from './judged.ts';

const HOST = 'shop.staging.test';
const GATE = 'gate-Zq81mXw72LpRt5Vb';
const PASSWORD = 'proxy-Lk20vBn61WqSd8Xc';

let platform: StartedPlatform;
let authority: Authority;
let server: Issued;
let client: Issued;
let local: Issued;
beforeAll(async () => {
  platform = await openPlatform();
  authority = await newAuthority();
  [server, client, local] = await Promise.all([
    authority.issue({ names: [HOST] }),
    authority.issue({ names: ['assay'] }),
    authority.issue({ names: ['127.0.0.1'] }),
  ]);
});
afterAll(() => platform.stop());

const reached = async (target: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  liveness(await configOf(platform, target, env));

let judgedDirectly: Promise<readonly string[]> | undefined;
/** The verdicts of a run that reaches the platform by its own address. */
function direct(): Promise<readonly string[]> {
  judgedDirectly ??= configOf(platform, {}).then(judge).then(verdictsOf);
  return judgedDirectly;
}

describe('a run by all of it at once', () => {
  it('comes to the verdicts of a direct one, and leaves no secret anywhere', async () => {
    const tls = { cert: server.cert, key: server.key, ca: authority.ca, requestCert: true, rejectUnauthorized: true };
    await using gate = await startGateway({ to: platform.baseUrl, tls, gate: { name: 'X-Gate', value: GATE } });
    await using proxy = await startForwardProxy({ credentials: `assay:${PASSWORD}` });
    const env = {
      ...{ GATE, CA: authority.ca, CERT: client.cert, KEY: client.key },
      HTTPS_PROXY: `http://assay:${PASSWORD}@127.0.0.1:${proxy.port}`,
    };
    const target = {
      baseUrl: `https://${HOST}:${gate.port}`,
      headers: { 'X-Gate': '${GATE}' },
      tls: { ca: '${CA}', cert: '${CERT}', key: '${KEY}' },
    };
    const config = await configOf(platform, target, env);
    const report = await judge(config);
    expect(verdictsOf(report)).toEqual(await direct());
    expect(gate.refused()).toBe(0);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:${gate.port}`]));
    const secrets = config.secrets.map(({ name }) => name);
    expect(secrets).toEqual(expect.arrayContaining(['header X-Gate', 'client key', 'proxy password']));
    const body = client.key.replaceAll(/-----[^-]+-----|\s/g, '').slice(60);
    expect(leaksIn([{ name: 'report', text: JSON.stringify(report) }], [GATE, PASSWORD, body])).toEqual([]);
  });
});

describe('a proxy for plain HTTP', () => {
  it('is handed whole addresses, and the run is judged as without', async () => {
    await using proxy = await startForwardProxy({ credentials: 'assay:open-sesame' });
    const { port } = new URL(platform.baseUrl);
    const env = { http_proxy: `http://assay:open-sesame@127.0.0.1:${proxy.port}` };
    const report = await judge(await configOf(platform, { baseUrl: `http://${HOST}:${port}` }, env));
    expect(verdictsOf(report)).toEqual(await direct());
    expect(proxy.tunnels).toEqual([]);
    expect(proxy.handedOver.length).toBeGreaterThan(20);
    expect(proxy.handedOver.every((address) => address.startsWith(`http://${HOST}:${port}/`))).toBe(true);
  });

  it('is never used for this machine', async () => {
    await using proxy = await startForwardProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect((await reached({}, env)).alive).toBe(true);
    expect([...proxy.handedOver, ...proxy.tunnels]).toEqual([]);
  });
});

describe('a proxy that refuses', () => {
  it.each([
    ['https', 'wants another user name and password (407)'],
    ['http', 'wants another user name and password (407)'],
  ])('a wrong password for %s is named without it', async (scheme, why) => {
    await using proxy = await startForwardProxy({ credentials: 'assay:right' });
    const way = `http://assay:${PASSWORD}@127.0.0.1:${proxy.port}`;
    const { found } = await reached({ baseUrl: `${scheme}://${HOST}` }, { HTTP_PROXY: way, HTTPS_PROXY: way });
    expect(found).toContain(`the proxy http://127.0.0.1:${proxy.port} ${why}`);
    expect(found).not.toContain(PASSWORD);
  });

  it('a host says so, and what to do', async () => {
    await using proxy = await startForwardProxy({ refuses: [HOST] });
    const { found } = await reached({ baseUrl: `https://${HOST}` }, { HTTPS_PROXY: `127.0.0.1:${proxy.port}` });
    expect(found).toContain(`does not let ${HOST}:443 through (403)`);
    expect(found).toContain('NO_PROXY');
  });

  it('every connection is named', async () => {
    const env = { HTTPS_PROXY: `http://assay:${PASSWORD}@127.0.0.1:1` };
    const { found } = await reached({ baseUrl: `https://${HOST}` }, env);
    expect(found).toContain('the proxy http://127.0.0.1:1 cannot be reached: ');
    expect(found).not.toContain(PASSWORD);
  });
});

describe('TLS', () => {
  const answer = async (
    own: Issued,
    tls: Readonly<Record<string, unknown>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<string> => {
    await using gate = await startGateway({ to: platform.baseUrl, tls: { cert: own.cert, key: own.key, ...more } });
    return (await reached({ baseUrl: gate.baseUrl, tls })).found;
  };

  it('under a private authority is refused until that is named, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const found = await answer(local);
      expect(found).toMatch(
        /the TLS certificate of 127\.0\.0\.1:\d+ is signed by an authority that is not trusted here/,
      );
      expect(found).toContain('target.tls.ca');
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    expect(await answer(local, { ca: authority.ca })).toContain('answers 200');
  });

  it('with a certificate that has expired, or is for another name, says so', async () => {
    const expired = await authority.issue({ names: ['127.0.0.1'], hasExpired: true });
    const { ca } = authority;
    expect(await answer(expired, { ca })).toMatch(/certificate of 127\.0\.0\.1:\d+ has expired: it must be renewed/);
    expect(await answer(server, { ca })).toMatch(/certificate of 127\.0\.0\.1:\d+ is for another name/);
    expect(await answer(server, { ca, serverName: HOST })).toContain('answers 200');
  });

  it('that asks for a client certificate takes one of its own authority only', async () => {
    const { ca } = authority;
    const asks = { ca, requestCert: true, rejectUnauthorized: true };
    const other = await (await newAuthority('another')).issue({ names: ['assay'] });
    expect(await answer(local, { ca }, asks)).toContain('target.tls.cert');
    expect(await answer(local, { ca, cert: other.cert, key: other.key }, asks)).toContain('does not answer');
    expect(await answer(local, { ca, cert: client.cert, key: client.key }, asks)).toContain('answers 200');
  });

  it('that is spoken to a server of plain HTTP says so', async () => {
    const { found } = await reached({ baseUrl: platform.baseUrl.replace('http:', 'https:') });
    expect(found).toContain('does not speak TLS there');
  });
});

describe('what a configuration states of TLS', () => {
  const stated = (tls: object, folder = '/nowhere'): Config =>
    checkConfig({ target: { baseUrl: 'https://a.test', tls } }, join(folder, 'assay.config.yaml'), {
      baseUrl: null,
      env: {},
    });

  it('may be files beside it', async () => {
    const { path: folder, remove } = await temporaryFolder('tls');
    try {
      await writeFile(join(folder, 'ca.pem'), authority.ca);
      await writeFile(join(folder, 'client.pem'), client.cert);
      await writeFile(join(folder, 'client.key'), client.key);
      const { target } = stated({ ca: 'ca.pem', cert: 'client.pem', key: 'client.key' }, folder);
      expect(target.tls).toEqual({ ca: authority.ca, cert: client.cert, key: client.key, serverName: null });
      expect(() => stated({ ca: 'client.key' }, folder)).toThrow('target.tls.ca: expected certificates in PEM');
    } finally {
      await remove();
    }
  });

  it('is refused where no connection could be opened with it, and never quoted', () => {
    expect(() => stated({ ca: 'ca.pem' })).toThrow('/nowhere/ca.pem does not exist');
    expect(() => stated({ cert: client.cert })).toThrow('target.tls.key: is missing');
    expect(() => stated({ cert: client.cert, key: server.key })).toThrow('the private key of the certificate in cert');
    expect(() => stated({ cert: client.cert, key: `${client.key.slice(0, 90)}` })).toThrow('target.tls.key');
    expect(() => stated({ verify: false })).toThrow('unknown key');
    expect(() => stated({ key: 'not a key at all', cert: client.cert })).not.toThrow('not a key at all');
  });
});
