// Every load run and every certificate that the documents show is made as a reader would, against the reference platform under
// limits of a few seconds, and as short as the configuration allows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { k6Path, WITH_K6 } from '../src/load/k6/testing/k6.ts';
import { PAGES, shellLinesOf } from './documented.ts';
import { type ExampleWorld, exampleWorld } from './example-world.ts';

const LIMIT_MS = 180_000;
/** The first certificate waits for the check of the tool by itself. */
const CERTIFIED_MS = 500_000;
const limitsOf = (seconds: number) =>
  Object.fromEntries(['standard', 'growth', 'enterprise'].map((plan) => [plan, { calls: 60, seconds }]));
const BRIEF = {
  load: {
    capacity: { startRate: 10, stepSeconds: 1, leastRequests: 10, repeats: 1, width: 0.5, mostSeconds: 10 },
    isolation: { seconds: 1 },
    soak: { rate: 10, seconds: 4 },
    spike: { base: 10, peak: 20, seconds: 2 },
    pressure: { seconds: 10 },
    caps: { ratePerSecond: 100 },
  },
};
/** Must clauses that the few operations of the world leave untested. */
const ACCEPTING = {
  certify: {
    accept: {
      'SPEC-07': 'the few operations that are described make no store',
      'IDEM-06': 'the few operations that are described leave no room for another object',
    },
  },
};
/** Several machines, or a cluster: test/distributed.k6.test.ts and test/cluster.k6.test.ts. */
const ELSEWHERE = /--distributed|--collect|--cluster/;
const ALL = PAGES.flatMap((page) => shellLinesOf(page).map(({ place, text }) => [`${page}, ${place}`, text] as const));
const LINES = ALL.filter(([, text]) => text.includes('assay load') && !ELSEWHERE.test(text));
const KEYS = ALL.filter(([, text]) => text.startsWith('openssl'));
const CERTIFICATES = ALL.filter(([, text]) => /assay certify|--verify/.test(text));

describe.skipIf(k6Path === null)(`${WITH_K6}, the documents`, { timeout: LIMIT_MS }, () => {
  let world: ExampleWorld;
  let folder = '';
  beforeAll(async () => {
    world = await exampleWorld({ limits: limitsOf(4), configuration: BRIEF, k6: k6Path });
    folder = world.folderOf('load');
  }, LIMIT_MS);
  afterAll(() => world?.end());

  test.each(LINES)('%s: %s', async (_place, line) => {
    const { code, told } = await world.execute(fromTheCeiling(world.inThisWorld(line)), folder);
    // What a busy machine measures may settle nothing, or break an objective; wrong usage it never is.
    expect([0, 1, 3], told).toContain(code);
    expect(told).toMatch(/^Report {2}\S+index\.html$/m);
    expect(told).not.toMatch(/internal error|\n\s+at /);
  });
});

describe.skipIf(k6Path === null)(`${WITH_K6}, the documents on certificates`, { timeout: CERTIFIED_MS }, () => {
  let world: ExampleWorld;
  let folder = '';
  beforeAll(async () => {
    // Shorter windows are measured again and again: a step takes half a second to begin.
    world = await exampleWorld({ limits: limitsOf(4), configuration: { ...BRIEF, ...ACCEPTING }, k6: k6Path });
    folder = world.folderOf('certificates');
    for (const [, line] of KEYS) expect(await world.execute(line, folder)).toMatchObject({ code: 0 });
  }, LIMIT_MS);
  afterAll(() => world?.end());

  test.each(CERTIFICATES)('%s: %s', async (_place, line) => {
    const { code, told } = await world.execute(world.inThisWorld(toOneFolder(line)), folder);
    expect([code, told], told).toEqual([0, expect.not.stringMatching(/internal error|\n\s+at /)]);
  });
});

/** What one line certifies the next verifies. */
function toOneFolder(line: string): string {
  const named = line.replace('reports/<run id>', 'reports/certificate');
  return /certify(?!.*--out)/.test(named) ? `${named} --out reports/certificate` : named;
}

/** The ceiling that one page measures is what another goes on from. */
function fromTheCeiling(line: string): string {
  if (line.includes('--from')) return line.replace(/--from \S+/, '--from reports/ceiling');
  return line.includes('load ceiling') ? `${line} --out reports/ceiling` : line;
}
