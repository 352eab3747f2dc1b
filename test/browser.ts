// The browser of the page's tests and benchmark: Debian's Chromium, headless, or the one that `ASSAY_CHROMIUM` names.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from './programme.ts';

const EXECUTABLE = process.env.ASSAY_CHROMIUM ?? inPath('chromium');

/** Why a test that needs the browser is skipped; null where it is installed. */
export const NO_BROWSER =
  EXECUTABLE !== null && existsSync(EXECUTABLE)
    ? null
    : 'no Chromium (apt-get install chromium, or ASSAY_CHROMIUM=PATH)';

function inPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** How the suites that need it begin: scripts/test.ts knows it. */
export const WITH_BROWSER = 'in a browser';

/** Where Chromium makes a socket, whose path has at most 107 bytes: the folders of a night are longer. */
const SHORT_FOLDER = '/tmp';

/** Starts it. The sandbox of its own is no use to root, who cannot have one. */
export function startBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const env = { ...process.env, TMPDIR: SHORT_FOLDER };
  return chromium.launch({ ...(EXECUTABLE === null ? {} : { executablePath: EXECUTABLE }), args, env });
}

/** An opened page, and what went wrong or left it while it was open. */
export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, and exceptions. */
  readonly complaints: readonly string[];
  /** Every request but that for the file itself. */
  readonly requests: readonly string[];
}

/** Opens a file in a window of its own. */
export function openFile(
  browser: Browser,
  path: string,
  options: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<OpenPage> {
  const { hash = '', ...contextOptions } = options;
  return openAt(browser, `${pathToFileURL(path).href}${hash}`, contextOptions);
}

/** Opens an address in a window of its own. */
export async function openAt(browser: Browser, url: string, options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const [opened] = url.split('#');
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== opened) requests.push(request.url());
  });
  await page.goto(url);
  return { page, complaints, requests };
}

/** What axe finds that is serious or critical, a line for each place. */
export async function seriousIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // What passes is not described node by node: that took longer than finding out.
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
