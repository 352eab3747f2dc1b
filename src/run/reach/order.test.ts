import { expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../checks/testing/exchanges.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { comesLast, endsSession, endsTarget, inReachOrder, laneOf, lanesOf } from './order.ts';

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
  ['POST /auth/log_off', null, true],
  ['POST /session/end', null, true],
  ['POST /auth', 'destroySession', true],
  ['POST /tokens/invalidate', null, true],
  ['DELETE /sessions/current', null, true],
  ['POST /sessions', 'createSession', false],
  ['GET /weekend/sessions', null, false],
  ['DELETE /sessions/{id}', null, false],
  ['DELETE /api/v1/auth/sessions/{id}', 'revokeSession', true],
  ['POST /api/v1/account', 'deactivateAccount', true],
  ['POST /api/v1/auth/account/delete', null, true],
  ['POST /api/v1/account', 'deleteAccount', true],
  ['DELETE /api/v1/auth/account', null, true],
  ['DELETE /api/v1/me', null, true],
  ['DELETE /me/', null, true],
  ['DELETE /api/v1/accounts/{id}', null, false],
  ['GET /api/v1/auth/account', null, false],
  ['GET /api/v1/auth/activity/logs', null, false],
  ['POST /api/v1/auth/login', null, false],
])('%s (%s) ends the session: %s', (key, operationId, ends) => {
  expect(endsSession(described(key, operationId))).toBe(ends);
});

it.each([
  ['POST /admin/shutdown', true],
  ['POST /instances/{id}/restart', false],
  ['POST /shutdown/', true],
  ['GET /shutdown', false],
  ['POST /shutdowns', false],
  ['PUT /stop', true],
  ['PUT /mockserver/stop', true],
  ['POST /admin/recordings/stop', false],
  ['POST /timers/{id}/stop', false],
])('%s ends the target: %s', (key, ends) => {
  expect(endsTarget(described(key)) !== null).toBe(ends);
});

it.each([
  ['DELETE /mappings', true],
  ['POST /mappings/reset', true],
  ['POST /mappings/delete-all-events', true],
  ['DELETE /mappings/{id}', false],
  ['POST /admin/maintenance', true],
  ['POST /me/reset-token/', true],
  ['POST /views/reset/', true],
  ['POST /jwt/settings', true],
  ['PATCH /session-policy/', true],
  ['PATCH /orgs/{id}/auth/settings', false],
  ['POST /user/settings', false],
  ['POST /user/change-password', true],
  ['PUT /account/api-key/rotate', true],
  ['POST /projects/{id}/rotate-key', false],
  ['GET /me/reset-token', false],
  ['POST /tokens', false],
  ['PUT /read-only', true],
  ['POST /jobs/{id}/suspend', false],
  ['GET /maintenance', false],
  ['POST /mappings', false],
])('%s comes last of all where only the description tells of the service: %s', (key, last) => {
  expect(comesLast(described(key), 'openapi')).toBe(last);
  expect(comesLast(described(key), 'commerce')).toBe(false);
});

it('lanes of any description part where its paths do', () => {
  const paths = ['/v2/shop/pets', '/v2/shop/pets/{id}', '/v2/shop/orders'];
  const lane = lanesOf(paths.map((path) => described(`GET ${path}`)));
  expect(paths.map((path) => lane('admin', path))).toEqual(['admin pets', 'admin pets', 'admin orders']);
  expect(lane('admin', 'POST /v2/shop/orders')).toBe('admin orders');
});
