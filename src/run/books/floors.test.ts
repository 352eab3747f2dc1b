// For each clause: a judgement that holds and rests on all but what the clause's floor demands makes no pass; with that, it does.
import { describe, expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { CLAUSES, clauseById, entryOf } from '../../contract/clauses.ts';
import { holds, resting } from '../../contract/judgement.ts';
import type { Grounds } from '../../contract/measures.ts';
import type { ClauseRow } from '../../contract/report.ts';
import { clauseRow, NO_OCCASION } from '../../grading/rows.ts';
import type { Spot } from '../plan/clause-target.ts';
import { NOWHERE } from '../plan/shard.ts';
import { Ledger } from './ledger.ts';

const SPOT: Spot = { service: 'admin', operation: 'GET /api/v1/stores' };
const ELSEWHERE: Spot = { service: 'store', operation: 'GET /customers' };

/** The material of a judgement, and the facts that the run learned of the target beside it. */
interface Looked {
  readonly grounds?: Grounds;
  /** Requests of the evidence that were answered, and those that were not. */
  readonly answered?: number;
  readonly unanswered?: number;
  readonly assertions?: number;
  /** Operations that answered requests with a key with a success. */
  readonly served?: readonly Spot[];
}

interface Case {
  readonly tooLittle: Looked;
  readonly enough: Looked;
  /** The words for what is missing. */
  readonly words: RegExp;
}

function lacking(words: RegExp, tooLittle: Looked, enough: Looked): Case {
  return { words, tooLittle, enough };
}

const DESCRIPTION = lacking(/^no description /, { grounds: { descriptions: 0 } }, { grounds: { descriptions: 1 } });
const ANSWER = lacking(/^no answer\b/, { unanswered: 1 }, { answered: 1 });
const SECOND_ANSWER = lacking(/^1 answer .*2 answers/, { answered: 1, unanswered: 1 }, { answered: 2 });
const COMPARISON = lacking(/^no comparison /, { assertions: 0 }, { assertions: 1 });
const SUCCESS = lacking(
  /^1 answer, no success .*1 success$/,
  { answered: 1, served: [ELSEWHERE] },
  { answered: 1, served: [SPOT] },
);
const SUCCESS_OF_ANY = lacking(
  /^1 answer, no success .*1 success$/,
  { answered: 1, served: [] },
  { answered: 1, served: [SPOT] },
);
const PAGES = lacking(
  /^57 items, 1 page .*2 pages$/,
  { grounds: { items: 57, pages: 1 } },
  { grounds: { items: 3, pages: 2 } },
);
const ITEMS = lacking(
  /^2 items, 2 pages .*3 items/,
  { grounds: { items: 2, pages: 2 } },
  { grounds: { items: 3, pages: 2 } },
);
const WINDOW = lacking(/^no exhausted window /, { answered: 500 }, { grounds: { windows: 1 } });
const EFFECT = lacking(/no effect /, { answered: 5 }, { answered: 5, grounds: { answers: 5, effects: 1 } });
const scenarios = (least: number): Case =>
  lacking(
    new RegExp(`at least ${least} scenario`),
    { grounds: { scenarios: least - 1 } },
    { grounds: { scenarios: least } },
  );
const deliveries = (least: number): Case =>
  lacking(/deliver/, { grounds: { deliveries: least - 1 } }, { grounds: { deliveries: least } });

const each = (ids: readonly string[], ...cases: readonly Case[]): Readonly<Record<string, readonly Case[]>> =>
  Object.fromEntries(ids.map((id) => [id, cases]));
const numbered = (family: string, ...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `${family}-${String(number).padStart(2, '0')}`);

const CASES: Readonly<Record<string, readonly Case[]>> = {
  ...each(numbered('SPEC', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), DESCRIPTION),
  ...each(numbered('SCH', 1, 2, 3, 4, 5, 6, 7, 8, 9), ANSWER),
  ...each(numbered('ERR', 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14), ANSWER),
  'ERR-06': [COMPARISON],
  ...each(numbered('AUTH', 1, 2, 3, 4, 6, 8), ANSWER, SUCCESS),
  'AUTH-05': [
    lacking(/1 service .*2 services$/, { answered: 1, served: [SPOT] }, { answered: 1, served: [SPOT, ELSEWHERE] }),
  ],
  'AUTH-07': [SECOND_ANSWER],
  ...each(numbered('REQ', 2, 3, 4, 5, 6, 7, 8), ANSWER, SUCCESS),
  'REQ-01': [ANSWER, SUCCESS_OF_ANY],
  'REQ-09': [lacking(/^no hostile input /, { grounds: { hostile: 0 } }, { grounds: { hostile: 1 } })],
  ...each(numbered('PAG', 1, 11, 13), ANSWER),
  'PAG-03': [lacking(/^no limit above/, { grounds: { overLimits: 0 } }, { grounds: { overLimits: 1 } })],
  ...each(numbered('PAG', 2, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15), ITEMS, PAGES),
  ...each(numbered('IDEM', 1, 5, 8), SECOND_ANSWER),
  'IDEM-02': [EFFECT],
  'IDEM-03': [
    EFFECT,
    lacking(/^1 answer/, { grounds: { answers: 1, effects: 1 } }, { grounds: { answers: 2, effects: 1 } }),
  ],
  'IDEM-04': [COMPARISON],
  ...each(numbered('IDEM', 6, 7), ANSWER),
  ...each(numbered('RATE', 1, 5, 12), ANSWER),
  ...each(numbered('RATE', 2, 3, 6, 7, 8, 11), COMPARISON),
  ...each(numbered('RATE', 4, 10), WINDOW),
  'RATE-09': [SECOND_ANSWER],
  'VER-01': [SECOND_ANSWER],
  ...each(['VER-02', 'VER-03', 'RED-01', 'HEALTH-01'], ANSWER),
  'INT-01': [ANSWER, SUCCESS_OF_ANY],
  ...each(numbered('LIFE', 1, 2, 4, 5, 6, 7), SECOND_ANSWER),
  'LIFE-03': [lacking(/^2 answers .*3 answers$/, { answered: 2, unanswered: 1 }, { answered: 3 })],
  'LIFE-08': [ANSWER],
  'COND-01': [lacking(/^2 answers .*3 answers$/, { answered: 2, unanswered: 1 }, { answered: 3 })],
  ...each(numbered('COND', 2, 3), SECOND_ANSWER),
  ...each(numbered('HOOK', 1, 3), deliveries(1)),
  'HOOK-02': [deliveries(2)],
  ...each(numbered('CLIENT', 4, 6, 7, 9), scenarios(1)),
  ...each(numbered('CLIENT', 1, 2, 5, 8, 10, 11), scenarios(2)),
  'CLIENT-03': [scenarios(4)],
};

/** Clauses that no operation has: they are judged on paths outside of all descriptions. */
const OF_NO_OPERATION = ['REQ-01', 'INT-01'];

type Learned = 'before' | 'after';

/** The row after one judgement that holds. `learned`: whether the successes were answered before it or after it. */
function rowOf(id: string, looked: Looked, learned: Learned = 'before'): ClauseRow {
  const { grounds, answered = 0, unanswered = 0, assertions = 1 } = looked;
  const isOutside = OF_NO_OPERATION.includes(id);
  const served = looked.served ?? [SPOT, ELSEWHERE];
  const ledger = new Ledger({ promote: [], expected: [] });
  const judgement = grounds === undefined ? holds(assertions) : resting(holds(assertions), grounds);
  const evidence = [
    ...Array.from({ length: answered }, () => exchangeWith()),
    ...Array.from({ length: unanswered }, () => ({ ...exchangeWith(), response: null })),
  ];
  const serve = () => {
    for (const spot of served) ledger.serve(spot, true);
  };
  if (learned === 'before') serve();
  ledger.book(id, isOutside ? NOWHERE : SPOT, judgement, evidence);
  if (learned === 'after') serve();
  return clauseRow(clauseById(id), ledger.tallies(id), NO_OCCASION, { judgedAsMust: false });
}

test('every clause of the contract has a floor and a case for each of its measures', () => {
  const ids = CLAUSES.map(({ id }) => id).toSorted();
  expect(Object.keys(CASES).toSorted(), 'each clause has a line in CASES of this file').toEqual(ids);
  const uncovered = ids.flatMap((id) => {
    const floor = Object.entries(entryOf(id)?.needs ?? {});
    const lacks = (CASES[id] ?? []).map(({ tooLittle }) => rowOf(id, tooLittle).reason ?? '');
    return lacks.length >= floor.length || id === 'AUTH-05' ? [] : [id];
  });
  expect(uncovered).toEqual([]);
});

describe.each(CLAUSES.map(({ id, level }) => [id, level] as const))('%s', (id, level) => {
  test.each(CASES[id] ?? [])('is not passed below its floor: $words', ({ tooLittle, enough, words }) => {
    const { status, checks, reasonCode, reason } = rowOf(id, tooLittle);
    expect([status, checks, reasonCode]).toEqual(['not-tested', 0, 'precondition']);
    expect(reason).toMatch(words);
    expect(reason).toContain('a pass needs at least');
    expect(rowOf(id, tooLittle, 'after').status).toBe('not-tested');
    const passed = level === 'discover' ? 'observed' : 'pass';
    for (const learned of ['before', 'after'] as const) expect(rowOf(id, enough, learned).status).toBe(passed);
  });
});
