import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadWaivers } from './waivers.ts';

const WHOLE = { clause: 'ERR-04', operation: 'GET *', reason: 'known', owner: 'team', expires: '2026-12-31' };

function folderWith(waivers: unknown, name = 'waivers.yaml'): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-waivers-'));
  writeFileSync(join(folder, name), typeof waivers === 'string' ? waivers : JSON.stringify({ waivers }));
  return folder;
}

test('waivers.yaml beside the configuration holds without being named', async () => {
  const folder = folderWith(
    'waivers:\n  - { clause: ERR-04, operation: "GET *", reason: known, owner: team, ticket: T-1, expires: 2026-12-31 }\n',
  );
  expect(await loadWaivers(null, '/', folder)).toEqual([{ ...WHOLE, fingerprint: null, ticket: 'T-1' }]);
});

test('there are none where no file is', async () => {
  expect(await loadWaivers(null, '/', mkdtempSync(join(tmpdir(), 'assay-none-')))).toEqual([]);
  expect(await loadWaivers(null, '/', null)).toEqual([]);
});

test('a file that is named must exist', async () => {
  await expect(loadWaivers('absent.yaml', '/nowhere', null)).rejects.toThrow(/absent\.yaml does not exist/);
});

test.each([
  ['no list', 'waivers: 3', /waivers: expected a list of waivers, found 3/],
  ['an unknown key', [{ ...WHOLE, until: 'x' }], /waivers\[0\]\.until: unknown key/],
  ['no owner', [{ ...WHOLE, owner: undefined }], /waivers\[0\]\.owner: is missing/],
  ['no such clause', [{ ...WHOLE, clause: 'ERR-4' }], /did you mean "ERR-04"/],
  ['no such day', [{ ...WHOLE, expires: '2026-02-30' }], /waivers\[0\]\.expires: expected a day/],
  ['neither operation nor fingerprint', [{ ...WHOLE, operation: undefined }], /at least one of operation and fing/],
  ['a fingerprint that is none', [{ ...WHOLE, fingerprint: 'x' }], /waivers\[0\]\.fingerprint: expected the fing/],
  ['security', [WHOLE, { ...WHOLE, clause: 'AUTH-01' }], /waivers\[1\]\.allowSecurity: AUTH-01 is a clause of sec/],
  ['security', [{ ...WHOLE, clause: 'INT-01', allowSecurity: false }], /waivers\[0\]\.allowSecurity/],
])('%s is refused', async (_name, waivers, message) => {
  await expect(loadWaivers(null, '/', folderWith(waivers))).rejects.toThrow(message);
});

test('a clause of security is waived where that is said in so many words', async () => {
  const folder = folderWith([{ ...WHOLE, clause: 'ERR-12', allowSecurity: true }]);
  expect(await loadWaivers(null, '/', folder)).toMatchObject([{ clause: 'ERR-12' }]);
});
