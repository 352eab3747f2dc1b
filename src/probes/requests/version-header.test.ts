import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import {
  drive,
  inWords,
  loadBound,
  loadShop,
  reachedWith,
  sentJson,
  worldWith,
} from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { versionExperiments } from './version-header.ts';

const LIST = 'GET /api/v1/products';
const CREATE = 'POST /api/v1/products';
const world = worldWith();
let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});
/** The first call of the run, which had no such header. */
const proof = exchangeWith({ body: [] });
const experiments = (key = LIST, around = world) =>
  versionExperiments(around, reachedWith(around, shop, key, { productId: 'prd_1' }, { proof }));
const honoured = ({ headers }: RequestPlan): Changes => ({ body: headers.length > 0 ? { data: [] } : [] });

const values = (headers: RequestPlan['headers']): readonly string[] => headers.map(([, value]) => value);

describe('VER-01', () => {
  it('sends all headers at once in the lean pass, with older values and each alone in depth', () => {
    const sent = experiments().map((experiment) => {
      const { plans } = drive(experiment.run(), () => ({ body: [] }));
      expect(plans.map(({ headers }) => headers.length > 0)).toEqual([true]);
      return { stage: experiment.stage, headers: plans[0]?.headers ?? [] };
    });
    const [newer, older, ...alone] = sent;
    expect([newer?.stage, older?.stage]).toEqual(['lean', 'depth']);
    expect(older?.headers.map(([name]) => name)).toEqual(newer?.headers.map(([name]) => name));
    expect(values(newer?.headers ?? [])).toEqual(['2', '2099-01-01', '2.0.0', 'v2', '2', '2099-01-01']);
    expect(values(older?.headers ?? [])).toEqual(['0.1', '2001-01-01', '0.1', '0.1', '0.1', '2001-01-01']);
    expect(alone).toEqual(newer?.headers.map((header) => ({ stage: 'depth', headers: [header] })));
  });

  it('holds after one call that agrees with the first of the run, and is breached after six pairs that do not agree', () => {
    const [all] = experiments();
    const ignored = drive(all!.run(), () => ({ body: [] }));
    expect([ignored.plans.length, ...inWords(ignored.outcomes)]).toEqual([1, 'VER-01 holds']);
    const broken = drive(all!.run(), honoured);
    expect([broken.plans.length, ...inWords(broken.outcomes)]).toEqual([
      13,
      'VER-01 breached: a version header changes the shape',
    ]);
  });

  it('holds where the first call of the run is answered otherwise by now', () => {
    const { outcomes } = drive(experiments()[0]!.run(), () => ({ body: [{ id: 'new' }] }));
    expect(inWords(outcomes)).toEqual(['VER-01 holds']);
  });

  it('sends every other pair the other way round', () => {
    const { plans } = drive(experiments()[0]!.run(), honoured);
    const pair = [false, true, true, false];
    expect(plans.map(({ headers }) => headers.length > 0)).toEqual([true, ...pair, ...pair, ...pair]);
  });

  it('holds where data change once by others’ hands', () => {
    const { outcomes } = drive(experiments()[0]!.run(), (_plan, index) => ({
      body: index < 2 ? [{ id: 'new' }] : [],
    }));
    expect(inWords(outcomes)).toEqual(['VER-01 holds']);
  });

  it('is not laid to the header where answers alternate from call to call', () => {
    const { outcomes } = drive(experiments()[0]!.run(), (_plan, index) => ({
      body: index % 2 === 0 ? { data: [] } : [],
    }));
    expect(inWords(outcomes)).toEqual(['VER-01 cannot tell']);
  });

  it('is probed on what changes something in depth, where the run may change something, with a body new for each call', () => {
    const [experiment, ...more] = experiments(CREATE);
    expect([experiment?.stage, more]).toEqual(['depth', []]);
    const { plans } = drive(experiment!.run(), honoured);
    const names = plans.map((plan) => (sentJson(plan) as { name: string }).name);
    expect(new Set(names).size).toBe(13);
    expect(experiments(CREATE, worldWith({ environment: 'staging' }))).toHaveLength(1);
    expect(experiments(CREATE, worldWith({ mutations: false }))).toEqual([]);
  });

  describe('where little may be made', () => {
    const sparing = worldWith({ lasts: () => true });
    const course = (body: unknown) => {
      const one = reachedWith(sparing, shop, CREATE, {}, { proof: exchangeWith({ body }) });
      return versionExperiments(sparing, one)[0]!.run();
    };

    it('takes one call more than the first of the run, which had no such header', () => {
      const { plans, outcomes } = drive(course({ id: 1 }), () => ({ body: { id: 2 } }));
      expect(plans.map(({ headers }) => headers.length)).toEqual([6]);
      expect(inWords(outcomes)).toEqual(['VER-01 holds']);
    });

    it('is breached by calls that differ from two plain ones, of another input and of the same', () => {
      const { plans, outcomes } = drive(course([]), honoured);
      expect(plans.map(({ headers }) => headers.length > 0)).toEqual([true, true, false, true]);
      expect(inWords(outcomes)).toEqual(['VER-01 breached: a version header changes the shape']);
    });

    it('is not laid to the header where plain calls differ, too', () => {
      const { outcomes } = drive(course({ id: 1, note: '' }), (_plan, index) => ({
        body: index < 2 ? { id: 2 } : [],
      }));
      expect(inWords(outcomes)).toEqual(['VER-01 cannot tell']);
    });
  });

  it('tells of a payment that is executed again under its key: no other call may be made that shows it', async () => {
    const path = '/api/v1/stores/process-payment';
    const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
    const post = { parameters, responses: { 201: { description: 'Paid' } } };
    const payments = await loadBound({ [path]: { post } });
    const sparing = worldWith({ lasts: () => true });
    const plan = { method: 'POST', path, operation: `POST ${path}` };
    const proof = exchangeWith({ plan, status: 201, body: { payment_id: 'pay_1', status: 'paid' } });
    const paying = reachedWith(sparing, payments, plan.operation, {}, { proof });
    const told = ['pay_2', 'pay_1'].map((id) =>
      inWords(
        drive(versionExperiments(sparing, paying)[0]!.run(), () => ({
          status: 201,
          body: { payment_id: id, status: 'paid' },
        })).outcomes,
      ),
    );
    expect(told).toEqual([
      [
        'VER-01 holds',
        'IDEM-01 breached: a replay has another body than the original',
        'IDEM-05 breached: a payment is executed again under its key',
      ],
      ['VER-01 holds'],
    ]);
  });

  it('is probed on no DELETE, and on nothing that was never answered with success', () => {
    expect(experiments('DELETE /api/v1/products/{productId}')).toEqual([]);
    expect(versionExperiments(world, reachedWith(world, shop, LIST, {}, { proof: null }))).toEqual([]);
  });
});
