// Every load run that the documents show is made as a reader would, against the reference platform under limits of a few seconds,
// and as short as the configuration allows.
import { describe, expect, test } from 'vitest';
import { BRIEF_LOAD, BRIEF_WORLD } from './brief-load.ts';
import { ALL_SHELL_LINES, onceEach } from './documented.ts';
import { exampleWorld } from './example-world.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

/** Several machines, or a cluster: test/distributed.nightly.k6.test.ts and test/cluster.nightly.k6.test.ts. */
const ELSEWHERE = /--distributed|--collect|--cluster/;
const LINES = onceEach(ALL_SHELL_LINES.filter(([, text]) => text.includes('assay load') && !ELSEWHERE.test(text)));
/** What measures limits, what goes on from it, and all else: each part has a world of its own, and waits beside the others. */
const PARTS = [/load (ceiling|soak)/, /load (ratelimit|pressure)/, /load (isolation|spike|capacity)/];

test('every load run of the documents is executed', () => {
  for (const [place, line] of LINES)
    expect([place, PARTS.filter((part) => part.test(line)).length]).toEqual([place, 1]);
});

describe.skipIf(k6Path === null)(`${WITH_K6}, the documents`, { concurrent: true }, () => {
  test.each(PARTS)('are executed: %s', async (part) => {
    const world = await exampleWorld({ ...BRIEF_WORLD, configuration: BRIEF_LOAD, k6: k6Path });
    const folder = world.folderOf('load');
    try {
      for (const [place, line] of LINES.filter(([, text]) => part.test(text))) {
        const { code, told } = await world.execute(fromTheCeiling(world.inThisWorld(line)), folder);
        const all = `${place}: ${line}\n${told}`;
        // What a busy machine measures may settle nothing, or break an objective; wrong usage it never is.
        expect([0, 1, 3], all).toContain(code);
        expect(told, all).toMatch(/^Report {2}\S+index\.html$/m);
        expect(told, all).not.toMatch(/internal error|\n\s+at /);
      }
    } finally {
      await world.end();
    }
  });
});

/** The ceiling that one page measures is what another goes on from. */
function fromTheCeiling(line: string): string {
  if (line.includes('--from')) return line.replace(/--from \S+/, '--from reports/ceiling');
  return line.includes('load ceiling') ? `${line} --out reports/ceiling` : line;
}
