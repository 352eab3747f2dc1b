import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entriesIn, tarOf } from './tar.ts';

const name = fc.string({ unit: fc.constantFrom('a', '/', '.', '-', '9'), minLength: 1, maxLength: 100 });
const entries = fc.array(
  fc.record({
    name,
    data: fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes)),
    link: fc.constant(null),
  }),
);

it('files are read as they were written', () => {
  fc.assert(
    fc.property(entries, (files) => {
      expect(entriesIn(tarOf(files))).toEqual(files);
    }),
  );
});

it('a second name of a file is read as one', () => {
  const files = [{ name: 'a/b', data: Buffer.alloc(0), link: 'data' }];
  expect(entriesIn(tarOf(files))).toEqual(files);
});

it('a name of its own record is the name of the file that follows, and of that alone', () => {
  const long = `file/${'é'.repeat(200)}/x.ts`;
  const record = ` path=${long}\n`;
  const length = Buffer.byteLength(record) + 3;
  const archive = tarOf([
    { name: 'PaxHeaders.0/x', data: Buffer.from(`${length}${record}`), link: null },
    { name: 'cut', data: Buffer.from('1'), link: null },
    { name: 'other', data: Buffer.from('2'), link: null },
  ]);
  archive.write('x', 156);
  expect(entriesIn(archive).map((entry) => entry.name)).toEqual([long, 'other']);
});

it('a name beside its folders is put together', () => {
  const archive = tarOf([{ name: 'x.ts', data: Buffer.from('1'), link: null }]);
  archive.write('file/deep', 345);
  expect(entriesIn(archive).map((entry) => entry.name)).toEqual(['file/deep/x.ts']);
});

it('an archive that ends within a file is refused', () => {
  const archive = tarOf([{ name: 'a', data: Buffer.alloc(600), link: null }]);
  expect(() => entriesIn(archive.subarray(0, 700))).toThrow('ends within a file');
});

it('a name too long for what reads it is refused', () => {
  expect(() => tarOf([{ name: 'a'.repeat(101), data: Buffer.alloc(0), link: null }])).toThrow('too long');
});
