import { expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../checks/test-exchanges.ts';
import type { Described } from '../openapi/catalogue.ts';
import { endsSession, inReachOrder, laneOf } from './order.ts';

const described = (key: string, operationId: string | null = null): Described => {
  const [method = '', path = ''] = key.split(' ');
  return { description: descriptionWith(), operation: operationWith({ method, path, operationId }) };
};
const ordered = (keys: readonly string[]): readonly string[] =>
  inReachOrder(keys.map((key) => described(key))).map(({ operation }) => operation.key);

it('lists come before creates, creates before what they make, parents before children', () => {
  const wanted = [
    'GET /api/v1/stores',
    'POST /api/v1/stores',
    'GET /api/v1/stores/{id}/domains',
    'GET /api/v1/stores/{id}',
    'POST /api/v1/stores/{id}/domains',
    'PATCH /api/v1/stores/{id}',
    'DELETE /api/v1/stores/{id}',
    'GET /api/v1/stores/{id}/domains/{name}',
  ];
  expect(ordered(wanted.toReversed())).toEqual(wanted);
});

it.each([
  ['GET /api/v1/stores/{id}/domains', 'admin stores'],
  ['GET /api/v1/auth/activity/logs', 'admin auth'],
  ['GET /api/health/live', 'admin health'],
  ['GET /', 'admin '],
])('%s belongs to the lane %j', (key, lane) => {
  expect(laneOf(described(key))).toBe(lane);
});

it.each([
  ['POST /api/v1/auth/logout', null, true],
  ['POST /api/v1/auth/sign-out', null, true],
  ['DELETE /api/v1/auth/sessions/{id}', 'revokeSession', true],
  ['POST /api/v1/account', 'deactivateAccount', true],
  ['POST /api/v1/auth/account/delete', null, true],
  ['POST /api/v1/account', 'deleteAccount', true],
  ['DELETE /api/v1/auth/account', null, true],
  ['DELETE /api/v1/me', null, true],
  ['DELETE /api/v1/accounts/{id}', null, false],
  ['GET /api/v1/auth/account', null, false],
  ['GET /api/v1/auth/activity/logs', null, false],
  ['POST /api/v1/auth/login', null, false],
])('%s (%s) ends the session: %s', (key, operationId, ends) => {
  expect(endsSession(described(key, operationId))).toBe(ends);
});
