// The history in a real browser: what a reader does with it, by mouse and by keyboard, and what it never asks for.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { historyServer } from '../src/cli/report/history.ts';
import { HISTORY_PATHS } from '../src/reporters/history/pages.ts';
import { HistoryRows } from '../src/run/history/rows.ts';
import { NO_BROWSER, openAt, seriousIn, startBrowser, WITH_BROWSER } from './browser.ts';
import { oneDue, shareDue } from './programme.ts';
import { manyRuns } from './support/reporters/many-runs.ts';

const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };

let browser: Browser;
let folder = '';
let rows: HistoryRows;
let app: FastifyInstance;
let url = '';

beforeAll(async () => {
  if (NO_BROWSER !== null) return;
  folder = await mkdtemp(join(tmpdir(), 'assay-history-page-'));
  manyRuns(join(folder, 'history.db'), 120);
  rows = new HistoryRows(join(folder, 'history.db'));
  app = historyServer(rows);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rows?.close();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** Opens a page; afterwards nothing was complained of, and nothing asked of anybody else. */
async function reading(path: string, use: (page: Page) => Promise<void>, options: BrowserContextOptions = DESK) {
  const opened = await openAt(browser, `${url}${path}`, options);
  try {
    await use(opened.page);
    expect(opened.complaints).toEqual([]);
    expect(opened.requests.filter((asked) => !asked.startsWith(url))).toEqual([]);
  } finally {
    await opened.page.context().close();
  }
}

describe.skipIf(NO_BROWSER !== null)(`${WITH_BROWSER}, the history`, () => {
  const looks = oneDue([
    ['a desk', DESK],
    ['a phone', PHONE],
    ['a phone in the dark', { ...PHONE, colorScheme: 'dark' as const }],
    ['a desk in the dark', { ...DESK, colorScheme: 'dark' as const }],
  ] as const);
  test.each(
    shareDue(HISTORY_PATHS, 3).flatMap((path) => looks.map(([name, options]) => [path, name, options] as const)),
  )('%s has no serious barrier and does not scroll sideways on %s', (path, _name, options) =>
    reading(
      path,
      async (page) => {
        expect(await seriousIn(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      },
      options,
    ),
  );

  test.each(shareDue(['/', '/latency', '/sensitivity', '/load'], 2))('%s draws its charts', (path) =>
    reading(path, async (page) => {
      await expect.poll(() => page.locator('.plot svg').count()).toBe(await page.locator('[data-chart]').count());
      expect(await page.locator('[data-chart]').count()).toBeGreaterThan(0);
    }),
  );

  test('what is chosen stands in the address, and is there again when that is opened', () =>
    reading('/', async (page) => {
      await page.getByLabel('Branch').selectOption('feature/cart');
      await page.getByRole('button', { name: 'Show' }).click();
      await expect.poll(() => page.url()).toContain('branch=feature%2Fcart');
      expect(await page.getByLabel('Branch').inputValue()).toBe('feature/cart');
      expect(new Set(await page.locator('tbody td.mono').allTextContents())).not.toContain('main');
      await page.getByRole('link', { name: 'clauses' }).click();
      expect(await page.getByLabel('Branch').inputValue()).toBe('feature/cart');
    }));

  test('two runs are chosen and compared by the keyboard alone', () =>
    reading('/', async (page) => {
      for (const side of ['left', 'right']) {
        await page
          .locator(`input[name=${side}]`)
          .nth(side === 'left' ? 3 : 0)
          .focus();
        await page.keyboard.press('Space');
      }
      await page.getByRole('button', { name: 'Compare left and right' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('h1').textContent()).toBe('Two runs side by side');
      expect(await page.locator('.sides thead a').count()).toBeGreaterThanOrEqual(2);
    }));
});
