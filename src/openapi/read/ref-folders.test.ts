import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Description } from '../model/operation.ts';
import { loadDescription } from './load.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'assay-refs-'));
  for (const folder of ['specs', 'shared', 'shared-secret', 'elsewhere']) await mkdir(join(root, folder));
  for (const folder of ['shared', 'shared-secret', 'elsewhere'])
    await writeFile(join(root, folder, 'name.json'), '{"type":"strin"}');
  await symlink(join(root, 'elsewhere', 'name.json'), join(root, 'shared', 'link.json'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A description that refers to this file, read with `shared/` allowed or not. */
async function reading(ref: string, isAllowed: boolean): Promise<Description> {
  const file = join(root, 'specs', 'api.json');
  const content = { 'application/json': { schema: { $ref: ref } } };
  const responses = { 200: { description: 'Found', content } };
  const document = { openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths: { '/a': { get: { responses } } } };
  await writeFile(file, JSON.stringify(document));
  const allowed = isAllowed ? [pathToFileURL(join(root, 'shared/')).href] : [];
  return loadDescription({ service: 'admin', file, remoteRefs: allowed });
}

describe("a file outside the description's folder", () => {
  it('is not read', async () => {
    const { problems } = await reading('../shared/name.json', false);
    expect(problems).toMatchObject([{ rule: 'unread-ref' }]);
  });

  it('is read, and judged, in a folder that is allowed', async () => {
    const { problems } = await reading('../shared/name.json', true);
    expect(problems).toMatchObject([{ pointer: '/type' }]);
  });

  it.each(['../shared-secret/name.json', '../shared/../elsewhere/name.json', '../shared/link.json'])(
    'is not read in a folder that is allowed where it only seems to be there: %s',
    async (ref) => {
      const { problems } = await reading(ref, true);
      expect(problems.map(({ pointer }) => pointer)).not.toContain('/type');
    },
  );
});
