// Requests that are sequences of JSON texts: each is made, spoiled and judged as its receiver reads it, whether its items or their list is described.
import { expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { type Answer, type Asked, type ForeignApi, failedIn, judgedByContract, rowsOf } from './in-memory.ts';

const EVENT = {
  type: 'object',
  required: ['kind', 'at'],
  properties: { kind: { enum: ['open', 'shut'] }, at: { type: 'integer', minimum: 0 } },
  additionalProperties: false,
};
const REFUSED = { status: 400, body: { message: 'no events' } };

type Event = Readonly<Record<string, unknown>>;

function isEvent(line: unknown): line is Event {
  if (typeof line !== 'object' || line === null) return false;
  const { kind, at = 0, ...others } = line as Event;
  const isAt = Number.isInteger(at) && Number(at) >= 0;
  return (kind === 'open' || kind === 'shut') && isAt && Object.keys(others).length === 0;
}

/** `crashes`: where an event lacks its time. */
function eventsApi(version: string, media: object, { crashes }: { readonly crashes: boolean }): ForeignApi {
  const answer = { type: 'object', required: ['taken'], properties: { taken: { type: 'integer' } } };
  const content = { 'application/json': { schema: answer } };
  const responses = { 200: { description: 'Taken', content }, 400: { description: 'No events' } };
  const post = { requestBody: { required: true, content: { 'application/x-ndjson': media } }, responses };
  const take = ({ method, body }: Asked): Answer => {
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: {} };
    try {
      const lines: readonly unknown[] = body
        .split('\n')
        .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
      if (lines.length === 0 || !lines.every(isEvent)) return REFUSED;
      const isWhole = lines.every((line) => 'at' in line);
      if (!isWhole) return crashes ? { status: 500, body: {} } : REFUSED;
      return { status: 200, body: { taken: lines.length } };
    } catch {
      return REFUSED;
    }
  };
  return {
    description: { openapi: version, info: { title: 'Events', version: '1' }, paths: { '/events': { post } } },
    contract: ['contract: 1', 'name: Events', 'requests: { invalid: { status: 400 } }'],
    start: () => (asked) => (asked.path === '/events' ? take(asked) : { status: 404, body: {} }),
  };
}

it.each([
  ['item by item', '3.2.0', { itemSchema: EVENT }],
  ['as a list', '3.0.3', { schema: { type: 'array', minItems: 1, items: EVENT } }],
])('a request of JSON lines that is described %s is spoiled as its lines are read', async (_how, version, media) => {
  const sound = await judgedByContract(eventsApi(version, media, { crashes: false }));
  expect([exitCode(sound), failedIn(sound)]).toEqual([0, []]);
  expect(['REQ-03', 'REQ-04'].flatMap((clause) => rowsOf(sound, clause))).toEqual(['REQ-03 pass', 'REQ-04 pass']);
  const crashing = await judgedByContract(eventsApi(version, media, { crashes: true }));
  expect(failedIn(crashing)).toContain('SCH-06');
});
