// `assay conform DESCRIPTION`: an API judged over a socket by its description alone, from one command to a configuration. What it
// tells leads back to the same target, and holds no secret.
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDescription } from '../src/cli/described/read-description.ts';
import type { UsageError } from '../src/config/errors.ts';
import type { Report } from '../src/contract/report.ts';
import { wordsOf } from './hints/case.ts';
import { type Printed, warmAssay } from './warm/warm.ts';

const TOKEN = 'tok-9f83b1c27d5e4a60';
const TENANT = 'tenant-4d1c9a7be2';

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: '/v1' }],
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Token' } } },
  paths: {
    '/things': {
      get: {
        responses: {
          200: {
            description: 'all',
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
                },
              },
            },
          },
          401: { description: 'no key' },
        },
      },
    },
  },
};

const asked: IncomingMessage[] = [];

/** Things are identified by numbers, which the description does not say. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  asked.push(request);
  const path = new URL(request.url ?? '/', 'http://here').pathname;
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (path === '/docs') response.end("<!doctype html><script>Ui({ url: '/openapi.json' })</script>");
  else if (path === '/openapi.json') json(200, DESCRIPTION);
  else if (path === '/guarded.json' && request.headers['x-tenant'] !== TENANT) json(401, {});
  else if (path === '/guarded.json') json(200, DESCRIPTION);
  else if (path === '/members.json') response.writeHead(302, { location: '/login?next=%2Fmembers.json' }).end();
  else if (path === '/moved') response.writeHead(301, { location: '/openapi.json' }).end();
  else if (path !== '/v1/things') json(404, {});
  else if (request.headers['x-token'] !== TOKEN || request.headers['x-tenant'] !== TENANT) json(401, {});
  else json(200, [{ id: 7 }]);
}

const server = createServer(serve);
const warm = warmAssay();
const folder = mkdtempSync(join(tmpdir(), 'assay-described-'));
let host = '';
const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', ASSAY_CACHE: 'off' };
const assay = (line: string, more: Readonly<Record<string, string>> = {}): Promise<Printed> =>
  warm.perform({ argv: wordsOf(line.replace(/^(npx )?assay /, '')), cwd: folder, env: { ...env, ...more } });

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(folder, 'key.txt'), `${TOKEN}\n`);
});
afterAll(async () => {
  await warm.end();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const SCOPE = '--clause SCH-01 --clause AUTH-01';

describe('one command', () => {
  let printed: Printed;
  let report: Report;
  beforeAll(async () => {
    const line = `assay conform ${host}/openapi.json --key ${TOKEN} --header "X-Tenant: ${TENANT}" --out reports/one`;
    printed = await assay(`${line} ${SCOPE}`);
    report = JSON.parse(readFileSync(join(folder, 'reports/one/report.json'), 'utf8'));
  });

  test('judges by the description alone, on the server that it names', () => {
    expect(printed.code, printed.text).toBe(1);
    expect(printed.told).toContain(`judges ${host}/v1, as its servers say, by ${host}/openapi.json; creates`);
    expect(report.target).toMatchObject({ baseUrl: `${host}/v1`, environment: 'local' });
    expect(report.findings.filter(({ kind }) => kind === 'violation').map(({ clause }) => clause)).toEqual(['SCH-01']);
    expect(report.clauses.find(({ id }) => id === 'AUTH-01')).toMatchObject({ status: 'pass' });
  });

  test('shows no secret, on the terminal or in a file', () => {
    const files = globSync('**/*.*', { cwd: join(folder, 'reports') });
    const texts = files.map((file) => readFileSync(join(folder, 'reports', file), 'latin1'));
    expect(texts.length).toBeGreaterThan(3);
    for (const text of [printed.text, ...texts])
      for (const secret of [TOKEN, TENANT]) expect(text).not.toContain(secret);
  });

  const variables = { ASSAY_KEY: TOKEN, ASSAY_HEADER_X_TENANT: TENANT };

  test('names a command that shows the finding again', async () => {
    const [line = ''] = /npx assay conform .* --replay \w+/.exec(printed.out) ?? [];
    expect(line).toContain(
      `conform ${host}/openapi.json --base-url ${host}/v1 --header 'X-Tenant: env:ASSAY_HEADER_X_TENANT' --key token=env:ASSAY_KEY`,
    );
    const replayed = await assay(line, variables);
    expect(replayed.code, replayed.text).toBe(1);
    expect((await assay(line)).told).toContain('not set in the environment: ASSAY_KEY, ASSAY_HEADER_X_TENANT');
  });

  test('goes on with an earlier run, and is compared with the last one', async () => {
    const line = `assay conform ${host}/openapi.json --key @key.txt --header "X-Tenant: env:TENANT" ${SCOPE}`;
    const resumed = await assay(`${line} --resume reports/one --out reports/two`, { TENANT });
    expect(resumed.code, resumed.text).toBe(1);
    const again = await assay(`${line} --baseline reports/one --out reports/three`, { TENANT });
    expect(again.code, again.text).toBe(0);
    const { since, run } = JSON.parse(readFileSync(join(folder, 'reports/three/report.json'), 'utf8')) as Report;
    expect(since).toMatchObject({ appeared: [], gone: [] });
    expect(run.described).toEqual({
      description: `${host}/openapi.json`,
      baseUrl: `${host}/v1`,
      headers: ['X-Tenant: env:TENANT'],
      keys: ['token=@key.txt'],
    });
  });

  test('ends with the command that makes a configuration of it, which conform takes as it is', async () => {
    const [contract = '', line = ''] = printed.out.trimEnd().split('\n').slice(-2);
    expect(contract).toContain(
      `Contract   npx assay contract init ${host}/openapi.json --base-url ${host}/v1 --header`,
    );
    expect(line).toMatch(/^Configure {2}npx assay init --description /);
    const made = await assay(line.replace('Configure  ', ''));
    expect(made.code, made.text).toBe(0);
    expect(made.told).toContain('set ASSAY_KEY and ASSAY_HEADER_X_TENANT, then');
    const judged = await assay(`assay conform ${SCOPE} --out reports/four`, variables);
    expect(judged.code, judged.text).toBe(1);
    const { findings } = JSON.parse(readFileSync(join(folder, 'reports/four/report.json'), 'utf8')) as Report;
    expect(findings.map(({ fingerprint }) => fingerprint)).toEqual(
      report.findings.map(({ fingerprint }) => fingerprint),
    );
  });
});

test('a contract is drafted by reads alone, loads as it is, and is judged by', async () => {
  asked.length = 0;
  const target = `${host}/openapi.json --key @key.txt --header "X-Tenant: ${TENANT}"`;
  const drafted = await assay(`assay contract init ${target} --out things.contract.yaml`);
  expect(drafted.code, drafted.text).toBe(0);
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
  const text = readFileSync(join(folder, 'things.contract.yaml'), 'utf8');
  expect(text).toContain('refused: { status: 401 }');
  for (const secret of [TOKEN, TENANT]) expect(text + drafted.text).not.toContain(secret);
  const shown = await assay('assay contract show --contract things.contract.yaml');
  expect(shown.out).toMatch(/^Things contract \(things\.contract\.yaml, \w{7}\)\n/);
  const judged = await assay(`assay conform ${target} --contract things.contract.yaml ${SCOPE} --out reports/stated`);
  expect(judged.code, judged.text).toBe(1);
  const { contract, run } = JSON.parse(readFileSync(join(folder, 'reports/stated/report.json'), 'utf8')) as Report;
  expect(contract).toMatchObject({ name: 'Things contract', file: 'things.contract.yaml' });
  expect(run.described?.contract).toBe('things.contract.yaml');
});

describe('the description', () => {
  test('is looked for elsewhere on its host with consent alone', async () => {
    const questions: string[] = [];
    const reading = (consent: boolean) => ({
      ...{ env, cwd: folder, shared: [] },
      confirm: (question: string) => Promise.resolve(questions.push(question) > 0 && consent),
    });
    asked.length = 0;
    await expect(readDescription(`${host}/none`, reading(false))).rejects.toThrow('the server answers 404');
    expect(questions[0]).toMatch(/404\. May Assay look for it at .*\/openapi\.json, .*\?$/);
    expect(asked.map(({ url }) => url)).toEqual(['/none']);
    const { location } = await readDescription(`${host}/none`, reading(true));
    expect(location).toBe(`${host}/openapi.json`);
    const gone = await readDescription(`${host}/moved`, reading(true)).catch((error: UsageError) => error);
    expect(gone).toMatchObject({ hint: `assay conform ${host}/openapi.json` });
    const signIn = await readDescription(`${host}/members.json`, reading(true)).catch((error: UsageError) => error);
    expect(signIn).toMatchObject({ hint: expect.stringContaining('sends the header with the description, too') });
  });

  test('is a file, too, where the target is named', async () => {
    writeFileSync(join(folder, 'things.json'), JSON.stringify(DESCRIPTION));
    const line = `assay plan things.json --base-url ${host} --key @key.txt --json`;
    const planned = await assay(line);
    expect(planned.code, planned.text).toBe(0);
  });

  test('gets the headers of its target, and no other', async () => {
    const line = `assay doctor ${host}/guarded.json --header "X-Tenant: ${TENANT}" --key @key.txt`;
    const without = await assay(line);
    expect(without.told).toContain('the server answers 401');
    asked.length = 0;
    const shared = await assay(`${line} --base-url ${host}`);
    expect(shared.text).toContain('descriptions: api (1 operation)');
    expect(asked.find(({ url }) => url === '/guarded.json')?.headers).not.toHaveProperty('x-token');
  });

  test('that is a page leads to the one that the page names', async () => {
    const page = await assay(`assay conform ${host}/docs`);
    expect(page).toMatchObject({ code: 2 });
    expect(page.told).toContain(`names ${host}/openapi.json\n  hint: assay conform ${host}/openapi.json\n`);
  });
});
