// Every load run that the documents show is made as a reader would, against the reference platform under limits of a few seconds, and as
// short as the configuration allows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { k6Path, WITH_K6 } from '../src/load/k6/testing/k6.ts';
import { PAGES, shellLinesOf } from './documented.ts';
import { type ExampleWorld, exampleWorld } from './example-world.ts';

const LIMIT_MS = 180_000;
const BRIEF = {
  limits: Object.fromEntries(['standard', 'growth', 'enterprise'].map((plan) => [plan, { calls: 60, seconds: 2 }])),
  load: {
    capacity: { startRate: 10, stepSeconds: 1, leastRequests: 10, repeats: 1, width: 0.5, mostSeconds: 10 },
    isolation: { seconds: 1 },
    soak: { rate: 10, seconds: 4 },
    spike: { base: 10, peak: 20, seconds: 2 },
    pressure: { seconds: 10 },
    caps: { ratePerSecond: 100 },
  },
};
/** Several machines, or a cluster: test/distributed.k6.test.ts and test/cluster.k6.test.ts. */
const ELSEWHERE = /--distributed|--collect|--cluster/;
const LINES = PAGES.flatMap((page) =>
  shellLinesOf(page).map(({ place, text }) => [`${page}, ${place}`, text] as const),
).filter(([, text]) => text.includes('assay load') && !ELSEWHERE.test(text));

describe.skipIf(k6Path === null)(`${WITH_K6}, the documents`, { timeout: LIMIT_MS }, () => {
  let world: ExampleWorld;
  let folder = '';
  beforeAll(async () => {
    world = await exampleWorld({ ...BRIEF, k6: k6Path });
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

/** The ceiling that one page measures is what another goes on from. */
function fromTheCeiling(line: string): string {
  if (line.includes('--from')) return line.replace(/--from \S+/, '--from reports/ceiling');
  return line.includes('load ceiling') ? `${line} --out reports/ceiling` : line;
}
