// Where a run was judged against a contract file, every report says by which; an earlier run by another one is told apart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import { sampleRun } from '../../test/support/run/sample-run.ts';
import type { Report } from '../contract/report.ts';
import { accept } from '../grading/acceptance.ts';
import { changesSince } from '../grading/changes.ts';
import { recordRuns } from '../run/history/record.ts';
import { HistoryRows } from '../run/history/rows.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { compareView } from './history/compare.ts';
import { askedIn } from './history/view.ts';
import { changesView } from './html/earlier.ts';
import { renderHtml } from './html/html.ts';
import { summarise } from './terminal/terminal.ts';
import { judgedAgainst } from './words.ts';

const ACME = { name: 'Acme API contract', file: 'acme.contract.yaml', digest: '1a2b3c4d'.repeat(8) };
const OTHER = { ...ACME, digest: '5e6f7a8b'.repeat(8) };
const WORDS = 'judged against Acme API contract (acme.contract.yaml, 1a2b3c4)';
const by = (contract: Report['contract']): Report => ({ ...sampleReport(), ...(contract && { contract }) });

test('a contract file is named by the terminal, the summary and the page, a contract that needs none is not', () => {
  const report = by(ACME);
  expect(summarise(report, {}, { color: false, width: 200 })).toContain(` · ${WORDS} · `);
  expect(renderMarkdown(report)).toContain(WORDS);
  expect(renderHtml(report)).toContain(WORDS);
  for (const name of ['commerce', 'openapi'])
    expect(judgedAgainst({ contract: { ...ACME, name, file: null } })).toBeNull();
  expect(judgedAgainst({})).toBeNull();
});

test('an earlier run by another contract is told as such, one by the same or by none that is known is not', () => {
  const said = 'it was judged against another contract, Acme API contract (acme.contract.yaml, 5e6f7a8)';
  const since = changesSince(by(OTHER), by(ACME));
  expect(changesView({ ...by(ACME), since })?.contract).toBe(said);
  for (const same of [by(ACME), by(undefined)])
    expect(changesView({ ...by(ACME), since: changesSince(same, by(ACME)) })?.contract).toBe('');
  const rules = {
    waivers: [],
    baseline: by(OTHER),
    failOn: 'any',
    allowsSecurity: false,
    today: '2026-01-31',
  } as const;
  expect(summarise(accept(by(ACME), rules), {}, { color: false, width: 200 })).toContain(said);
});

test('the history keeps it, and sets two runs side by side', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-judged-'));
  const file = join(folder, 'history.db');
  const revision = { branch: null, commit: null };
  const runs = [sampleRun('1'), { ...sampleRun('2'), contract: ACME }];
  recordRuns(
    file,
    runs.map((report) => ({ report, revision })),
  );
  const rows = new HistoryRows(file);
  const { both } = compareView(rows, askedIn(new URLSearchParams('left=1&right=2')));
  expect(both?.facts.find(({ name }) => name === 'contract')).toMatchObject({
    right: 'Acme API contract (acme.contract.yaml, 1a2b3c4)',
    differs: true,
  });
  rows.close();
  rmSync(folder, { recursive: true });
});
