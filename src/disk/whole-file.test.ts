import * as real from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Disk, FileUnwritable, piecesWritten, writeWhole, writeWholeOn } from './whole-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-disk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const failing = (code: string): Error => Object.assign(new Error(`${code}: refused`), { code });

/** The real disk until its n-th call, counted over all of them from 0, which fails with this code. */
function diskThatFails(at: number, code: string): Disk & { readonly calls: () => number } {
  let calls = 0;
  const counted = <T>(act: () => Promise<T>): Promise<T> => {
    calls += 1;
    return calls - 1 === at ? Promise.reject(failing(code)) : act();
  };
  const open: Disk['open'] = (...given) =>
    counted(async () => {
      const file = await real.open(...given);
      return new Proxy(file, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== 'function') return member;
          const bound = member.bind(target);
          // Closing frees the handle whatever it answers.
          if (name === 'close') return () => bound().then(() => counted(async () => {}));
          return (...args: readonly unknown[]) => counted(() => bound(...args));
        },
      });
    });
  return {
    open,
    mkdir: ((...given: Parameters<Disk['mkdir']>) => counted(() => real.mkdir(...given))) as Disk['mkdir'],
    rename: (...given) => counted(() => real.rename(...given)),
    copyFile: (...given) => counted(() => real.copyFile(...given)),
    calls: () => calls,
  };
}

describe('a file', () => {
  test('appears with its folders, replaces an earlier one, and nothing else is left', async () => {
    const path = join(folder, 'a', 'b', 'file.txt');
    await writeWhole(path, 'first');
    await writeWhole(path, ['sec', 'ond']);
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['file.txt']);
  });

  test('has the permissions asked for', async () => {
    const path = join(folder, 'secret');
    await writeWhole(path, 'text', { mode: 0o600 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['an empty text', ''],
    ['bytes', new Uint8Array([0, 255, 10])],
    ['no pieces', []],
    ['a text longer than one piece, cut between surrogates', `x${'😀'.repeat(2 ** 20)}`],
    ['many small pieces', Array.from({ length: 300_000 }, (_, at) => `${at}😀`)],
  ])('holds %s as it was given', async (_what, content) => {
    const path = join(folder, 'file');
    await writeWhole(path, content);
    const expected = typeof content === 'string' || content instanceof Uint8Array ? content : content.join('');
    expect((await readFile(path)).equals(Buffer.from(expected as string))).toBe(true);
  });

  test('tells while it is written that writing goes on', async () => {
    const before = piecesWritten();
    await writeWhole(join(folder, 'file'), 'x'.repeat(3 * 2 ** 20));
    expect(piecesWritten()).toBeGreaterThanOrEqual(before + 3);
  });
});

describe('a disk that refuses', () => {
  test('leaves the earlier file whole and nothing beside it, whichever call it refuses', async () => {
    const path = join(folder, 'file.txt');
    await writeFile(path, 'before');
    const spared = diskThatFails(-1, 'ENOSPC');
    await writeWholeOn(spared, path, 'before', {});
    expect(spared.calls()).toBe(6);
    for (let at = 0; at < spared.calls(); at += 1) {
      const written = writeWholeOn(diskThatFails(at, 'ENOSPC'), path, 'after', {});
      await expect(written).rejects.toMatchObject({
        code: 'ASSAY_FILE_UNWRITABLE',
        path,
        message: `${path} cannot be written: the disk is full (ENOSPC)`,
      });
      expect(await readFile(path, 'utf8')).toBe('before');
      expect(await readdir(folder)).toEqual(['file.txt']);
    }
  });

  test('leaves nothing where the content itself throws half-way', async () => {
    const path = join(folder, 'file.txt');
    const pieces = (function* (): Generator<string> {
      yield 'one';
      throw new Error('no more');
    })();
    await expect(writeWhole(path, pieces)).rejects.toThrow(`${path} cannot be written: no more`);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ['EROFS', 'the file system is read-only', ' (EROFS)'],
    ['EACCES', 'permission is denied', ' (EACCES)'],
    ['EDQUOT', 'the disk quota is used up', ' (EDQUOT)'],
    ['EWHAT', 'EWHAT: refused', ''],
  ])('says %s in words', async (code, reason, mark) => {
    const written = writeWholeOn(diskThatFails(0, code), join(folder, 'file'), 'text', {});
    await expect(written).rejects.toMatchObject({ reason, mark });
  });

  test('says what stands in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'folder', 'inside'), { recursive: true });
    const below = await writeWhole(join(folder, 'file', 'x'), '').catch((error: unknown) => error);
    expect(below).toBeInstanceOf(FileUnwritable);
    expect(String(below)).toMatch(/a file stands where a folder should be/);
    await expect(writeWhole(join(folder, 'folder'), '')).rejects.toThrow(/a folder stands where the file should be/);
    expect(await readdir(folder)).toEqual(['file', 'folder']);
  });
});
