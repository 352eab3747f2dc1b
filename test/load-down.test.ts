// A target that fails whatever it is asked is down: load has no verdict on it, as conformance has none, and sends no load.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LoadSuite } from '../src/run/load/suites.ts';
import { type Loaded, loaded, OPTIONS } from './loaded.ts';
import { served } from './support/load/k6/k6.ts';

const NO_K6 = '/nonexistent/k6';
let target: Loaded;
let down: Awaited<ReturnType<typeof served>>;

beforeAll(async () => {
  target = await loaded({});
  down = await served((_, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'));
});
afterAll(async () => {
  await target.end();
  await down.close();
});

it.each<LoadSuite>(['ceiling', 'capacity'])(
  'assay load %s has no verdict, and no findings',
  async (suite) => {
    const one = { options: { ...OPTIONS, operations: ['GET /api/v1/stores'] } };
    const changes = { target: { ...target.config.target, baseUrl: down.baseUrl } };
    const report = await target.run(suite, NO_K6, changes, one);
    expect(report).toMatchObject({ verdict: 'none', findings: [], counts: { violations: 0 } });
    expect(report.counts.requests).toBeGreaterThan(0);
    expect(report.run.note).toMatch(/every answer is a failure \(500\)/);
  },
  60_000,
);
