// Errors, refusals and bad requests of an API that is not the platform: the sound server passes with its laws judged, whatever little is configured.
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { BY_FIELD, LOCATED } from './framework-errors.ts';
import { failedIn, judgedByContract, rowsOf, violationsIn } from './in-memory.ts';
import { judgedSensing, type Planted } from './sensed.ts';
import { JSON_API, KEBAB, type Manner, PROBLEMS, TODO_KEYS, todosApi, type Ways } from './todos.ts';

const OF_INPUT = { 'REQ-01': 2, 'REQ-02': 6, 'REQ-03': 4, 'SCH-08': 5, 'AUTH-01': 15 };
const OF_ERRORS = { 'ERR-01': 10, 'ERR-02': 40, 'ERR-03': 5, 'ERR-04': 5, 'ERR-06': 5, 'ERR-07': 11, 'ERR-13': 3 };
const OF_OTHERS = { 'ERR-08': 20, 'ERR-14': 10, 'HEALTH-01': 1, 'INT-01': 1, 'SCH-07': 5, 'VER-01': 5 };

type Judged = readonly [name: string, manner: Manner, clauses: readonly string[], planted: Planted];

const JUDGED: readonly Judged[] = [
  [
    'problem details',
    PROBLEMS,
    [
      ...['ERR-01', 'ERR-02', 'ERR-03', 'ERR-04', 'ERR-06', 'ERR-07', 'ERR-08', 'ERR-09', 'ERR-10', 'ERR-11'],
      ...['ERR-13', 'ERR-14', 'AUTH-01', 'AUTH-02', 'REQ-01', 'REQ-02', 'REQ-03', 'REQ-04', 'REQ-08', 'SCH-07'],
      ...['VER-01', 'VER-02', 'HEALTH-01', 'INT-01', 'SPEC-03', 'SPEC-04', 'SPEC-08'],
    ],
    { ...OF_ERRORS, ...OF_INPUT, ...OF_OTHERS },
  ],
  [
    'JSON:API',
    JSON_API,
    ['ERR-01', 'ERR-02', 'ERR-03', 'ERR-04', 'ERR-06', 'ERR-09', 'ERR-10', 'ERR-11', 'ERR-13', 'ERR-14'],
    {},
  ],
  ['lists of segments', LOCATED, ['ERR-01', 'ERR-02', 'ERR-06', 'ERR-09', 'ERR-10'], {}],
  ['members by field', BY_FIELD, ['ERR-01', 'ERR-02', 'ERR-06', 'ERR-09', 'ERR-10'], {}],
  [
    'an envelope of its own',
    KEBAB,
    ['ERR-01', 'ERR-02', 'ERR-03', 'ERR-05', 'ERR-06', 'ERR-09', 'ERR-10', 'ERR-11'],
    { 'ERR-01': 25, 'ERR-02': 20, 'ERR-05': 15, 'ERR-09': 4, ...OF_INPUT },
  ],
];

describe('an API of to-dos', () => {
  it.each(JUDGED)('with %s passes with its laws judged where it is sound', async (_name, manner, clauses, planted) => {
    const report = await judgedSensing(todosApi(manner), planted, TODO_KEYS);
    expect(violationsIn(report)).toEqual([]);
    expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
    expect(rowsOf(report, ...clauses)).toEqual(clauses.map((id) => `${id} pass`));
  });
});

describe('the smallest configurations of an API of to-dos', () => {
  const open: Ways = {
    description: (own) => ({ ...own, security: [] }),
    refuse: (refusal) => (refusal.status === 401 ? null : refusal),
  };
  const contract = PROBLEMS.contract.filter((line) => !line.startsWith('description:'));

  it('without any key judge errors and unknown paths', async () => {
    const report = await judgedByContract(todosApi(PROBLEMS, open, contract));
    expect(violationsIn(report)).toEqual([]);
    const clauses = ['ERR-01', 'ERR-04', 'ERR-14', 'REQ-01', 'REQ-02', 'REQ-03', 'HEALTH-01', 'INT-01'];
    expect(rowsOf(report, ...clauses)).toEqual(clauses.map((id) => `${id} pass`));
  });

  it('without any key on a guarded API find out what is refused for want of one', async () => {
    const wrong: Ways = { error: (answer, { status }) => (status === 401 ? { ...answer, status: 403 } : answer) };
    const report = await judgedByContract(todosApi(PROBLEMS, wrong));
    expect(failedIn(report)).toEqual(expect.arrayContaining(['AUTH-01', 'ERR-04']));
  });

  it('without changes judge errors by reading alone', async () => {
    const lines = [...TODO_KEYS, 'mutations: deny'];
    const report = await judgedByContract(todosApi(PROBLEMS), {}, lines);
    expect(violationsIn(report)).toEqual([]);
    const clauses = ['ERR-01', 'ERR-02', 'ERR-04', 'ERR-07', 'ERR-14', 'AUTH-01', 'AUTH-02', 'REQ-01', 'REQ-02'];
    expect(rowsOf(report, ...clauses)).toEqual(clauses.map((id) => `${id} pass`));
  });

  it('with the tokens of a locked account and an expired one judge how those are refused', async () => {
    const stated = PROBLEMS.contract.map((line) =>
      line.replace('{ refused: { status: 401', '{ locked: { status: 401, code: unauthorized }, refused: { status: 401'),
    );
    const lines = [...TODO_KEYS, 'credentials: { locked: todo-locked-77aa, expired: todo-expired-88bb }'];
    const report = await judgedByContract(todosApi(PROBLEMS, {}, stated), {}, lines);
    expect(violationsIn(report)).toEqual([]);
    expect(rowsOf(report, 'AUTH-03', 'AUTH-04')).toEqual(['AUTH-03 pass', 'AUTH-04 pass']);
    const forbidden = await judgedByContract(
      todosApi(PROBLEMS, {}, [
        ...stated.map((line) => line.replace('locked: { status: 401, code: unauthorized }', 'locked: { status: 403 }')),
      ]),
      {},
      lines,
    );
    expect(failedIn(forbidden)).toEqual(['AUTH-04']);
  });
});
