// The report of a big run in Chromium: 100,000 exchanges, 5,000 findings on 1,674 operations. How large the page is, and how
// long until a reader can use it: from the start of the navigation until the last cause, once opened, shows its findings.
// `node bench/report.ts`: exit 1 where the page is over 10 MB or the median of five over a second.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import type { Finding, Report, ReportedExchange } from '../src/contract/report.ts';
import { writeReports } from '../src/reporters/files.ts';
import { startBrowser } from '../test/browser.ts';
import { manyOperations } from '../test/support/reporters/many-operations.ts';

const OPERATIONS = 1674;
const FINDINGS = 5000;
const EXCHANGES = 100_000;
const TRIES = 5;
const MOST_BYTES = 10_000_000;
const MOST_MS = 1000;

/** Every finding with three exchanges of its own, whose bodies have little in common. */
function bigReport(): Report {
  const report = manyOperations(OPERATIONS, FINDINGS);
  const model = report.exchanges[0]!;
  const exchanges: ReportedExchange[] = [];
  const findings = report.findings.map((finding, index): Finding => {
    const ids = [0, 1, 2].map((at) => `big-${index}-${at}`);
    exchanges.push(...ids.map((id) => ({ ...model, id, response: { ...model.response!, body: bodyOf(id) } })));
    return { ...finding, exchanges: ids };
  });
  return { ...report, counts: { ...report.counts, requests: EXCHANGES }, findings, exchanges };
}

function bodyOf(id: string): string {
  const items = Array.from({ length: 20 }, (_, index) =>
    createHash('sha256').update(`${id} ${index}`).digest('base64'),
  );
  return JSON.stringify({ error: { status: 500, request_id: id }, items });
}

interface Opened {
  readonly usableMs: number;
  readonly searchMs: number;
  readonly longestTaskMs: number;
  /** Processor time of the page's main thread, search included: what a busy machine does not change much. */
  readonly busyMs: number;
}

const IN_PAGE = `(async () => {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1)); };
  await until(() => document.readyState === 'complete');
  const last = [...document.querySelectorAll('.group.violation')].at(-1);
  last.querySelector('summary').click();
  await until(() => last.querySelector('.finding') !== null);
  await frame();
  const usableMs = performance.now();
  const search = document.getElementById('search');
  search.value = 'err-04 items/1234';
  search.dispatchEvent(new Event('input'));
  await until(() => document.getElementById('shown').textContent !== '');
  await frame();
  const searchMs = performance.now() - usableMs;
  return { usableMs, searchMs, longestTaskMs: Math.max(0, ...tasks.map(({ duration }) => duration)) };
})()`;

async function open(browser: Browser, file: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  const opened = await page.evaluate<Omit<Opened, 'busyMs'>>(IN_PAGE);
  const { metrics } = await session.send('Performance.getMetrics');
  const busyMs = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  await page.close();
  return { ...opened, busyMs };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
}

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-report-'));
try {
  const startedAt = performance.now();
  const { html = '' } = (await writeReports(bigReport(), folder)).paths;
  const writtenMs = performance.now() - startedAt;
  const { size } = await stat(html);
  const evidence = await readdir(join(folder, 'evidence'));
  const sizes = await Promise.all(evidence.map(async (name) => (await stat(join(folder, 'evidence', name))).size));
  console.log(`written in ${(writtenMs / 1000).toFixed(1)} s: index.html ${(size / 1e6).toFixed(2)} MB`);
  console.log(`beside it ${evidence.length} pages of causes, the largest ${(Math.max(...sizes) / 1e6).toFixed(2)} MB`);
  const browser = await startBrowser();
  const tries: Opened[] = [];
  for (let index = 0; index < TRIES; index += 1) tries.push(await open(browser, html));
  await browser.close();
  const usable = median(tries.map(({ usableMs }) => usableMs));
  const list = (pick: (one: Opened) => number) => tries.map((one) => Math.round(pick(one))).join(', ');
  console.log(`main thread busy for ${list(({ busyMs }) => busyMs)} ms in all`);
  console.log(`usable after ${Math.round(usable)} ms, median of ${list(({ usableMs }) => usableMs)}`);
  console.log(
    `first search ${list(({ searchMs }) => searchMs)} ms; longest task ${list(({ longestTaskMs }) => longestTaskMs)} ms`,
  );
  if (size > MOST_BYTES || usable > MOST_MS) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
