// Which conditions a write is given, at first and after a refusal.
import { expect, test } from 'vitest';
import type { Changes } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop, operationOf, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Reached } from '../world.ts';
import { makesOnlyAnew } from './preconditions.ts';
import { reach } from './reach.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const responses = { 201: { description: 'As told' } };
const ok = { body: { id: 'd1' } };

/** Reaches PUT /docs/{id}, of which `d1` is known where `isThere`. */
async function reaching(
  parameters: readonly unknown[],
  answering: (plan: RequestPlan) => Changes,
  { isThere = true, members = {} }: { readonly isThere?: boolean; readonly members?: Record<string, unknown> } = {},
) {
  const schema = { type: 'object', required: ['text'], properties: { text: { type: 'string' }, ...members } };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const docs = await loadShop({
    '/docs/{id}': { parameters: [id], get: { responses }, put: { parameters, requestBody, responses } },
  });
  const world = worldWith({ contract: 'openapi' });
  if (isThere) world.knowledge.noteCreated('/docs', { id: 'd1' });
  const operation = operationOf(docs, 'PUT /docs/{id}');
  const arrivals: Reached[] = [];
  const { plans } = drive(
    reach(
      world,
      docs,
      operation,
      (one) => arrivals.push(one),
      () => {},
    ),
    answering,
  );
  return { plans, operation, arrivals };
}

const header = (name: string, required: boolean) => ({ name, in: 'header', required, schema: { type: 'string' } });
const valueIn = ({ headers }: RequestPlan, name: string): string | undefined =>
  headers.find(([one]) => one === name)?.[1];

test('a required condition on a state is filled in as read', async () => {
  const { plans } = await reaching([header('If-Match', true)], () => ok);
  expect(plans[0]).toMatchObject({
    headers: [['If-Match', '*']],
    asRead: [{ in: 'header', name: 'If-Match', drawn: '*' }],
  });
});

test('428 asks for a tag, described or not', async () => {
  for (const parameters of [[header('If-Match', false)], []]) {
    const { plans, arrivals } = await reaching(parameters, (plan) =>
      valueIn(plan, 'If-Match') === undefined ? { status: 428 } : ok,
    );
    expect(plans.map((plan) => valueIn(plan, 'If-Match'))).toEqual([undefined, '*']);
    expect(arrivals[0]?.proof).not.toBeNull();
  }
});

test('a conflict is answered by the version that a member or parameter is described to take', async () => {
  const version = { name: 'rev', in: 'query', schema: { type: 'string' } };
  const { plans } = await reaching([version], ({ asRead }) => (asRead === undefined ? { status: 409 } : ok), {
    members: { _rev: { type: 'string' } },
  });
  expect(plans.at(-1)?.asRead).toMatchObject([
    { in: 'query', name: 'rev', optional: true },
    { in: 'body', name: '_rev', optional: true },
  ]);
});

test('what may only be made gets a new name, and the condition that nothing is there', async () => {
  const { plans, operation } = await reaching([header('If-None-Match', true)], ({ path }) =>
    path === '/docs/d1' ? { status: 412 } : ok,
  );
  expect(makesOnlyAnew(operation)).toBe(true);
  expect(plans.at(-1)?.path).not.toBe('/docs/d1');
  expect(plans.at(-1)).toMatchObject({ headers: [['If-None-Match', '*']] });
  expect(plans.at(-1)).not.toHaveProperty('asRead');
});

test('where a tag does not help, the condition that nothing is there is tried', async () => {
  const both = [header('If-Match', false), header('If-None-Match', false)];
  const { plans } = await reaching(both, (plan) => (valueIn(plan, 'If-None-Match') === '*' ? ok : { status: 412 }), {
    isThere: false,
  });
  expect(plans.map((plan) => [valueIn(plan, 'If-Match'), valueIn(plan, 'If-None-Match')])).toEqual([
    [undefined, undefined],
    ['*', undefined],
    [undefined, '*'],
  ]);
});

test('a refusal on other grounds adds no condition', async () => {
  const { plans } = await reaching([header('If-Match', false)], () => ({ status: 403 }));
  expect(plans.every(({ asRead }) => asRead === undefined)).toBe(true);
});
