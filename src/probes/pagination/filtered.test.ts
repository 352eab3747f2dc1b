// A filter whose parameter takes several values, under which a list tells the total of the unfiltered one, or forgets one of them.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { paginationExperiments } from './experiments.ts';

const PIPED = { style: 'pipeDelimited', explode: false };
const KINDS = ['light', 'dark', 'seasonal'];
const THEMES = Array.from({ length: 44 }, (_, index) => ({ id: `theme_${index}`, kind: KINDS[index % KINDS.length] }));

type Total = (left: readonly unknown[]) => number;
/** The values that a page is filtered by. */
type Wanted = (query: URLSearchParams) => readonly string[] | undefined;
const piped: Wanted = (query) => query.get('kinds')?.split('|');

/** Clauses that the first look at the themes blames, where a page tells `total` of those that are left. */
async function blamed(total: Total, wantedBy = piped): Promise<readonly string[]> {
  const integer = { type: 'integer' };
  const kinds = { type: 'array', items: { type: 'string', enum: KINDS } };
  const parameters = [
    { name: 'limit', in: 'query', schema: integer },
    { name: 'page', in: 'query', schema: integer },
    { name: 'kinds', in: 'query', ...(wantedBy === piped ? PIPED : {}), schema: kinds },
  ];
  const description = await loadShop({
    '/themes': { get: { parameters, responses: { 200: { description: 'All' } } } },
  });
  const world = worldWith({ keys: [] });
  const [first] = paginationExperiments(world, reachedWith(world, description, 'GET /themes'));
  const outcomes = await first?.converse(async (plan) => {
    const query = new URLSearchParams(plan.query);
    const wanted = wantedBy(query) ?? KINDS;
    const left = THEMES.filter(({ kind = '' }) => wanted.includes(kind));
    const [limit, page] = [Number(query.get('limit') ?? 20), Number(query.get('page') ?? 1)];
    const isSound = limit >= 1 && page >= 1 && Number.isInteger(limit + page) && query.getAll('page').length < 2;
    const body = {
      ...{ data: left.slice((page - 1) * limit, page * limit), total: total(left), page, limit },
      total_pages: Math.ceil(total(left) / limit),
    };
    const last = exchangeWith(isSound ? { plan, body } : { plan, status: 400, body: {} });
    return { attempts: [last], last };
  });
  return (outcomes ?? []).filter(({ judgement }) => judgement.kind === 'breached').map(({ clause }) => clause);
}

it('is blamed where the total is that of all items (PAG-06)', async () => {
  expect(await blamed(() => THEMES.length)).toContain('PAG-06');
});

it('is sound where the total is that of what the filter leaves', async () => {
  const clauses = await blamed((left) => left.length);
  expect(clauses.filter((clause) => /PAG-0[4-8]/.test(clause))).toEqual([]);
});

it('is blamed where the first of two values counts from the second page on (PAG-08)', async () => {
  const first: Wanted = (query) =>
    query.has('kinds') ? query.getAll('kinds').slice(0, query.get('page') === '1' ? 2 : 1) : undefined;
  expect(await blamed((left) => left.length, first)).toContain('PAG-08');
});

it('is sound where each of two values counts on each page', async () => {
  const both: Wanted = (query) => (query.has('kinds') ? query.getAll('kinds') : undefined);
  const clauses = await blamed((left) => left.length, both);
  expect(clauses.filter((clause) => /PAG-0[4-8]/.test(clause))).toEqual([]);
});

it('is sound where a limit alone asks, and the order of the items is another for each limit (PAG-09)', async () => {
  const kind = { name: 'kind', in: 'query', schema: { type: 'string', enum: KINDS } };
  const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }, kind];
  const description = await loadShop({
    '/themes': { get: { parameters, responses: { 200: { description: 'All' } } } },
  });
  const world = worldWith({ keys: [] });
  const [first] = paginationExperiments(world, reachedWith(world, description, 'GET /themes'));
  const filters = new Set<string | null>();
  const outcomes = await first?.converse(async (plan) => {
    const query = new URLSearchParams(plan.query);
    const [limit, wanted] = [Number(query.get('limit') ?? 20), query.get('kind')];
    filters.add(wanted);
    const shown = THEMES.filter((theme) => wanted === null || theme.kind === wanted).slice(0, limit);
    const last = exchangeWith({ plan, body: limit % 2 === 0 ? shown : shown.toReversed() });
    return { attempts: [last], last };
  });
  const blamed = (outcomes ?? []).filter(
    ({ clause, judgement }) => clause === 'PAG-09' && judgement.kind === 'breached',
  );
  expect([blamed, filters.size]).toEqual([[], 2]);
});
