import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding, Report } from '../../contract/report.ts';
import { loadDescription } from '../../openapi/read/load.ts';
import { located } from './located.ts';

const TEXT = `openapi: 3.0.0
info: { title: T, version: "1" }
paths:
  /api/v1/a:
    get:
      responses: { "200": { description: fine } }
    post:
      responses: { "200": { description: fine } }
`;

const folder = mkdtempSync(join(tmpdir(), 'assay-located-'));
const file = join(folder, 'specs.yaml');
writeFileSync(file, TEXT);

const FINDING = {
  kind: 'violation',
  service: 'admin',
  operation: null,
  curl: null,
  pointer: null,
} as unknown as Finding;

async function locations(findings: readonly Partial<Finding>[], cwd = folder) {
  const description = await loadDescription({ service: 'admin', file, remoteRefs: [] });
  const report = {
    services: [{ name: 'admin', spec: 'given.yaml' }],
    findings: findings.map((finding) => ({ ...FINDING, ...finding })),
  } as unknown as Report;
  return (await located(report, [description], cwd)).findings.map(({ location }) => location);
}

test('a finding on an operation stands at its line, one on the description at its pointer', async () => {
  expect(
    await locations([
      { operation: 'POST /api/v1/a', curl: 'curl', pointer: '/error/status' },
      { operation: null, pointer: '/info/version' },
      { operation: null, pointer: '/info/absent' },
    ]),
  ).toEqual([
    { file: 'specs.yaml', line: 7 },
    { file: 'specs.yaml', line: 2 },
    { file: 'specs.yaml', line: 2 },
  ]);
});

test('a description elsewhere is named as the configuration names it', async () => {
  expect(await locations([{ operation: 'GET /api/v1/a' }], join(folder, 'deeper'))).toEqual([
    { file: 'given.yaml', line: 5 },
  ]);
});

test('an observation, and what belongs to no service, have no place', async () => {
  expect(await locations([{ kind: 'observation' }, { service: null }])).toEqual([undefined, undefined]);
});
