// Within a budget one list of each kind is looked at closely, and further ones that page alike by fewer requests.
import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { inWords, loadShop, OTHER_KEY, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { badValues } from './bad-values.ts';
import { paginationFamily } from './experiments.ts';
import { listOperation } from './list-operation.ts';

const text = (name: string) => ({ name, in: 'query', schema: { type: 'string' } });
const list = { parameters: [text('limit'), text('offset')], responses: { 200: { description: 'As told' } } };
const LISTS = ['GET /api/v1/colours', 'GET /api/v1/shades', 'GET /api/v1/hues'];
const MAKE = 'POST /api/v1/shades';
const ITEMS = Array.from({ length: 57 }, (_, index) => ({ id: `item_${index}` }));

let described: Description;
beforeAll(async () => {
  const post = { responses: { 201: { description: 'Made' } } };
  described = await loadShop({
    '/api/v1/colours': { get: list },
    '/api/v1/shades': { get: list, post },
    '/api/v1/hues': { get: list },
  });
});

function looksAt(isBrief: boolean) {
  const world = worldWith({ isBrief });
  const proof = exchangeWith({ body: ITEMS });
  const reached = [...LISTS, MAKE].map((key) => reachedWith(world, described, key, {}, { proof }));
  return paginationFamily(world, reached, 0);
}

/** The first looks at the lists. */
function firstLooks(isBrief: boolean) {
  return looksAt(isBrief).filter(({ probe }) => probe === 'pagination/first');
}

/** Queries of the look at the n-th list, which is sound; `answer` in place of what it answers. */
async function asked(index: number, answer: (items: readonly unknown[], query: URLSearchParams) => unknown[]) {
  const queries: string[] = [];
  const outcomes = await firstLooks(true)[index]?.converse(async (plan: RequestPlan) => {
    queries.push(plan.query);
    const query = new URLSearchParams(plan.query);
    const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
    const isSound = limit >= 1 && offset >= 0;
    const items = ITEMS.slice(offset, offset + Math.min(limit, 100));
    const last = exchangeWith({ plan, ...(isSound ? { body: answer(items, query) } : { status: 400, body: {} }) });
    return { attempts: [last], last };
  });
  const blamed = (outcomes ?? []).filter(
    ({ judgement }) =>
      judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight !== 'observation'),
  );
  return { queries, blamed: blamed.map(({ clause }) => clause) };
}

describe('pages under the keys of other plans', () => {
  it('are read, two of each list that is looked at closely', async () => {
    const told = async (shift: number) => {
      const looks = looksAt(true).filter(({ probe }) => probe.startsWith('pagination/other-plans/'));
      const senders: string[] = [];
      const outcomes = await looks[0]?.converse(async (plan: RequestPlan) => {
        const { credential } = plan;
        const isOther = credential.kind === 'key' && credential.name === OTHER_KEY.name;
        if (isOther) senders.push(plan.query);
        const query = new URLSearchParams(plan.query);
        const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
        const from = offset + (isOther && offset > 0 ? shift : 0);
        const last = exchangeWith({ plan, body: ITEMS.slice(from, from + Math.min(limit, 100)) });
        return { attempts: [last], last };
      });
      const blamed = (outcomes ?? []).filter(({ judgement }) => judgement.kind === 'breached');
      const grounds = (outcomes ?? []).map(({ judgement }) => judgement.grounds);
      return { looks, senders, grounds, told: inWords(outcomes ?? []), blamed: blamed.map(({ clause }) => clause) };
    };
    const sound = await told(0);
    expect(sound.looks.map(({ operation, cost }) => [operation, cost])).toEqual([['GET /api/v1/shades', 2]]);
    expect(sound.senders).toHaveLength(2);
    expect(sound.told).toEqual(['PAG-07 holds']);
    expect(sound.grounds).toEqual([{ items: 0, pages: 0 }]);
    expect((await told(1)).blamed).toEqual(['PAG-07']);
    const whole = looksAt(false).filter(({ probe }) => probe.startsWith('pagination/other-plans/'));
    expect(whole.map(({ operation }) => operation)).toEqual(LISTS);
  });
});

describe('a further list', () => {
  it('costs less where a budget bounds the run; the one that clients add to is looked at closely', () => {
    const [colours = 0, shades = 0, hues = 0] = firstLooks(true).map(({ cost }) => cost);
    expect(colours).toBe(hues);
    expect(shades).toBeGreaterThan(1.5 * hues);
    expect(new Set(firstLooks(false).map(({ cost }) => cost)).size).toBe(1);
  });

  it('is asked for fewer pages than it is said to take, and is blamed for a page that lacks an item', async () => {
    const [sound, close] = [await asked(0, (items) => [...items]), await asked(1, (items) => [...items])];
    expect([sound.blamed, close.blamed]).toEqual([[], []]);
    expect(sound.queries.length).toBeLessThanOrEqual(firstLooks(true)[0]?.cost ?? 0);
    expect(sound.queries.length).toBeLessThan(close.queries.length);
    const lacking = await asked(0, (items, query) => items.slice(query.get('offset') === '10' ? 1 : 0));
    expect(lacking.blamed).toContain('PAG-07');
  });

  it('is asked by few bad values first, and by all others in a deeper look', () => {
    const world = worldWith();
    const reached = reachedWith(world, described, LISTS[0] ?? '');
    const queriesOf = ({ first, deep }: ReturnType<typeof badValues>) =>
      [first, deep].map((cases) => cases.map(({ query }) => query));
    const [all, fewer] = (['brief', 'further'] as const).map((closeness) => {
      const found = listOperation(world, reached, closeness);
      if (found === null) throw new Error('the operation is a list');
      return queriesOf(badValues(found));
    });
    expect(fewer?.[0]?.length).toBeLessThan((all?.[0]?.length ?? 0) / 2);
    expect(new Set(fewer?.flat())).toEqual(new Set(all?.flat()));
  });

  it('is not asked by a value that is said to ask for all items', () => {
    const found = listOperation(worldWith(), reachedWith(worldWith(), described, LISTS[0] ?? ''));
    if (found?.paging.size == null) throw new Error('the operation is a list of a size');
    const queriesOf = (list: typeof found) =>
      Object.values(badValues(list))
        .flat()
        .map(({ query }) => query);
    const size = { ...found.paging.size, unlimited: ['0'] };
    const saying = { ...found, paging: { ...found.paging, size } };
    expect(queriesOf(saying)).toEqual(queriesOf(found).filter((query) => query !== `${size.name}=0`));
    expect(queriesOf(saying)).not.toEqual(queriesOf(found));
  });
});
