import { expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import { shortSecrets, wordySecrets } from './wordy-secrets.ts';

const shop = await loadShop();
const wordy = (value: string) => wordySecrets(configWith({ secrets: [{ name: 'key ent-1', value }] }), [shop]);

it('a secret that shares words with what reports show is told, and the words are not', () => {
  expect(wordy('my-enterprise-key-0001')).toEqual(['key ent-1 (the names of plans)']);
  expect(wordy('products/4711-0815-4711')).toEqual(['key ent-1 (the names of operations)']);
});

it('a random secret is not told', () => {
  expect(wordy('sk_live_9f8e7d6c5b4a39281706abcdefXYZW')).toEqual([]);
});

it('a secret that is too short to be hidden everywhere is told, and not shown', () => {
  const secrets = [
    { name: 'key a', value: 'zq7x1' },
    { name: 'header X-Tenant', value: '42' },
    { name: 'key b', value: 'zq7x1k' },
  ];
  expect(shortSecrets({ secrets })).toEqual([
    'key a has fewer than 6 characters: where the target repeats it, reports hide it only as a whole word',
    'header X-Tenant has fewer than 6 characters: where the target repeats it, reports hide it only where it is a whole header or text',
  ]);
});
