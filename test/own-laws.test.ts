// Laws of the user's own over several calls: made up by hand, in a run that sends, and on calls that others made.
import { describe, expect, test } from 'vitest';
import { type HarEntry, seenInHar } from '../src/cli/traffic/har-entry.ts';
import { simulatedClock } from '../src/clock/simulated.ts';
import { builtinConfig } from '../src/config/load.ts';
import type { Report } from '../src/contract/report.ts';
import { createRedactor } from '../src/exchange/redaction.ts';
import { breach, breached, holds, jsonBody, type OwnItemLaw, sampleItem } from '../src/index.ts';
import { isObject } from '../src/openapi/json.ts';
import { trafficReport } from '../src/run/traffic/report.ts';
import { TrafficJudge } from '../src/run/traffic/traffic-judge.ts';
import { type Answer, type Asked, type ForeignApi, judgedByContract } from './contracts/in-memory.ts';
import { loadShop } from './support/probes/world.ts';
import { optionsWith } from './support/run/test-config.ts';
import { type Call, chromeEntry, SHOP } from './traffic/recorded.ts';

/** A client that trusts the answer to its write needs no further reading. */
const answerIsRead: OwnItemLaw = {
  clause: 'X-WRITE-01',
  level: 'must',
  text: 'The next reading shows what a PUT answers of the members that it sent.',
  judgeItem({ facts }) {
    const [write, reading] = facts.slice(-2);
    if (write?.kind !== 'replaced' || reading?.kind !== 'shown') return null;
    const answered = jsonBody(write.exchange);
    const told = isObject(answered) ? Object.keys(answered).filter((name) => name in write.sent) : [];
    if (!isObject(answered) || told.length === 0) return null;
    const others = told.filter((name) => reading.shown?.[name] !== answered[name]);
    if (others.length === 0) return holds(told.length);
    const seen = (subject: string) => ({
      subject,
      actual: reading.shown?.[subject],
      expected: 'as the write answered it',
    });
    return breached(others.map((name) => breach(`read-otherwise.${name}`, seen(name), `/${name}`)));
  },
};

const TEXT = { type: 'string', minLength: 1, maxLength: 40 };
const OWN = { type: 'object', required: ['title'], properties: { title: TEXT, colour: TEXT } };
const SHOWN = { ...OWN, required: ['id', 'title'], properties: { id: { type: 'string' }, ...OWN.properties } };
const asJson = (schema: object) => ({ content: { 'application/json': { schema } } });
const answered = (status: number, schema: object) => ({ [status]: { description: 'One', ...asJson(schema) } });
const none = (status: number) => ({ [status]: { description: 'None' } });
const PATHS = {
  '/notes': {
    post: { requestBody: { required: true, ...asJson(OWN) }, responses: { ...answered(201, SHOWN), ...none(400) } },
    get: { responses: answered(200, { type: 'array', items: SHOWN }) },
  },
  '/notes/{noteId}': {
    parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'string' } }],
    get: { responses: { ...answered(200, SHOWN), ...none(404) } },
    put: {
      requestBody: { required: true, ...asJson(OWN) },
      responses: { ...answered(200, SHOWN), ...none(400), ...none(404) },
    },
    delete: { responses: { ...none(204), ...none(404) } },
  },
};

type Note = Record<string, unknown>;

/** Notes that are kept. `told`: how a PUT answers the note that it has kept. */
function notesApi(told: (kept: Note) => Note): ForeignApi {
  return {
    description: { openapi: '3.0.3', info: { title: 'Notes', version: '1.0.0' }, paths: PATHS },
    contract: ['contract: 1', 'name: Notes'],
    start() {
      const notes = new Map<string, Note>();
      return (asked) => answerTo(asked, notes, told);
    },
  };
}

function answerTo({ method, path, body }: Asked, notes: Map<string, Note>, told: (kept: Note) => Note): Answer {
  const id = path.slice('/notes/'.length);
  const isItem = path.startsWith('/notes/') && notes.has(id);
  if (path !== '/notes' && !isItem) return { status: 404 };
  if (method === 'GET') return { status: 200, body: isItem ? notes.get(id) : [...notes.values()] };
  if (method === 'DELETE' && isItem) return notes.delete(id) ? { status: 204 } : { status: 404 };
  const sent = noteIn(body);
  if (sent === null) return { status: 400 };
  const note = { id: isItem ? id : `n-${notes.size + 1}`, ...sent };
  notes.set(note.id, note);
  return isItem ? { status: 200, body: told(note) } : { status: 201, body: note };
}

function noteIn(body: string): Note | null {
  try {
    const { title, colour, ...others } = JSON.parse(body);
    const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 0 && value.length <= 40;
    const isSound = isText(title) && (colour === undefined || isText(colour)) && Object.keys(others).length === 0;
    return isSound ? { title, ...(colour === undefined ? {} : { colour }) } : null;
  } catch {
    return null;
  }
}

const row = ({ clauses }: Report) => clauses.find(({ id }) => id === answerIsRead.clause);
const brought = (check: OwnItemLaw) => [{ check, file: 'laws.ts' }];

describe('a law over the history of an item', () => {
  const write = { kind: 'replaced', method: 'PUT', sent: { title: 'A' }, body: { id: '1', title: 'A' } } as const;
  const read = (title: string) => ({ kind: 'shown', body: { id: '1', title } }) as const;

  test('is tried by a history made up by hand', () => {
    expect(answerIsRead.judgeItem(sampleItem([write, read('A')]))).toEqual(holds(1));
    expect(answerIsRead.judgeItem(sampleItem([read('B'), write]))).toBeNull();
    expect(answerIsRead.judgeItem(sampleItem([write, read('B')]))).toMatchObject({
      kind: 'breached',
      breaches: [{ code: 'read-otherwise.title', actual: 'B' }],
    });
  });
});

describe('in a run', () => {
  const runOf = (told: (kept: Note) => Note, check = answerIsRead) =>
    judgedByContract(notesApi(told), { budget: 400 }, [], brought(check));

  test('it is judged on what the experiments do, and holds where it is kept', async () => {
    const report = await runOf((kept) => kept);
    expect(row(report)).toMatchObject({ status: 'pass', text: answerIsRead.text });
    expect(row(report)?.checks).toBeGreaterThan(0);
  });

  test('it fails by the operation that breaks it, with the calls that show it', async () => {
    const report = await runOf((kept) => ({ ...kept, title: String(kept.title).toUpperCase() }));
    expect(row(report)?.status).toBe('fail');
    const finding = report.findings.find(({ clause }) => clause === answerIsRead.clause);
    expect(finding).toMatchObject({ operation: 'PUT /notes/{noteId}', pointer: '/title', kind: 'violation' });
    expect(finding?.exchanges.length).toBeGreaterThanOrEqual(2);
  });

  test('one that throws judges nothing, and the run has no verdict by it', async () => {
    const broken = { ...answerIsRead, judgeItem: () => JSON.parse('{') };
    expect(row(await runOf((kept) => kept, broken))).toMatchObject({
      status: 'not-tested',
      reasonCode: 'harness-error',
    });
  });
});

describe('on calls that others made', async () => {
  const descriptions = [await loadShop(PATHS)];
  const asJson = { requestHeaders: { 'content-type': 'application/json' } };
  const sent = { title: 'A' };
  const made: Call = { ...asJson, method: 'POST', path: '/notes', status: 201, sent, body: { id: 'n-1', ...sent } };

  function judged(calls: readonly Call[], law: OwnItemLaw): Report {
    const judge = new TrafficJudge({
      ...{ config: builtinConfig(SHOP, {}), options: optionsWith({}), descriptions, checks: brought(law) },
      ...{ redactor: createRedactor(), clock: simulatedClock(), bases: [], seesTokens: false },
    });
    judge.beginFile();
    for (const [at, call] of calls.entries())
      judge.observe(seenInHar(chromeEntry(call, 2 * at) as unknown as HarEntry, `a.har#/log/entries/${at}`));
    const times = { startedAtMs: 0, endedAtMs: 1, cut: null, notes: [] };
    const report = trafficReport(judge, { command: 'check', runId: 'run-1', ...times });
    judge.close();
    return report;
  }

  test.each([
    ['B', 'pass'],
    ['b', 'fail'],
  ])('a write that answers %s is a %s, and no request is sent for it', (title, status) => {
    const put: Call = {
      ...asJson,
      method: 'PUT',
      path: '/notes/n-1',
      sent: { title: 'B' },
      body: { id: 'n-1', title },
    };
    expect(
      row(judged([made, put, { path: '/notes/n-1', body: { id: 'n-1', title: 'B' } }], answerIsRead))?.status,
    ).toBe(status);
  });

  test('a finding shows no message of an error that any fact holds', () => {
    const secret = 'Ann Example lives here no more';
    const gone: Call = { path: '/notes/n-1', status: 404, body: { error: { code: 'gone', message: secret } } };
    const quoting: OwnItemLaw = {
      ...answerIsRead,
      judgeItem: ({ facts }) =>
        facts.at(-1)?.kind !== 'shown'
          ? null
          : breached([
              breach('quoted', { subject: 'title', actual: facts[1]?.exchange.response?.body, expected: 'a title' }),
            ]),
    };
    const report = judged([made, gone, { path: '/notes/n-1', body: { id: 'n-1', title: 'A' } }], quoting);
    expect(row(report)?.status).toBe('fail');
    expect(JSON.stringify(report.findings)).not.toContain(secret);
  });
});
