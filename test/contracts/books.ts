// A catalogue of books whose list pages in one of the ways that APIs have, all of them somebody else's.
import type { Answer, Asked, ForeignApi } from './in-memory.ts';

export interface Book {
  readonly id: string;
  readonly title: string;
  readonly genre: string;
}

/** Which books a page shows, and what it is asked by. */
export interface Cut {
  /** Those of the filter, in order. */
  readonly books: readonly Book[];
  /** Index of the first one. */
  readonly from: number;
  readonly size: number;
}

/** What a server does otherwise than the plain one: a defect, or what its contract leaves open. */
export interface Ways {
  /** How many books there are. */
  readonly books?: number;
  /** Books a page where no size is asked for, and at most. */
  readonly usual?: number;
  readonly maximum?: number;
  /** What is asked for, before it is looked at. */
  readonly asked?: (query: URLSearchParams) => void;
  /** The books of a page. */
  readonly cut?: (cut: Cut) => readonly Book[];
  /** The answer, before it is sent. `calls`: how many came before. */
  readonly answer?: (answer: Answer, asked: Asked, calls: number) => Answer;
}

/** How the list pages: what a page is asked by, and what it answers. */
export interface Style {
  readonly contract: readonly string[];
  /** Names of its query parameters, as far as the description declares them. */
  readonly declares: readonly string[];
  page(books: readonly Book[], asked: Asked, ways: Ways): Answer;
}

const GENRES = ['novel', 'essay'];

/** The API under one style. `contract`: lines of its file in place of the style's own. */
export function booksApi(style: Style, ways: Ways = {}, contract: readonly string[] = style.contract): ForeignApi {
  return {
    description: descriptionOf(style),
    contract: ['contract: 1', 'name: Books API contract', ...contract],
    start() {
      let calls = 0;
      return (asked) => {
        const answer = answerTo(asked, style, ways);
        calls += 1;
        return ways.answer?.(answer, asked, calls - 1) ?? answer;
      };
    },
  };
}

function answerTo(asked: Asked, style: Style, ways: Ways): Answer {
  const { method, path, query } = asked;
  const all = booksOf(ways.books ?? 23);
  const one = all.find(({ id }) => path === `/books/${id}`);
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { allow: 'GET' }, body: { reason: 'method' } };
  if (path !== '/books')
    return one === undefined ? { status: 404, body: { reason: 'unknown' } } : { status: 200, body: one };
  ways.asked?.(query);
  const genre = query.get('genre');
  if (genre !== null && !GENRES.includes(genre)) return BAD;
  return style.page(
    all.filter((book) => genre === null || book.genre === genre),
    asked,
    ways,
  );
}

export const BAD: Answer = { status: 400, body: { reason: 'bad value' } };

export function booksOf(count: number): readonly Book[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `b-${String(at + 100)}`,
    title: `Volume ${at}`,
    genre: GENRES[at % 3 === 0 ? 1 : 0] ?? '',
  }));
}

/** The whole number that is asked for; `usual` where none is, null where it is bad. */
export function numberIn(query: URLSearchParams, name: string, usual: number, least = 0): number | null {
  const [text, ...others] = query.getAll(name);
  if (text === undefined) return usual;
  return others.length === 0 && /^\d{1,15}$/.test(text) && Number(text) >= least ? Number(text) : null;
}

/** The size that is applied; null where a bad one is asked for. */
export function sizeIn(query: URLSearchParams, name: string, { usual = 10, maximum = 50 }: Ways): number | null {
  const size = numberIn(query, name, usual, 1);
  return size === null ? null : Math.min(size, maximum);
}

export function cutOf(cut: Cut, ways: Ways): readonly Book[] {
  return ways.cut?.(cut) ?? cut.books.slice(cut.from, cut.from + cut.size);
}

function descriptionOf({ declares }: Style): unknown {
  const shown = (description: string) => ({ description, content: { 'application/json': { schema: {} } } });
  const refusals = { 400: shown('Bad'), 404: shown('Unknown') };
  const filter = { name: 'genre', in: 'query', schema: { type: 'string', enum: GENRES } };
  const paging = declares.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  return {
    openapi: '3.0.3',
    info: { title: 'Books', version: '1.0.0' },
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters: [...paging, filter],
          responses: { 200: shown('A page'), ...refusals },
        },
      },
      '/books/{bookId}': {
        get: {
          operationId: 'readBook',
          parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: shown('A book'), ...refusals },
        },
      },
    },
  };
}
