// Tests what is read of an entry of a HAR file, and what it leaves open.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Call, chromeEntry, firefoxEntry } from '../../../test/traffic/recorded.ts';
import { completed, type HarEntry, seenInHar } from './har-entry.ts';

const seen = (call: Call, shape = chromeEntry) => seenInHar(shape(call) as unknown as HarEntry, 'a.har#/log/entries/0');

function bodyOf(call: Call): unknown {
  const { answer } = seen(call);
  return typeof answer === 'string' ? answer : { text: answer.body.content.toString(), isWhole: answer.body.isWhole };
}

describe.each([
  ['Chrome', chromeEntry],
  ['Firefox', firefoxEntry],
])('an entry of %s', (_browser, shape) => {
  it('is read with its headers, body and times, pseudo headers aside', () => {
    const { request, answer, times } = seen({ method: 'post', path: '/a?b=1', sent: { c: 1 }, body: { d: 1 } }, shape);
    expect(request).toMatchObject({ method: 'POST', url: 'http://shop.test/a?b=1', isComplete: true });
    expect(request.body).toEqual({ kind: 'text', text: '{"c":1}' });
    expect(request.headers.some(([name]) => name.startsWith(':'))).toBe(false);
    expect(answer).toMatchObject({ status: 200, body: { isWhole: true } });
    expect(times).toEqual({ sentAt: Date.UTC(2026, 10, 22, 10), durationMs: 12.5, waitedMs: 10 });
  });
});

const ZIPPED = gzipSync('{"a":1}');
/** As Polly.js writes what came in two pieces. */
const PIECES = JSON.stringify([ZIPPED.subarray(0, 9), ZIPPED.subarray(9)].map((piece) => piece.toString('base64')));

describe('the body of an answer', () => {
  it.each([
    ['is in base64', { content: { text: 'eyJhIjoxfQ==', encoding: 'base64', size: 7 } }, '{"a":1}', true],
    ['is called base64 and is a text', { body: { a: 1 }, content: { encoding: 'base64' } }, '{"a":1}', true],
    ['lacks the byte order mark that its size counts', { body: { a: 1 }, content: { size: 10 } }, '{"a":1}', true],
    ['is in base64 by its size alone', { content: { text: 'eyJhIjoxfQ==', size: 7 } }, '{"a":1}', true],
    [
      'is in coded bytes in base64, which nothing says',
      { content: { text: ZIPPED.toString('base64'), size: 7 }, headers: { 'content-encoding': 'gzip' } },
      '{"a":1}',
      true,
    ],
    ['is a text that reads like base64', { content: { text: 'eyJhIjoxfQ==', size: 12 } }, 'eyJhIjoxfQ==', true],
    ['is shorter than its size, and ends', { body: { a: 1 }, content: { size: 2000 } }, '{"a":1}', true],
    ['was cut', { body: '{"a":[1],', content: { size: 2000 } }, '{"a":[1],', false],
    [
      'was cut, by its length',
      { body: '{"a":[1],', content: { size: 9 }, headers: { 'Content-Length': '20' } },
      '{"a":[1],',
      false,
    ],
    [
      'is longer than its length, which is that of a coded one',
      { body: '{"a":1', content: { size: 6 }, headers: { 'content-length': '30', 'content-encoding': 'gzip' } },
      '{"a":1',
      true,
    ],
    [
      'is in base64, written otherwise',
      { content: { text: 'eyJhIjoxfQ==', encoding: 'BASE64', size: 7 } },
      '{"a":1}',
      true,
    ],
    [
      'lies in base64 in coded pieces',
      { content: { text: PIECES, encoding: 'base64', size: 56 }, headers: { 'content-encoding': 'gzip' } },
      '{"a":1}',
      true,
    ],
    [
      'is a list called base64, of a coded answer',
      { content: { text: '["eyJhIjoxfQ==","b"]', encoding: 'base64' }, headers: { 'content-encoding': 'gzip' } },
      '["eyJhIjoxfQ==","b"]',
      true,
    ],
    ['is a list in pieces of no coding', { content: { text: PIECES, encoding: 'base64' } }, PIECES, true],
    ['was cut within a number', { body: '12', content: { size: 2000 } }, '12', false],
    ['is in an encoding that nobody knows', { body: { a: 1 }, content: { encoding: 'utf-7' } }, '', false],
    ['has its bytes as characters', { content: { text: '{"a":"KÃ¤se"}', size: 13 } }, '{"a":"Käse"}', true],
    ['reads so, and is counted as a text', { content: { text: '{"a":"KÃ¤se"}', size: 15 } }, '{"a":"KÃ¤se"}', true],
    ['has as many characters as its size tells', { body: '{"a":"Käse"}', content: { size: 12 } }, '{"a":"Käse"}', true],
    ['was not recorded', { content: { size: 300, text: undefined } }, '', false],
    ['was not recorded, and neither was its size', { content: { size: 0, text: undefined } }, '', false],
    ['was lost with an error', { body: { a: 1 }, response: { _error: 'net::ERR_FAILED' } }, '{"a":1}', false],
    ['is empty', { body: '' }, '', true],
    ['is empty though bytes came', { body: '', response: { bodySize: 345 } }, '', false],
    ['is empty beside its length', { body: '', headers: { 'Content-Length': '345' } }, '', false],
    ['is empty by its length', { content: { size: 0, text: undefined }, headers: { 'Content-Length': '0' } }, '', true],
    ['is that of a 204', { status: 204, content: { size: 0, text: undefined } }, '', true],
  ])('that %s', (_what, call, text, isWhole) => {
    expect(bodyOf(call)).toEqual({ text, isWhole });
  });
});

it('bytes in base64 are read in their charset', () => {
  const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
  const content = (text: string, encoding?: string) => {
    const { answer } = seen({ headers, content: { text, encoding, size: 6 } });
    return typeof answer === 'string' ? answer : answer.body.content;
  };
  expect(content(Buffer.from('"café"', 'latin1').toString('base64'), 'base64')).toBe('"café"');
  expect(content('"café"')).toBe('"café"');
});

it('JSON that a tab shows is an answer, and a page is none', () => {
  const entry = { _resourceType: 'document' };
  expect(seen({ body: { a: 1 }, entry }).answer).toMatchObject({ status: 200, body: { isWhole: true } });
  const page = { body: '<p>', headers: { 'content-type': 'text/html' }, entry };
  expect(seenInHar(firefoxEntry(page) as unknown as HarEntry, 'a').answer).toBe('is a page or a file of a site');
});

it.each([{ response: undefined }, { response: null }, { response: {} }])('an entry with %j has no answer', (entry) => {
  const { request } = chromeEntry({ path: '/a' });
  const value = completed({ request, ...entry }) as HarEntry;
  expect(seenInHar(value, 'a').answer).toBe('has no answer');
});

it.each([
  ['blocked', { status: 0, response: { _error: 'net::ERR_BLOCKED_BY_CLIENT' } }, 'has no answer'],
  ['not modified', { status: 304 }, 'was answered from a cache'],
  [
    'to a preflight request whose headers are not shown',
    { method: 'OPTIONS', status: 403, entry: { _resourceType: 'preflight' } },
    'is a preflight request of a browser',
  ],
  ['a WebSocket', { url: 'ws://shop.test/live', status: 101 }, 'is a WebSocket or another protocol'],
  [
    'with a body under headers that tell of none',
    { body: { a: 1 }, headers: { 'Content-Length': '0' } },
    'has the headers of another answer',
  ],
  [
    'a picture',
    { headers: { 'content-type': 'image/png' }, entry: { _resourceType: 'image' } },
    'is a page or a file of a site',
  ],
])('what was answered %s is left out', (_how, call, reason) => {
  expect(seen(call).answer).toBe(reason);
});

it('a body that was sent and not recorded is not taken for none', () => {
  const body = (call: Call) => seen(call).request.body.kind;
  expect(body({ method: 'GET' })).toBe('none');
  expect(body({ method: 'POST', requestHeaders: { 'content-length': '12' } })).toBe('unrecorded');
  expect(body({ method: 'POST' })).toBe('none');
  const { request } = chromeEntry({ method: 'POST', sent: { a: 1 } }) as { request: object };
  expect(body({ entry: { request } })).toBe('text');
  const cut = { text: '{"a":1,' };
  expect(body({ entry: { request: { ...request, bodySize: 900, postData: cut } } })).toBe('unrecorded');
  const called = { text: '{"a":1}', encoding: 'base64' };
  expect(seen({ entry: { request: { ...request, postData: called } } }).request.body).toMatchObject({
    text: '{"a":1}',
  });
});

describe('a query that stands beside the address', () => {
  const urlOf = (path: string, queryString: unknown) => {
    const { request } = chromeEntry({ path }) as { request: object };
    return seen({ path, entry: { request: { ...request, queryString } } }).request.url;
  };
  const listed = [
    { name: 'page', value: '2' },
    { name: 'q', value: 'a&b' },
    { name: '', value: 'x' },
  ];

  it('belongs to one that has none', () => {
    expect(urlOf('/a', listed)).toBe('http://shop.test/a?page=2&q=a%26b');
    expect(urlOf('/a', [{ name: 'q' }])).toBe('http://shop.test/a?q=');
  });

  it('says nothing else of one that has its own, and may be none', () => {
    expect(urlOf('/a?page=3', listed)).toBe('http://shop.test/a?page=3');
    for (const none of [[], null, undefined, 'page=2', [null]]) expect(urlOf('/a', none)).toBe('http://shop.test/a');
  });
});

it('times of a recorder that writes when it exported are none of the calls', () => {
  const entry = chromeEntry({}) as unknown as HarEntry;
  expect(seenInHar(entry, 'a', 'Insomnia REST Client').times).toBeNull();
  expect(seenInHar(entry, 'a', 'WebInspector').times).not.toBeNull();
});

it('without times nothing is known of them', () => {
  for (const entry of [{ time: 0 }, { time: -1 }, { startedDateTime: 'soon' }, { startedDateTime: undefined }])
    expect(seen({ entry }).times).toBeNull();
});

it('values that one line holds for several are told apart', () => {
  const { answer } = seen({ headers: { 'set-cookie': 'a=1\nb=2' } });
  expect(typeof answer !== 'string' && answer.headers.filter(([name]) => name === 'set-cookie')).toHaveLength(2);
});
