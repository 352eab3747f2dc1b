import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { shopDocument } from '../../../test/support/probes/world.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { undoingOf } from './undoing.ts';

const NONCE = '20260101-000000-abcdef';
const json = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Dish' } } } };
const answered = { responses: { 200: { description: 'A dish', ...json } } };
const named = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const PATHS = {
  '/dishes': { post: answered },
  '/dishes/{dishId}': { parameters: [named('dishId')], get: answered, delete: answered },
  '/menus/{menuId}/dishes': { parameters: [named('menuId')], post: answered },
  '/menus/{menuId}/drinks': { parameters: [named('menuId')], post: answered },
  '/drinks/{drinkId}/': { parameters: [named('drinkId')], get: answered, delete: answered },
  '/tasting': { post: answered },
};

it.each([
  ['/dishes', 'soup', '/dishes/d1'],
  ['/menus/m1/dishes', `soup ${NONCE}`, '/dishes/d1'],
  ['/menus/m1/drinks', `soup ${NONCE}`, '/drinks/d1'],
  // It may have been there before.
  ['/menus/m1/dishes', 'soup', null],
  ['/tasting', `soup ${NONCE}`, null],
])('what a POST to %s makes, as a 200 shows that has the name %s, is deleted at %s', async (path, name, at) => {
  const components = { schemas: { Dish: { type: 'object', properties: { id: { type: 'string' } } } } };
  const catalogue = createCatalogue([await loadFiles({ 'd.json': { ...shopDocument(PATHS), components } })]);
  const operation = catalogue.match('POST', path)?.operation;
  const exchange = exchangeWith({ status: 200, body: { id: 'd1', name } });
  const plan = {
    ...exchange.plan,
    method: 'POST',
    path,
    operation: operation?.key ?? null,
    service: operation?.service ?? null,
  };
  expect(undoingOf(catalogue, { ...exchange, plan }, 'd1', NONCE)?.path ?? null).toBe(at);
});
