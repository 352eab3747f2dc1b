// Tests that the lab makes the facts which a law lacks: null that a default answers is told from null that changes
// nothing, where both leave what was there by chance.
import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { failing } from '../../../test/support/run/test-session.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { lifeJudging } from './family.ts';
import { Lab, StepEnded } from './lab.ts';

const way = { type: 'string', nullable: true, enum: ['post', 'van', null] };
const schema = { type: 'object', properties: { id: { type: 'string', readOnly: true }, way } };
const json = { content: { 'application/json': { schema } } };
const AMEND = 'PATCH /api/v1/products/{productId}';

type Way = string | null;

/** A lab on a shop whose items are on their way; `keep`: what an update makes of what it is sent; `isLost`: of a create, by its number. */
async function labOn(keep: (sent: Way, was: Way) => Way, isLost = (_create: number): boolean => false): Promise<Lab> {
  const answered = { responses: { 200: { description: 'One', ...json } } };
  const shop = await loadShop({
    '/api/v1/products': { post: { requestBody: json, responses: { 201: { description: 'Made', ...json } } } },
    '/api/v1/products/{productId}': {
      parameters: [{ name: 'productId', in: 'path', required: true, schema: { type: 'string' } }],
      get: answered,
      patch: { requestBody: json, ...answered },
    },
  });
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const world = worldWith({ timing: { now: () => nowMs, sleep } });
  const reached = (key: string) => reachedWith(world, shop, key, { productId: 'prd_0' });
  let is: Way = 'van';
  let creates = 0;
  const send = async (plan: RequestPlan) => {
    const { way: sent = null } = (plan.body.kind === 'json' ? plan.body.value : {}) as { readonly way?: Way };
    if (plan.method === 'PATCH') is = keep(sent, is);
    const status = plan.method === 'POST' ? 201 : 200;
    if (plan.method === 'POST') creates += 1;
    const lost = { ...exchangeWith({ plan, response: null }), failure: failing('reset') };
    if (plan.method === 'POST' && isLost(creates)) return { last: lost, attempts: [lost] };
    const last = { ...exchangeWith({ plan, status, body: { id: 'prd_0', way: is } }), sentAt: nowMs };
    return { last, attempts: [last] };
  };
  const none = { lister: null, replacer: null, remover: null };
  const operations = { creator: reached('POST /api/v1/products'), reader: reached(READ), amender: reached(AMEND) };
  return new Lab(world, { ...operations, ...none }, send, () => {}, lifeJudging(world));
}

const READ = 'GET /api/v1/products/{productId}';

/** The kinds of judgements on the updates where null was sent first. */
async function cleared(keep: (sent: Way, was: Way) => Way): Promise<readonly string[]> {
  const lab = await labOn(keep);
  const item = await lab.make();
  await lab.read(item);
  await lab.write(item, 'amender', lab.planAt(item, 'amender', { body: { kind: 'json', value: { way: null } } }));
  await lab.read(item);
  return lab.outcomes
    .filter(({ clause, operation }) => clause === 'LIFE-02' && operation === AMEND)
    .map(({ judgement }) => judgement.kind);
}

describe('null for a member of few values', () => {
  it('is no breach where a default answers it again', async () => {
    expect(await cleared((sent) => sent ?? 'van')).toEqual(['holds', 'cannot-tell']);
  });

  it('is a breach where it leaves another value, too', async () => {
    expect(await cleared((sent, was) => sent ?? was)).toEqual(['holds', 'breached']);
  });

  it('is not told where the member takes no other value: that alone is', async () => {
    expect(await cleared(() => 'van')).toEqual(['breached', 'cannot-tell']);
  });
});

it('has a body of its own name the item that its path names', async () => {
  const lab = await labOn((sent) => sent);
  const item = await lab.make();
  const body = { kind: 'json' as const, value: { id: 'prd_9', way: 'post' } };
  expect(lab.planAt(item, 'amender', { body }).body).toEqual({ kind: 'json', value: { id: 'prd_0', way: 'post' } });
});

describe('a step', () => {
  it('ends where it is refused, and the next one goes on', async () => {
    const lab = await labOn((sent) => sent);
    const item = await lab.make();
    const on = lab.cycle.creator;
    const ended = await lab.attempt(() => lab.list([item]), { clauses: ['LIFE-05'], on });
    expect(ended).toBeNull();
    expect(lab.outcomes.at(-1)).toMatchObject({ clause: 'LIFE-05', judgement: { kind: 'cannot-tell' } });
    await expect(lab.list([item])).rejects.toThrow(StepEnded);
    expect(await lab.attempt(() => lab.read(item))).toMatchObject({ kind: 'shown' });
  });
});

it('makes another item where a create is lost, and says how many were where all are', async () => {
  const item = await (
    await labOn(
      (sent) => sent,
      (create) => create < 3,
    )
  ).make();
  expect(item.id).toBe('prd_0');
  await expect(
    (
      await labOn(
        (sent) => sent,
        () => true,
      )
    ).make(),
  ).rejects.toThrow('each of 3 creates is cut');
});
