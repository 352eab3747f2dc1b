// Lists that are followed: by a cursor, as Stripe has it, by the Link header, and by the links of JSON:API.
import { BAD, type Book, cutOf, type Style, sizeIn, type Ways } from './books.ts';
import type { Answer, Asked } from './in-memory.ts';

/** A cursor with characters that a query must encode. */
export const cursorAt = (index: number): string => `pos/${index}+=&?`;

function indexIn(cursor: string): number | null {
  const [, index] = /^pos\/(\d+)\+=&\?$/.exec(cursor) ?? [];
  return index === undefined ? null : Number(index);
}

interface Part {
  readonly data: readonly Book[];
  /** The index of the next page; null: none follows. */
  readonly next: number | null;
}

function partOf(books: readonly Book[], from: number, size: number, ways: Ways): Part {
  return { data: cutOf({ books, from, size }, ways), next: from + size < books.length ? from + size : null };
}

export const CURSOR: Style = {
  contract: [
    'pagination:',
    '  - style: cursor',
    '    operations: [GET /books]',
    '    parameters: { cursor: cursor, size: limit }',
    '    items: /data',
    '    next: /meta/next_cursor',
    '    more: /meta/has_more',
    '    size: { default: 10, maximum: 50, above: clamp }',
  ],
  declares: ['cursor', 'limit'],
  page(books, { query }, ways) {
    const size = sizeIn(query, 'limit', ways);
    const cursor = query.get('cursor');
    const from = cursor === null ? 0 : indexIn(cursor);
    if (size === null || from === null) return BAD;
    const { data, next } = partOf(books, from, size, ways);
    return {
      status: 200,
      body: { data, meta: { next_cursor: next === null ? null : cursorAt(next), has_more: next !== null } },
    };
  },
};

/** The cursor is the id of the last book. */
export const STRIPE: Style = {
  contract: [
    'pagination:',
    '  - { style: cursor, parameters: { cursor: starting_after, size: limit }, items: /data, next: /data/*/id, more: /has_more }',
  ],
  declares: ['starting_after', 'limit'],
  page(books, { query }, ways) {
    const size = sizeIn(query, 'limit', ways);
    const after = query.get('starting_after');
    const at = after === null ? -1 : books.findIndex(({ id }) => id === after);
    if (size === null || (after !== null && at < 0)) return BAD;
    const { data, next } = partOf(books, at + 1, size, ways);
    return { status: 200, body: { data, has_more: next !== null } };
  },
};

/** A connection: each book is a node of an edge, and every page names its end. */
export const CONNECTION: Style = {
  contract: [
    'pagination:',
    '  - style: cursor',
    '    parameters: { cursor: after, size: first }',
    '    items: /edges',
    '    next: /pageInfo/endCursor',
    '    more: /pageInfo/hasNextPage',
  ],
  declares: ['after', 'first'],
  page(books, { query }, ways) {
    const size = sizeIn(query, 'first', ways);
    const after = query.get('after');
    const at = after === null ? -1 : indexIn(after);
    if (size === null || at === null) return BAD;
    const { data, next } = partOf(books, at + 1, size, ways);
    const edges = data.map((node, index) => ({ cursor: cursorAt(at + 1 + index), node }));
    const endCursor = edges.at(-1)?.cursor ?? null;
    return { status: 200, body: { edges, pageInfo: { endCursor, hasNextPage: next !== null } } };
  },
};

/** The pages around one, by their numbers from 1. */
function around(
  books: readonly Book[],
  { query }: Asked,
  ways: Ways,
  names: { readonly size: string; readonly page: string },
) {
  const size = sizeIn(query, names.size, ways);
  const page = Number(query.get(names.page) ?? 1);
  if (size === null || !Number.isInteger(page) || page < 1) return null;
  const last = Math.max(1, Math.ceil(books.length / size));
  const addressOf = (number: number): string => {
    const others = new URLSearchParams(query);
    for (const name of [names.page, names.size]) others.delete(name);
    return `/books?${new URLSearchParams([[names.page, String(number)], ...others, [names.size, String(size)]])}`;
  };
  return {
    data: cutOf({ books, from: (page - 1) * size, size }, ways),
    next: page < last ? addressOf(page + 1) : null,
    prev: page > 1 ? addressOf(page - 1) : null,
    first: addressOf(1),
    last: addressOf(last),
  };
}

/** As GitHub: a bare array, and its neighbours in one Link header. */
export const LINK_HEADER: Style = {
  contract: ['extends: link-header', 'pagination: [{ style: links, operations: [GET /books] }]'],
  declares: [],
  page(books, asked, ways): Answer {
    const found = around(books, asked, ways, { size: 'per_page', page: 'page' });
    if (found === null) return BAD;
    const { data, ...links } = found;
    const told = Object.entries(links).flatMap(([rel, address]) =>
      address === null ? [] : [`<http://foreign.simulated${address}>; rel="${rel}"`],
    );
    return { status: 200, headers: { link: told.join(', ') }, body: data };
  },
};

/** As JSON:API: relative links in the body. */
export const JSON_API: Style = {
  // Its errors are another matter.
  contract: ['extends: json-api', 'errors: null', 'pagination: [{ style: links, operations: [GET /books] }]'],
  declares: ['page[size]', 'page[number]'],
  page(books, asked, ways): Answer {
    const found = around(books, asked, ways, { size: 'page[size]', page: 'page[number]' });
    if (found === null) return BAD;
    const { data, ...links } = found;
    return { status: 200, body: { data, links } };
  },
};
