// Lists of which a contract states nothing are examined all the same: what is seen is an observation, with the line that makes it a law.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { exitCode } from '../../src/grading/exit-code.ts';
import { booksApi, type Style, type Ways } from './books.ts';
import { CURSOR } from './followed.ts';
import { failedIn, judgedByContract } from './in-memory.ts';
import { PER_PAGE, SPRING, TALLIED } from './numbered.ts';

const NOTHING = ['requests: { invalid: { status: 400 } }'];

const declaring = (style: Style, ...declares: readonly string[]): Style => ({ ...style, declares });

/** Codes of what was seen of pages, and the lines that would make it a law. */
const seenIn = ({ findings }: Report) =>
  findings.flatMap(({ clause, kind, code = '', message }) =>
    clause === 'PAG-13' && kind === 'observation' && code.startsWith('pag-13.unstated')
      ? [{ code, message, line: /pagination: \[.*\]$/.exec(message)?.[0] ?? '' }]
      : [],
  );

const repeating: Ways = {
  cut: ({ books, from, size }) => books.slice(Math.max(0, from - 1), Math.max(0, from - 1) + size),
};
const wrongTotal: Ways = { answer: (answer) => ({ ...answer, headers: { ...answer.headers, 'x-total-count': '24' } }) };

describe('a list of which nothing is stated', () => {
  it.each([
    ['pages from 0', declaring(SPRING, 'page', 'size'), repeating, 'PAG-08'],
    ['per_page', PER_PAGE, repeating, 'PAG-08'],
    ['a total in a header', TALLIED, wrongTotal, 'PAG-06'],
  ] as const)(
    'of %s is observed to break a law, and fails by the line that states it',
    async (_name, style, ways, law) => {
      const report = await judgedByContract(booksApi(style, ways, NOTHING));
      const [seen] = seenIn(report).filter(({ message }) => message.includes(law));
      expect([exitCode(report), failedIn(report), seen?.line]).toEqual([0, [], expect.stringContaining('style:')]);
      const stated = await judgedByContract(booksApi(style, ways, [...NOTHING, seen?.line ?? '']));
      expect([exitCode(stated), failedIn(stated)]).toEqual([1, expect.arrayContaining([law])]);
    },
  );

  const toldIn = (name: string, value: (cursor: string, query: URLSearchParams) => string): Style => ({
    ...CURSOR,
    page(books, asked, ways) {
      const answer = CURSOR.page(books, asked, ways);
      const { data, meta } = answer.body as { data?: unknown; meta?: { next_cursor: string | null } };
      if (meta === undefined) return answer;
      const cursor = meta.next_cursor;
      return {
        ...answer,
        body: { data },
        headers: cursor === null ? {} : { [name]: value(cursor, asked.query) },
      };
    },
  });
  const address = (cursor: string, query: URLSearchParams): string =>
    `/books?${new URLSearchParams({ ...Object.fromEntries(query), cursor })}`;

  it.each([
    ['an address in a header of its own', toldIn('next-page', address), ['links']],
    ['a cursor in a header', toldIn('x-next-cursor', (cursor) => cursor), ['cursor']],
    ['nothing that is known', toldIn('x-beyond', (cursor) => cursor), []],
  ])('whose next page is told by %s is observed to break nothing', async (_name, style, styles) => {
    const seen = seenIn(await judgedByContract(booksApi(style, {}, NOTHING)));
    expect(seen.map(({ line }) => /style: (\w+)/.exec(line)?.[1])).toEqual(styles);
    expect(seen.every(({ code }) => code === 'pag-13.unstated')).toBe(true);
  });

  it('passes by the line that is told of it where it is sound', async () => {
    const style = declaring(SPRING, 'page', 'size');
    const seen = seenIn(await judgedByContract(booksApi(style, {}, NOTHING)));
    expect(seen.map(({ code }) => code)).toEqual(['pag-13.unstated']);
    const stated = await judgedByContract(booksApi(style, {}, [...NOTHING, seen[0]?.line ?? '']));
    expect([exitCode(stated), failedIn(stated)]).toEqual([0, []]);
  });
});
