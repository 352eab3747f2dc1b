import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, worldWith } from '../../../test/support/probes/world.ts';
import { benchWith, getting, type Script, sending } from '../../../test/support/run/test-session.ts';
import { BudgetSpent } from '../../client/client.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { Knowledge } from '../../probes/reach/knowledge.ts';
import { Creations } from '../books/creations.ts';
import { Originals } from './originals.ts';

const PRODUCT = '/api/v1/products/p1';
const SETTINGS = '/settings';
const json = { content: { 'application/json': { schema: { type: 'object' } } } };
const responses = { 200: { description: 'As it is', ...json } };
const changing = getting(SETTINGS, {
  method: 'PUT',
  operation: `PUT ${SETTINGS}`,
  body: { kind: 'json', value: { theme: 'dark' } },
});

/** A run that has changed settings which it read before. */
async function changed() {
  const shop = await loadShop({ [SETTINGS]: { get: { responses }, put: { requestBody: json, responses } } });
  const target = { settings: { theme: 'light' } as unknown, isEnded: false };
  const script: Script = ({ method, body }) => {
    if (target.isEnded) throw new BudgetSpent('spent');
    if (method === 'PUT' && body.kind === 'json') target.settings = body.value;
    return { body: target.settings };
  };
  const { session, catalogue, creations, events } = benchWith(shop, script, { inRun: () => false });
  const originals = new Originals({ world: worldWith(), catalogue, creations });
  events.on('exchange', ({ exchange }) => originals.observe(exchange));
  await session.perform(sending([getting(SETTINGS), changing]));
  return { target, originals, session };
}

it('what a run changed is put back after a run that ended while it was, and told until then', async () => {
  const { target, originals, session } = await changed();
  target.isEnded = true;
  await expect(originals.putBack(session)).rejects.toThrow('spent');
  expect(originals.stays()).toEqual(['/settings: it was not put back in time']);
  target.isEnded = false;
  expect(originals.hasWork).toBe(true);
  await originals.putBack(session);
  expect([target.settings, originals.stays(), originals.hasWork]).toEqual([{ theme: 'light' }, [], false]);
});

it('what a list showed beside a change is not taken for what was there before', async () => {
  const catalogue = createCatalogue([await loadShop()]);
  const creations = new Creations(new Knowledge(), catalogue);
  const statesAt = async (listedAt: number): Promise<readonly string[]> => {
    const world = worldWith({ environment: 'staging' });
    const originals = new Originals({ world, catalogue, creations });
    const plan = getting('/api/v1/products');
    originals.observe({ ...exchangeWith({ plan, body: [{ id: 'p1', name: 'a' }] }), sentAt: listedAt });
    originals.observe({ ...exchangeWith({ plan: { method: 'PUT', path: PRODUCT }, body: {} }), sentAt: 5_000 });
    const { session } = benchWith(await loadShop(), () => ({ body: { id: 'p1', name: 'a' } }), { inRun: () => false });
    await originals.putBack(session);
    return originals.stays();
  };
  expect(await statesAt(1_000)).toEqual([]);
  expect(await statesAt(6_000)).toEqual([`${PRODUCT}: nothing showed what it was before`]);
});

it.each([
  [404, []],
  [200, [`${PRODUCT}: nothing showed what it was before`]],
] as const)(
  'where a write failed and reading is answered %i, a change is told of what is there alone',
  async (status, told) => {
    const catalogue = createCatalogue([await loadShop()]);
    const creations = new Creations(new Knowledge(), catalogue);
    const originals = new Originals({ world: worldWith(), catalogue, creations });
    originals.observe(exchangeWith({ plan: { method: 'PUT', path: PRODUCT }, status: 500 }));
    const { session } = benchWith(await loadShop(), () => ({ status, body: { id: 'p1' } }), { inRun: () => false });
    await originals.putBack(session);
    expect(originals.stays()).toEqual(told);
  },
);

it.each([
  ['text', 'text/plain', Buffer.from('Note ü')],
  ['bytes that are no text', 'application/octet-stream', Buffer.from([0, 200, 255])],
])('%s that a PUT replaced are put back as they were, and known once they are read', async (_what, type, first) => {
  const raw = { content: { [type]: { schema: { type: 'string' } } } };
  const put = { requestBody: raw, responses };
  const blob = { get: { responses: { 200: { description: 'As it is', ...raw } } }, put };
  let kept = first;
  const script: Script = ({ method, body }) => {
    if (method === 'PUT' && body.kind === 'raw')
      kept = Buffer.from(body.text, body.isLatin1 === true ? 'latin1' : 'utf8');
    const isText = kept.every((byte) => byte !== 255);
    const response = isText ? {} : { garbled: 'charset' as const, octets: kept.toString('latin1') };
    return { headers: [['content-type', type]], response: { body: kept.toString(), ...response } };
  };
  const { session, catalogue, creations, events } = benchWith(await loadShop({ '/blob': blob }), script, {
    inRun: () => false,
  });
  const originals = new Originals({ world: worldWith(), catalogue, creations });
  events.on('exchange', ({ exchange }) => originals.observe(exchange));
  const write = getting('/blob', {
    ...{ method: 'PUT', operation: 'PUT /blob', body: { kind: 'raw', text: 'other', contentType: type } },
  });
  expect(originals.knows('/blob')).toBe(false);
  await session.perform(sending([getting('/blob'), write]));
  expect([originals.knows('/blob'), kept.toString()]).toEqual([true, 'other']);
  await originals.putBack(session);
  expect([kept, originals.stays()]).toEqual([first, []]);
});
