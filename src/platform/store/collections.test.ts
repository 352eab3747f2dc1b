import { expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { Collection } from './collections.ts';
import type { Resource } from './resource.ts';

it.each<[string, JsonObject]>([
  ['ten numbers', { type: 'integer', minimum: 1, maximum: 10 }],
  ['texts of one character', { type: 'string', maxLength: 1 }],
  ['two texts', { type: 'string', pattern: '^[ab]$' }],
])('where ids are %s some items are there, and more can be made than there are ids', (_, idSchema) => {
  const about = { document: { root: {} }, idSchema, template: '/orders/{id}', seeds: 60 };
  const collection = new Collection(about as unknown as Resource, '1', {}, null);
  const first = collection.all().length;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(17);
  for (let made = 0; made < 30; made += 1) collection.create({});
  expect(collection.all()).toHaveLength(first + 30);
});
