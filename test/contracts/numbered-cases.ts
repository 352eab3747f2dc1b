// Defects and oddities of lists by page number and by offset.
import type { Ways } from './books.ts';
import type { ContractCase } from './cases.ts';
import type { Answer } from './in-memory.ts';
import { OFFSET, PER_PAGE, SPRING, TALLIED } from './numbered.ts';

export const STYLES = { spring: SPRING, perPage: PER_PAGE, offset: OFFSET, tallied: TALLIED } as const;

export interface NumberedCase extends ContractCase<Ways> {
  readonly style: keyof typeof STYLES;
}

const isPage = ({ status, body }: Answer): boolean => status === 200 && typeof body === 'object';

/** The answer of a page with other members. */
const withMembers =
  (change: (body: Record<string, unknown>) => Record<string, unknown>): Ways['answer'] =>
  (answer, { path }) =>
    path === '/books' && isPage(answer)
      ? { ...answer, body: { ...(answer.body as object), ...change(answer.body as Record<string, unknown>) } }
      : answer;

const fewerFrom =
  (shift: number): Ways['cut'] =>
  ({ books, from, size }) =>
    books.slice(Math.max(0, from + (from > 0 ? shift : 0)), Math.max(0, from + (from > 0 ? shift : 0)) + size);

function defect(style: NumberedCase['style'], clause: string, text: string, ways: Ways): NumberedCase {
  return { style, clause, is: 'defect', text, ways };
}

function oddity(style: NumberedCase['style'], clause: string, text: string, ways: Ways, contract?: readonly string[]) {
  return { style, clause, is: 'oddity', text, ways, ...(contract === undefined ? {} : { contract }) } as const;
}

export const NUMBERED_CASES: readonly NumberedCase[] = [
  defect('spring', 'PAG-01', 'the total is a text', {
    answer: withMembers(({ totalElements }) => ({ totalElements: `${totalElements}` })),
  }),
  defect('spring', 'PAG-02', 'pages are counted from 1, and page 0 is an error', {
    asked: (query) => query.has('page') && query.set('page', String(Number(query.get('page')) - 1)),
  }),
  defect('spring', 'PAG-02', 'a page holds twenty books by default', { usual: 20 }),
  defect('spring', 'PAG-03', 'a size above the maximum is served', { maximum: 1000, books: 120 }),
  defect('spring', 'PAG-03', 'a size above the maximum is refused', {
    answer: (answer, { query }) =>
      Number(query.get('size')) > 45 ? { status: 400, body: { reason: 'size' } } : answer,
  }),
  defect('spring', 'PAG-04', 'a page too many is counted', {
    answer: withMembers(({ totalPages }) => ({ totalPages: Number(totalPages) + 1 })),
  }),
  defect('spring', 'PAG-04', 'the number of the page counts from 1', {
    answer: withMembers(({ number }) => ({ number: Number(number) + 1 })),
  }),
  defect('spring', 'PAG-04', 'the size is not the one applied', { answer: withMembers(() => ({ size: 20 })) }),
  defect('spring', 'PAG-05', 'a page in the middle lacks a book', {
    cut: ({ books, from, size }) =>
      books.slice(from, from + size).filter((_, at) => from !== size || size < 2 || at > 0),
  }),
  defect('spring', 'PAG-08', 'a size is clamped, and pages are turned by the one that was asked for', {
    answer: (answer, { query }) =>
      Number(query.get('size')) > 45 && Number(query.get('page') ?? 0) > 0 && isPage(answer)
        ? { ...answer, body: { ...(answer.body as object), content: [] } }
        : answer,
    books: 120,
  }),
  defect('spring', 'PAG-06', 'the total is one too many', {
    answer: withMembers(({ totalElements }) => ({ totalElements: Number(totalElements) + 1 })),
  }),
  defect('spring', 'PAG-06', 'each page repeats the last book of the one before', { cut: fewerFrom(-1) }),
  defect('spring', 'PAG-08', 'each page leaves out a book', { cut: fewerFrom(1) }),
  defect('spring', 'PAG-08', 'the size is ignored', { asked: (query) => query.delete('size') }),
  defect('spring', 'PAG-10', 'past the end the first page comes again', {
    cut: ({ books, from, size }) =>
      books.slice(from >= books.length ? 0 : from, (from >= books.length ? 0 : from) + size),
  }),
  defect('spring', 'PAG-12', 'a page number that is none is an error of the server', {
    answer: (answer, { query }) => (/[^\d]/.test(query.get('page') ?? '') ? { status: 500, body: {} } : answer),
  }),
  defect('spring', 'PAG-12', 'a size that is no number gets all books', {
    asked: (query) => /[^\d]/.test(query.get('size') ?? '') && query.set('size', '23'),
  }),
  defect('perPage', 'PAG-03', 'a size above the maximum is clamped where the contract says that it is refused', {
    asked: (query) => Number(query.get('per_page')) > 50 && query.set('per_page', '50'),
  }),
  defect('perPage', 'PAG-04', 'the last page says that another follows', {
    answer: withMembers(({ meta }) => ({ meta: { ...(meta as object), has_more: true } })),
  }),
  defect('perPage', 'PAG-04', 'no page says that another follows', {
    answer: withMembers(({ meta }) => ({ meta: { ...(meta as object), has_more: false } })),
  }),
  defect('perPage', 'PAG-08', 'pages are counted from 0', {
    asked: (query) => query.has('page') && query.set('page', String(Number(query.get('page')) + 1)),
  }),
  defect('perPage', 'PAG-08', 'the filter is dropped from the second page on', {
    asked: (query) => Number(query.get('page') ?? 1) > 1 && query.delete('genre'),
  }),
  defect('offset', 'PAG-07', 'the offset is rounded to whole pages', {
    cut: ({ books, from, size }) => books.slice(from - (from % size), from - (from % size) + size),
  }),
  defect('offset', 'PAG-07', 'an order of its own for large pages', {
    cut: ({ books, from, size }) => (size > 9 ? books.toReversed() : books).slice(from, from + size),
  }),
  defect('offset', 'PAG-10', 'past the end the last page comes again', {
    cut: ({ books, from, size }) => books.slice(Math.min(from, books.length - 1)).slice(0, size),
  }),
  defect('tallied', 'PAG-01', 'the header of the total is no number', {
    answer: (answer) => (answer.headers === undefined ? answer : { ...answer, headers: { 'x-total-count': 'many' } }),
  }),
  defect('tallied', 'PAG-06', 'the header of the total counts the page', {
    answer: (answer) =>
      answer.headers === undefined
        ? answer
        : { ...answer, headers: { 'x-total-count': `${(answer.body as unknown[]).length}` } },
  }),
  oddity('spring', 'PAG-12', 'bad values get the default page', {
    asked: (query) => {
      for (const name of ['page', 'size']) if (!/^[1-9]?\d+$/.test(query.get(name) ?? '0')) query.delete(name);
      if (query.get('size') === '0') query.delete('size');
      for (const name of ['page', 'size']) query.set(name, query.get(name) ?? { page: '0', size: '10' }[name] ?? '');
    },
  }),
  oddity('spring', 'PAG-10', 'a page past the end is refused', {
    answer: (answer, { query }) =>
      Number(query.get('page') ?? 0) * Number(query.get('size') ?? 10) >= 23 ? { status: 404, body: {} } : answer,
  }),
  oddity(
    'perPage',
    'PAG-12',
    'no page is found by a number that is none',
    {
      answer: (answer, { query }) =>
        /^[1-9]\d?$/.test(query.get('page') ?? '1') ? answer : { status: 404, body: { reason: 'no page' } },
    },
    [...PER_PAGE.contract, 'requests: { invalid: { status: 400 } }'],
  ),
  oddity(
    'offset',
    'PAG-12',
    'errors have their code where the contract says, and another number where others have it',
    {
      answer: (answer) => (answer.status < 400 ? answer : { ...answer, body: { error: { code: 400, reason: 'BAD' } } }),
    },
    [
      ...OFFSET.contract,
      'errors: { envelope: /error, members: { code: { at: /error/reason, form: "[A-Z]+" } } }',
      'requests: { invalid: { status: 400, code: BAD } }',
    ],
  ),
  oddity('perPage', 'PAG-08', 'the last page is full', { books: 20 }),
  oddity('offset', 'PAG-07', 'the list is long', { books: 64 }),
];
