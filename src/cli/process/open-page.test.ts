import { expect, test, vi } from 'vitest';
import { openerOf, openPage } from './open-page.ts';

test.each([
  ['darwin', 'open'],
  ['win32', 'explorer.exe'],
  ['linux', 'xdg-open'],
] as const)('on %s a page is opened by %s', (platform, program) => {
  expect(openerOf(platform, '/r/index.html')).toEqual([program, '/r/index.html']);
});

test('where no program opens it, the page is named', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const said: string[] = [];
  await openPage('/r/index.html', (text) => said.push(text));
  vi.unstubAllEnvs();
  expect(said).toEqual([expect.stringContaining('open /r/index.html yourself')]);
});
