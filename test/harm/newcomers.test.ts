// What a call made and no answer told of is found by the lists, before and after: deleted where it shows a text of the run, else told.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, type Things, TOKEN, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone', toys: 'gone' } as const;

/** A run on this machine; `besides`: what happens to the target with each pet that is made. */
async function judged(
  besides: (target: Things, sent: string, id: string) => void,
  isTold = true,
  change = (whole: Record<string, unknown>): unknown => whole,
) {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  const answer = (asked: Asked): Answer => {
    const answered = target.answer({ ...asked, url: asked.url.replace(/^\/toy(?=[/?]|$)/, '/toys') });
    if (asked.method !== 'POST' || !asked.url.startsWith('/pets') || answered.status !== 201) return answered;
    besides(target, JSON.parse(asked.body).name, (answered.body as { id: string }).id);
    return isTold ? answered : { status: 204 };
  };
  const described = (whole: Record<string, unknown>): unknown =>
    isTold
      ? change(whole)
      : JSON.parse(JSON.stringify(whole).replaceAll('"201":{', '"204":{"description":"done"},"201":{'));
  const options = { collections: COLLECTIONS, described };
  const report = await judgedInMemory(options, answer, { clauses: ['SCH-06'] }, clock);
  return { report, left: target.left(), isUntouched: target.isUntouched() };
}

test('what a create makes besides is deleted where it holds a text of the run', async () => {
  const { report, left, isUntouched } = await judged((target, name) => {
    if (name.includes('9f3a2b')) target.put('toys', `toy of ${name}`);
  });
  expect(report.created?.deleted).toBeGreaterThan(1);
  expect({ left, leftovers: report.leftovers, isUntouched }).toEqual({
    left: { pets: [], toys: [] },
    leftovers: [],
    isUntouched: true,
  });
});

test('the list in the plural shows what is made in the singular', async () => {
  const besides = (target: Things, name: string): void => {
    if (name.includes('9f3a2b')) target.put('toys', `toy of ${name}`);
  };
  const { report, left } = await judged(besides, true, ({ paths, ...whole }) => {
    const { '/toys': all, '/toys/{id}': one, ...others } = paths as Record<string, Record<string, unknown>>;
    const own = { '/toys': { get: all?.get }, '/toy': { post: all?.post }, '/toy/{id}': one };
    return { ...whole, paths: { ...others, ...own } };
  });
  expect(report.created?.deleted).toBeGreaterThan(1);
  expect({ left, leftovers: report.leftovers }).toEqual({ left: { pets: [], toys: [] }, leftovers: [] });
});

test('what came and shows nothing of the run is told, and stays', async () => {
  let made = 0;
  const { report, left } = await judged((target) => void (made++ === 0 && target.put('toys', 'a gift')));
  expect(left).toEqual({ pets: [], toys: ['a gift'] });
  expect(report.leftovers).toEqual([expect.stringMatching(/^POST \/toys → toys-\d+$/)]);
  const reasons = report.created?.operations.flatMap((row) => row.reasons);
  expect(reasons).toEqual(['it came while the run was there, and nothing shows that the run made it']);
});

test('what was made by an answer without a body is gone where no list shows it any more', async () => {
  const { report, left } = await judged((target, _name, id) => target.take(`/pets/${id}`), false);
  expect(left).toEqual({ pets: [], toys: [] });
  expect(report.created?.operations.flatMap((row) => row.reasons)).toEqual([]);
  expect(report.created?.left).toBe(0);
});

test.each([
  ['is deleted', true],
  ['is told where nothing deletes it', false],
])('what a call made elsewhere, under an id that it answered, %s', async (_name, isDeletable) => {
  let sent = 0;
  const letters = new Set(['theirs-4f2a9c81b7d3']);
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  const onLetter = (method: string, id: string): Answer => {
    if (!letters.has(id)) return { status: 404, body: { error: 'no such letter' } };
    if (method === 'DELETE') letters.delete(id);
    return { status: 200, body: { id } };
  };
  const answer = (asked: Asked): Answer => {
    const [call, id] = `${asked.method} ${asked.url}`.split(/(?<=letters)\//);
    if (call !== 'POST /send' && !call?.endsWith(' /letters')) return target.answer(asked);
    if (asked.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'no token' } };
    if (id !== undefined) return onLetter(asked.method, id);
    if (call !== 'POST /send') return { status: 200, body: [...letters].map((one) => ({ id: one })) };
    sent += 1;
    const made = `letter-${1e12 + sent}`;
    letters.add(made);
    return { status: 200, body: { id: made } };
  };
  const described = ({ paths, ...whole }: Record<string, unknown>): unknown => {
    const responses = { 200: { description: 'Done' }, 401: { description: 'Unknown' }, 404: { description: 'None' } };
    const call = { responses };
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const one = { parameters, get: call, ...(isDeletable ? { delete: call } : {}) };
    const own = { '/send': { post: call }, '/letters': { get: call }, '/letters/{id}': one };
    return { ...whole, paths: { ...(paths as object), ...own } };
  };
  const given = { clauses: ['SCH-06'] };
  const report = await judgedInMemory({ collections: COLLECTIONS, described }, answer, given, clock);
  expect(sent).toBeGreaterThan(0);
  expect(letters.size).toBe(isDeletable ? 1 : 1 + sent);
  expect(report.leftovers?.filter((line) => line.startsWith('POST /send'))).toHaveLength(isDeletable ? 0 : sent);
});
