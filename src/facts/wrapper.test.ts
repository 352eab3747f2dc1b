// Tests which objects of a body are taken for a wrapper of the members, and which for a member.
import { expect, test } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../test/support/openapi/descriptions.ts';
import type { Description } from '../openapi/model/operation.ts';
import { sentWithin, shownWithin, unwrapped, withMembersChanged, withSurroundings } from './wrapper.ts';

const described = (): Promise<Description> =>
  loadFiles({ 'a.json': { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {} } });
const of = (properties: Readonly<Record<string, unknown>>, required?: readonly string[]) => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
const text = { type: 'string' };
const BOOK = of({ title: text, pages: text });
const READ = of({ id: text, title: text, pages: text });
const RESOURCE = of({ type: text, id: text, attributes: BOOK });
const handle = (value: object) => ({ pointer: '/x', value });

test.each<[string, object, object | null, readonly string[]]>([
  ['members at the top', BOOK, READ, []],
  ['a resource object', of({ data: RESOURCE }), of({ data: RESOURCE }), ['data', 'attributes']],
  ['a resource object whose answer is not described', of({ data: RESOURCE }), null, ['data', 'attributes']],
  ['data', of({ data: BOOK }), of({ data: READ }), ['data']],
  ['data of any form, which the answer wraps as well', of({ data: of({}) }), of({ data: of({}) }), ['data']],
  ['data beside another object', of({ data: BOOK, permissions: of({}) }), of({ data: READ }), ['data']],
  ['data whose answer does not wrap', of({ data: BOOK }), READ, ['data']],
  ['data whose answer is not described', of({ data: BOOK }), null, ['data']],
  ['the noun of the path', of({ book: BOOK }), READ, ['book']],
  ['the noun of the path, in the answer as well', of({ book: BOOK }), of({ book: READ }), ['book']],
  ['the noun of the path, whose answer is not described', of({ book: BOOK }), null, ['book']],
  ['a member that is an object', of({ item: BOOK }), of({ id: text, item: BOOK }), []],
  ['a member that is an object, whose answer is not described', of({ item: BOOK }), null, []],
  ['a member of another name', of({ author: of({ title: text }) }), READ, []],
  ['a member called data', of({ data: BOOK }), of({ id: text, data: BOOK }), []],
  ['a member called data beside a text', of({ title: text, data: BOOK }), null, []],
  ['a member called data beside an id', of({ id: of({}), data: BOOK }), null, []],
  ['a resource object beside nothing that is read', of({ data: BOOK }), of({ id: text, author: text }), []],
])('%s', async (_what, sent, shown, wrapper) => {
  const within = sentWithin(await described(), '/v1/books/{id}', handle(sent), shown === null ? null : handle(shown));
  expect(within.wrapper).toEqual(wrapper);
  expect(within.sent.pointer).toBe(['/x', ...wrapper.flatMap((name) => ['properties', name])].join('/'));
});

test('the schema of a resource lies where the answer shows the resource', async () => {
  const description = await described();
  const at = (schema: object) => shownWithin(description, handle(schema)).pointer;
  expect(at(READ)).toBe('/x');
  expect(at(of({ data: RESOURCE, meta: of({}) }))).toBe('/x/properties/data/properties/attributes');
  expect(at(of({ success: text, result: READ }))).toBe('/x/properties/result');
  expect(at(of({ book: READ }))).toBe('/x/properties/book');
  expect(at(of({ author: BOOK, title: text }))).toBe('/x');
  expect(at(of({ id: text, data: BOOK }))).toBe('/x');
  expect(at(of({ request_id: text, data: READ }))).toBe('/x/properties/data');
  expect(at(of({ request_id: text, data: BOOK }))).toBe('/x');
});

test('members are taken out of their wrapper, and put into it', async () => {
  const body = { data: { type: 'books', attributes: { title: 'a' } } };
  const wrapper = ['data', 'attributes'];
  expect(unwrapped(body, wrapper)).toEqual({ title: 'a' });
  expect(unwrapped({ title: 'a' }, wrapper)).toEqual({ title: 'a' });
  const changed = (value: object) => {
    const plan = { ...exchangeWith().plan, body: { kind: 'json' as const, value } };
    return withMembersChanged(plan, { wrapper }, (own) => ({ ...own, pages: 2 }))?.body;
  };
  expect(changed(body)).toMatchObject({ value: { data: { type: 'books', attributes: { title: 'a', pages: 2 } } } });
  expect(changed({ title: 'a' })).toEqual({ kind: 'json', value: { title: 'a', pages: 2 } });
});

test('around members stands what must, and nothing else', async () => {
  const description = await described();
  const body = { data: { type: 'books', id: '1', attributes: { title: 'a' }, links: {} }, meta: {}, key: 'k' };
  const resource = of({ type: text, id: text, attributes: BOOK, links: of({}) });
  const schema = of({ data: resource, meta: of({}), key: text }, ['data', 'key']);
  expect(withSurroundings(description, schema, body, ['data', 'attributes'], { title: 'b' })).toEqual({
    data: { type: 'books', id: '1', attributes: { title: 'b' } },
    key: 'k',
  });
});
