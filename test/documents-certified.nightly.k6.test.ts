// Every certificate that the documents show is made and verified as a reader would, against the reference platform under limits of
// a few seconds: what it says is demanded, so that nothing else is done meanwhile.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BRIEF_LOAD, BRIEF_WORLD } from './brief-load.ts';
import { ALL_SHELL_LINES, onceEach } from './documented.ts';
import { type ExampleWorld, exampleWorld } from './example-world.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

/** Must clauses that the few operations of the world leave untested. */
const ACCEPTING = {
  certify: {
    accept: {
      'SPEC-07': 'the few operations that are described make no store',
      'IDEM-06': 'the few operations that are described leave no room for another object',
    },
  },
};
const KEYS = ALL_SHELL_LINES.filter(([, text]) => text.startsWith('openssl'));
const CERTIFICATES = onceEach(ALL_SHELL_LINES.filter(([, text]) => /assay certify|--verify/.test(text)));

describe.skipIf(k6Path === null)(`${WITH_K6}, the documents on certificates`, () => {
  let world: ExampleWorld;
  let folder = '';
  beforeAll(async () => {
    world = await exampleWorld({ ...BRIEF_WORLD, configuration: { ...BRIEF_LOAD, ...ACCEPTING }, k6: k6Path });
    folder = world.folderOf('certificates');
    for (const [, line] of KEYS) expect(await world.execute(line, folder)).toMatchObject({ code: 0 });
  });
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
