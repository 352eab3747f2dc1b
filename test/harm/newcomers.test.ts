// What a call made and no answer told of is found by the lists, before and after: deleted where it shows a text of the run, else told.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, type Things, thingsOf } from './things.ts';

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
