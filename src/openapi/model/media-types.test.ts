import { describe, expect, it } from 'vitest';
import { isMakeable, makeable, writtenExample } from './media-types.ts';
import type { MediaType } from './operation.ts';

const media = (mediaType: string, schema?: unknown, ...examples: unknown[]): MediaType => ({
  mediaType,
  schema: schema === undefined ? null : { pointer: '', value: schema },
  examples,
});
const BYTES = { type: 'string', format: 'binary' };

describe('a request body', () => {
  it.each([
    ['of bytes, whatever they are', media('application/pdf', BYTES), true],
    ['that is an image', media('image/png'), true],
    ['of XML with an example', media('application/xml', { type: 'object' }, { a: 1 }, '<a/>'), true],
    ['of XML without one', media('application/xml', { type: 'object' }, { a: 1 }), false],
    ['of a type that nobody knows', media('application/pdf', { type: 'object' }), false],
  ])('%s can be made: %j', (_name, declared, expected) => {
    expect(isMakeable(declared)).toBe(expected);
    expect(makeable([declared])).toBe(expected ? declared : null);
  });

  it('of XML is its example as it stands, of text a value', () => {
    expect(writtenExample(media('application/xml', { type: 'object' }, { a: 1 }, '<a/>'))).toBe('<a/>');
    expect(writtenExample(media('text/xml', { type: 'object' }, '<a/>'))).toBe('<a/>');
    expect(writtenExample(media('text/plain', { type: 'string' }, 'a'))).toBeUndefined();
    expect(writtenExample(media('application/json', { type: 'string' }, 'a'))).toBeUndefined();
  });
});
