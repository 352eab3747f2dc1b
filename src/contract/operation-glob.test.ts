import { expect, test } from 'vitest';
import { operationMatcher } from './operation-glob.ts';

test.each([
  ['GET /api/v1/stores', 'GET /api/v1/stores', true],
  ['GET /api/v1/stores', 'GET /api/v1/stores/{storeId}', false],
  ['GET /api/v1/stores/{storeId}', 'GET /api/v1/stores/{storeId}', true],
  ['get /api/v1/STORES', 'GET /api/v1/stores', true],
  ['GET *', 'GET /api/v1/stores/{storeId}/domains', true],
  ['POST *', 'GET /api/v1/stores', false],
  ['*/stores*', 'POST /api/v1/stores/process-payment', true],
  ['* /api/v1/stores/**', 'DELETE /api/v1/stores/{storeId}', true],
  ['/api/v1/themes', 'GET /api/v1/themes', true],
  ['GET /api/v1/a?', 'GET /api/v1/ai', true],
  ['GET /api/v1/.hidden*', 'GET /api/v1/.hidden/x', true],
  ['GET /a', 'GET /a/b', false],
  ['GET *a*a', 'GET /a', false],
  ['GET *?/c', 'GET /ab/c', true],
  ['GET /a*a', 'GET /a', false],
  ['GET /😀?b', 'GET /😀ac', false],
])('%s against %s: %s', (glob, key, matches) => {
  expect(operationMatcher([glob])(key)).toBe(matches);
});

test('no glob matches every operation, several match what any of them does', () => {
  expect(operationMatcher([])('GET /x')).toBe(true);
  expect(operationMatcher(['GET /a', 'GET /b'])('GET /b')).toBe(true);
});
