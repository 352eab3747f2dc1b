// `--sensitivity` under the contracts of others: a defect is planted where the contract says, and each one is noticed.
import { expect, it } from 'vitest';
import { booksApi } from './books.ts';
import { documentsApi } from './documents.ts';
import { STYLES as FOLLOWED } from './followed-cases.ts';
import { type ForeignApi, judgedByContract } from './in-memory.ts';
import { contractOf, limitedApi } from './limited.ts';
import { STYLES } from './numbered-cases.ts';
import { ordersApi } from './orders.ts';
import { KEBAB, PROBLEMS, TODO_KEYS, todosApi } from './todos.ts';

const OF_LIMITS = { 'RATE-01': 3, 'RATE-02': 6, 'RATE-04': 1, 'RATE-05': 2 };
const OF_PAGES = { 'PAG-01': 1, 'PAG-03': 1, 'PAG-04': 2, 'PAG-05': 1, 'PAG-08': 5, 'PAG-12': 2 };
const OF_INPUT = { 'REQ-01': 2, 'REQ-02': 6, 'REQ-03': 4, 'SCH-08': 5, 'AUTH-01': 15 };
const OF_ERRORS = { 'ERR-01': 10, 'ERR-02': 40, 'ERR-03': 5, 'ERR-04': 5, 'ERR-06': 5, 'ERR-07': 11, 'ERR-13': 3 };

const SENSED: readonly (readonly [name: string, ForeignApi, planted: Readonly<Record<string, number>>])[] = [
  ['limits in headers of its own', limitedApi({ style: 'own' }, contractOf('own')), { ...OF_LIMITS, 'RATE-01': 12 }],
  [
    "limits in the IETF's fields",
    limitedApi({ style: 'newest' }, contractOf('newest')),
    { ...OF_LIMITS, 'RATE-12': 6 },
  ],
  ['pages from 0', booksApi(STYLES.spring), OF_PAGES],
  ['offsets', booksApi(STYLES.offset), { 'PAG-07': 5, 'PAG-12': 2 }],
  [
    'problem details',
    todosApi(PROBLEMS),
    { ...OF_ERRORS, ...OF_INPUT, 'ERR-08': 20, 'ERR-14': 10, 'HEALTH-01': 1, 'INT-01': 1, 'SCH-07': 5, 'VER-01': 5 },
  ],
  ['cursors', booksApi(FOLLOWED.cursor), { 'PAG-14': 1 }],
  ['links', booksApi(FOLLOWED.linkHeader), { 'PAG-15': 1 }],
  ['keys that refuse another body', ordersApi(), { 'IDEM-08': 1 }],
  ['entity tags', documentsApi(), { 'COND-01': 1, 'COND-02': 1, 'COND-03': 1 }],
  ['an envelope of its own', todosApi(KEBAB), { 'ERR-01': 25, 'ERR-02': 20, 'ERR-05': 15, 'ERR-09': 4, ...OF_INPUT }],
];

it.each(SENSED)('what is planted under a contract with %s is noticed', async (_name, api, planted) => {
  const { clauses = {} } = (await judgedByContract(api, { sensitivity: true }, TODO_KEYS)).sensitivity ?? {};
  const told = Object.fromEntries(Object.keys(planted).map((id) => [id, clauses[id]]));
  expect(told).toEqual(Object.fromEntries(Object.entries(planted).map(([id, n]) => [id, { planted: n, caught: n }])));
});
