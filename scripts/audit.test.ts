import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Audit, audit, judgeAudit } from './audit.ts';

/** The audit by npm itself, of a registry that answers so when it is asked for weaknesses. */
async function auditBy(status: number, advisories: object): Promise<Audit> {
  const registry = createServer((request, response) => {
    request.resume();
    response.statusCode = request.method === 'POST' ? status : 404;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(advisories));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const outcome = await audit([`--registry=http://127.0.0.1:${port}/`]);
  registry.closeAllConnections();
  registry.close();
  return outcome;
}

describe('npm audit', () => {
  test('is clean where the registry knows no weakness of any locked package', async () => {
    const { outcome, lines } = await auditBy(200, {});
    expect(outcome).toBe('clean');
    expect(lines).toEqual([expect.stringMatching(/^[1-9]\d* packages, no known weakness$/)]);
  });

  test('tells each package with a known weakness, however slight', async () => {
    const url = 'https://github.com/advisories/GHSA-1';
    const advisory = { id: 1, url, title: 'Leaks', severity: 'low', vulnerable_versions: '*' };
    expect(await auditBy(200, { undici: [advisory] })).toEqual({
      outcome: 'found',
      lines: [expect.stringMatching(/^undici .*: low: Leaks \(https:\/\/github\.com\/advisories\/GHSA-1\)$/)],
    });
  });

  test('tells that a registry without this service gave no answer', async () => {
    const { outcome, lines } = await auditBy(405, {});
    expect(outcome).toBe('unreachable');
    expect(lines).toEqual([expect.stringContaining('405')]);
  });
});

test.each([
  ['nothing', ''],
  ['no JSON', 'npm error'],
  ['a complaint of npm about the repository', '{"error":{"code":"ENOLOCK","summary":"no lock file"}}'],
  [
    'a report that looked at no package',
    '{"metadata":{"vulnerabilities":{"total":0},"dependencies":{"total":0}},"vulnerabilities":{}}',
  ],
])('an audit that prints %s has failed, and is not clean', (_, text) => {
  expect(judgeAudit(text).outcome).toBe('failed');
});
