import { expect, it } from 'vitest';
import { isJsonSequence, itemsOf, sequenceText } from './sequences.ts';

const values = (type: string, text: string, isCut = false): unknown =>
  itemsOf(type, text, { isCut })?.map((item) => (item.ok ? item.value : 'no JSON')) ?? null;

it.each([
  ['application/jsonl', '{"a":1}\n\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['application/x-ndjson; charset=utf-8', '{"a":1}\nnot\n', [{ a: 1 }, 'no JSON']],
  ['application/geo+json-seq', '\u001e{"a":1}\n\u001e[2]\n', [{ a: 1 }, [2]]],
  [
    'text/event-stream',
    ': hello\n\nevent: made\r\ndata: {"a":1}\ndata:more\nid: 7\nretry: 500\n\ndata\n\n',
    [{ event: 'made', data: '{"a":1}\nmore', id: '7', retry: 500 }, { data: '' }],
  ],
  ['text/event-stream', 'retry: 500\n\nevent: ping\n\nid: 8\n\n', []],
  ['text/event-stream', 'data: a\nretry: soon\nother: b\nDATA: c\n\n', [{ data: 'a' }]],
  ['text/event-stream', ': only a comment\n\n', []],
  ['application/json', '{}', null],
])('%s is read item by item', (type, text, found) => {
  expect(values(type, text)).toEqual(found);
});

it('leaves out the last item of a body that was left', () => {
  expect(values('application/jsonl', '{"a":1}\n{"a"', true)).toEqual([{ a: 1 }]);
  expect(values('text/event-stream', 'data: a\n\ndata: b\n', true)).toEqual([{ data: 'a' }]);
});

it.each([
  ['application/x-ndjson', [{ a: 1 }, 2], '{"a":1}\n2\n'],
  ['application/json-seq; v=1', [{ a: 1 }], '\u001e{"a":1}\n'],
  ['application/jsonl', { a: 1 }, '{"a":1}\n'],
  ['application/jsonl', [], ''],
  ['application/jsonl', 'not', 'not'],
])('%s is written item by item', (type, value, text) => {
  expect(isJsonSequence(type)).toBe(true);
  expect(sequenceText(type, value)).toBe(text);
});

it('takes events and JSON for no sequence of JSON texts', () => {
  expect(['text/event-stream', 'application/json', 'multipart/mixed'].some(isJsonSequence)).toBe(false);
});
