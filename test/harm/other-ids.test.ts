// A target may take its things by another member than their id: a read finds it, and what names another thing is left alone.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, type Things, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone' } as const;

/** A run against a target whose things show these members beside a number that names none. */
async function judged(
  environment: string,
  membersOf: (name: string) => Record<string, unknown>,
  inReading: object = {},
): Promise<{ readonly report: Report; readonly target: Things }> {
  const clock = simulatedClock();
  const target = thingsOf(COLLECTIONS, clock);
  const numbers = new Map<string, number>();
  const shown = (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(shown);
    const { id, ...others } = body as { id?: string };
    if (id === undefined) return body;
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return { ...others, ...membersOf(id), id: numbers.get(id) };
  };
  const answer = (request: Asked): Answer => {
    const answered = target.answer(request);
    const body = answered.body === undefined ? undefined : shown(answered.body);
    const isThing = answered.status < 300 && body !== undefined;
    const isOne = request.method === 'GET' && !Array.isArray(body);
    return isThing
      ? { ...answered, body: { data: isOne ? { ...(body as object), ...inReading } : body, meta: {} } }
      : answered;
  };
  // Nothing is described of the answers, whose shape is none of the things'.
  const described = (whole: Record<string, unknown>): unknown =>
    JSON.parse(
      JSON.stringify(whole, (name, value) => (name === '200' || name === '201' ? { description: 'Fine' } : value)),
    );
  const options = { collections: COLLECTIONS, described, environment, configuration: ['mutations: allow'] };
  return { report: await judgedInMemory(options, answer, {}, clock), target };
}

test.each(['local', 'staging'])(
  'what a target takes by its documentId is read, changed and deleted by it (%s)',
  async (environment) => {
    const { report, target } = await judged(environment, (documentId) => ({ documentId }));
    expect(report.counts.operationsTested).toBe(report.counts.operations);
    const blamed = report.findings.filter(({ kind, code }) => kind !== 'observation' && code?.startsWith('life-'));
    expect(blamed).toEqual([]);
    expect(report.created).toMatchObject({ left: 0, deleted: report.created?.made });
    expect(report.created?.changed).toBeUndefined();
    expect(target.left()).toEqual({ pets: [] });
  },
);

test.each([
  ['local', {}],
  ['staging', {}],
  ['staging', { id: undefined }],
])('what a parentId names is not taken for the thing itself (%s, %o)', async (environment, inReading) => {
  const { report, target } = await judged(environment, () => ({ parentId: 'pets-theirs-1' }), inReading);
  expect(report.created?.made).toBeGreaterThan(0);
  expect(target.isUntouched()).toBe(true);
});
