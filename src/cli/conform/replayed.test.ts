// Which report a fingerprint is looked for in, and what is said where it is in none.
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Report } from '../../contract/report.ts';
import { mustBeItsTarget, replayOptions } from './replayed.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'assay-replay-'));
});

/** Puts a report below reports/, so many minutes old. */
function stored(name: string, minutesOld: number, change: (report: Report) => Report = (report) => report): void {
  const folder = join(cwd, 'reports', name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'report.json');
  const whole = sampleReport();
  writeFileSync(file, JSON.stringify(change({ ...whole, run: { ...whole.run, id: name } })));
  const at = Date.now() / 1000 - minutesOld * 60;
  utimesSync(file, at, at);
}

const without =
  (fingerprint: string) =>
  (report: Report): Report => ({
    ...report,
    findings: report.findings.filter((finding) => finding.fingerprint !== fingerprint),
  });
const [first] = sampleReport().findings;
const fingerprint = first!.fingerprint;
const replay = (from: string | null = null, print = fingerprint) => replayOptions({ fingerprint: print, from, cwd });

it('takes the finding from the newest report that holds it, with its seed, clause and evidence', async () => {
  stored('a-newer', 5);
  stored('b-older', 50);
  stored('c-newest', 1, without(fingerprint));
  mkdirSync(join(cwd, 'reports', 'no-report'));
  const options = await replay();
  expect(options).toMatchObject({ seed: 42, clauses: [first!.clause], replay: { run: 'a-newer', finding: first } });
  expect(options.replay?.evidence.map(({ id }) => id)).toEqual(first!.exchanges);
});

it.each(['reports/b-older', 'reports/b-older/report.json'])(
  'takes it from the run that --from names: %s',
  async (from) => {
    stored('a-newer', 5);
    stored('b-older', 50);
    expect((await replay(from)).replay?.run).toBe('b-older');
  },
);

it('passes by reports that do not name it and cannot be read', async () => {
  stored('a', 50);
  mkdirSync(join(cwd, 'reports', 'broken'));
  writeFileSync(join(cwd, 'reports', 'broken', 'report.json'), '{');
  expect((await replay()).replay?.run).toBe('a');
});

it.each([
  ['an unknown fingerprint', null, `${fingerprint}x`, new RegExp(`not in any report.*did you mean "${fingerprint}"`)],
  ['a run that does not have it', 'reports/a', 'zzzz', /zzzz is not in reports\/a/],
  ['a run that is not there', 'reports/gone', fingerprint, /reports\/gone does not exist/],
])('refuses %s', async (_what, from, print, message) => {
  stored('a', 5);
  await expect(replay(from, print)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(message),
  });
});

it('refuses where there is no report at all', async () => {
  await expect(replay()).rejects.toMatchObject({ message: expect.stringMatching(/no report below reports\//) });
});

it('refuses a report that does not say what showed the finding', async () => {
  stored('old', 5, (report) => ({
    ...report,
    findings: report.findings.map(({ experiments: _experiments, ...finding }) => finding),
  }));
  await expect(replay()).rejects.toMatchObject({
    message: expect.stringMatching(/an earlier version wrote its report/),
  });
});

it.each([
  ['another target', 'https://other.example.com'],
  ['a target that is no URL', ' '],
])('refuses %s than the one that showed the finding, unless it is named', async (_what, baseUrl) => {
  stored('a', 5);
  const found = (await replay()).replay!;
  const config = configWith({ target: { baseUrl: found.target.baseUrl, environment: 'staging', docsUrl: null } });
  const other = { ...found, target: { ...found.target, baseUrl } };
  expect(() => mustBeItsTarget(found, config, { isNamed: false })).not.toThrow();
  expect(() => mustBeItsTarget(other, config, { isNamed: false })).toThrow(/the finding is of/);
  expect(() => mustBeItsTarget(other, config, { isNamed: true })).not.toThrow();
});
