// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax under test
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseUrlOf, baseUrlsOf } from './addresses.ts';
import { UsageError } from './errors.ts';
import { builtinConfig, checkConfig, loadConfig } from './load.ts';

const TARGET = { baseUrl: 'http://127.0.0.1:8080' };

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function check(document: unknown, env: Record<string, string> = {}) {
  return checkConfig(document, '/project/assay.config.yaml', { baseUrl: null, env });
}

function refused(document: unknown, env: Record<string, string> = {}): UsageError {
  try {
    check(document, env);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('clients', () => {
  test('are a list of commands, and absent are none', () => {
    const clients = [{ name: 'sdk', command: ['node', 'client.js'] }];
    expect(check({ target: TARGET, clients }).clients).toEqual([{ ...clients[0], env: {} }]);
    expect(check({ target: TARGET }).clients).toEqual([]);
  });

  test.each([
    [[{ name: 'sdk' }], 'clients[0].command: is missing'],
    [[{ name: 'sdk', command: [] }], 'clients[0].command: expected a program and its arguments'],
    [[{ name: 'sdk', command: ['x'], env: { A: 1 } }], 'clients[0].env.A: expected a text'],
  ])('%j is refused by its key', (clients, message) => {
    expect(refused({ target: TARGET, clients }).message).toContain(message);
  });
});

describe('a key that logs in', () => {
  const oauth = { tokenUrl: 'https://login.example.com/token', clientId: 'assay', clientSecret: '${SECRET}' };
  const keyed = (changes: object) => ({
    target: TARGET,
    keys: [{ name: 'a', plan: 'p', oauth: { ...oauth, ...changes } }],
  });

  test('has its settings, and its secret is one', () => {
    const { keys, secrets } = check(keyed({ scope: 'shop' }), { SECRET: 'login-secret' });
    const unset = { clientAuth: 'basic', refreshToken: null, audience: null };
    expect(keys[0]?.oauth).toEqual({ ...oauth, ...unset, scope: 'shop', clientSecret: 'login-secret' });
    expect(secrets).toEqual([{ name: 'login of key a', value: 'login-secret' }]);
  });

  test.each([
    [{ tokenUrl: 'http://login.example.com/token' }, 'keys[0].oauth.tokenUrl: expected an https URL'],
    [{ clientSecret: undefined }, 'expected at least one of clientSecret and refreshToken'],
    [{ clientAuth: 'cookie' }, 'expected one of basic, post'],
  ])('is refused with %j', (changes, message) => {
    expect(refused(JSON.parse(JSON.stringify(keyed(changes))), { SECRET: 'login-secret' }).message).toContain(message);
  });
});

describe('the way to the target', () => {
  test('has constant headers, of which those from the environment, and those named like secrets, are secrets', () => {
    const headers = { 'X-Gate': '${GATE}', 'X-Tenant': 'blue', 'X-Api-Key': 'written-there' };
    expect(check({ target: { ...TARGET, headers } }, { GATE: 'gate-value' })).toMatchObject({
      target: {
        headers: [
          { name: 'X-Gate', value: 'gate-value', secret: 'header X-Gate' },
          { name: 'X-Tenant', value: 'blue', secret: null },
          { name: 'X-Api-Key', value: 'written-there', secret: 'header X-Api-Key' },
        ],
      },
      secrets: [
        { name: 'header X-Gate', value: 'gate-value' },
        { name: 'header X-Api-Key', value: 'written-there' },
      ],
    });
  });

  test('knows the whole value and what of it comes from the environment', () => {
    const { secrets } = check({ target: { ...TARGET, headers: { 'X-Gate': 'Gate ${GATE}' } } }, { GATE: 'gate-value' });
    expect(secrets).toEqual([
      { name: 'header X-Gate', value: 'Gate gate-value' },
      { name: 'variable GATE', value: 'gate-value' },
    ]);
  });

  test.each([
    ['HOST', 'x'],
    ['Idempotency-Key', 'x'],
    ['Proxy-Authorization', 'x'],
    ['X Gate', 'x'],
  ])('refuses the header %s', (name, value) => {
    const { message } = refused({ target: { ...TARGET, headers: { [name]: value } } });
    expect(message).toContain(`target.headers.${name}: expected the name of a header`);
  });

  test('may hold a token that no description speaks of, and not under the contract of the platform', () => {
    const target = { ...TARGET, headers: { Authorization: 'Bearer ${GATE}' } };
    const { target: read } = check({ target, contract: 'openapi' }, { GATE: 'gate-value' });
    expect(read.headers).toEqual([
      { name: 'Authorization', value: 'Bearer gate-value', secret: 'header Authorization' },
    ]);
    expect(refused({ target: { ...TARGET, headers: { authorization: 'x' } } }).message).toContain(
      'tokens belong into keys',
    );
  });

  test('refuses a value that would break the header, and does not show it', () => {
    const { message } = refused({ target: { ...TARGET, headers: { 'X-Gate': 'open\nX-More: 1' } } });
    expect(message).toContain('target.headers.X-Gate: expected a text without line breaks');
    expect(message).not.toContain('open');
  });

  test('waits for answers as long as it says', () => {
    expect(check({ target: { ...TARGET, timeoutSeconds: 5 } }).target.timeoutSeconds).toBe(5);
    expect(refused({ target: { ...TARGET, timeoutSeconds: 0 } }).message).toContain('from 1 to 600');
  });

  test('gets requests that name their traces, unless it says otherwise', () => {
    expect(check({ target: TARGET }).target.trace).toBeUndefined();
    expect(check({ target: { ...TARGET, trace: 'w3c' } }).target.trace).toBeUndefined();
    expect(check({ target: { ...TARGET, trace: 'none' } }).target.trace).toBe('none');
    expect(refused({ target: { ...TARGET, trace: 'b3' } }).message).toContain('target.trace');
  });

  test.each(['https://t.example.com/trace/{traceId}', 'http://127.0.0.1:16686/search?q={traceId}'])(
    'leads to traces at %s',
    (traceUrl) => {
      expect(check({ target: TARGET, report: { traceUrl } }).traceUrl).toBe(traceUrl);
    },
  );

  test.each([
    'https://t.example.com/trace/',
    'https://{traceId}.example.com/',
    'javascript:alert("{traceId}")',
    'https://me:secret@t.example.com/{traceId}',
  ])('%s is no address of traces', (traceUrl) => {
    const { message } = refused({ target: TARGET, report: { traceUrl } });
    expect(message).toContain('report.traceUrl');
    expect(message).toContain('{traceId}');
  });

  test('leads to a host of its own for a service that has one, unless another address is asked for', () => {
    const services = { admin: { spec: 'a.yaml', baseUrl: 'http://[::1]:81/admin/' }, shop: { spec: 's.yaml' } };
    const document = { target: TARGET, services, contract: 'openapi' };
    const config = check(document);
    expect(['admin', 'shop', null].map((name) => baseUrlOf(config, name))).toEqual([
      'http://[::1]:81/admin',
      TARGET.baseUrl,
      TARGET.baseUrl,
    ]);
    expect(baseUrlsOf(config)).toEqual([TARGET.baseUrl, 'http://[::1]:81/admin']);
    const elsewhere = { baseUrl: 'http://127.0.0.1:9', env: {} };
    expect(baseUrlsOf(checkConfig(document, '/x/assay.config.yaml', elsewhere))).toEqual(['http://127.0.0.1:9']);
  });
});

describe('webhooks', () => {
  test('are read with their defaults, and the secret comes from the environment', () => {
    const bare = check({ target: TARGET, webhooks: { secret: '${HOOK}' } }, { HOOK: 'whsec_abc' });
    expect(bare.webhooks).toEqual({ secret: 'whsec_abc', header: null, form: null, trigger: null, answers: null });
    const whole = {
      ...{ secret: 's', header: 'X-Signature', form: 'hex of v0:{x-time}:{body}' },
      ...{ trigger: ['node', 'shop.js'], answers: [500, 'hang'] },
    };
    expect(check({ target: TARGET, webhooks: whole }).webhooks).toEqual({ ...whole, answers: ['500', 'hang'] });
    expect(check({ target: TARGET }).webhooks).toBeNull();
  });

  test.each([
    [{}, 'webhooks.secret: is missing'],
    [{ secret: 7 }, 'webhooks.secret: expected the subscription'],
    [{ secret: 's', form: 'octal' }, 'webhooks.form: expected hex or base64'],
    [{ secret: 's', form: 'hex of {time}' }, 'webhooks.form: expected hex or base64'],
    [{ secret: 's', header: 'X Signature' }, "webhooks.header: expected a header's name"],
    [{ secret: 's', trigger: [] }, 'webhooks.trigger: expected a program and its arguments'],
    [{ secret: 's', trigger: 'node shop.js' }, 'webhooks.trigger: expected a program and its arguments'],
    [{ secret: 's', answers: ['teapot'] }, 'webhooks.answers[0]: expected one of accept, slow, hang, 500 and 410'],
    [{ secret: 's', signature: 'x' }, 'webhooks.signature: unknown key'],
  ])('%j is refused by its key', (webhooks, message) => {
    expect(refused({ target: TARGET, webhooks }).message).toContain(message);
  });

  test('never show their secret in a message', () => {
    const { message } = refused({ target: TARGET, webhooks: { secret: 'very\nsecret' } });
    expect(message).toContain('webhooks.secret');
    expect(message).not.toContain('very');
    expect(refused({ target: TARGET, webhooks: { secret: '${HOOK}' } }).message).toContain('HOOK is not set');
  });
});

describe('a valid configuration', () => {
  test('gets its defaults, names all three services and starts relative specs at its folder', () => {
    const config = check({ target: TARGET, services: { admin: { spec: 'specs/a.yaml' }, ai: { spec: 'pending' } } });
    expect(config).toMatchObject({
      file: '/project/assay.config.yaml',
      target: { baseUrl: 'http://127.0.0.1:8080', docsUrl: null, environment: 'staging' },
      services: [
        { name: 'admin', spec: '/project/specs/a.yaml' },
        { name: 'ai', spec: null },
        { name: 'store', spec: null },
      ],
      mutations: 'deny',
      contract: 'commerce',
      credentials: { locked: null, expired: null },
      invalidTokens: null,
      gate: { minOperations: null },
    });
  });

  test.each([
    ['local', undefined, 'allow'],
    ['staging', undefined, 'deny'],
    ['production', undefined, 'deny'],
    ['production', 'allow', 'allow'],
    ['local', 'deny', 'deny'],
  ])('in a %s environment with mutations %s decides %s', (environment, mutations, decided) => {
    expect(check({ target: { ...TARGET, environment }, mutations }).mutations).toBe(decided);
  });

  test('names the invalid tokens that are sent, and refuses a name that is none', () => {
    expect(check({ target: TARGET, invalidTokens: ['basic', 'empty'] }).invalidTokens).toEqual(['basic', 'empty']);
    expect(() => check({ target: TARGET, invalidTokens: ['bassic'] })).toThrow(/invalidTokens\[0\]/);
    expect(() => check({ target: TARGET, invalidTokens: [] })).toThrow(/invalidTokens/);
  });

  test('takes ${NAME} from the environment, and drops credentials that are not set or empty', () => {
    const document = {
      target: TARGET,
      keys: [{ name: 'std-1', plan: 'standard', token: '${STD}' }],
      credentials: { locked: '${LOCKED}', expired: '${EXPIRED}' },
    };
    const config = check(document, { STD: 'secret-1', EXPIRED: '' });
    expect(config.keys[0]?.token).toBe('secret-1');
    expect(config.credentials).toEqual({ locked: null, expired: null });
  });

  test('a token may have a prefix where it is for a scheme, whose header takes it as it stands', () => {
    const key = { name: 'k', plan: 'any', token: 'Token a1' };
    const config = { target: TARGET, contract: 'openapi' };
    expect(check({ ...config, keys: [{ ...key, scheme: 'apiKey' }] }).keys[0]?.token).toBe('Token a1');
    expect(() => check({ ...config, keys: [key] })).toThrow(/keys\[0\]\.token: expected a bearer token without spaces/);
    const lines = { ...key, scheme: 'apiKey', token: 'a\nb' };
    expect(() => check({ ...config, keys: [lines] })).toThrow(/keys\[0\]\.token: expected a token without line breaks/);
    const letters = { ...key, scheme: 'basic', token: 'ana:pä ß' };
    expect(check({ ...config, keys: [letters] }).keys[0]?.token).toBe('ana:pä ß');
  });

  test.each([
    ['assay.config.yaml', 'target: { baseUrl: "http://127.0.0.1:1/" }\nfixtures: { storeId: 7 }\n'],
    ['assay.config.yml', 'target: { baseUrl: "http://127.0.0.1:1" }\nfixtures: { storeId: "7" }\n'],
    ['assay.config.json', '{\n\t"target": {"baseUrl": "http://127.0.0.1:1"},\n\t"fixtures": {"storeId": "7"}\n}'],
    [
      'assay.config.ts',
      'const port: number = 1;\nexport default { target: { baseUrl: `http://127.0.0.1:${port}` }, fixtures: { storeId: 7 } };',
    ],
  ])('is found as %s', async (name, text) => {
    const cwd = folderWith({ [name]: text });
    const config = await loadConfig({ file: null, baseUrl: null, env: {}, cwd });
    expect(config?.file).toBe(join(cwd, name));
    expect(config?.target.baseUrl).toBe('http://127.0.0.1:1');
    expect(config?.fixtures).toEqual({ storeId: '7' });
  });

  test('lets the base URL of the command line win, even where the file has none', async () => {
    const cwd = folderWith({ 'c.yaml': 'target: { environment: local }\n' });
    const config = await loadConfig({ file: 'c.yaml', baseUrl: 'http://127.0.0.1:9', env: {}, cwd });
    expect(config?.target).toEqual({ baseUrl: 'http://127.0.0.1:9', docsUrl: null, environment: 'local' });
  });

  test('is null where no file is named and none is found', async () => {
    expect(await loadConfig({ file: null, baseUrl: null, env: {}, cwd: folderWith({}) })).toBeNull();
  });
});

describe('what is wrong', () => {
  test('is reported all at once, each with its key', () => {
    const error = refused(
      {
        targt: {},
        target: { baseUrl: 'ftp://x', environment: 'prod' },
        services: { admin: {} },
        keys: [
          { name: 'a', plan: 'standard', token: '${NOT_SET}' },
          { name: 'a', plan: 'growth', token: 't', tokenCommand: ['x'] },
        ],
        promote: ['REQ-88'],
        expect: { plans: { standard: { limit: 0 } } },
      },
      {},
    );
    expect(error.code).toBe('ASSAY_CONFIG_ENV_UNSET');
    expect(error.message.split('\n')).toEqual([
      '/project/assay.config.yaml has 9 problems:',
      '  keys[0].token: the environment variable NOT_SET is not set',
      expect.stringMatching(/^ {2}targt: unknown key \(did you mean "target"\?\)/),
      expect.stringMatching(/^ {2}target\.baseUrl: expected an http or https URL .*, found "ftp:\/\/x"$/),
      '  target.environment: expected one of staging, production, local, found "prod"',
      '  services.admin.spec: is missing; expected the path or URL of an OpenAPI description, or the word pending',
      '  keys[1]: expected exactly one of token, tokenCommand and oauth',
      '  expect.plans.standard.limit: expected a number of at least 1, found 0',
      '  promote[0]: expected the id of a clause, such as REQ-08, found "REQ-88" (did you mean "REQ-08"?)',
      '  keys[1].name: expected a name of its own, found "a", the name of keys[0] too',
    ]);
  });

  test.each([
    [null, /expected the configuration of Assay: an object, found nothing/],
    [[], /found an array/],
    [{}, /target: is missing/],
    [
      { target: TARGET, services: { admin: 'specs/a.yaml' } },
      /services\.admin: expected an object such as .* found "specs\/a\.yaml"/,
    ],
    [{ target: TARGET, services: { 'a b': { spec: 'x' } } }, /services\.a b: expected a service name/],
    [{ target: { baseUrl: 'http://user:pass@host' } }, /found a URL with a user name$/],
    [{ target: { baseUrl: 'http://h/?a=1' } }, /target\.baseUrl/],
    [
      { target: TARGET, keys: [{ name: 'k', plan: 'p' }] },
      /keys\[0\]: expected exactly one of token, tokenCommand and oauth/,
    ],
    [
      { target: TARGET, gate: { minOperation: 3 } },
      /gate\.minOperation: unknown key \(did you mean "minOperations"\?\)/,
    ],
    [{ target: { baseUrl: '${9}' } }, /"\$\{9\}" does not name an environment variable/],
  ])('%j is refused', (document, message) => {
    expect(refused(document).message).toMatch(message);
  });

  test('never shows a token, wherever it was put', () => {
    const secret = 'eyJhbGciOi.very.secret';
    const documents = [
      { target: TARGET, keys: [secret] },
      { target: TARGET, keys: secret },
      { target: TARGET, keys: [{ name: 'k', plan: 'p', tokn: secret }] },
      { target: TARGET, keys: [{ name: 'k', plan: 'p', token: `${secret} two` }] },
      { target: TARGET, credentials: secret },
      { target: TARGET, credentials: { locked: `${secret}\n` } },
      { target: { baseUrl: '${SECRET}' } },
    ];
    for (const document of documents) expect(refused(document, { SECRET: secret }).message).not.toContain(secret);
  });

  test.each([
    ['c.yaml', 'target: {\n  baseUrl: "secret-token\n', /c\.yaml:\d+:\d+: /],
    ['c.json', '{"target": {"baseUrl": "x"}, "target": "secret-token"}', /c\.json:1:\d+: /],
    ['c.ts', 'throw new Error("not today")', /cannot be imported: not today/],
    ['c.ts', 'export const config = 1;', /has no default export/],
    ['c.toml', 'x = 1', /"\.toml" is no known form/],
  ])('%s that cannot be read is named, its text is not', async (name, text, message) => {
    const cwd = folderWith({ [name]: text });
    const failure = loadConfig({ file: name, baseUrl: null, env: {}, cwd });
    await expect(failure).rejects.toMatchObject({
      code: 'ASSAY_CONFIG_UNREADABLE',
      message: expect.stringMatching(message),
    });
    await expect(failure).rejects.not.toThrow(/secret-token/);
  });

  test('two configurations side by side, and a missing one, are refused', async () => {
    const cwd = folderWith({ 'assay.config.yaml': '', 'assay.config.json': '{}' });
    await expect(loadConfig({ file: null, baseUrl: null, env: {}, cwd })).rejects.toThrow(/side by side/);
    await expect(loadConfig({ file: 'no.yaml', baseUrl: null, env: {}, cwd })).rejects.toThrow(
      /no\.yaml does not exist/,
    );
  });
});

test('the built-in configuration names the shipped descriptions and the keys that the environment has', () => {
  const config = builtinConfig('http://127.0.0.1:1', { ASSAY_GROWTH: 'g', ASSAY_LOCKED: '' });
  expect(config.keys.map(({ plan, token }) => [plan, token])).toEqual([['growth', 'g']]);
  expect(config.services.map(({ spec }) => spec)).toEqual([
    expect.stringMatching(/specs\/admin\.openapi\.yaml$/),
    expect.stringMatching(/specs\/store\.openapi\.yaml$/),
    expect.stringMatching(/specs\/ai\.openapi\.yaml$/),
  ]);
  expect(config).toMatchObject({ file: null, mutations: 'deny', credentials: { locked: null } });
});
