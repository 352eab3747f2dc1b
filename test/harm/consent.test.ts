// What is sent without consent, counted at the server: nothing that changes something, no payment, no load.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { type Ground, newGround, performAssay, reportIn } from '../interrupting.ts';
import { oneDue, shareDue } from '../programme.ts';
import { warmAssay } from '../warm/warm.ts';
import { type HarmedTarget, startTarget } from './target.ts';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];
/** Methods that may move money; what is deleted is the run's own, or not there. */
const PAYING = ['POST', 'PUT', 'PATCH'];

const warm = warmAssay();
afterAll(() => warm.end());

let ground: Ground;
let target: HarmedTarget;
beforeEach(() => {
  ground = newGround();
});
afterEach(async () => {
  await target?.stop();
  ground.remove();
});

/** A shop with pets and payments, judged as this configuration allows it; the methods and collections that were called. */
async function judged(environment: string, configuration: readonly string[]) {
  target = await startTarget({
    collections: { pets: 'gone', payments: 'gone' },
    ...{ environment, configuration, folder: ground.cwd },
  });
  const told = await performAssay(warm, ground, [
    'conform',
    '--config',
    'assay.config.yaml',
    '--out',
    'out',
    '--budget',
    '400',
  ]);
  const report: Report = reportIn(join(ground.cwd, 'out'));
  const calls = target.seen.map(({ method, url }) => `${method} ${/^\/(\w*)/.exec(url)?.[1] ?? ''}`);
  const changing = [...new Set(calls.filter((call) => !SAFE.includes(call.split(' ')[0] ?? '')))].sort();
  return { ...told, report, calls, changing };
}

// By day one of these, and two of those below: others on each day.
test.each(
  oneDue<readonly [environment: string, configuration: readonly string[]]>([
    ['production', []],
    ['staging', []],
    ['local', ['mutations: deny']],
  ]),
)('in %s with %j nothing that changes something is sent', async (environment, configuration) => {
  const { calls, changing, report, stderr } = await judged(environment, configuration);
  expect(calls.length).toBeGreaterThan(50);
  expect(changing).toEqual([]);
  expect(stderr).toContain('assay: creates nothing, as far as the description tells\n');
  expect(report.created).toMatchObject({ made: 0, left: 0 });
  const denied = report.clauses.filter(({ reasonCode }) => reasonCode === 'mutations-denied');
  expect(denied.length).toBeGreaterThan(0);
});

test.each(
  shareDue<readonly [environment: string, line: string]>(
    [
      ['staging', 'mutations: allow'],
      ['production', 'mutations: allow'],
      ['production', 'mutations: { default: allow }'],
      ['local', 'mutations: { payments: deny }'],
    ],
    2,
  ),
)('in %s with "%s" everything else is changed, and no payment is sent', async (environment, line) => {
  const { calls, changing, report } = await judged(environment, [line]);
  for (const method of PAYING) expect(changing).not.toContain(`${method} payments`);
  for (const method of ['DELETE', 'POST', 'PUT']) expect(calls).toContain(`${method} pets`);
  expect(target.isUntouched()).toBe(true);
  expect(target.left()).toEqual({ pets: [], payments: [] });
  const operation = report.operations.find(({ operation }) => operation === 'POST /payments');
  expect(operation).toMatchObject({ tested: false });
});

test('payments are sent outside local where the configuration says so', async () => {
  const { calls } = await judged('staging', ['mutations: { default: allow, payments: allow }']);
  expect(calls).toContain('POST payments');
  expect(calls).toContain('POST pets');
});

test('an operation that is called a payment, or none, counts as one', async () => {
  const { calls, changing } = await judged('staging', [
    'mutations: { default: allow, operations: { "* /payments*": ordinary, "* /pets*": payment } }',
  ]);
  for (const method of PAYING) expect(changing).not.toContain(`${method} pets`);
  expect(calls).toContain('POST payments');
});

test('load to production needs a word of its own', async () => {
  target = await startTarget({
    ...{ collections: { pets: 'gone' }, environment: 'production', folder: ground.cwd },
    configuration: ['mutations: allow'],
  });
  const { code, stderr } = await performAssay(warm, ground, [
    'load',
    'soak',
    '--config',
    'assay.config.yaml',
    '--out',
    'out',
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('--i-understand-this-is-production');
  const file = join(ground.cwd, 'assay.config.yaml');
  const config = readFileSync(file, 'utf8').replace('environment: production', 'environment: staging');
  writeFileSync(file, config.replace(target.baseUrl, 'http://shop.example.com'));
  const far = await performAssay(warm, ground, ['load', 'soak', '--config', 'assay.config.yaml', '--out', 'out']);
  expect(far.code).toBe(2);
  expect(far.stderr).toContain('load is not allowed to shop.example.com');
  expect(target.seen).toEqual([]);
});
