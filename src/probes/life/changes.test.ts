// Null that a default answers, beside null that changes nothing, where both leave what was there by chance.
import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { judgeSentIsRead } from '../../checks/life/life-02-sent-is-read.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { clearedAgain, membersFor } from './changes.ts';
import { Desk } from './desk.ts';
import { planAt } from './lifecycle.ts';

const way = { type: 'string', nullable: true, enum: ['post', 'van', null] };
const schema = { type: 'object', properties: { id: { type: 'string' }, way } };
const json = { content: { 'application/json': { schema } } };
const SUBJECT = { id: 'prd_0', collection: '/api/v1/products' };

type Way = string | null;

/** What is said of null that was answered by "van", as before, once the way was set and cleared again; null where it was not. */
async function cleared(keep: (sent: Way, was: Way) => Way): Promise<string | null> {
  const shop = await loadShop({
    '/api/v1/products/{productId}': {
      parameters: [{ name: 'productId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: { description: 'One', ...json } } },
      patch: { requestBody: json, responses: { 200: { description: 'One', ...json } } },
    },
  });
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const world = worldWith({ timing: { now: () => nowMs, sleep } });
  const [reader, writer] = ['GET', 'PATCH'].map((method) =>
    reachedWith(world, shop, `${method} /api/v1/products/{productId}`, { productId: 'prd_0' }),
  );
  if (reader === undefined || writer === undefined) throw new Error('the shop lacks an operation');
  let is: Way = 'van';
  const send = async (plan: RequestPlan) => {
    if (plan.method === 'PATCH' && plan.body.kind === 'json') is = keep((plan.body.value as { way: Way }).way, is);
    const last = exchangeWith({ plan, status: 200, body: { id: 'prd_0', way: is } });
    return { last, attempts: [last] };
  };
  const plan = planAt(world, writer, SUBJECT, 'test', { body: { kind: 'json', value: { way: null } } });
  const write = exchangeWith({ plan, status: 200, body: { id: 'prd_0', way: 'van' } });
  const members = membersFor(writer, reader);
  const about = { write, subject: SUBJECT, name: 'way', was: 'van' };
  const around = await clearedAgain(new Desk(world, send), { writer, reader, members }, about);
  if (around === null) return null;
  return judgeSentIsRead(around.write, around.reading, members, [], around.before).kind;
}

describe('null for a member of few values', () => {
  it('is no breach where a default answers it again', async () => {
    expect(await cleared((sent) => sent ?? 'van')).toBe('cannot-tell');
  });

  it('is a breach where it leaves another value, too', async () => {
    expect(await cleared((sent, was) => sent ?? was)).toBe('breached');
  });

  it('is not told where the member takes no other value', async () => {
    expect(await cleared(() => 'van')).toBeNull();
  });
});
