import { beforeAll, describe, expect, it } from 'vitest';
import type { Changes } from '../checks/test-exchanges.ts';
import type { RequestPlan } from '../exchange/exchange.ts';
import type { Description } from '../openapi/operation.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from './test-world.ts';
import { versionExperiments } from './version-header.ts';

const LIST = 'GET /api/v1/products';
const world = worldWith();
let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});
const experiments = (key = LIST) => versionExperiments(world, reachedWith(world, shop, key, { productId: 'prd_1' }));
const honoured = ({ headers }: RequestPlan): Changes => ({ body: headers.length > 0 ? { data: [] } : [] });

describe('VER-01', () => {
  it('sends all headers at once in the lean pass, each alone in depth', () => {
    const sent = experiments().map((experiment) => {
      const { plans } = drive(experiment.run(), () => ({ body: [] }));
      expect(plans.map(({ headers }) => headers.length > 0)).toEqual([false, true]);
      return [experiment.stage, plans[1]?.headers.length];
    });
    expect(sent[0]).toEqual(['lean', sent.length - 1]);
    expect(sent.slice(1)).toEqual(Array(sent.length - 1).fill(['depth', 1]));
  });

  it('holds after one pair that agrees, and is breached after three that do not', () => {
    const [all] = experiments();
    const ignored = drive(all!.run(), () => ({ body: [] }));
    expect([ignored.plans.length, ...inWords(ignored.outcomes)]).toEqual([2, 'VER-01 holds']);
    const broken = drive(all!.run(), honoured);
    expect([broken.plans.length, ...inWords(broken.outcomes)]).toEqual([
      6,
      'VER-01 breached: a version header changes the shape',
    ]);
  });

  it('holds where data change once by others’ hands', () => {
    const { outcomes } = drive(experiments()[0]!.run(), (_plan, index) => ({
      body: index === 1 ? [{ id: 'new' }] : [],
    }));
    expect(inWords(outcomes)).toEqual(['VER-01 holds']);
  });

  it('is probed on nothing that changes something or was never answered with success', () => {
    expect(experiments('POST /api/v1/products')).toEqual([]);
    expect(versionExperiments(world, reachedWith(world, shop, LIST, {}, { proof: null }))).toEqual([]);
  });
});
