// Recordings are read to their end, and whatever is wrong in one is named with its place.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { chromeEntry, harOf, LOG_PAGE } from '../../../test/traffic/recorded.ts';
import type { UsageError } from '../../config/errors.ts';
import type { Seen } from '../../run/traffic/seen.ts';
import { RecordingProblems } from './recording-problems.ts';
import { readRecording, recordingsOf } from './recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-recordings-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string, content: string | Buffer) {
  writeFileSync(join(folder, name), content);
  const [recording] = await recordingsOf([join(folder, name)]);
  if (recording === undefined) throw new Error('no recording');
  const all: Seen[] = [];
  const problems = new RecordingProblems();
  const stop = new AbortController().signal;
  const isWhole = await readRecording(recording, { name, problems, stop, onSeen: (seen) => all.push(seen) });
  problems.throwIfAny();
  return { all, isWhole };
}

const refusal = (name: string, content: string | Buffer) =>
  read(name, content).then(
    () => 'read',
    (error: UsageError) => `${error.code} ${error.message}`,
  );

const LINE = {
  method: 'get',
  url: 'http://shop.test/api/v1/stores',
  status: 200,
  headers: { a: ['1', '2'] },
  body: '[]',
};
const lines = (...all: unknown[]) => all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');

describe('a HAR file', () => {
  const entries = [0, 1, 2].map((index) => chromeEntry(LOG_PAGE, index));

  it.each(['a.har', 'a.json'])('is known as %s, pretty or not, with a byte order mark or without', async (name) => {
    const pretty = JSON.stringify(JSON.parse(harOf(entries)), null, 2);
    for (const content of [harOf(entries), pretty, `\ufeff${harOf(entries)}`]) {
      const { all, isWhole } = await read(name, content);
      expect({ isWhole, places: all.map(({ place }) => place) }).toEqual({
        isWhole: true,
        places: [0, 1, 2].map((index) => `${name}#/log/entries/${index}`),
      });
    }
  });

  it('is known by its log, whatever stands before it', async () => {
    const content = `{"_meta":{"a":1},${harOf(entries).slice(1)}`;
    expect((await read('a.txt', content)).all).toHaveLength(3);
    const line = JSON.stringify({ ...LINE, body: content });
    expect((await read('a.txt', lines(line, line))).all).toHaveLength(2);
  });

  it('may have bodies in files beside it, and in no other folder', async () => {
    writeFileSync(join(folder, 'one.json'), '{"a":1}');
    const bodyIn = async (_file: string) => {
      const entry = chromeEntry({ content: { text: undefined, size: 7, _file } });
      const answer = (await read('attached.har', harOf([entry]))).all[0]?.answer;
      return typeof answer === 'object' ? answer.body : answer;
    };
    expect(await bodyIn('one.json')).toEqual({ content: '{"a":1}', isWhole: true });
    for (const name of ['none.json', `../${basename(folder)}/one.json`, '..', ''])
      expect(await bodyIn(name)).toEqual({ content: '', isWhole: false });
  });

  it('that ends early hands over the entries before', async () => {
    const { all, isWhole } = await read('cut.har', harOf(entries).slice(0, -300));
    expect([all.length, isWhole]).toEqual([2, false]);
  });

  it.each([400, 1])('that ends early in its first entry hands over nothing, and is no other file', async (left) => {
    const text = harOf(entries);
    const begin = text.indexOf('"entries":[') + '"entries":['.length;
    expect(await read('begun.har', text.slice(0, begin + left))).toEqual({ all: [], isWhole: false });
  });

  it.each([
    [
      'a brace too many',
      (text: string) => text.replace('"timings":{', '}"timings":{'),
      /broken JSON near byte \d+, after 0 entries/,
    ],
    [
      'no comma between two',
      (text: string) => text.replace('},{"_initiator"', '} {"_initiator"'),
      /broken JSON near byte \d+, after 1 entry/,
    ],
    [
      'a quote too few',
      (text: string) => text.replace('"text":"', '"text":'),
      /broken JSON at byte \d+, after 0 entries/,
    ],
    ['a number that is none', (text: string) => text.replace('"time":12.5', '"time":NaN'), /broken JSON at byte \d+/],
    [
      'a second file behind it',
      (text: string) => `${text}\n${text}`,
      /more text follows the end of the HAR file at byte \d+/,
    ],
  ])('with %s is named with the place', async (_what, broken, told) => {
    expect(await refusal('g.har', broken(harOf(entries)))).toMatch(told);
  });

  it('may end in white space', async () => {
    expect((await read('h.har', `${harOf(entries)}\n\n `)).isWhole).toBe(true);
  });

  it('may hold a body that its recorder kept compressed, a header without its value, and members of any depth', async () => {
    const [entry] = entries as { response: { headers: object[]; content: object } }[];
    const coded = gzipSync(JSON.stringify(LOG_PAGE.body));
    const headers = [...(entry?.response.headers ?? []), { name: 'content-encoding', value: 'gzip' }, { name: 'x' }];
    const content = {
      size: JSON.stringify(LOG_PAGE.body).length,
      mimeType: 'application/json',
      text: coded.toString('base64'),
      encoding: 'base64',
    };
    const odd = { ...entry, _deep: 0, response: { ...entry?.response, headers, content } };
    const deep = `"_deep":${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const { all } = await read('i.har', harOf([odd]).replace('"_deep":0', deep));
    expect(all[0]?.answer).toMatchObject({
      body: { content: JSON.stringify(LOG_PAGE.body), isWhole: true },
    });
  });

  it('that is broken is named with the place', async () => {
    const broken = harOf(entries).replace(
      '"_priority":"High","_resourceType":"fetch","cache":{},"connection"',
      '"_priority":?',
    );
    expect(await refusal('b.har', broken)).toMatch(/UNREADABLE b\.har: broken JSON at byte \d+, after 0 entries/);
  });

  it('whose entries lack something is refused, each by its pointer', async () => {
    const [first, second] = entries as { request: object; response: object }[];
    const wrong = [
      { ...first, request: { method: 'GET', headers: [] } },
      second,
      { ...second, response: { status: 'ok', headers: [] } },
    ];
    const told = await refusal('c.har', harOf(wrong));
    expect(told).toContain('c.har: /log/entries/0/request/url is missing');
    expect(told).toContain('c.har: /log/entries/2/response/status must be number');
  });

  it.each(['{"log":{}}', '{"log":{"entries":{}}}', '{}', '[]', '{"entries":[]}'])('is not %s', async (content) => {
    expect(await refusal('d.har', content)).toContain('no list at /log/entries');
  });

  it('without entries is one all the same', async () => {
    expect((await read('e.har', harOf([]))).all).toEqual([]);
  });
});

describe('lines of JSON', () => {
  it('are read with what they tell', async () => {
    const times = { startedAt: '2026-11-22T10:00:00Z', durationMs: 12, waitedMs: 8 };
    const sent = { requestHeaders: [['A', 'b']], requestBodyBase64: 'e30=' };
    const { all } = await read('a.jsonl', `\ufeff${lines({ ...LINE, ...times, ...sent }, '', LINE)}\n`);
    const [one, other] = all;
    expect(one).toMatchObject({
      ...{ place: 'a.jsonl:1', times: { sentAt: Date.UTC(2026, 10, 22, 10), durationMs: 12, waitedMs: 8 } },
      request: { method: 'GET', headers: [['A', 'b']], isComplete: true, body: { kind: 'text', text: '{}' } },
      answer: {
        status: 200,
        headers: [
          ['a', '1'],
          ['a', '2'],
        ],
        body: { content: '[]', isWhole: true },
      },
    });
    expect(other).toMatchObject({ place: 'a.jsonl:3', times: null, request: { isComplete: false } });
  });

  it.each([
    ['a body that was not recorded', { ...LINE, body: undefined }, { body: { isWhole: false } }],
    ['no body', { ...LINE, body: null }, { body: { isWhole: true } }],
    ['a body that was cut', { ...LINE, truncated: true }, { body: { isWhole: false } }],
    ['bytes as they came', { ...LINE, bodyBase64: 'AAA=' }, { body: { content: Buffer.from([0, 0]) } }],
  ])('tell of %s', async (_what, line, answer) => {
    expect((await read('b.jsonl', lines(line))).all[0]?.answer).toMatchObject(answer);
  });

  it('hold bytes that are coded as the headers say, or decoded', async () => {
    const content = async (bytes: Buffer) => {
      const line = {
        ...LINE,
        headers: { 'Content-Encoding': 'gzip' },
        body: undefined,
        bodyBase64: bytes.toString('base64'),
      };
      const { answer } = (await read('l.jsonl', lines(line))).all[0] ?? {};
      return typeof answer === 'object' ? answer.body.content : answer;
    };
    expect(await content(gzipSync('[]'))).toEqual(gzipSync('[]'));
    expect(await content(Buffer.from('[]'))).toBe('[]');
  });

  it('tell of no answer', async () => {
    expect((await read('c.jsonl', lines({ ...LINE, status: null }))).all[0]?.answer).toBe('has no answer');
  });

  it.each([
    ['x', ': this line is no JSON object'],
    [{ ...LINE, url: '/api' }, ': /url must match pattern'],
    [{ ...LINE, status: 'ok' }, ': /status must be'],
    [{ ...LINE, headers: undefined }, ': /headers is missing'],
    [{ ...LINE, headers: 7 }, ': /headers must be'],
    [[], ': the whole must be object'],
  ])('%j is named by its number', async (line, why) => {
    expect(await refusal('d.jsonl', lines(LINE, line, LINE))).toContain(`d.jsonl:2${why}`);
  });

  it('that end within the last one are read up to there', async () => {
    const { all, isWhole } = await read('e.jsonl', lines(LINE, LINE, JSON.stringify(LINE).slice(0, 40)));
    expect([all.length, isWhole]).toEqual([2, false]);
  });
});

it.each([
  ['gzip', gzipSync(harOf([])), /packed\.har is compressed by gzip: unpack it first/],
  ['zip', Buffer.from('PK\u0003\u0004rest of it', 'latin1'), /is a zip archive/],
  ['UTF-16', Buffer.from(`\ufeff${harOf([])}`, 'utf16le'), /is text in UTF-16/],
])('a file in %s is called what it is', async (_what, content, told) => {
  expect(await refusal('packed.har', content)).toMatch(told);
});

it('standard input can be read once', async () => {
  const told = await recordingsOf(['-', '-']).catch((error: UsageError) => error.message);
  expect(told).toBe('standard input can be read once');
  expect(await recordingsOf(['-'])).toEqual([{ file: '-', name: 'standard input' }]);
});

it('files that are not there, empty ones and folders are told together', async () => {
  writeFileSync(join(folder, 'empty.har'), '');
  const told = await recordingsOf([join(folder, 'none.har'), join(folder, 'empty.har'), folder]).catch(
    (error: UsageError) => error.message,
  );
  expect(told).toMatch(/none\.har cannot be read \(ENOENT\)[\s\S]*empty\.har is empty[\s\S]*is a folder/);
});
