import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentWith } from '../../../test/support/openapi/descriptions.ts';
import type { Description } from '../model/operation.ts';
import { loadDescription } from '../read/load.ts';
import { DescriptionCache } from './cache.ts';

let folder = '';
let entries = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-cache-'));
  entries = join(folder, 'cache', 'descriptions');
  await write('a.json', documentWith('3.1.0', { Thing: { $ref: 'parts.json#/Thing' } }));
  await write('parts.json', { Thing: { type: 'object' } });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, document: unknown): Promise<void> {
  await writeFile(join(folder, name), JSON.stringify(document));
}

function load(version = '1', name = 'a.json'): Promise<Description> {
  const cache = new DescriptionCache(join(folder, 'cache'), version);
  return loadDescription({ service: 'a', file: join(folder, name), remoteRefs: [], cache });
}

function facts({ operations, problems, document }: Description) {
  return { operations, problems, document };
}

/** Rewrites the only entry by this. */
async function change(by: (entry: string) => string): Promise<void> {
  const [name = ''] = await readdir(entries);
  await writeFile(join(entries, name), by(await readFile(join(entries, name), 'utf8')));
}

/** Tells whether loading takes the only entry as it stands: its text is not written anew. */
async function isTaken(version?: string): Promise<boolean> {
  const [name = ''] = await readdir(entries);
  const { ino } = await stat(join(entries, name));
  await load(version);
  return (await readdir(entries)).length === 1 && (await stat(join(entries, name))).ino === ino;
}

describe('an entry', () => {
  it('makes the same description, and is for its user alone', async () => {
    const fresh = await load();
    expect(await isTaken()).toBe(true);
    expect(facts(await load())).toEqual(facts(fresh));
    expect((await stat(entries)).mode & 0o777).toBe(0o700);
  });

  it.each<[string, () => Promise<void>]>([
    ['the description changed', () => write('a.json', documentWith('3.1.0', { Thing: { type: 'string' } }))],
    ['a file that it refers to changed', () => write('parts.json', { Thing: { type: 'string' } })],
    ['it is cut off', () => change((entry) => entry.slice(0, -5))],
    ['a character of it is another', () => change((entry) => entry.replace('Shop', 'Shoq'))],
    ['it is empty', () => change(() => '')],
  ])('is not taken when %s', async (_, happens) => {
    await load();
    await happens();
    expect(await isTaken()).toBe(false);
    expect(facts(await load())).toEqual(facts(await load('another')));
  });

  it('is not taken by another version', async () => {
    await load();
    expect(await isTaken('2')).toBe(false);
  });

  it('is that of the same text elsewhere, unless it refers to files beside it', async () => {
    await write('b.json', documentWith('3.1.0', { Thing: { type: 'no type' } }));
    await write('c.json', documentWith('3.1.0', { Thing: { type: 'no type' } }));
    const [b, c] = [await load('1', 'b.json'), await load('1', 'c.json')];
    expect(await readdir(entries)).toHaveLength(1);
    expect(b.problems.map(({ file }) => file)).toEqual([join(folder, 'b.json')]);
    expect(c.problems).toEqual(b.problems.map((problem) => ({ ...problem, file: join(folder, 'c.json') })));
    await mkdir(join(folder, 'other'));
    await write('other/a.json', documentWith('3.1.0', { Thing: { $ref: 'parts.json#/Thing' } }));
    expect([(await load()).problems.length, (await load('1', 'other/a.json')).problems.length]).toEqual([0, 1]);
  });

  it('is not kept while a file is missing that may be there next time', async () => {
    await rm(join(folder, 'parts.json'));
    expect((await load()).problems).toHaveLength(1);
    expect(await readdir(entries)).toEqual([]);
  });

  it('is complete whoever reads while others write', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => load()));
    for (const one of all) expect(facts(one)).toEqual(facts(all[0] as Description));
    expect(await readdir(entries)).toHaveLength(1);
  });
});

describe.skipIf(process.getuid === undefined)('the folder', () => {
  const forge = (entry: string): string => {
    const body = entry.slice(64).replaceAll('Shop', 'Forged');
    return createHash('sha256').update(body).digest('hex') + body;
  };

  it('is trusted while it is closed to others, and no longer', async () => {
    await load();
    await change(forge);
    expect((await load()).title).toBe('Forged');
    await chmod(entries, 0o770);
    expect((await load()).title).toBe('Shop');
  });

  it('gets nothing when others can read or write there', async () => {
    await mkdir(entries, { recursive: true });
    await chmod(entries, 0o755);
    await load();
    expect(await readdir(entries)).toEqual([]);
  });
});
