import { beforeAll, describe, expect, it } from 'vitest';
import { loadFiles } from '../../test/support/openapi/descriptions.ts';
import type { Description, MediaType, Operation } from '../openapi/model/operation.ts';
import { validBody } from './bodies.ts';
import { encodedBody } from './encodings.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    file: { type: 'string', format: 'binary' },
    tags: { type: 'array', items: {} },
  },
};
let description: Description;
beforeAll(async () => {
  const content = {
    'multipart/form-data': { schema: SCHEMA, encoding: { name: { contentType: 'text/csv' } } },
    'Application/vnd.x+json; version=2': {},
    'text/plain;charset=utf-8': {},
  };
  description = await loadFiles({
    'd.json': {
      openapi: '3.0.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { post: { requestBody: { required: true, content }, responses: { 200: { description: 'x' } } } } },
    },
  });
});

const media = (mediaType: string, changes: Partial<MediaType> = {}): MediaType => ({
  mediaType,
  schema: null,
  examples: [],
  ...changes,
});
const encoded = (type: MediaType, value: unknown) => encodedBody(description, type, value);

describe('a body', () => {
  it('of JSON keeps its value, under the name that is declared', () => {
    expect(encoded(media('application/json'), { a: 1 })).toEqual({ kind: 'json', value: { a: 1 } });
    const vendor = media('application/vnd.api+json');
    expect(encoded(vendor, {})).toEqual({ kind: 'json', value: {}, contentType: 'application/vnd.api+json' });
    expect(encoded(media('*/*'), 1)).toEqual({ kind: 'json', value: 1 });
    expect(encoded(media('application/*+json'), 1)).toMatchObject({ contentType: 'application/vnd.assay+json' });
    expect(encoded(media('image/*'), 'x')).toEqual({ kind: 'raw', text: 'x', contentType: 'image/png' });
  });

  it('is sent with the parameters that its media type is declared with', () => {
    const [, json, text] = description.operations[0]?.requestBody?.content ?? [];
    expect(json && encoded(json, {})).toMatchObject({ kind: 'json', contentType: 'application/vnd.x+json; version=2' });
    expect(text && encoded(text, 'a')).toMatchObject({ kind: 'raw', contentType: 'text/plain;charset=utf-8' });
  });

  it('of XML is its example, whatever value its schema describes', () => {
    const [operation] = description.operations;
    const xml = media('application/xml', {
      schema: { pointer: '', value: { type: 'object' } },
      examples: ['<a>1</a>'],
    });
    const taking = { ...(operation as Operation), requestBody: { required: true, content: [xml] } };
    const draw = { seed: 1, nonce: { run: 'r', serial: 's' } };
    for (const fullness of ['example', 'required', 'full'] as const)
      expect(validBody(description, { ...taking }, fullness, draw)).toBe('<a>1</a>');
  });

  it('of a form has a pair for each member and item', () => {
    const form = media('application/x-www-form-urlencoded', {
      encoding: { filter: { style: 'deepObject', explode: true }, ids: { style: 'form', explode: false } },
    });
    const value = { name: 'a b&c', tags: ['x', 'y'], deep: { a: 1 }, filter: { to: 2 }, ids: [1, 2] };
    expect(encoded(form, value)).toMatchObject({
      text: 'name=a+b%26c&tags=x&tags=y&deep=%7B%22a%22%3A1%7D&filter%5Bto%5D=2&ids=1%2C2',
      contentType: 'application/x-www-form-urlencoded',
    });
  });

  it('of several parts has files with a name, and the types that are stated', () => {
    const type = description.operations[0]?.requestBody?.content[0] as MediaType;
    const body = encoded(type, { name: 'n', file: 'bytes', tags: ['x', { a: 1 }] });
    const { text, contentType } = body as { text: string; contentType: string };
    const boundary = /boundary=(.+)$/.exec(contentType)?.[1];
    const parts = text.split(`--${boundary}`).map((part) => part.trim());
    expect(parts).toEqual([
      '',
      'Content-Disposition: form-data; name="name"\r\nContent-Type: text/csv\r\n\r\nn',
      'Content-Disposition: form-data; name="file"; filename="assay.txt"\r\nContent-Type: application/octet-stream\r\n\r\nbytes',
      'Content-Disposition: form-data; name="tags"\r\n\r\nx',
      'Content-Disposition: form-data; name="tags"\r\nContent-Type: application/json\r\n\r\n{"a":1}',
      '--',
    ]);
  });

  it('of text and of bytes is the value itself', () => {
    expect(encoded(media('text/plain'), 'hello')).toEqual({ kind: 'raw', text: 'hello', contentType: 'text/plain' });
    expect(encoded(media('application/octet-stream'), undefined)).toMatchObject({ text: 'assay' });
  });
});
