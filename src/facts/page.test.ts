import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { identityOf, keyOf } from './item-keys.ts';
import { pageOf } from './page.ts';

it('two items whose ids differ in their last digit are two, however long the ids', () => {
  const page = pageOf(exchangeWith({ body: '[{"id":1189274612837461231},{"id":1189274612837461232}]' }), '');
  const items = page?.items ?? [];
  const identity = identityOf(items, items, 'stores');
  expect(new Set(items.map((item) => keyOf(identity, item))).size).toBe(2);
});
