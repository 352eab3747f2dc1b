// Checks and reporters that a configuration brings: the example as it stands, by command and by program, and what those
// come to that do wrong.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chat } from '../examples/extending/chat.ts';
import { systemClock } from '../src/clock/system.ts';
import type { Report } from '../src/contract/report.ts';
import { holds, NoVerdict, run, UsageError } from '../src/index.ts';
import { reportOwn } from '../src/reporters/own-reporter.ts';
import { inTurn } from './programme.ts';
import { ROOT } from './root.ts';
import { SHOP_TOKEN, type Shop, startShop } from './shop-server.ts';
import { sampleReport } from './support/reporters/sample-report.ts';
import { warmAssay } from './warm/warm.ts';

const EXAMPLE = join(ROOT, 'examples', 'extending');
/** Enough to call both operations, and no limits. */
const NARROW = ['--clause', 'X-CACHE-01', '--clause', 'SCH-01', '--budget', '60'];
const folder = mkdtempSync(join(tmpdir(), 'assay-extending-'));
let open: Shop;
let kept: Shop;

beforeAll(async () => {
  cpSync(EXAMPLE, folder, { recursive: true });
  open = await startShop(null);
  kept = await startShop('private');
});
afterAll(async () => {
  await Promise.all([open.close(), kept.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const warm = warmAssay();
afterAll(() => warm.end());

async function assay(...argv: readonly string[]) {
  const { PATH, SIGNING_SECRET } = process.env;
  const env = { PATH, NO_COLOR: '1', ASSAY_CACHE: 'off', ASSAY_TOKEN: SHOP_TOKEN, SIGNING_SECRET };
  const { code, out, told } = await warm.perform({ argv, cwd: folder, env });
  return { code, stdout: out, stderr: told };
}

function report(out: string): Report {
  return JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8'));
}

function rowOf({ clauses }: Report, id: string) {
  return clauses.find((row) => row.id === id);
}

/** A configuration of its own, which extends by this module. A process loads a module of one name once. */
function configured(name: string, module: string): string {
  writeFileSync(join(folder, `${name}-checks.ts`), module);
  const rest = `contract: openapi\nservices: { shop: { spec: shop.openapi.yaml } }\nextend: [./${name}-checks.ts]\n`;
  const keys = `keys: [{ name: shop, plan: any, token: ${SHOP_TOKEN} }]\n`;
  writeFileSync(
    join(folder, `${name}.yaml`),
    `target: { baseUrl: "${kept.baseUrl}", environment: local }\n${keys}${rest}`,
  );
  return join(folder, `${name}.yaml`);
}

const CHECK = `clause: 'X-01', level: 'must', text: 'It holds.'`;

describe('the example', () => {
  const config = ['--config', 'assay.config.ts'];

  test('finds what its check is for, and tells of it in every form', async () => {
    const { code, stdout, stderr } = await assay(
      'conform',
      ...config,
      '--base-url',
      open.baseUrl,
      ...NARROW,
      '--out',
      'broken',
    );
    expect(code, stderr).toBe(1);
    const found = report('broken');
    expect(rowOf(found, 'X-CACHE-01')).toMatchObject({ status: 'fail', level: 'must', operationsTested: 2 });
    expect(rowOf(found, 'X-NAMES-01')).toMatchObject({ status: 'not-tested', reasonCode: 'filtered' });
    expect(found.clauses.slice(-2).map(({ id }) => id)).toEqual(['X-CACHE-01', 'X-NAMES-01']);
    expect(stdout).toContain('X-CACHE-01 Cache-Control is not private or no-store');
    for (const file of ['index.html', 'junit.xml', 'results.sarif', 'ctrf.json', 'summary.md'])
      expect(readFileSync(join(folder, 'broken', file), 'utf8'), file).toContain('X-CACHE-01');
    // Of both operations, and of HEAD, which no description has.
    expect(readFileSync(join(folder, 'broken', 'metrics.prom'), 'utf8')).toMatch(/^assay_pass 0\n.*violations 3\n/ms);
  });

  inTurn(
    () => {
      test('shows the finding again, and what is repaired no more', async () => {
        const print = report('broken').findings.find(({ clause }) => clause === 'X-CACHE-01')?.fingerprint ?? '';
        const again = ['conform', ...config, '--replay', print, '--from', 'broken', '--quiet'];
        expect((await assay(...again, '--base-url', open.baseUrl, '--out', 'again')).code).toBe(1);
        expect((await assay(...again, '--base-url', kept.baseUrl, '--out', 'gone')).code).toBe(0);
      });

      test('passes where the clause holds, and can be waived where it does not', async () => {
        const sound = await assay('conform', ...config, '--base-url', kept.baseUrl, '--budget', '40', '--out', 'sound');
        expect(sound.code, sound.stderr).toBe(0);
        expect(rowOf(report('sound'), 'X-NAMES-01')).toMatchObject({ status: 'pass', advisories: 0 });
        const waiver = { clause: 'X-CACHE-01', operation: '*', reason: 'r', owner: 'o', expires: '2999-01-01' };
        writeFileSync(join(folder, 'waived.json'), JSON.stringify({ waivers: [waiver] }));
        const waived = [
          ...config,
          '--base-url',
          open.baseUrl,
          ...NARROW,
          '--waivers',
          'waived.json',
          '--out',
          'waived',
        ];
        expect((await assay('conform', ...waived)).code).toBe(0);
      });
    },
    () => {
      test('is joined from its shards', async () => {
        for (const shard of ['1/2', '2/2']) {
          const out = `shard-${shard[0]}`;
          await assay('conform', ...config, '--base-url', open.baseUrl, ...NARROW, '--shard', shard, '--out', out);
        }
        const { code, stdout } = await assay('report', '--merge', 'shard-1', 'shard-2', '--out', 'joined');
        expect(code).toBe(1);
        for (const told of [stdout, readFileSync(join(folder, 'joined', 'summary.md'), 'utf8')])
          expect(told).toMatch(/npx assay conform --config assay\.config\.ts .*--replay/);
        expect(rowOf(report('joined'), 'X-CACHE-01')).toMatchObject({
          status: 'fail',
          operationsTested: 2,
          text: /says/,
        });
      });

      test('is refused a certificate before anything is sent', async () => {
        const { code, stderr } = await assay('certify', ...config, '--base-url', kept.baseUrl, '--out', 'certified');
        expect(code).toBe(2);
        expect(stderr).toContain('brings the check of X-CACHE-01, the check of X-NAMES-01, the reporter metrics');
        expect(existsSync(join(folder, 'certified', 'certificate.json'))).toBe(false);
      });
    },
  );
});

describe("the example's hook around requests", () => {
  const SECRET = 'signing-secret-93c1';
  const signatures: string[] = [];
  let gate: Shop;
  beforeAll(async () => {
    gate = await startShop('private', ({ headers, method, url }) => {
      const [path, query = ''] = (url ?? '').split('?');
      const signature = createHmac('sha256', SECRET).update([method, path, query, ''].join('\n')).digest('hex');
      signatures.push(signature);
      return headers['x-signature'] === signature;
    });
    const rest = 'contract: openapi\nservices: { shop: { spec: shop.openapi.yaml } }\nextend: [./signature.ts]\n';
    const keys = `keys: [{ name: shop, plan: any, token: ${SHOP_TOKEN} }]\n`;
    writeFileSync(
      join(folder, 'signed.yaml'),
      `target: { baseUrl: "${gate.baseUrl}", environment: local }\n${keys}${rest}`,
    );
  });
  afterAll(() => gate.close());

  const conformed = async (out: string, secret?: string) => {
    vi.stubEnv('SIGNING_SECRET', secret);
    const narrow = ['--clause', 'SCH-01', '--budget', '20', '--out', out];
    const ended = await assay('conform', '--config', 'signed.yaml', ...narrow);
    vi.unstubAllEnvs();
    return ended;
  };

  test('signs every request, and no report shows a signature', async () => {
    const { code, stderr } = await conformed('signed', SECRET);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(rowOf(report('signed'), 'SCH-01')).toMatchObject({ status: 'pass', operationsTested: 2 });
    expect(report('signed').run.hooks).toEqual(['signature']);
    const written = readdirSync(join(folder, 'signed')).map((file) =>
      readFileSync(join(folder, 'signed', file), 'utf8'),
    );
    for (const secret of [SECRET, ...signatures]) expect(written.filter((one) => one.includes(secret))).toEqual([]);
    expect(written.some((one) => one.includes('Hooks around requests'))).toBe(true);
  });

  test('ends the run where it fails, which is no verdict and a sentence', async () => {
    const { code, stdout, stderr } = await conformed('unsigned');
    expect(code).toBe(3);
    expect(stdout).toMatch(/the hook signature of \.\/signature\.ts failed on .*: SIGNING_SECRET is not set/);
    expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
    expect(report('unsigned')).toMatchObject({ verdict: 'none', counts: { requests: 0 } });
    expect(rowOf(report('unsigned'), 'SCH-01')).toMatchObject({ status: 'not-tested', reasonCode: 'harness-error' });
  });
});

describe("the example's reporter for a chat", () => {
  async function told(verdict: Report['verdict'], answer: number) {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(answer).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    vi.stubEnv('CHAT_WEBHOOK', `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    const failures = await reportOwn(
      { ...sampleReport(), verdict },
      folder,
      [{ reporter: chat, file: 'chat.ts' }],
      systemClock,
    );
    vi.unstubAllEnvs();
    await new Promise((resolve) => server.close(resolve));
    return { bodies: bodies.map((body) => JSON.parse(body).text as string), failures };
  }

  test('tells of what is broken in a few lines, and of nothing that passes', async () => {
    const { bodies, failures } = await told('fail', 200);
    expect(failures).toEqual([]);
    expect(bodies).toEqual([expect.stringMatching(/: broken\n.*\n• ERR-04 error\.status differs/)]);
    expect((bodies[0] ?? '').length).toBeLessThan(1000);
    expect(await told('pass', 200)).toEqual({ bodies: [], failures: [] });
  });

  test('says where the chat did not take it', async () => {
    const { failures } = await told('none', 500);
    expect(failures).toEqual(['the reporter chat of chat.ts failed: the chat answers 500']);
  });
});

describe('a check of the user', () => {
  test.each([
    ['throws', `judge() { throw new Error('no idea'); }`, /X-01 in \.\/throws-checks\.ts failed: judge: no idea/],
    [
      'promises',
      `async judge() { throw new Error('late'); }`,
      /X-01 in \.\/promises-checks\.ts failed: judge: answers no judgement \(a promise\)/,
    ],
    ['describes', `judgeDescription() { return 1; }`, /failed: judgeDescription: answers a value of type number/],
    [
      'tires',
      `n: 0, judge() { if (this.n++ > 2) throw new Error('enough'); return { kind: 'holds', assertions: 1 }; }`,
      /failed: judge: enough/,
    ],
  ])('that %s is an error of the harness, and no pass', async (name, judge, why) => {
    const config = configured(name, `export default { checks: [{ ${CHECK}, ${judge} }] };`);
    const { code, stdout, stderr } = await assay('conform', '--config', config, '--budget', '20', '--out', name);
    expect(code, stderr).toBe(3);
    expect(stdout).toMatch(why);
    const { clauses, run: told, verdict } = report(name);
    expect(verdict).toBe('none');
    expect(told.note).toMatch(why);
    expect(clauses.at(-1)).toMatchObject({ id: 'X-01', status: 'not-tested', reasonCode: 'harness-error', checks: 0 });
    expect(readFileSync(join(folder, name, 'junit.xml'), 'utf8')).toContain('type="harness-error"');
  });

  test('that never applies is not tested', async () => {
    const config = configured('never', `export default { checks: [{ ${CHECK}, applies: () => false, judge() {} }] };`);
    const { code } = await assay('conform', '--config', config, '--budget', '20', '--out', 'never');
    expect(code).toBe(0);
    expect(rowOf(report('never'), 'X-01')).toMatchObject({
      status: 'not-tested',
      reasonCode: 'precondition',
      checks: 0,
    });
  });

  test.each([
    [
      'an id of the contract',
      `{ ${CHECK.replace('X-01', 'ERR-04')}, judge() {} }`,
      /checks\[0\]\.clause: expected an id/,
    ],
    ['no level', `{ clause: 'X-01', text: 't', judge() {} }`, /checks\[0\]\.level: expected one of must, should/],
    ['no judge', `{ ${CHECK} }`, /checks\[0\]\.judge: expected exactly one function/],
    ['two on one clause', `{ ${CHECK}, judge() {} }, { ${CHECK}, judge() {} }`, /a check on X-01 stands in .* already/],
    ['no object', `'./checks.ts'`, /checks\[0\]: expected a check: an object/],
  ])('with %s ends with exit 2', async (what, checks, why) => {
    const config = configured(what.replaceAll(' ', '-'), `export default { checks: [${checks}] };`);
    const { code, stderr } = await assay('conform', '--config', config, '--out', 'amiss');
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
    expect(existsSync(join(folder, 'amiss'))).toBe(false);
  });

  test('that is not there can be asked for in vain', async () => {
    const config = configured('asked', `export default { checks: [{ ${CHECK}, judge() {} }] };`);
    const { code, stderr } = await assay('conform', '--config', config, '--clause', 'X-02');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--clause: no check .* is on X-02 \(did you mean "X-01"/),
    ]);
  });
});

test('a module that cannot be imported ends with exit 2', async () => {
  const { code, stderr } = await assay('conform', '--config', configured('odd', `throw new Error('not today');`));
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/extend: \.\/odd-checks\.ts cannot be imported: not today/),
  ]);
});

test.each([
  ['throws', `throw new Error('no room');`, /the reporter mine of .* failed: no room/],
  ['leaves', `return { '../x.txt': '' };`, /failed: \.\.\/x\.txt lies outside/],
  ['replaces', `return { 'report.json': '{}' };`, /failed: report\.json is a name that Assay writes itself/],
])('a reporter that %s costs no other report, and ends with exit 3', async (name, body, why) => {
  const last = `{ name: 'last', report: () => ({ 'notes/last.txt': 'told' }) }`;
  const module = `export default { reporters: [{ name: 'mine', report() { ${body} } }, ${last}] };`;
  const out = `reporter-${name}`;
  const narrow = ['--clause', 'SCH-01', '--budget', '20', '--out', out];
  const { code, stderr } = await assay('conform', '--config', configured(out, module), ...narrow);
  expect([code, stderr]).toEqual([3, expect.stringMatching(why)]);
  expect(report(out).verdict).toBe('pass');
  for (const file of ['index.html', 'junit.xml', 'results.sarif', 'notes/last.txt'])
    expect(existsSync(join(folder, out, file)), file).toBe(true);
});

describe('run', () => {
  const config = {
    target: { baseUrl: 'http://127.0.0.1:1', environment: 'local' as const },
    contract: 'openapi' as const,
    services: { shop: { spec: join(EXAMPLE, 'shop.openapi.yaml') } },
    keys: [{ name: 'shop', plan: 'any', token: SHOP_TOKEN }],
  };
  const narrow = { clauses: ['SCH-01', 'X-01'], budget: 40 };

  test('judges a target for a program, and writes nothing unless told to', async () => {
    const judge = vi.fn(() => holds());
    const checks = [{ clause: 'X-01', level: 'must' as const, text: 'It holds.', judge }];
    const found = await run({ config: { ...config, checks }, baseUrl: kept.baseUrl, ...narrow });
    expect(found.verdict).toBe('pass');
    expect(rowOf(found, 'X-01')).toMatchObject({ status: 'pass', checks: judge.mock.calls.length });
  });

  test('gives no reporter the power to change the report', async () => {
    const report = (told: Report) => {
      Object.assign(told, { verdict: 'fail' });
      return { 'verdict.txt': told.verdict };
    };
    const reporters = [{ name: 'mine', report }];
    const out = join(folder, 'by-program');
    const found = await run({ config: { ...config, reporters }, baseUrl: kept.baseUrl, clauses: ['SCH-01'], out });
    expect(found.verdict).toBe('pass');
    expect(readFileSync(join(out, 'verdict.txt'), 'utf8')).toBe('fail');
  });

  test('rejects as the command ends: UsageError, NoVerdict', async () => {
    await expect(run({ config: { ...config, keys: [] }, services: ['none'] })).rejects.toThrow(UsageError);
    const unwritable = run({ config, baseUrl: kept.baseUrl, out: join(folder, 'shop.openapi.yaml') });
    await expect(unwritable).rejects.toThrow(NoVerdict);
  });
});
