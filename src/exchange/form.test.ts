import { expect, it } from 'vitest';
import { formParts } from './form.ts';

const part = (head: string, text: string): string => `--x-1\r\n${head}\r\n\r\n${text}\r\n`;
const NAME = 'Content-Disposition: form-data; name="name"';
const read = (text: string, contentType: string) =>
  formParts(text, contentType)?.map(({ name, text: one, isFile }) => [name, one, isFile]);

it('reads fields and files of a multipart form, whatever its boundary is written like', () => {
  const file = 'content-type: text/plain\r\ncontent-disposition: form-data; name="f"; filename="a.txt"';
  const form = `preamble\r\n${part(NAME, 'a\r\nb --x-1')}${part(file, '')}--x-1--\r\nepilogue`;
  const expected = [
    ['name', 'a\r\nb --x-1', false],
    ['f', '', true],
  ];
  expect(read(form, 'multipart/form-data; boundary=x-1')).toEqual(expected);
  expect(read(form, 'Multipart/Form-Data; charset=utf-8; boundary="x-1"')).toEqual(expected);
});

it('reads pairs as they are encoded', () => {
  expect(read('a=1+2&a=%C3%A9', 'application/x-www-form-urlencoded; charset=utf-8')).toEqual([
    ['a', '1 2', false],
    ['a', 'é', false],
  ]);
});

it('reads nothing of what is no form, and no part of what is none', () => {
  expect(formParts('{}', 'application/json')).toBeNull();
  expect(formParts(part(NAME, 'a'), 'multipart/form-data')).toBeNull();
  expect(formParts('a', 'multipart/form-data; boundary=x-1')).toBeNull();
  for (const text of ['--x-1--', `${part('X: y', 'a')}--x-1--`, part(NAME, 'a')])
    expect(formParts(text, 'multipart/form-data; boundary=x-1')?.length ?? 0).toBe(0);
});
