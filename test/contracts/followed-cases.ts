// Defects and oddities of lists that are followed.
import type { Cut, Ways } from './books.ts';
import type { ContractCase } from './cases.ts';
import { CONNECTION, CURSOR, cursorAt, JSON_API, LINK_HEADER, STRIPE } from './followed.ts';
import type { Answer } from './in-memory.ts';

export const STYLES = {
  cursor: CURSOR,
  stripe: STRIPE,
  linkHeader: LINK_HEADER,
  jsonApi: JSON_API,
  connection: CONNECTION,
} as const;

export interface FollowedCase extends ContractCase<Ways> {
  readonly style: keyof typeof STYLES;
}

type Body = Record<string, unknown>;

/** The answer of a page whose object at `name` is changed. */
const within =
  (name: string, change: (members: Body) => Body): Ways['answer'] =>
  (answer, { path }) => {
    const body = answer.body as Body;
    if (path !== '/books' || answer.status !== 200) return answer;
    return { ...answer, body: { ...body, [name]: { ...(body[name] as Body), ...change(body[name] as Body) } } };
  };
const meta = (change: (members: Body) => Body): Ways['answer'] => within('meta', change);
const links = (change: (members: Body) => Body): Ways['answer'] => within('links', change);

/** The answer of a page with another Link header. */
const linkHeader =
  (change: (value: string) => string): Ways['answer'] =>
  (answer) => {
    const value = answer.headers?.link;
    return value === undefined ? answer : { ...answer, headers: { ...answer.headers, link: change(value) } };
  };

const shifted =
  (by: number): Ways['cut'] =>
  ({ books, from, size }) => {
    const start = from === 0 ? 0 : Math.max(0, from + by);
    return books.slice(start, start + size);
  };
const plain = ({ books, from, size }: Cut) => books.slice(from, from + size);
const isMadeUp = (cursor: string | null): boolean => cursor !== null && !cursor.startsWith('pos/');
const refusedOf = (status: number): Answer => ({ status, body: { reason: 'refused' } });

function defect(style: FollowedCase['style'], text: string, ways: Ways): FollowedCase {
  const clause = style === 'linkHeader' || style === 'jsonApi' ? 'PAG-15' : 'PAG-14';
  return { style, clause, is: 'defect', text, ways };
}

function oddity(style: FollowedCase['style'], text: string, ways: Ways): FollowedCase {
  return { ...defect(style, text, ways), is: 'oddity' };
}

const DEFECTS: readonly FollowedCase[] = [
  defect('connection', 'the filter by a member of the nodes is forgotten after a cursor', {
    asked: (query) => query.has('after') && query.delete('genre'),
  }),
  defect('connection', 'all that comes after a cursor is of no filter', {
    books: 120,
    asked: (query) => query.has('after') && query.delete('genre'),
  }),
  defect('connection', 'a last book that would stand alone is left out', {
    books: 27,
    answer: within('pageInfo', ({ endCursor, hasNextPage }) => ({
      hasNextPage: endCursor === cursorAt(25) ? false : hasNextPage,
    })),
  }),
  defect('cursor', 'each page repeats the last book of the one before', { cut: shifted(-1) }),
  defect('cursor', 'each page leaves out a book', { cut: shifted(1) }),
  defect('cursor', 'the size is ignored', { asked: (query) => query.delete('limit') }),
  defect('cursor', 'the cursor is ignored', { asked: (query) => query.delete('cursor') }),
  defect('cursor', 'the last page names itself', {
    answer: meta(({ next_cursor }) => ({ next_cursor: next_cursor ?? cursorAt(20), has_more: true })),
  }),
  defect('cursor', 'a short last page names an empty one', {
    answer: (answer, asked, calls) => {
      const { data } = answer.body as { data?: readonly unknown[] };
      if (data === undefined || data.length === 0) return answer;
      return (
        meta((told) => ({ next_cursor: told.next_cursor ?? cursorAt(23), has_more: null }))?.(answer, asked, calls) ??
        answer
      );
    },
  }),
  defect('cursor', 'more is said to follow the last page', { answer: meta(() => ({ has_more: true })) }),
  defect('cursor', 'nothing is said to follow the first page', { answer: meta(() => ({ has_more: false })) }),
  defect('cursor', 'a page in the middle is empty', { cut: (cut) => (cut.from === cut.size ? [] : plain(cut)) }),
  defect('cursor', 'a page in the middle is short', { cut: (cut) => plain(cut).slice(cut.from === cut.size ? 1 : 0) }),
  defect('cursor', 'the order depends on the size', {
    cut: (cut) => plain(cut.size > 9 ? { ...cut, books: cut.books.toReversed() } : cut),
  }),
  defect('cursor', 'the next page fails', {
    answer: (answer, { query }) => (query.get('cursor') === null ? answer : refusedOf(400)),
  }),
  defect('cursor', 'a made-up cursor is an error of the server', {
    answer: (answer, { query }) => (isMadeUp(query.get('cursor')) ? refusedOf(500) : answer),
  }),
  defect('cursor', 'a made-up cursor gets the first page', {
    asked: (query) => isMadeUp(query.get('cursor')) && query.delete('cursor'),
  }),
  defect('cursor', 'the filter is dropped from the second page on', {
    asked: (query) => query.has('cursor') && query.delete('genre'),
  }),
  defect('stripe', 'each page leaves out a book', { cut: shifted(1) }),
  defect('stripe', 'a made-up cursor gets the first page', {
    asked: (query) => !/^b-/.test(query.get('starting_after') ?? 'b-') && query.delete('starting_after'),
  }),
  defect('linkHeader', 'each page repeats the last book of the one before', { cut: shifted(-1) }),
  defect('linkHeader', 'links lead to another host', {
    answer: linkHeader((value) => value.replaceAll('foreign.simulated', 'internal.simulated:8080')),
  }),
  defect('linkHeader', 'links drop the size', {
    answer: linkHeader((value) => value.replaceAll(/[?&]per_page=\d+/g, '')),
  }),
  defect('linkHeader', 'links drop the filter', { answer: linkHeader((value) => value.replaceAll(/&genre=\w+/g, '')) }),
  defect('linkHeader', 'prev leads to the first page', {
    answer: linkHeader((value) => value.replaceAll(/page=\d+([^>]*>; rel="prev")/g, 'page=1$1')),
  }),
  defect('linkHeader', 'last leads to the page before it', {
    answer: linkHeader((value) =>
      value.replaceAll(/\?page=(\d+)([^>]*>; rel="last")/g, (_, page, rest) => `?page=${Math.max(1, page - 1)}${rest}`),
    ),
  }),
  defect('linkHeader', 'first leads to the second page', {
    answer: linkHeader((value) => value.replaceAll(/\?page=1([^>]*>; rel="first")/g, '?page=2$1')),
  }),
  defect('linkHeader', 'next never ends', {
    answer: linkHeader((value) =>
      value.includes('rel="next"') ? value : `${value}, </books?page=1&per_page=3>; rel="next"`,
    ),
  }),
  defect('jsonApi', 'each page leaves out a book', { cut: shifted(1) }),
  defect('jsonApi', 'links lead to another host', {
    answer: links(({ next }) => ({ next: next === null ? null : `http://other.simulated${next}` })),
  }),
  defect('jsonApi', 'links drop the size', {
    answer: links(({ next }) => ({ next: typeof next === 'string' ? next.replace(/&page%5Bsize%5D=\d+/, '') : null })),
  }),
  defect('jsonApi', 'the next page is not there', {
    answer: links(({ next }) => ({ next: typeof next === 'string' ? next.replace('/books', '/bookz') : null })),
  }),
];

const ODDITIES: readonly FollowedCase[] = [
  oddity('cursor', 'the last page is full', { books: 20 }),
  oddity('cursor', 'a full last page names an empty one', {
    books: 24,
    answer: (answer, asked, calls) => {
      const { data } = answer.body as { data?: readonly unknown[] };
      const isFull = data?.length === Number(asked.query.get('limit') ?? 10);
      return meta((told) =>
        isFull ? { next_cursor: told.next_cursor ?? cursorAt(24), has_more: null } : { has_more: null },
      )!(answer, asked, calls);
    },
  }),
  oddity('cursor', 'the end is told by an empty text', {
    answer: meta(({ next_cursor }) => ({ next_cursor: next_cursor ?? '' })),
  }),
  oddity('cursor', 'a cursor stands on the last page, too, with the word that nothing follows', {
    answer: meta(({ next_cursor }) => ({ next_cursor: next_cursor ?? cursorAt(23) })),
  }),
  oddity('cursor', 'cursors serve once', {
    answer: (() => {
      const used = new Set<string>();
      let plainCalls = 0;
      return (answer: Answer, { query, path }: { query: URLSearchParams; path: string }) => {
        const cursor = query.get('cursor');
        if (path !== '/books' || cursor === null) {
          plainCalls += 1;
          used.clear();
          return answer;
        }
        const name = `${plainCalls} ${cursor}`;
        if (used.has(name)) return refusedOf(410);
        used.add(name);
        return answer;
      };
    })(),
  }),
  oddity('cursor', 'a made-up cursor stands past all books', {
    answer: (answer, { query }) =>
      isMadeUp(query.get('cursor'))
        ? { status: 200, body: { data: [], meta: { next_cursor: null, has_more: false } } }
        : answer,
  }),
  oddity('cursor', 'no page is larger than seven', { maximum: 7, usual: 7 }),
  oddity('stripe', 'the last page is full', { books: 20 }),
  oddity('linkHeader', 'relations are bare, several at once, and in another order', {
    answer: linkHeader((value) =>
      value
        .split(', ')
        .toReversed()
        .map((one) =>
          one.replace(/rel="(\w+)"/, (_, rel) => (rel === 'next' ? 'title="a, b"; rel=next' : `rel="${rel} start"`)),
        )
        .join(' ,'),
    ),
  }),
  oddity('linkHeader', 'links are relative', {
    answer: linkHeader((value) => value.replaceAll(/http:\/\/foreign.simulated\/books/g, '')),
  }),
  oddity('linkHeader', 'links name the service by https', {
    answer: linkHeader((value) => value.replaceAll('http:', 'https:')),
  }),
  oddity('linkHeader', 'only next is told', {
    answer: linkHeader((value) =>
      value
        .split(', ')
        .filter((one) => one.includes('"next"'))
        .join(', '),
    ),
  }),
  oddity('jsonApi', 'links are objects', {
    answer: links(({ next, prev }) => ({
      next: next === null ? null : { href: next },
      prev: prev === null ? null : { href: prev },
    })),
  }),
  oddity('jsonApi', 'links of the ends are left out', {
    answer: links(({ next }) => ({ next, prev: undefined, first: undefined, last: undefined })),
  }),
];

export const FOLLOWED_CASES: readonly FollowedCase[] = [...DEFECTS, ...ODDITIES];
