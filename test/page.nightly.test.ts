// The report in a real browser, at length: filters, links, themes, paper, the matrix and every chart.
import { describe, expect, test } from 'vitest';
import { NO_BROWSER, WITH_BROWSER } from './browser.ts';
import { DESK, drawn, openReports, PHONE, pages, reading, unfoldAll, unpackedAll, visible } from './reading-pages.ts';

openReports();

describe.skipIf(NO_BROWSER !== null)(`${WITH_BROWSER}, the report`, () => {
  test('the filter leaves what fails', () =>
    reading(async (page) => {
      await page.locator('#state').selectOption('fail');
      await expect.poll(() => visible(page, '#clauses tbody tr').count()).toBe(3);
      expect(await visible(page, '.group.advisory').count()).toBe(0);
      expect(await visible(page, 'details.resource').count()).toBeGreaterThan(0);
    }));

  test.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('on a %s the id of a cause stands before its severity, near it', (_, screen) =>
    reading(async (page) => {
      const apart = await page.evaluate(
        `[...document.querySelectorAll('.worst a')].map((line) => { const [id, severity] = ['.id', '.severity'].map((one) => line.querySelector(one).getBoundingClientRect()); return [severity.top - id.top, severity.left - id.left]; })`,
      );
      for (const [below, beside] of apart as readonly (readonly [number, number])[]) {
        expect(Math.max(below, beside)).toBeGreaterThan(10);
        expect(Math.abs(below)).toBeLessThan(40);
      }
    }, screen),
  );

  test('a search for nothing that is there says so', () =>
    reading(async (page) => {
      await page.locator('#search').fill('nothing has this text');
      await expect.poll(() => page.locator('#shown').textContent()).toMatch(/^0 of /);
      expect(await visible(page, '[data-item]').count()).toBe(0);
    }));

  test('a link to what is filtered out clears the filter', () =>
    reading(async (page) => {
      await page.locator('#search').fill('HEALTH-01');
      await expect.poll(() => visible(page, '.worst a').count()).toBeGreaterThan(0);
      await expect.poll(() => visible(page, '.group').count()).toBe(0);
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
        await expect
          .poll(async () => {
            await page.reload();
            return paper();
          })
          .not.toBe(before);
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
        await expect.poll(open).toBe(before);
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
        pages.passing,
      );
  });

  test('the first screen of a pass names what it rests on, what was not judged, and what is left', () =>
    reading(
      async (page) => {
        for (const text of ['What the pass rests on', 'The error envelope', 'Not judged, and what would change that'])
          await expect
            .poll(() => visible(page, `header :text("${text}")`).count(), { message: text })
            .toBeGreaterThan(0);
        const last = await page.locator('.rests tbody tr').last().boundingBox();
        expect(last!.y + last!.height).toBeLessThan(900);
      },
      DESK,
      pages.passing,
    ));

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
      pages.large,
    ));

  test('says how load went: every step by shape, where conformance broke, and each part of the run by choice', () =>
    reading(async (page) => {
      await drawn(page);
      await expect.poll(() => visible(page, '#load').textContent()).toContain('Conformance breaks at 800 requests/s');
      expect(await visible(page, '#load-conformance .bad').textContent()).toContain('breaks here');
      const over = page.locator('[data-chart="overTime"]');
      await over.scrollIntoViewIfNeeded();
      await expect.poll(() => over.locator('svg').count()).toBe(1);
      const before = await over.locator('svg').innerHTML();
      await page.locator('#lane').selectOption({ label: 'ceiling-std-1 (9 requests)' });
      await expect.poll(() => over.locator('svg').innerHTML()).not.toBe(before);
      await page.locator('#lane-1 summary').click();
      await expect.poll(() => visible(page, '#lane-1 .seconds tbody tr').count()).toBe(4);
      expect(await visible(page, '#lane-1').textContent()).toContain('31 HTTP 503, 4 connection refused');
    }));

  test.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ] as const)('charts of a load run on %s name each step, its rate, and the objectives', (_, options) =>
    reading(
      async (page) => {
        await drawn(page);
        const texts = async (chart: string) => {
          await page.locator(`[data-chart="${chart}"]`).scrollIntoViewIfNeeded();
          await expect.poll(() => page.locator(`[data-chart="${chart}"] svg`).count(), { message: chart }).toBe(1);
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
      pages.loaded,
    ),
  );

  test('a load run without errors has no chart of errors', () =>
    reading(
      async (page) => {
        await drawn(page);
        const over = page.locator('[data-chart="overTime"]');
        await over.scrollIntoViewIfNeeded();
        await expect.poll(() => over.locator('svg').count()).toBe(1);
        expect(await over.locator('svg text').allTextContents()).not.toContain('% of requests');
        expect(await page.locator('[data-chart="errors"]').count()).toBe(0);
      },
      DESK,
      pages.clean,
    ));

  test('the keyboard alone reaches findings: skip link, summary, evidence', () =>
    reading(async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement?.className')).toBe('skip');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('findings');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement?.tagName')).toBe('SUMMARY');
    }));
});
