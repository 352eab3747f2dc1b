// The report in a real browser: what a reader does with it, and what a hostile target cannot do in it. page.nightly.test.ts looks at the rest.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unparted } from '../src/reporters/html/text.ts';
import { NO_BROWSER, seriousIn, WITH_BROWSER } from './browser.ts';
import { oneDue } from './programme.ts';
import {
  DESK,
  drawn,
  openPage,
  openReports,
  PHONE,
  pages,
  reading,
  unfoldAll,
  unpackedAll,
  visible,
} from './reading-pages.ts';
import { HOSTILE } from './support/reporters/sample-report.ts';

openReports();

describe.skipIf(NO_BROWSER !== null)(`${WITH_BROWSER}, the report`, () => {
  test('says on its first screen what is broken, where, and why, the most severe first', () =>
    reading(async (page) => {
      for (const text of [
        'breaks its contract',
        'ERR-04',
        'error.status differs',
        '5 of 7 operations',
        '1 new, 2 gone',
      ])
        await expect.poll(() => visible(page, `header :text("${text}")`).count(), { message: text }).toBeGreaterThan(0);
      const cause = await page.locator('.worst li').last().boundingBox();
      expect(cause!.y + cause!.height).toBeLessThan(900);
      expect(await page.locator('.worst .severity').allTextContents()).toEqual(['schema', 'form', 'form']);
    }));

  test('on paper sizes in rem are no larger beside the text than on a screen', () =>
    reading(async (page) => {
      await page.emulateMedia({ media: 'print' });
      const sizes =
        '[document.documentElement, document.body].map((one) => parseFloat(getComputedStyle(one).fontSize))';
      const [root = 0, body = 1] = (await page.evaluate(sizes)) as number[];
      expect(root / body).toBeLessThan(1.2);
    }));

  test('search finds what is folded away, opens it, and Escape brings all back', () =>
    reading(async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('unlisted code');
      await expect.poll(() => page.locator('#shown').textContent()).toMatch(/^\d+ of \d+$/);
      await expect.poll(() => visible(page, '.group').count()).toBe(0);
      await page.locator('#search').fill('err-04 /api/v1/ai/chat');
      await expect.poll(() => visible(page, '.group[data-item]').count()).toBe(1);
      await expect.poll(() => visible(page, '.group [data-item]').count()).toBe(1);
      await page.locator('#search').press('Escape');
      await expect.poll(() => page.locator('#shown').textContent()).toBe('');
      expect(await page.locator('[data-item][hidden], [data-section][hidden]').count()).toBe(0);
    }));

  test.each(
    oneDue([
      ['a clause', '#ERR-04', 'tr'],
      ['an operation', '#op-admin-GET-/api/v1/stores/{storeId}', 'tr'],
      ['an operation, as browsers write it', '#op-admin-GET-/api/v1/stores/%7BstoreId%7D', 'tr'],
      ['a finding in full', '#f-sch01-1', '.finding'],
      ['a finding of many', '#f-err04-4', 'tr'],
      ['an observation', '#f-err11-1', '.finding'],
      ['a section', '#coverage', 'section'],
    ]),
  )('a link leads to %s, unfolded and in sight', (_, hash, element) =>
    reading(
      async (page) => {
        const target = page.locator(`${element}[data-reached]`);
        await target.waitFor({ state: 'visible' });
        expect(await target.getAttribute('id')).toBe(decodeURIComponent(hash.slice(1)));
        await expect.poll(async () => (await target.boundingBox())!.y).toBeLessThan(900);
        expect(await page.evaluate(`document.activeElement?.matches('[data-reached]')`)).toBe(true);
      },
      { ...DESK, hash },
    ),
  );

  test('draws its charts', () =>
    reading(async (page) => {
      await drawn(page);
      await page.evaluate(`for (const shelf of document.querySelectorAll('.shelf')) shelf.open = true`);
      for (const chart of [
        ...['serviceRanges', 'slowest', 'capacity', 'plans', 'operations'],
        ...['overTime', 'loadLatency', 'errors', 'history'],
      ]) {
        await page.locator(`[data-chart="${chart}"]`).scrollIntoViewIfNeeded();
        await expect
          .poll(() => page.locator(`[data-chart="${chart}"] :is(canvas, svg)`).count(), {
            message: chart,
          })
          .toBeGreaterThan(0);
      }
    }));

  test('a load run says its result, what changed since the last one, and how each operation fared', () =>
    reading(
      async (page) => {
        await expect
          .poll(() => visible(page, 'h1').textContent())
          // No line parts a number from its unit.
          .toBe(
            unparted('Spike 20 → 120 requests/s: 98 % succeeded, 2 % answered 5xx, p99 7.84 ms, recovered within 1 s.'),
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
      pages.loaded,
    ));

  test('copies the command', () =>
    reading(async (page) => {
      const button = visible(page, '[data-copy]').first();
      await button.click();
      await expect.poll(() => button.textContent()).toMatch(/Copied|Selected/);
    }));

  test('strings of a hostile target are text, however they are looked at', () =>
    reading(async (page) => {
      await unfoldAll(page);
      await unpackedAll(page);
      await drawn(page);
      await page.locator('#search').fill('window.hacked');
      await expect.poll(() => page.locator('#shown').textContent()).toMatch(/^[1-9]/);
      await page.locator('#search').press('Escape');
      await page.locator('#matrix').scrollIntoViewIfNeeded();
      await page.locator('.named tbody tr', { hasText: 'hacked' }).hover();
      expect(await page.evaluate(`'hacked' in window`)).toBe(false);
      expect(await page.locator('img').count()).toBe(0);
      const text = await page.evaluate<string>('document.body.innerText');
      expect(['\u001b', '\u202e', '\u0007'].filter((character) => text.includes(character))).toEqual([]);
      expect(text.includes('⟨U+001B⟩[31mred')).toBe(true);
      await expect.poll(() => page.locator(`:text("${HOSTILE.slice(0, 20)}")`).count()).toBeGreaterThan(0);
    }));

  describe.each(
    oneDue([
      ['the report', () => pages.report],
      ['that of a load run', () => pages.loaded],
    ] as const),
  )('%s', (_, file) => {
    test.each(
      oneDue([
        ['a desk, light', { ...DESK, colorScheme: 'light' }],
        ['a desk, dark', { ...DESK, colorScheme: 'dark' }],
        ['a phone, light', { ...PHONE, colorScheme: 'light' }],
      ] as const),
    )('has nothing serious for axe on %s, folded or not', (_place, options) =>
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

  test('without scripts the verdict, its causes and the clauses by family can be read', async () => {
    const { page } = await openPage(pages.report, { javaScriptEnabled: false });
    await expect.poll(() => visible(page, 'h1').textContent()).toContain('breaks its contract');
    expect(await visible(page, '.worst li').count()).toBeGreaterThan(0);
    expect(await visible(page, '#clauses .family > summary').count()).toBeGreaterThan(10);
    expect(await page.locator('#clauses tbody tr').count()).toBeGreaterThan(90);
    expect(await visible(page, '.filter, #theme').count()).toBe(0);
    expect(await visible(page, 'noscript').textContent()).toContain('report.json');
    await page.context().close();
  });

  test('the page of a cause has all of its evidence, is as safe, and leads back', async () => {
    const [name] = await readdir(join(pages.folder, 'evidence'));
    const file = join(pages.folder, 'evidence', name!);
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
