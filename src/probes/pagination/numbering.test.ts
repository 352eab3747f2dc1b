// How pages are numbered where no description says it: sound lists pass from 0 and from 1, and one that is off by a page does not.
import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Answered, Outcome } from '../probe.ts';
import { paginationExperiments } from './experiments.ts';

const ITEMS = Array.from({ length: 57 }, (_, index) => ({ id: `item_${index}` }));
const SIZE = 10;

/** The declaration of the page number, and whether the size of a page can be asked for. */
interface Declared {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly sized: boolean;
}

interface Served {
  /** The number of the first page. */
  readonly first: number;
  /** The first page that is shown for a number; absent: what is asked for. */
  readonly at?: (page: number) => number;
}

const described = new Map<string, Description>();
const DECLARED: Readonly<Record<string, Declared>> = {
  silent: { schema: {}, sized: true },
  from0: { schema: { minimum: 0, default: 0 }, sized: true },
  unsized: { schema: {}, sized: false },
  unsized0: { schema: { default: 0 }, sized: false },
};

beforeAll(async () => {
  for (const [name, { schema, sized }] of Object.entries(DECLARED)) {
    const parameters = ['page', ...(sized ? ['per_page'] : [])].map((one) => ({
      ...{ name: one, in: 'query', schema: { type: 'integer', ...(one === 'page' ? schema : {}) } },
    }));
    described.set(
      name,
      await loadShop({ '/items': { get: { parameters, responses: { 200: { description: 'A page' } } } } }),
    );
  }
});

function serve(
  { first, at = (page) => page }: Served,
  text: string,
): { readonly status: number; readonly body: unknown } {
  const query = new URLSearchParams(text);
  const page = at(Number(query.get('page') ?? first)) - first;
  const size = Number(query.get('per_page') ?? SIZE);
  return { status: 200, body: { content: page < 0 ? [] : ITEMS.slice(page * size, (page + 1) * size), number: page } };
}

/** The clauses that are broken, and how many judgements held. */
async function judge(
  name: string,
  served: Served,
): Promise<{ readonly broken: readonly string[]; readonly held: number }> {
  const description = described.get(name);
  if (description === undefined) throw new Error(`no description ${name}`);
  const world = worldWith({ contract: 'openapi' });
  const experiments = paginationExperiments(world, reachedWith(world, description, 'GET /items'));
  const outcomes: Outcome[] = [];
  for (const one of experiments) {
    if (!('converse' in one)) throw new Error('it converses');
    const send = async (plan: Answered['last']['plan']): Promise<Answered> => {
      const { status, body } = serve(served, plan.query);
      const last = exchangeWith({ plan, status, body: JSON.stringify(body) });
      return { last, attempts: [last] };
    };
    outcomes.push(...(await one.converse(send)));
  }
  const of = (kind: string): readonly string[] =>
    outcomes.filter(({ judgement }) => judgement.kind === kind).map(({ clause }) => clause);
  return { broken: [...new Set(of('breached'))], held: of('holds').filter((clause) => clause === 'PAG-08').length };
}

describe('a sound list', () => {
  it.each([
    ['silent', 0],
    ['silent', 1],
    ['from0', 0],
    ['unsized', 0],
    ['unsized', 1],
    ['unsized0', 0],
  ])('described as %s whose pages begin at %i is judged, and nothing is told', async (name, first) => {
    const { broken, held } = await judge(name, { first });
    expect([broken, held]).toEqual([[], 4]);
  });

  it('that answers page 0 as page 1 begins at 1', async () => {
    expect((await judge('silent', { first: 1, at: (page) => Math.max(1, page) })).broken).toEqual([]);
  });
});

describe('a list that is said to begin at 0', () => {
  it.each([
    ['counts from 1', (page: number) => page - 1],
    ['shows its first page twice', (page: number) => Math.max(0, page - 1)],
    ['leaves its second page out', (page: number) => (page === 0 ? 0 : page + 1)],
  ])('and %s breaks the law', async (_how, at) => {
    expect((await judge('from0', { first: 0, at })).broken).toEqual(['PAG-08']);
  });

  it.each([
    ['counts from 1', (page: number) => page - 1],
    ['shows its first page twice', (page: number) => Math.max(0, page - 1)],
  ])('and %s breaks it, too, where the size of its pages is its own', async (_how, at) => {
    expect((await judge('unsized0', { first: 0, at })).broken).toEqual(['PAG-08']);
  });
});
