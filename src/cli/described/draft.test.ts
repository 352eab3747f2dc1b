import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftOf } from './draft.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: 'http://127.0.0.1:9' }],
  paths: {},
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' }, key: { type: 'apiKey', in: 'query', name: 'key' } },
  },
};

async function accounts(...keys: string[]): Promise<unknown> {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-draft-'));
  writeFileSync(join(cwd, 'things.json'), JSON.stringify(DOCUMENT));
  const typed = { description: 'things.json', baseUrl: null, headers: [], keys };
  const { document } = await draftOf(typed, { cwd, env: {}, proxies: {} } as unknown as Parameters<typeof draftOf>[1]);
  return document.keys?.map(({ name, account }) => [name, account]);
}

it('takes two keys of one scheme for those of two accounts, which may not see what the other made', async () => {
  expect(await accounts('token=aaaaaaaa', 'token=bbbbbbbb')).toEqual([
    ['token', 'account-1'],
    ['token-2', 'account-2'],
  ]);
});

it('says nothing of accounts where each scheme has one key', async () => {
  expect(await accounts('token=aaaaaaaa', 'key=bbbbbbbb')).toEqual([
    ['token', undefined],
    ['key', undefined],
  ]);
});
