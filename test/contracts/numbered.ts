// Lists by page number and by offset, as Spring, per_page and bare arrays have them.
import { BAD, cutOf, numberIn, type Style, sizeIn } from './books.ts';

/** Spring's page: from 0, with all counts. */
export const SPRING: Style = {
  contract: [
    'pagination:',
    '  - operations: [GET /books]',
    '    style: page',
    '    first: 0',
    '    parameters: { page: page, size: size }',
    '    items: /content',
    '    total: /totalElements',
    '    pages: /totalPages',
    '    page: /number',
    '    limit: /size',
    '    size: { default: 10, maximum: 45, above: clamp }',
  ],
  declares: [],
  page(books, { query }, ways) {
    const [number, size] = [numberIn(query, 'page', 0), sizeIn(query, 'size', { maximum: 45, ...ways })];
    if (number === null || size === null) return BAD;
    const content = cutOf({ books, from: number * size, size }, ways);
    const totalPages = Math.ceil(books.length / size);
    return { status: 200, body: { content, totalElements: books.length, totalPages, number, size } };
  },
};

/** page and per_page, from 1; the envelope says whether more follows. */
export const PER_PAGE: Style = {
  contract: [
    'extends: pages-from-1',
    'pagination:',
    '  - { style: page, items: /data, more: /meta/has_more, size: { maximum: 50, above: refuse } }',
  ],
  declares: ['page', 'per_page'],
  page(books, { query }, ways) {
    const [page, size] = [numberIn(query, 'page', 1, 1), numberIn(query, 'per_page', ways.usual ?? 10, 1)];
    if (page === null || size === null || size > (ways.maximum ?? 50)) return BAD;
    const data = cutOf({ books, from: (page - 1) * size, size }, ways);
    return { status: 200, body: { data, meta: { page, has_more: page * size < books.length } } };
  },
};

/** A bare array by offset and limit, counted in a header. */
export const TALLIED: Style = {
  contract: ['extends: offset', 'pagination:', '  - { style: offset, total: { header: X-Total-Count } }'],
  declares: ['offset', 'limit'],
  page(books, asked, ways) {
    const answer = OFFSET.page(books, asked, ways);
    return answer.status === 200 ? { ...answer, headers: { 'x-total-count': `${books.length}` } } : answer;
  },
};

/** A bare array by offset and limit. */
export const OFFSET: Style = {
  contract: ['extends: offset'],
  declares: ['offset', 'limit'],
  page(books, { query }, ways) {
    const [from, size] = [numberIn(query, 'offset', 0), sizeIn(query, 'limit', ways)];
    return from === null || size === null ? BAD : { status: 200, body: cutOf({ books, from, size }, ways) };
  },
};
