import { expect, it } from 'vitest';
import { codeParts } from './text.ts';

it('a sentence is shown with its code marked and without asterisks', () => {
  expect(codeParts('reported as *pending*, `a * b * c`')).toEqual([
    { code: false, text: 'reported as pending, ' },
    { code: true, text: 'a * b * c' },
  ]);
});
