// The certificate's page in a real browser: nothing serious for axe, and nothing beyond the edge of a phone.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCertificate } from '../src/certify/write.ts';
import { NO_BROWSER, openFile, seriousIn, startBrowser, WITH_BROWSER } from './browser.ts';
import { conforming, SELF_CHECK, ZERO } from './support/certified-reports.ts';

const WIDTH = 390;

let browser: Browser;
let folder = '';
beforeAll(async () => {
  if (NO_BROWSER !== null) return;
  folder = await mkdtemp(join(tmpdir(), 'assay-certificate-page-'));
  const report = conforming();
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  const facts = { report, selfCheck: SELF_CHECK, accept: {}, folder, subject: [], configuration: {} };
  await writeCertificate({ ...facts, issuer: 'Acme', toolDigest: ZERO, k6: null, key: null });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

describe.skipIf(NO_BROWSER !== null)(`${WITH_BROWSER}, the certificate`, () => {
  test('has nothing serious for axe, and fits a phone', async () => {
    const opened = await openFile(browser, join(folder, 'certificate.html'), {
      viewport: { width: WIDTH, height: 844 },
    });
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(WIDTH);
    expect(await seriousIn(opened.page)).toEqual([]);
    await opened.page.context().close();
  });
});
