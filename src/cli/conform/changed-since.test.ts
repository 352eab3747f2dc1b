// `--changed-since` in a repository of its own: what is judged, what is refused, and that nothing changed is no pass.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../../test/root.ts';
import { SHOP_TOKEN, type Shop, startShop } from '../../../test/shop-server.ts';
import { UsageError } from '../../config/errors.ts';
import type { Report } from '../../contract/report.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-since-test-'));
const spec = join(folder, 'specs', 'shop.yaml');
const TEXT = readFileSync(join(ROOT, 'examples', 'extending', 'shop.openapi.yaml'), 'utf8');
const READ = 'GET /things/{thingId}';
let shop: Shop;

function git(...args: readonly string[]): void {
  execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { stdio: 'pipe' });
}

beforeAll(async () => {
  shop = await startShop(null);
  mkdirSync(join(folder, 'specs'));
  writeFileSync(spec, TEXT);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
});
afterAll(async () => {
  await shop.close();
  rmSync(folder, { recursive: true, force: true });
});

function judged(text: string, since = 'HEAD', file = spec, clauses: readonly string[] = []): Promise<Report> {
  writeFileSync(file, text);
  const config = {
    target: { baseUrl: shop.baseUrl, environment: 'local' as const },
    contract: 'openapi' as const,
    services: { shop: { spec: file } },
    keys: [{ name: 'shop', plan: 'any', token: SHOP_TOKEN }],
  };
  return run({ config, changedSince: since, budget: 30, clauses });
}

const keysOf = ({ operations }: Report) => operations.map(({ operation }) => operation);

describe('--changed-since', () => {
  test('judges the operations that are described otherwise, and says what narrowed it', async () => {
    const report = await judged(TEXT.replace("'404': { description: There is no such thing. }", ''));
    expect(keysOf(report)).toEqual([READ]);
    expect(report.run.filters).toMatchObject({ changedSince: ['HEAD'] });
    const idle = report.clauses.filter(
      ({ status, reasonCode }) => status === 'not-tested' && reasonCode === 'filtered',
    );
    expect(idle.map(({ reason }) => reason)).toContain('nothing that changed since HEAD exercised it');
    expect(report.operations[0]?.requests).toBeGreaterThan(0);
  });

  test('reaches what references lead to', async () => {
    const report = await judged(TEXT.replace('required: [id, name]', 'required: [id]'));
    expect(keysOf(report)).toEqual(['GET /things', READ]);
  });

  test('where nothing changed but words has no verdict, and sends nothing', async () => {
    const report = await judged(
      TEXT.replace('A small shop', 'A shop').replace('operationId: listThings', 'summary: All'),
    );
    expect([report.verdict, exitCode(report), report.counts.requests, report.counts.checks]).toEqual(['none', 3, 0, 0]);
    expect(report.run.note).toContain('no operation is described otherwise than at HEAD');
    expect(new Set(report.clauses.map(({ reasonCode }) => reasonCode))).toEqual(new Set(['filtered', 'not-declared']));
  });

  test('judges all of a description that was elsewhere', async () => {
    const report = await judged(TEXT, 'HEAD', join(folder, 'specs', 'moved.yaml'), ['SCH-01']);
    expect(keysOf(report)).toEqual(['GET /things', READ]);
  });

  test.each([
    ['an unknown revision', 'no-such-rev', spec, /git knows no revision no-such-rev/],
    ['what looks like an option', '--all', spec, /git knows no revision --all/],
    ['a folder without git', 'HEAD', join(tmpdir(), 'assay-no-git.yaml'), /lies in no git repository/],
  ])('with %s is wrong usage', async (_what, since, file, why) => {
    const refused = judged(TEXT, since, file);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(UsageError);
  });

  test('leaves the repository as it is', () => {
    const status = execFileSync('git', ['-C', folder, 'status', '--porcelain'], { encoding: 'utf8' });
    expect(status.trim().split('\n').sort()).toEqual(['?? specs/moved.yaml']);
  });
});
