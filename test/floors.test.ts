// On a target that keeps every law and has less to look at than a pass needs, no clause passes for want of a counterexample.
import { describe, expect, test } from 'vitest';
import { contractOf } from '../src/config/contract-file.ts';
import { idsWhere } from '../src/contract/clauses.ts';
import { hasClause } from '../src/contract/contract.ts';
import type { Report } from '../src/contract/report.ts';
import type { Deviation, Surroundings } from '../src/platform/deviation.ts';
import { PROBLEMS, type Problem, refusal } from '../src/platform/envelope.ts';
import { HEALTH_PATH } from '../src/platform/facts.ts';
import type { Answer, Call } from '../src/platform/http/call.ts';
import { isObject } from '../src/platform/json.ts';
import { reducedModel, smallModel } from '../src/simulation/cases.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { oneDue } from './programme.ts';

const COMMERCE = contractOf('commerce', '.');
const OF_LISTS = idsWhere(({ id, needs }) => (needs.items ?? 0) > 1 && hasClause(COMMERCE, id));

/** Every list holds at most so many items: whatever is created, or only in the beginning. */
function short(most: number, when: 'always' | 'at first' = 'always'): Deviation {
  return {
    id: 'short-lists',
    clause: 'PAG-07',
    description: `Every list holds at most ${most} items.`,
    hooks: (around) => ({
      act: (call, proceed) => {
        trim(around, call, most, when === 'always' ? new WeakSet() : trimmed);
        return proceed();
      },
      answer: (call, answer) => shortened(call, answer, most),
    }),
  };
}

/** Collections that were cut before. */
const trimmed = new WeakSet<object>();

function trim(around: Surroundings, call: Call, most: number, known: WeakSet<object>): void {
  if (call.route?.role.kind !== 'list') return;
  const collection = around.collectionOf(call);
  if (collection === null || known.has(collection)) return;
  known.add(collection);
  for (const { id } of collection.all().slice(most)) collection.delete(id);
}

/** The activity log is no collection: it is cut as it is answered. */
function shortened(call: Call, answer: Answer, most: number): Answer {
  const { body } = answer;
  if (!call.path.endsWith('/auth/activity/logs') || !isObject(body) || !Array.isArray(body.data)) return answer;
  const [limit, page] = [Number(body.limit), Number(body.page)];
  const data = body.data.slice(0, Math.max(0, Math.min(limit, most - (page - 1) * limit)));
  return { ...answer, body: { ...body, data, total: most, total_pages: Math.max(1, Math.ceil(most / limit)) } };
}

describe.each(oneDue([0, 1, 2]))('where every list holds %i items', (most) => {
  test('no law of lists passes, and the report says what is lacking', async () => {
    const { clauses } = await simulate({
      documents: await reducedModel(),
      deviations: [short(most)],
      world: WORLDS.calm,
      seed: 1,
      options: { clauses: OF_LISTS },
    });
    const rows = clauses.filter(({ id }) => OF_LISTS.includes(id));
    expect(rows.map(({ id, status }) => `${id} ${status}`)).toEqual(OF_LISTS.map((id) => `${id} not-tested`));
    for (const { reason } of rows) expect(reason).toMatch(/a pass needs at least 3 items and 2 pages|no page/);
  });
});

test('where every list holds three items, the laws of lists are judged', async () => {
  const { clauses } = await simulate({
    documents: await reducedModel(),
    deviations: [short(3)],
    world: WORLDS.calm,
    seed: 1,
    options: { clauses: OF_LISTS },
  });
  const passed = clauses.filter(({ status }) => status === 'pass').map(({ id, basis }) => [id, basis]);
  expect(passed).toEqual(OF_LISTS.map((id) => [id, expect.stringMatching(/^a list of 3 items|lists of 3 items/)]));
});

test('where lists are empty and items can be made and deleted, a run makes as many as the laws need, and deletes them', async () => {
  const { clauses, created } = await simulate({
    documents: await reducedModel(),
    deviations: [short(0, 'at first')],
    world: WORLDS.calm,
    seed: 1,
    options: { clauses: ['PAG-07'] },
  });
  expect(clauses.find(({ id }) => id === 'PAG-07')).toMatchObject({
    status: 'pass',
    basis: expect.stringMatching(/^a list of [3-5] items$/),
  });
  const customers = created?.operations.find(({ operation }) => operation === 'POST /api/v1/customers');
  expect(customers).toMatchObject({ left: 0 });
  expect(customers?.made).toBeGreaterThanOrEqual(3);
});

const OF_REFUSALS = idsWhere(({ needs }) => needs.successes !== undefined);

/** What the last word says is refused is refused so, whoever asks. */
function refusing(problem: Problem, isRefused: (call: Call) => boolean): Deviation {
  return {
    id: 'refuses',
    clause: 'REQ-01',
    description: `Some requests are answered ${problem.status} whatever they are.`,
    hooks: ({ docsUrl }) => ({
      answer: (call, answer) => (isRefused(call) ? { ...refusal(call, problem, docsUrl) } : answer),
    }),
  };
}

function judgedOf(deviation: Deviation | null, clauses: readonly string[]): Promise<Report> {
  const deviations = deviation === null ? [] : [deviation];
  return smallModel().then((documents) =>
    simulate({ documents, deviations, world: WORLDS.calm, seed: 1, options: { clauses } }),
  );
}

/** "GET /api/v1/stores AUTH-01": where a clause of refusals was judged and held. */
function passedIn({ operations }: Report): readonly string[] {
  return operations.flatMap(({ operation, clauses }) =>
    Object.entries(clauses).flatMap(([clause, { checks, violations }]) =>
      OF_REFUSALS.includes(clause) && checks > 0 && violations === 0 ? [`${operation} ${clause}`] : [],
    ),
  );
}

test.each([
  ['404', PROBLEMS.notFound],
  ['401', PROBLEMS.tokenInvalid],
  ['403', PROBLEMS.accountLocked],
] as const)(
  'where all but liveness is answered %s, no refusal passes for the one that was to be shown',
  async (_, problem) => {
    const report = await judgedOf(
      refusing(problem, ({ path }) => path !== HEALTH_PATH),
      OF_REFUSALS,
    );
    expect(passedIn(report).filter((place) => !place.includes(HEALTH_PATH))).toEqual([]);
    const places = report.clauses.filter(({ id }) => id === 'REQ-01' || id === 'INT-01');
    expect(places.map(({ status }) => status)).toEqual(['not-tested', 'not-tested']);
  },
);

test('an operation that refuses whatever it gets counts for no clause of refusals, and the others do', async () => {
  const isStore = ({ path }: Call): boolean => /^\/api\/v1\/stores\/[^/]+$/.test(path);
  const report = await judgedOf(refusing(PROBLEMS.tokenInvalid, isStore), OF_REFUSALS);
  const passed = passedIn(report);
  expect(passed.filter((place) => place.includes('{storeId}'))).toEqual([]);
  expect(passed).toEqual(expect.arrayContaining(['GET /api/v1/stores AUTH-01', 'GET /api/v1/stores AUTH-02']));
  expect(report.clauses.find(({ id }) => id === 'AUTH-01')?.status).toBe('pass');
});

test('a key that a single service takes shows nothing of the others', async () => {
  const { clauses } = await judgedOf(null, ['AUTH-05']);
  const row = clauses.find(({ id }) => id === 'AUTH-05');
  expect(row?.status).toBe('not-tested');
  expect(row?.reason).toContain('a pass needs at least 1 answer and 2 services');
});
