// The way to a target, hop by hop, as `assay doctor` tells it: each is named, and the first that fails is the one to mend.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateResult, clockResult } from '../../src/cli/init/results.ts';
import { hops } from '../../src/cli/init/way-to-target.ts';
import { systemClock } from '../../src/clock/system.ts';
import type { StartedPlatform } from '../../src/platform/start.ts';
import { type Authority, type Issued, newAuthority } from './authority.ts';
import { startForwardProxy } from './forward-proxy.ts';
import { startGateway } from './gateway.ts';
import { configOf, openPlatform } from './judged.ts';

const HOST = 'shop.staging.test';
const DAY_MS = 86_400_000;

let platform: StartedPlatform;
let authority: Authority;
let server: Issued;
beforeAll(async () => {
  platform = await openPlatform();
  authority = await newAuthority('Staging CA');
  server = await authority.issue({ names: [HOST, '127.0.0.1'] });
});
afterAll(() => platform.stop());

const way = async (target: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  hops(await configOf(platform, target, env), systemClock);
const CA = { tls: { ca: '$' + '{CA}' } };

describe('the way to a target', () => {
  it('names the certificate, who signed it and until when it holds', async () => {
    await using gate = await startGateway({ to: platform.baseUrl, tls: server });
    const found = await way({ baseUrl: gate.baseUrl, ...CA }, { CA: authority.ca });
    expect(found.map(({ subject, state }) => [subject, state])).toEqual([
      [`TLS of 127.0.0.1:${gate.port}`, 'ok'],
      [`HTTP of 127.0.0.1:${gate.port}`, 'ok'],
    ]);
    expect(found[0]?.found).toMatch(
      /^TLSv1\.3, verified: shop\.staging\.test, signed by Staging CA; valid until \d{4}-\d\d-\d\d \(36[45] days\)$/,
    );
    expect(found[1]?.found).toBe('HTTP/1.1');
  });

  it('tells that HTTP/2 is spoken, too', async () => {
    const tls = { ...server, ALPNProtocols: ['h2', 'http/1.1'] };
    await using gate = await startGateway({ to: platform.baseUrl, tls });
    const found = await way({ baseUrl: gate.baseUrl, ...CA }, { CA: authority.ca });
    expect(found.at(-1)?.found).toBe('HTTP/1.1, which Assay sends, and HTTP/2');
  });

  it('ends at a certificate that is not trusted, and says what to do', async () => {
    await using gate = await startGateway({ to: platform.baseUrl, tls: server });
    const found = await way({ baseUrl: gate.baseUrl });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ state: 'fail', isOnTheWay: true });
    expect(found[0]?.found).toMatch(
      /is signed by an authority that is not trusted here: name that authority in target\.tls\.ca/,
    );
  });

  it('leads through the proxy, whose name alone is looked up, and never shows its password', async () => {
    await using gate = await startGateway({ to: platform.baseUrl, tls: server });
    await using proxy = await startForwardProxy({ credentials: 'assay:open-sesame' });
    const env = { CA: authority.ca, HTTPS_PROXY: `http://assay:open-sesame@localhost:${proxy.port}` };
    const found = await way({ baseUrl: `https://${HOST}:${gate.port}`, ...CA }, env);
    expect(found.map(({ subject }) => subject)).toEqual([
      'name localhost',
      `proxy to ${HOST}:${gate.port}`,
      `TLS of ${HOST}:${gate.port}`,
      `HTTP of ${HOST}:${gate.port}`,
    ]);
    expect(found[1]?.found).toBe(`http://localhost:${proxy.port}`);
    expect(JSON.stringify(found)).not.toContain('open-sesame');
  });

  it('ends at a proxy that refuses', async () => {
    await using proxy = await startForwardProxy({ refuses: [HOST] });
    const found = await way({ baseUrl: `https://${HOST}` }, { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect(found.at(-1)).toMatchObject({ subject: `TLS of ${HOST}`, state: 'fail' });
    expect(found.at(-1)?.found).toMatch(/does not let shop\.staging\.test:443 through \(403\)/);
  });

  it('has no hop that could be told of an address over plain HTTP', async () => {
    expect(await way({})).toEqual([]);
  });
});

describe('a certificate', () => {
  const leaf = (endsMs: number) =>
    ({ subject: { CN: 'a\u001b[2Jb' }, valid_to: new Date(endsMs).toUTCString() }) as never;
  const told = (days: number) => certificateResult('TLS of h', leaf(days * DAY_MS + 1000), 'TLSv1.3', 0);

  it('is warned of within two weeks of its end', () => {
    expect([told(14).state, told(13).state]).toEqual(['ok', 'warn']);
    expect(told(13).advice).toBe('renew the certificate of ab on the server');
  });
});

describe('the clock of a target', () => {
  const date = 'Mon, 23 Nov 2026 10:00:00 GMT';
  const atMs = Date.parse(date);

  it('agrees as far as whole seconds and the time of the answer tell', () => {
    expect(clockResult(date, atMs + 900, atMs + 950)?.state).toBe('ok');
    expect(clockResult(date, atMs - 300, atMs + 100)?.found).toBe('that of the target agrees with this machine');
  });

  it('is told where it surely differs, and warned of beyond two seconds', () => {
    expect(clockResult(date, atMs - 1600, atMs - 1500)).toMatchObject({
      state: 'ok',
      found: 'that of the target is at least 1.5 s ahead of this machine',
    });
    expect(clockResult(date, atMs + 6000, atMs + 6050)).toMatchObject({
      state: 'warn',
      found: 'that of the target is at least 5.0 s behind this machine',
    });
  });

  it('is not told where no date is stated', () => {
    expect(clockResult(undefined, 0, 0)).toBeNull();
    expect(clockResult('soon', 0, 0)).toBeNull();
  });
});
