import { expect, it } from 'vitest';
import { entriesIn, tarOf } from './archive.ts';

const file = (name: string, text: string) => ({ name, data: Buffer.from(text), link: null });

it('entries are read as they were written: empty ones, long ones, second names, names longer than a header has room for', async () => {
  const entries = [
    file('metadata.json', '{}'),
    file('data', ''),
    { name: 'file/a b/script.ts', data: Buffer.alloc(0), link: 'data' },
    file('file/large', 'x'.repeat(1500)),
    file(`file/${'é'.repeat(200)}/x.ts`, '1'),
    file('file/next', '2'),
  ];
  expect(await entriesIn(await tarOf(entries))).toEqual(entries);
});

it('the same entries are the same bytes', async () => {
  const entries = [file('a', '1')];
  expect(await tarOf(entries)).toEqual(await tarOf(entries));
});

it('an archive that ends within a file is refused', async () => {
  const archive = await tarOf([file('a', 'x'.repeat(600))]);
  await expect(entriesIn(archive.subarray(0, 700))).rejects.toThrow('Unexpected end of data');
});
