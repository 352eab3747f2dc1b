import { expect, it } from 'vitest';
import { shortenedApart } from './answered.ts';

it('texts that differ after what is shown are told apart all the same', () => {
  const long = 'a'.repeat(600);
  expect(shortenedApart('a', 'b')).toEqual(['"a"', '"b"']);
  expect(shortenedApart({ a: 1 }, { a: 1 })).toEqual(['{"a":1}', '{"a":1}']);
  const [sent, read] = shortenedApart(long, long.slice(0, 512));
  expect(sent).toMatch(/… \(600 characters\)$/);
  expect(read).toMatch(/… \(512 characters\)$/);
  expect(shortenedApart(`${long}x`, `${long}y`)).toEqual(['…"x"', '…"y"']);
});
