// The workflow of docs/gate.md and the Action of action.yml, performed step by step as they stand there in a folder that has nothing
// but a project: the packed package among its dependencies, a lock file, a configuration, descriptions, and a history in git.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type StartedPlatform, startPlatform } from '../src/platform/start.ts';
import { blocksOf } from './documented.ts';
import { writeDescriptions } from './example-world.ts';
import { lockedPackages, manifest, packageFolder, packCopy, TARBALL } from './packed.ts';
import { ROOT } from './root.ts';
import { type Performed, perform, type Step } from './support/workflow-runner.ts';

const root = packageFolder();
const project = join(root, 'project');
const SPECS = join(project, 'specs');

interface Job {
  readonly steps: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
}

const workflow: { readonly jobs: Readonly<Record<string, Job>> } = parse(
  blocksOf('docs/gate.md').find(({ text }) => text.startsWith('name: contract\n'))?.text ?? '',
);
const action: { readonly inputs: Readonly<Record<string, { readonly default: string }>>; readonly runs: Job } = parse(
  readFileSync(join(ROOT, 'action.yml'), 'utf8'),
);

/** Only what a runner has: its own Node and npm, git and a shell, and a home that is empty. */
function environment(): NodeJS.ProcessEnv {
  const npm = (name: string): string => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(root, 'home'),
    CI: 'true',
    // Where the packages come from is the machine's business.
    ...{ npm_config_cache: npm('cache'), NPM_CONFIG_USERCONFIG: npm('userconfig'), npm_config_prefer_offline: 'true' },
  };
}

beforeAll(async () => {
  mkdirSync(join(root, 'home'));
  mkdirSync(project);
  await packCopy(root);
  cpSync(join(root, TARBALL), join(project, TARBALL));
  await writeDescriptions(SPECS);
  const dependencies = { assay: `file:${TARBALL}` };
  const { version, bin, dependencies: needed } = manifest;
  const assay = { version, bin, dependencies: needed, resolved: dependencies.assay };
  const packages = { '': { dependencies }, ...lockedPackages(), 'node_modules/assay': assay };
  const lock = { lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
  const configuration = {
    target: { baseUrl: variable('SHOP'), environment: 'staging' },
    services: { admin: { spec: 'specs/admin.openapi.json' } },
    keys: [{ name: 'std-1', plan: 'standard', token: variable('ASSAY_STANDARD') }],
  };
  writeFileSync(join(project, 'assay.config.yaml'), stringify(configuration));
  writeFileSync(join(project, '.gitignore'), 'node_modules\nreports\n');
  const author = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  for (const args of [
    ['init', '-qb', 'main'],
    ['add', '.'],
    ['commit', '-qm', 'a shop'],
  ])
    execFileSync('git', args, { cwd: project, env: { ...environment(), ...author } });
});

/** A value that the configuration takes from the environment. */
const variable = (name: string): string => `\${${name}}`;

/** The steps, with the platform as the project's staging. `run`: the pipeline's number. */
async function performed(
  steps: readonly Step[],
  run: string,
  faults: readonly string[],
  inputs = {},
): Promise<Performed> {
  const platform: StartedPlatform = await startPlatform({ folder: SPECS, faults });
  try {
    const offered = parse(readFileSync(platform.config, 'utf8'));
    const env = { ...environment(), SHOP: platform.baseUrl, ASSAY_STANDARD: offered.keys[0].token };
    const own = { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: '1' };
    const values = { 'github.run_id': run, 'github.job': 'gate', 'github.run_attempt': '1', ...inputs };
    return await perform(steps, { folder: project, store: join(root, 'runner'), env: { ...env, ...own }, values });
  } finally {
    await platform.stop();
  }
}

const stepsOf = (job: string): readonly Step[] => workflow.jobs[job]?.steps ?? [];
const KNOWN = 'err-02-no-title';

describe('the workflow of the documents', () => {
  test('without a baseline the gate fails for what is broken', async () => {
    const { isSuccess, summary, log } = await performed(stepsOf('gate'), '1', [KNOWN]);
    expect([isSuccess, summary], log).toEqual([false, expect.stringContaining('FAIL')]);
    expect(log).toContain('::error ');
  });

  test('the night keeps its run though it failed, and the next gate passes for what is known', async () => {
    const night = await performed(stepsOf('night'), '2', [KNOWN]);
    expect([night.isSuccess, night.log]).toEqual([false, expect.stringContaining('actions/cache/save@v4 contract-2')]);
    const gate = await performed(stepsOf('gate').filter(isNoUpload), '3', [KNOWN]);
    expect([gate.isSuccess, gate.summary], gate.log).toEqual([true, expect.stringContaining('Nothing new is broken')]);
  });

  test('the gate stops a change that breaks something new, and tells both', async () => {
    const { isSuccess, summary, log } = await performed(stepsOf('gate').filter(isNoUpload), '4', [
      KNOWN,
      'err-04-status-differs',
    ]);
    expect(isSuccess, log).toBe(false);
    expect(summary).toMatch(/[1-9]\d* violations? (is|are) new, [1-9]\d* known against main \(/);
    expect(existsSync(join(root, 'runner', 'artefacts', 'contract', 'index.html'))).toBe(true);
  });
});

describe('the Action', () => {
  test('installs, judges against a baseline, tells its outputs, and keeps the reports', async () => {
    const inputs = Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: value }]) => [`inputs.${name}`, value]),
    );
    const artifact = { 'inputs.artifact': 'assay-gate-1', 'inputs.baseline': 'reports/main' };
    const { isSuccess, outputs, log } = await performed(action.runs.steps, '5', [KNOWN], { ...inputs, ...artifact });
    expect([isSuccess, outputs], log).toEqual([
      true,
      {
        'steps.run.outputs.report': 'reports/5-1',
        'steps.run.outputs.verdict': 'pass',
        'steps.run.outputs.new': '0',
      },
    ]);
    expect(existsSync(join(root, 'runner', 'artefacts', 'assay-gate-1', 'report.json'))).toBe(true);
  });
});

/** Artefacts belong to one run of a workflow; here all runs share a store. */
function isNoUpload({ uses = '' }: Step): boolean {
  return !uses.startsWith('actions/upload-artifact');
}
