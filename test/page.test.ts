// The report in a real browser: what a reader does with it, and what a hostile target cannot do in it.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeReports } from '../src/reporters/files.ts';
import { NO_BROWSER, type OpenPage, openFile, seriousIn, startBrowser, WITH_BROWSER } from './browser.ts';
import { manyOperations } from './support/reporters/many-operations.ts';
import { sampleLoadRun } from './support/reporters/sample-load-run.ts';
import { HOSTILE, sampleReport } from './support/reporters/sample-report.ts';

const PHONE = { viewport: { width: 390, height: 844 } };
const DESK = { viewport: { width: 1440, height: 900 } };

let browser: Browser;
let folder = '';
let report = '';
/** A pass, and a report of more operations than a table names. */
let passing = '';
let large = '';
/** A load run with errors in its peak, and one without. */
let loaded = '';
let clean = '';

beforeAll(async () => {
  if (NO_BROWSER !== null) return;
  folder = await mkdtemp(join(tmpdir(), 'assay-page-'));
  report = (await writeReports(sampleReport(), folder)).paths.html ?? '';
  passing = (await writeReports(passingReport(), join(folder, 'passing'))).paths.html ?? '';
  large = (await writeReports(manyOperations(90, 0), join(folder, 'large'))).paths.html ?? '';
  loaded = (await writeReports(sampleLoadRun(), join(folder, 'loaded'))).paths.html ?? '';
  clean = (await writeReports(sampleLoadRun(0), join(folder, 'clean'))).paths.html ?? '';
  browser = await startBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** Opens the report; afterwards it must have complained of nothing and asked for nothing. */
async function reading(
  use: (page: Page) => Promise<void>,
  options: Parameters<typeof openFile>[2] = DESK,
  file = report,
): Promise<void> {
  const opened: OpenPage = await openFile(browser, file, options);
  try {
    await use(opened.page);
    expect(opened.complaints).toEqual([]);
    expect(opened.requests).toEqual([]);
  } finally {
    await opened.page.context().close();
  }
}

/** Polls for as long as a busy machine may take. */
const soon: typeof expect.poll = (get, options) => expect.poll(get, { timeout: 20_000, ...options });
const visible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true });
const drawn = (page: Page) => soon(() => page.evaluate(`'echarts' in window`)).toBe(true);
const unfoldAll = (page: Page) =>
  page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
/** Everything that was packed away is in the page. */
const unpackedAll = (page: Page) => soon(() => page.locator('[data-fold]').count()).toBe(0);

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

describe.skipIf(NO_BROWSER !== null)(`${WITH_BROWSER}, the report`, { timeout: 120_000 }, () => {
  test('says on its first screen what is broken, where, and why, the most severe first', () =>
    reading(async (page) => {
      for (const text of [
        'breaks its contract',
        'ERR-04',
        'error.status differs',
        '5 of 7 operations',
        '1 new, 2 gone',
      ])
        await soon(() => visible(page, `header :text("${text}")`).count(), { message: text }).toBeGreaterThan(0);
      const cause = await page.locator('.worst li').last().boundingBox();
      expect(cause!.y + cause!.height).toBeLessThan(900);
      expect(await page.locator('.worst .severity').allTextContents()).toEqual(['schema', 'form', 'form']);
    }));

  test('search finds what is folded away, opens it, and Escape brings all back', () =>
    reading(async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('unlisted code');
      await soon(() => page.locator('#shown').textContent()).toMatch(/^\d+ of \d+$/);
      await soon(() => visible(page, '.group').count()).toBe(0);
      await page.locator('#search').fill('err-04 /api/v1/ai/chat');
      await soon(() => visible(page, '.group[data-item]').count()).toBe(1);
      await soon(() => visible(page, '.group [data-item]').count()).toBe(1);
      await page.locator('#search').press('Escape');
      await soon(() => page.locator('#shown').textContent()).toBe('');
      expect(await page.locator('[data-item][hidden], [data-section][hidden]').count()).toBe(0);
    }));

  test('the filter leaves what fails', () =>
    reading(async (page) => {
      await page.locator('#state').selectOption('fail');
      await soon(() => visible(page, '#clauses tbody tr').count()).toBe(3);
      expect(await visible(page, '.group.advisory').count()).toBe(0);
      expect(await visible(page, 'details.resource').count()).toBeGreaterThan(0);
    }));

  test('a search for nothing that is there says so', () =>
    reading(async (page) => {
      await page.locator('#search').fill('nothing has this text');
      await soon(() => page.locator('#shown').textContent()).toMatch(/^0 of /);
      expect(await visible(page, '[data-item]').count()).toBe(0);
    }));

  test.each([
    ['a clause', '#ERR-04', 'tr'],
    ['an operation', '#op-admin-GET-/api/v1/stores/{storeId}', 'tr'],
    ['an operation, as browsers write it', '#op-admin-GET-/api/v1/stores/%7BstoreId%7D', 'tr'],
    ['a finding in full', '#f-sch01-1', '.finding'],
    ['a finding of many', '#f-err04-4', 'tr'],
    ['an observation', '#f-err11-1', '.finding'],
    ['a section', '#coverage', 'section'],
  ])('a link leads to %s, unfolded and in sight', (_, hash, element) =>
    reading(
      async (page) => {
        const target = page.locator(`${element}[data-reached]`);
        await target.waitFor({ state: 'visible' });
        expect(await target.getAttribute('id')).toBe(decodeURIComponent(hash.slice(1)));
        await soon(async () => (await target.boundingBox())!.y).toBeLessThan(900);
        expect(await page.evaluate(`document.activeElement?.matches('[data-reached]')`)).toBe(true);
      },
      { ...DESK, hash },
    ),
  );

  test('a link to what is filtered out clears the filter', () =>
    reading(async (page) => {
      await page.locator('#search').fill('HEALTH-01');
      await soon(() => visible(page, '.worst a').count()).toBeGreaterThan(0);
      await soon(() => visible(page, '.group').count()).toBe(0);
      await page.locator('.worst a').first().click();
      await page.locator('.finding[data-reached]').waitFor({ state: 'visible' });
      expect(await page.locator('#search').inputValue()).toBe('');
    }));

  test('every link within the page leads somewhere', () =>
    reading(async (page) => {
      await unfoldAll(page);
      await unpackedAll(page);
      const lost = await page.evaluate(
        `[...document.querySelectorAll('a[href^="#"]')].map(({ hash }) => decodeURIComponent(hash.slice(1))).filter((id) => document.getElementById(id) === null)`,
      );
      expect(lost).toEqual([]);
    }));

  test.each(['light', 'dark'] as const)('follows a %s system, and keeps the theme that is chosen', (scheme) =>
    reading(
      async (page) => {
        const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
        const before = await paper();
        expect(before).toBe(scheme === 'light' ? 'rgb(251, 250, 247)' : 'rgb(21, 23, 26)');
        await drawn(page);
        await page.locator('#theme').click();
        expect(await paper()).not.toBe(before);
        // A browser writes its storage down when it has the time: a reload at once may not find the choice yet.
        await soon(async () => {
          await page.reload();
          return paper();
        }).not.toBe(before);
      },
      { ...DESK, colorScheme: scheme },
    ),
  );

  test('paper is white, holds the causes and the gaps, and the screen is as before afterwards', () =>
    reading(
      async (page) => {
        await drawn(page);
        const open = () => page.locator('details[open]').count();
        const before = await open();
        const pdf = await page.pdf({ format: 'A4' });
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
        await soon(open).toBe(before);
        await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator('.group.violation:not([open]), #untested:not([open])').count()).toBe(0);
        expect(await visible(page, '.group.violation .versus').count()).toBe(
          await page.locator('.group.violation').count(),
        );
        expect(await visible(page, '.bar, .exchange, .shelf tr').count()).toBe(0);
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
      },
      { ...DESK, colorScheme: 'dark' },
    ));

  test('a pass is at most 5,000 px high on a desk, 9,000 on a phone, and five sheets of paper', async () => {
    const sheets = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
    for (const [options, most] of [
      [DESK, 5000],
      [PHONE, 9000],
    ] as const)
      await reading(
        async (page) => {
          await drawn(page);
          expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(most);
          expect(sheets(await page.pdf({ format: 'A4' }))).toBeLessThanOrEqual(5);
        },
        options,
        passing,
      );
  });

  test('the first screen of a pass names what it rests on, what was not judged, and what is left', () =>
    reading(
      async (page) => {
        for (const text of ['What the pass rests on', 'The error envelope', 'Not judged, and what would change that'])
          await soon(() => visible(page, `header :text("${text}")`).count(), { message: text }).toBeGreaterThan(0);
        const last = await page.locator('.rests tbody tr').last().boundingBox();
        expect(last!.y + last!.height).toBeLessThan(900);
      },
      DESK,
      passing,
    ));

  test('draws its charts', () =>
    reading(async (page) => {
      await drawn(page);
      await page.evaluate(`for (const shelf of document.querySelectorAll('.shelf')) shelf.open = true`);
      for (const chart of [
        ...['serviceRanges', 'slowest', 'capacity', 'plans', 'operations'],
        ...['overTime', 'loadLatency', 'errors', 'history'],
      ]) {
        await page.locator(`[data-chart="${chart}"]`).scrollIntoViewIfNeeded();
        await soon(() => page.locator(`[data-chart="${chart}"] :is(canvas, svg)`).count(), {
          message: chart,
        }).toBeGreaterThan(0);
      }
    }));

  test('names every operation in the matrix, each with its link', () =>
    reading(async (page) => {
      expect(await visible(page, '.named tbody tr').count()).toBe(9);
      expect(await visible(page, '.named .cell.fail').count()).toBeGreaterThan(0);
      await page.locator('.named tbody a').first().click();
      await page.locator('tr[data-reached]').waitFor({ state: 'visible' });
    }));

  test('shows more operations than a table names at a glance, and zooms into a resource and back', () =>
    reading(
      async (page) => {
        await drawn(page);
        await page.locator('[data-chart="matrix"]').scrollIntoViewIfNeeded();
        await page.locator('#resource').selectOption({ label: 'Stores (4, 3 with failures)' });
        expect(await visible(page, '.heat figure').count()).toBe(1);
        await page.locator('#overview').click();
        expect(await visible(page, '.heat figure').count()).toBe(2);
        await page
          .locator('.heat .canvas')
          .first()
          .click({ position: { x: 10, y: 60 } });
        expect(await page.locator('#resource').inputValue()).toMatch(/^admin\n/);
      },
      DESK,
      large,
    ));

  test('says how load went: every step by shape, where conformance broke, and each part of the run by choice', () =>
    reading(async (page) => {
      await drawn(page);
      await soon(() => visible(page, '#load').textContent()).toContain('Conformance breaks at 800 requests/s');
      expect(await visible(page, '#load-conformance .bad').textContent()).toContain('breaks here');
      const over = page.locator('[data-chart="overTime"]');
      await over.scrollIntoViewIfNeeded();
      await soon(() => over.locator('svg').count()).toBe(1);
      const before = await over.locator('svg').innerHTML();
      await page.locator('#lane').selectOption({ label: 'ceiling-std-1 (9 requests)' });
      await soon(() => over.locator('svg').innerHTML()).not.toBe(before);
      await page.locator('#lane-1 summary').click();
      await soon(() => visible(page, '#lane-1 .seconds tbody tr').count()).toBe(4);
      expect(await visible(page, '#lane-1').textContent()).toContain('31 HTTP 503, 4 connection refused');
    }));

  test('a load run says its result, what changed since the last one, and how each operation fared', () =>
    reading(
      async (page) => {
        await soon(() => visible(page, 'h1').textContent()).toBe(
          'Spike 20 → 120 requests/s: 98 % succeeded, 2 % answered 5xx, p99 7.84 ms, recovered within 1 s.',
        );
        const since = page.locator('.compared');
        expect(await since.locator('tbody tr').allTextContents()).toEqual([
          'p502.1 ms2.2 msnoise',
          'p995.2 ms7.84 ms+51 %',
          'errors0 %2 %more',
        ]);
        const box = await since.locator('tbody tr').first().boundingBox();
        expect(box!.y + box!.height).toBeLessThan(900);
        expect(await visible(page, '#load :text("12 (3 %)")').count()).toBe(1);
        expect(await page.locator('#timing').count()).toBe(0);
      },
      DESK,
      loaded,
    ));

  test.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ] as const)('charts of a load run on %s name each step, its rate, and the objectives', (_, options) =>
    reading(
      async (page) => {
        await drawn(page);
        const texts = async (chart: string) => {
          await page.locator(`[data-chart="${chart}"]`).scrollIntoViewIfNeeded();
          await soon(() => page.locator(`[data-chart="${chart}"] svg`).count(), { message: chart }).toBe(1);
          return page.locator(`[data-chart="${chart}"] svg text`).allTextContents();
        };
        const overTime = await texts('overTime');
        expect(overTime.filter((text) => text === '20/s' || text === '120/s')).toEqual(['20/s', '120/s', '20/s']);
        expect(overTime).toContain('objective 300 ms');
        expect(overTime).toContain('objective 1 %');
        expect(await texts('loadLatency')).toEqual(expect.arrayContaining(['objective 300 ms for 99 %', '20/s again']));
        expect(await texts('operations')).toContain('objective 300 ms');
        expect(await texts('errors')).toContain('HTTP 503');
      },
      options,
      loaded,
    ),
  );

  test('a load run without errors has no chart of errors', () =>
    reading(
      async (page) => {
        await drawn(page);
        const over = page.locator('[data-chart="overTime"]');
        await over.scrollIntoViewIfNeeded();
        await soon(() => over.locator('svg').count()).toBe(1);
        expect(await over.locator('svg text').allTextContents()).not.toContain('% of requests');
        expect(await page.locator('[data-chart="errors"]').count()).toBe(0);
      },
      DESK,
      clean,
    ));

  test('copies the command', () =>
    reading(async (page) => {
      const button = visible(page, '[data-copy]').first();
      await button.click();
      await soon(() => button.textContent()).toMatch(/Copied|Selected/);
    }));

  test('strings of a hostile target are text, however they are looked at', () =>
    reading(async (page) => {
      await unfoldAll(page);
      await unpackedAll(page);
      await drawn(page);
      await page.locator('#search').fill('window.hacked');
      await soon(() => page.locator('#shown').textContent()).toMatch(/^[1-9]/);
      await page.locator('#search').press('Escape');
      await page.locator('#matrix').scrollIntoViewIfNeeded();
      await page.locator('.named tbody tr', { hasText: 'hacked' }).hover();
      expect(await page.evaluate(`'hacked' in window`)).toBe(false);
      expect(await page.locator('img').count()).toBe(0);
      const text = await page.evaluate<string>('document.body.innerText');
      expect(['\u001b', '\u202e', '\u0007'].filter((character) => text.includes(character))).toEqual([]);
      expect(text.includes('⟨U+001B⟩[31mred')).toBe(true);
      await soon(() => page.locator(`:text("${HOSTILE.slice(0, 20)}")`).count()).toBeGreaterThan(0);
    }));

  describe.each([
    ['the report', () => report],
    ['that of a load run', () => loaded],
  ] as const)('%s', (_, file) => {
    test.each([
      ['a desk, light', { ...DESK, colorScheme: 'light' }],
      ['a desk, dark', { ...DESK, colorScheme: 'dark' }],
      ['a phone, light', { ...PHONE, colorScheme: 'light' }],
    ] as const)('has nothing serious for axe on %s, folded or not', (_place, options) =>
      reading(
        async (page) => {
          await drawn(page);
          expect(await seriousIn(page)).toEqual([]);
          await unfoldAll(page);
          await unpackedAll(page);
          expect(await seriousIn(page)).toEqual([]);
        },
        options,
        file(),
      ),
    );

    test('needs no scrolling sideways on a phone', () =>
      reading(
        async (page) => {
          await unfoldAll(page);
          await unpackedAll(page);
          await drawn(page);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
          expect(await page.evaluate(`'hacked' in window`)).toBe(false);
        },
        PHONE,
        file(),
      ));
  });

  test('the keyboard alone reaches findings: skip link, summary, evidence', () =>
    reading(async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement?.className')).toBe('skip');
      await page.keyboard.press('Enter');
      await soon(() => page.evaluate('document.activeElement?.id')).toBe('findings');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement?.tagName')).toBe('SUMMARY');
    }));

  test('without scripts the verdict, its causes and the clauses by family can be read', async () => {
    const { page } = await openFile(browser, report, { javaScriptEnabled: false });
    await soon(() => visible(page, 'h1').textContent()).toContain('breaks its contract');
    expect(await visible(page, '.worst li').count()).toBeGreaterThan(0);
    expect(await visible(page, '#clauses .family > summary').count()).toBeGreaterThan(10);
    expect(await page.locator('#clauses tbody tr').count()).toBeGreaterThan(90);
    expect(await visible(page, '.filter, #theme').count()).toBe(0);
    expect(await visible(page, 'noscript').textContent()).toContain('report.json');
    await page.context().close();
  });

  test('the page of a cause has all of its evidence, is as safe, and leads back', async () => {
    const [name] = await readdir(join(folder, 'evidence'));
    const file = join(folder, 'evidence', name!);
    await reading(
      async (page) => {
        await unfoldAll(page);
        await unpackedAll(page);
        expect(await visible(page, '.finding').count()).toBe(6);
        expect(await seriousIn(page)).toEqual([]);
        expect(await page.locator('.bar a').getAttribute('href')).toBe('../index.html');
      },
      DESK,
      file,
    );
  });
});
