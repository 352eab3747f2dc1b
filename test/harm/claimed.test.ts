// A create may answer with the id of what somebody else made, where no list is described that would show it: nothing is changed or
// deleted before a reading has shown whose it is. Creates of sound targets are believed, however they keep what they are sent.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, type Things, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone' } as const;

/** A run against a target whose answers are changed so; it has no lists, unless they are wanted. */
async function judged(
  change: (answered: Answer, request: Asked) => Answer,
  { hasList = false }: { readonly hasList?: boolean } = {},
): Promise<{ readonly report: Report; readonly target: Things }> {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  const described = (whole: Record<string, unknown>): unknown => {
    const { get: _list, ...kept } = (whole.paths as Record<string, Record<string, unknown>>)['/pets'] ?? {};
    return hasList ? whole : { ...whole, paths: { ...(whole.paths as object), '/pets': kept } };
  };
  const options = { collections: COLLECTIONS, described, environment: 'staging', configuration: ['mutations: allow'] };
  const answer = (request: Asked): Answer => change(target.answer(request), request);
  return { report: await judgedInMemory(options, answer, {}, clock), target };
}

test.each([
  ['repeats what was sent', (body: object) => body],
  ['shows an id alone', () => ({ name: 'new' })],
])('what somebody else made stays as it is where a 201 names it that %s', async (_, shownOf) => {
  let made = 0;
  const { report, target } = await judged((answered, { method }) => {
    if (method !== 'POST' || answered.status !== 201) return answered;
    made += 1;
    return { status: 201, body: { ...shownOf(answered.body as object), id: `pets-theirs-${made % 3}` } };
  });
  expect(made).toBeGreaterThan(0);
  expect(target.isUntouched()).toBe(true);
  expect(report.created?.left).toBe(target.left().pets?.length);
  expect(report.created?.operations[0]?.reasons).toContain('the answer of its create names what somebody else made');
});

const named = ({ status, body }: Answer, change: (name: string) => unknown): Answer =>
  body !== undefined && Object.hasOwn(body as object, 'name')
    ? { status, body: { ...(body as object), name: change((body as { name: string }).name) } }
    : { status, body };

test.each([
  ['as it was sent', (answered: Answer) => answered],
  ['in capitals', (answered: Answer) => named(answered, (name) => name.toUpperCase())],
  ['without signs', (answered: Answer) => named(answered, (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, ' ').trim())],
  ['cut short', (answered: Answer) => named(answered, (name) => name.slice(0, 3))],
  ['hidden', (answered: Answer) => named(answered, () => '***')],
  ['not at all', (answered: Answer) => named(answered, () => undefined)],
])('what a target made is deleted where it shows its name %s', async (_, change) => {
  const { report, target } = await judged(change);
  expect(report.created?.deleted).toBeGreaterThan(0);
  expect(report.created?.left).toBe(0);
  expect(target.left()).toEqual({ pets: [] });
});

test('what a target made is deleted, and judged, whatever name it keeps, where a list showed what was there', async () => {
  const isOne = ({ method, url }: Asked): boolean => method === 'GET' && url.startsWith('/pets/');
  const kept = (answered: Answer, request: Asked): Answer =>
    isOne(request) && !request.url.includes('theirs') ? named(answered, () => 'Rex') : answered;
  const { report, target } = await judged(kept, { hasList: true });
  expect([report.created?.left, target.left()]).toEqual([0, { pets: [] }]);
  expect(report.findings.map(({ clause }) => clause)).toContain('LIFE-02');
});

test('a run deletes what a list, read late, shows as its own though a reading had shown another thing', async () => {
  let lists = 0;
  const kept = (answered: Answer, { method, url }: Asked): Answer => {
    if (method !== 'GET' || url.includes('theirs')) return answered;
    if (url.startsWith('/pets/')) return named(answered, () => 'Rex');
    lists += 1;
    return lists <= 3 ? { status: 403, body: { error: 'not yet' } } : answered;
  };
  const { report, target } = await judged(kept, { hasList: true });
  expect([report.created?.left, target.left()]).toEqual([0, { pets: [] }]);
  expect(target.isUntouched()).toBe(true);
});
