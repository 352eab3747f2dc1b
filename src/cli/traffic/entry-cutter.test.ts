// Entries are cut out as the engine's own parser finds them, wherever the chunks of the file end.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntryCutter } from './entry-cutter.ts';

/** The entries of the text, and the text around them with "0" for each, cut from chunks of these sizes. */
function cut(text: string, sizes: readonly number[]) {
  const bytes = Buffer.from(text);
  const entries: { readonly text: string; readonly at: number }[] = [];
  let around = '';
  const cutter = new EntryCutter({
    onAround: (part) => {
      around += part.toString('latin1');
    },
    onEntry: (part, at) => {
      entries.push({ text: part.toString(), at });
      around += '0';
    },
  });
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    cutter.write(bytes.subarray(at, at + size));
    at += size;
  }
  return { entries, around, pending: cutter.pending().toString() };
}

const members = fc.dictionary(fc.constantFrom('log', 'entries', 'a"b', 'pages', '}{', '\\'), fc.jsonValue());
const entry = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('the text of a HAR file', () => {
  it('is cut into the entries that a parser finds, whatever else it holds', () => {
    fc.assert(
      fc.property(fc.array(entry), members, members, sizes, fc.boolean(), (entries, log, root, chunks, isPretty) => {
        const value = { ...root, log: { ...log, entries } };
        const text = JSON.stringify(value, null, isPretty ? 2 : 0);
        const found = cut(text, chunks);
        expect(found.entries.map((one) => JSON.parse(one.text))).toEqual(JSON.parse(JSON.stringify(entries)));
        expect(JSON.parse(Buffer.from(found.around, 'latin1').toString()).log.entries).toEqual(entries.map(() => 0));
        const bytes = Buffer.from(text);
        for (const { text: part, at } of found.entries)
          expect(bytes.toString('utf8', at, at + Buffer.byteLength(part))).toBe(part);
      }),
    );
  });

  it.each([
    ['a list of that name elsewhere', '{"entries":[{"a":1}],"log":{"pages":{"entries":[{"b":2}]}}}'],
    ['one in a list', '[{"log":{"entries":[{"a":1}]}}]'],
    ['one that is no list', '{"log":{"entries":{"a":{"b":1}}}}'],
    ['a string of that name', '{"log":"entries","x":{"entries":[{}]}}'],
  ])('has no entries in %s', (_what, text) => {
    expect(cut(text, [3])).toEqual({ entries: [], around: text, pending: '' });
  });

  it('may write the names with escapes', () => {
    expect(cut('{"l\\u006fg":{"entr\\u0069es":[{"a":1}]}}', [5]).entries).toEqual([{ text: '{"a":1}', at: 29 }]);
  });

  it('leaves an entry pending that does not end', () => {
    expect(cut('{"log":{"entries":[{"a":"]}"},{"b":"\\"}', [4])).toMatchObject({
      entries: [{ text: '{"a":"]}"}', at: 19 }],
      pending: '{"b":"\\"}',
    });
  });
});
