// Texts by which a target that reads dates and amounts wrongly shows.
import { expect, it } from 'vitest';
import { drawnBy } from '../chance.ts';
import { draw } from '../sampling.ts';
import { formatTexts } from './formats.ts';

const drawn = (format: string): readonly string[] =>
  Array.from({ length: 200 }, (_, seed) => {
    const [text = ''] = draw(
      drawnBy((chance) => [...formatTexts(format, 6, 12, chance)]),
      seed,
      format,
    );
    return text;
  });

it('a date is another one where day and month change places', () => {
  for (const date of drawn('date')) {
    const [, month = '', day = ''] = date.split('-');
    expect(Number(day)).toBeLessThanOrEqual(12);
    expect(day).not.toBe(month);
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
  }
});

it('an amount that is told as a text loses a cent in binary fractions', () => {
  for (const amount of drawn('decimal')) {
    const [whole = '', cents = ''] = amount.split('.');
    expect(Math.trunc(Number(amount) * 100)).not.toBe(Number(`${whole}${cents}`));
  }
});
