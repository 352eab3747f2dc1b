// The packed package, installed elsewhere as a stranger would, and run as users and CI run it.
// One install for all tests; its packages come from npm's cache, at the versions of the lock file.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import {
  lockedPackages,
  manifest,
  mustRun,
  type Outcome,
  pack,
  packageFolder,
  run as runIn,
  TARBALL,
} from './packed.ts';
import { ROOT } from './root.ts';
import { SHOP_TOKEN, startShop } from './shop-server.ts';

const folder = packageFolder();

function run(command: string, args: readonly string[]): Promise<Outcome> {
  return runIn(command, args, folder);
}

/** A lock file that installs the tarball with the very packages that the repository is locked to. */
function lock(): unknown {
  const dependencies = { assay: `file:${TARBALL}` };
  const { version, bin, dependencies: needed } = manifest;
  const assay = { version, bin, dependencies: needed, resolved: dependencies.assay };
  return {
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies }, ...lockedPackages(), 'node_modules/assay': assay },
  };
}

beforeAll(async () => {
  await pack(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { assay: `file:${TARBALL}` } }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock()));
  await mustRun('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder);
});

describe('the installed package', () => {
  const command = join(folder, 'node_modules', '.bin', 'assay');

  test('tells its version', async () => {
    expect(await run(command, ['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });

  test('runs the example of checks and reporters, which import it by its name', async () => {
    cpSync(join(ROOT, 'examples', 'extending'), join(folder, 'extending'), { recursive: true });
    const shop = await startShop(null);
    vi.stubEnv('ASSAY_TOKEN', SHOP_TOKEN);
    const config = join('extending', 'assay.config.ts');
    const options = ['--base-url', shop.baseUrl, '--budget', '40', '--out', 'extended', '--quiet'];
    const outcome = await run(command, ['conform', '--config', config, ...options]).finally(() => shop.close());
    vi.unstubAllEnvs();
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(1);
    const { findings } = JSON.parse(readFileSync(join(folder, 'extended', 'report.json'), 'utf8'));
    expect(findings[0]).toMatchObject({ clause: 'X-CACHE-01', kind: 'violation' });
    expect(existsSync(join(folder, 'extended', 'metrics.prom'))).toBe(true);
  });

  test('judges the embedded platform for a user without a home, as containers have them, and writes nothing into itself', async () => {
    vi.stubEnv('HOME', join(folder, 'package.json'));
    vi.stubEnv('ASSAY_CACHE', '');
    const options = ['--embedded', '--seed', '1', '--budget', '150', '--out', 'homeless', '--quiet'];
    const outcome = await run(command, ['conform', ...options]).finally(() => vi.unstubAllEnvs());
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'homeless', 'report.json'), 'utf8')).verdict).toBe('pass');
    expect(existsSync(join(folder, 'homeless', 'index.html'))).toBe(true);
    expect(globSync('node_modules/{,assay/node_modules/}.vitest*', { cwd: folder })).toEqual([]);
  });

  test('is what the step of action.yml runs, its options read as a shell reads them', async () => {
    const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
    const step = runs.steps.find(({ id }: { id?: string }) => id === 'run');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift 2\nexec '${command}' "$@"\n`, { mode: 0o755 });
    const shop = await startShop(null);
    const env = {
      ...{ PATH: `${bin}:${process.env.PATH}`, ASSAY_TOKEN: SHOP_TOKEN, ASSAY_CACHE: 'off', GITHUB_ACTIONS: 'true' },
      ...{ GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') },
      ...{ GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1', PROFILE: 'ci', BASELINE: '' },
      ...{ CONFIG: join(ROOT, 'examples', 'extending', 'assay.config.ts') },
      ARGS: `--base-url ${shop.baseUrl} --operation "GET /things" --clause X-CACHE-01 --budget 20`,
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const outcome = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run]).finally(() => {
      vi.unstubAllEnvs();
      return shop.close();
    });
    expect(outcome.code, outcome.stderr).toBe(1);
    expect(outcome.stderr).toContain('::error ');
    expect(readFileSync(join(folder, 'output'), 'utf8')).toMatch(/^report=reports\/7-1\nverdict=fail\nnew=[1-9]\d*\n$/);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toContain('FAIL');
    const { operations } = JSON.parse(readFileSync(join(folder, 'reports', '7-1', 'report.json'), 'utf8'));
    expect(operations.map(({ operation }: { operation: string }) => operation)).toEqual(['GET /things']);
  });
});
