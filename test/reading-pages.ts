// What tests of the report's page share: a browser, the pages that it opens, and what they look for there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { writeReports } from '../src/reporters/files.ts';
import { NO_BROWSER, type OpenPage, openFile, startBrowser } from './browser.ts';
import { manyOperations } from './support/reporters/many-operations.ts';
import { sampleLoadRun } from './support/reporters/sample-load-run.ts';
import { sampleReport } from './support/reporters/sample-report.ts';

export const PHONE = { viewport: { width: 390, height: 844 } };
export const DESK = { viewport: { width: 1440, height: 900 } };

let browser: Browser;
/** Files, there while the tests run. */
export const pages = {
  folder: '',
  report: '',
  /** A pass, and a report of more operations than a table names. */
  passing: '',
  large: '',
  /** A load run with errors in its peak, and one without. */
  loaded: '',
  clean: '',
};

/** Writes the pages and starts the browser before the tests of a file, and removes both behind them. */
export function openReports(): void {
  beforeAll(async () => {
    if (NO_BROWSER !== null) return;
    const folder = await mkdtemp(join(tmpdir(), 'assay-page-'));
    const written = async (name: string, report: Parameters<typeof writeReports>[0]) =>
      (await writeReports(report, join(folder, name))).paths.html ?? '';
    Object.assign(pages, {
      folder,
      report: await written('', sampleReport()),
      passing: await written('passing', passingReport()),
      large: await written('large', manyOperations(90, 0)),
      loaded: await written('loaded', sampleLoadRun()),
      clean: await written('clean', sampleLoadRun(0)),
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    if (pages.folder !== '') await rm(pages.folder, { recursive: true, force: true });
  });
}

export function openPage(file: string, options: Parameters<typeof openFile>[2]): Promise<OpenPage> {
  return openFile(browser, file, options);
}

/** Opens the report; afterwards it must have complained of nothing and asked for nothing. */
export async function reading(
  use: (page: Page) => Promise<void>,
  options: Parameters<typeof openFile>[2] = DESK,
  file = pages.report,
): Promise<void> {
  const opened = await openPage(file, options);
  try {
    await use(opened.page);
    expect(opened.complaints).toEqual([]);
    expect(opened.requests).toEqual([]);
  } finally {
    await opened.page.context().close();
  }
}

export const visible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true });
export const drawn = (page: Page) => expect.poll(() => page.evaluate(`'echarts' in window`)).toBe(true);
export const unfoldAll = (page: Page) =>
  page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
/** Everything that was packed away is in the page. */
export const unpackedAll = (page: Page) => expect.poll(() => page.locator('[data-fold]').count()).toBe(0);

/** The sample with nothing broken. */
function passingReport() {
  const sample = sampleReport();
  const holds = <Row extends { readonly violations: number; readonly status: string }>(row: Row) =>
    row.violations === 0 ? row : { ...row, violations: 0, status: 'pass' as const };
  return {
    ...sample,
    verdict: 'pass' as const,
    counts: { ...sample.counts, violations: 0 },
    clauses: sample.clauses.map(holds),
    findings: sample.findings.filter(({ kind }) => kind !== 'violation'),
    operations: sample.operations.map((row) => ({
      ...row,
      clauses: Object.fromEntries(Object.entries(row.clauses).map(([id, clause]) => [id, holds(clause)])),
    })),
    load: undefined,
  };
}
