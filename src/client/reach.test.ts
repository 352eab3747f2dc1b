import { describe, expect, it } from 'vitest';
import { fixture, PLAN } from '../../test/support/client/fixture.ts';
import { json, scriptedServer } from '../../test/support/client/scripted-server.ts';
import { withConstant } from './wire.ts';

const GATE = 'gate-value-9f8e7d6c';
const HEADERS = [
  { name: 'X-Gate', value: GATE, secret: 'header X-Gate' },
  { name: 'X-Tenant', value: 'blue', secret: null },
  { name: 'X-Pin', value: '4711', secret: 'header X-Pin' },
];

describe('constant headers', () => {
  it('go out with every request, and their secrets are nowhere recorded', async () => {
    await using run = await fixture((response) => json(response, 200, { seen: GATE }, { 'x-seen': GATE }), {
      headers: HEADERS,
    });
    const [exchange] = await run.send(PLAN);
    expect(run.server.seen[0]?.headers).toMatchObject({ 'x-gate': GATE, 'x-tenant': 'blue', 'x-pin': '4711' });
    expect(exchange?.request.headers).toEqual(
      expect.arrayContaining([
        ['X-Gate', '[redacted header X-Gate]'],
        ['X-Tenant', 'blue'],
        ['X-Pin', '[redacted header X-Pin]'],
      ]),
    );
    expect(JSON.stringify(exchange)).not.toContain(GATE);
  });

  it('may be given back: that echoes no credential', async () => {
    await using run = await fixture((response) => json(response, 400, { seen: GATE }), { headers: HEADERS });
    expect((await run.send(PLAN))[0]?.echoed).toEqual([]);
  });

  it('are not there twice where a request names its program itself', async () => {
    await using run = await fixture((response) => json(response, 200, {}), { headers: HEADERS });
    const [exchange] = await run.send({ ...PLAN, headers: [...PLAN.headers, ['user-agent', 'shop/1']] });
    expect(exchange?.request.headers.filter(([name]) => /^user-agent$/i.test(name))).toEqual([
      ['user-agent', 'shop/1'],
    ]);
  });

  it('leave the headers of a request alone, but name the program and go with its cookies', () => {
    const request = { method: 'GET', path: '/', query: '', body: null };
    const own = [
      ['User-Agent', 'assay'],
      ['X-Tenant', 'red'],
      ['Cookie', 'a=1'],
    ] as const;
    const constant = [
      ['user-agent', 'gate-browser'],
      ['x-tenant', 'blue'],
      ['Cookie', 'gate=open'],
      ['X-New', '1'],
    ] as const;
    expect(withConstant({ ...request, headers: own }, constant).headers).toEqual([
      ['User-Agent', 'gate-browser'],
      ['X-Tenant', 'red'],
      ['Cookie', 'gate=open; a=1'],
      ['X-New', '1'],
    ]);
  });
});

describe('a path of a description', () => {
  it.each([
    ['/acts?Action=Find', 'n=3', '/acts?Action=Find&n=3'],
    ['/acts?Action=Find', '', '/acts?Action=Find'],
    ['/targets#One', 'n=3', '/targets?n=3'],
    ['/a%3Fb', 'n=3', '/a%3Fb?n=3'],
  ])('%s goes out with the query "%s" as %s', async (path, query, expected) => {
    await using run = await fixture((response) => json(response, 200, {}));
    await run.send({ ...PLAN, path, query });
    expect(run.server.seen.map(({ url }) => url)).toEqual([expected]);
  });
});

describe('a service with an address of its own', () => {
  it('is called there, and all else at the target', async () => {
    const other = await scriptedServer((response) => json(response, 200, []));
    try {
      await using run = await fixture((response) => json(response, 200, []), {
        baseUrlOf: (service) => (service === 'shop' ? `${other.baseUrl}/shop` : run.server.baseUrl),
      });
      const [there] = await run.send({ ...PLAN, service: 'shop' });
      await run.send(PLAN);
      expect(other.seen.map(({ url }) => url)).toEqual(['/shop/api/v1/stores']);
      expect(run.server.seen.map(({ url }) => url)).toEqual(['/api/v1/stores']);
      expect(there?.request.url).toBe(`${other.baseUrl}/shop/api/v1/stores`);
    } finally {
      await other.close();
    }
  });
});
