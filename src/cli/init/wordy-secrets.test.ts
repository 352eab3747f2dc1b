import { expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import { wordySecrets } from './wordy-secrets.ts';

const shop = await loadShop();
const wordy = (value: string) => wordySecrets(configWith({ secrets: [{ name: 'key ent-1', value }] }), [shop]);

it('a secret that shares words with what reports show is told, and the words are not', () => {
  expect(wordy('my-enterprise-key-0001')).toEqual(['key ent-1 (the names of plans)']);
  expect(wordy('products/4711-0815-4711')).toEqual(['key ent-1 (the names of operations)']);
});

it('a random secret is not told', () => {
  expect(wordy('sk_live_9f8e7d6c5b4a39281706abcdefXYZW')).toEqual([]);
});
