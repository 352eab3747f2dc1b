import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { cacheFolder } from './cache-folder.ts';

it.each<[string, Record<string, string>, NodeJS.Platform, string | null]>([
  ['the folder that ASSAY_CACHE names', { ASSAY_CACHE: 'kept', HOME: '/home/a' }, 'linux', resolve('kept')],
  ['none with ASSAY_CACHE=off', { ASSAY_CACHE: 'off', HOME: '/home/a' }, 'linux', null],
  ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x', HOME: '/home/a' }, 'linux', join('/x', 'assay')],
  ['~/.cache', { HOME: '/home/a', ASSAY_CACHE: '' }, 'linux', join('/home/a', '.cache', 'assay')],
  ['~/Library/Caches', { HOME: '/Users/a' }, 'darwin', join('/Users/a', 'Library', 'Caches', 'assay')],
  ['%LOCALAPPDATA%', { LOCALAPPDATA: 'L' }, 'win32', join('L', 'assay', 'cache')],
  ['none for a user without a home', {}, 'linux', null],
])('the cache stands in %s', (_, env, platform, folder) => {
  expect(cacheFolder(env, platform)).toBe(folder);
});
