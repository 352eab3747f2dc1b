// Where the project stands, as git and the variables of a pipeline say.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { revised, revisionOf } from './revision.ts';

const nowhere = await mkdtemp(join(tmpdir(), 'assay-revision-'));

it.each([
  ['no pipeline', {}, undefined],
  [
    'GitHub',
    { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'a/shop', GITHUB_RUN_ID: '7' },
    'https://git.example/a/shop/actions/runs/7',
  ],
  ['GitLab', { CI_JOB_URL: 'https://git.example/a/shop/-/jobs/7' }, 'https://git.example/a/shop/-/jobs/7'],
  ['what is no address', { BUILD_URL: 'javascript:alert(1)' }, undefined],
])('names the page of %s', async (_, env, url) => {
  expect(await revisionOf(nowhere, env)).toEqual({ branch: null, commit: null, ...(url === undefined ? {} : { url }) });
});

it('stands in the report where it is known', () => {
  const report = sampleReport();
  expect(revised(report, { branch: null, commit: null })).toBe(report);
  expect(revised(report, { branch: 'main', commit: null }).run.revision).toEqual({ branch: 'main', commit: null });
});
