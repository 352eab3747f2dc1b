// Every line of shell that the documents show is executed as a reader would, where the reference platform stands behind the address that
// they name, or stands in a list with the reason why not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, PAGES, type ShellLine, shellLinesOf } from './documented.ts';
import { type ExampleWorld, exampleWorld } from './example-world.ts';

/** Why a line is not executed by this test. */
const NOT_HERE: readonly (readonly [line: RegExp, reason: string])[] = [
  [
    /assay (load|certify)|--verify/,
    'sends by k6, or reads what was made so: test/documents-executed.nightly.k6.test.ts',
  ],
  [/docker /, 'needs Docker: .ci/run builds the image'],
  [/npm (ci|install|start|cit)|npm pack/, 'installs packages: test/package.test.ts does'],
  [
    /npm (run|test)|npx (vitest|node|biome)|^(export |cd |go |\(cd |\.\/cluster|KUBECONFIG|ASSAY_|~)/,
    'is for who changes Assay',
  ],
  [/^node (bench|scripts)\//, 'measures for minutes'],
];
/** Listens until its reader ends it. */
const LISTENS =
  /assay (platform --(port|fault|specs)|proxy (?!.*--seconds)|webhooks --config \S+ --port|report --serve)/;
/** Ends with another code than 0 in this world. */
const ENDS: readonly (readonly [line: RegExp, code: number, why: string])[] = [
  [/assay (proxy|webhooks --config \S+ --port)/, 3, 'nobody calls or delivers here: no verdict'],
  [/assay clean /, 1, 'what the run made is described without a DELETE'],
];

const PAGES_WITH_LINES = [...PAGES, 'specs/README.md']
  .filter((page) => page !== 'CONTRIBUTING.md')
  .map((page) => [page, linesOf(page)] as const)
  .filter(([, lines]) => lines.length > 0);

/** The world starts several processes, and makes runs for the documents to read: a busy machine takes its time. */
const maxStartMs = 300_000;

let world: ExampleWorld;
beforeAll(async () => {
  world = await exampleWorld();
}, maxStartMs);
afterAll(() => world?.end());

describe.each(PAGES_WITH_LINES)('of %s', (page, lines) => {
  let folder = '';
  beforeAll(() => {
    folder = world.folderOf(page);
  });

  test.each(lines.map(({ place, text }) => [place, text] as const))('%s: %s', async (_place, line) => {
    const { code, told } = await world.execute(
      world.inThisWorld(line),
      folder,
      LISTENS.test(line) ? 'Ctrl-C' : 'itself',
    );
    const expected = ENDS.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
    expect([code, told], told).toEqual([expected, expect.not.stringMatching(/internal error|\n\s+at /)]);
  });
});

test('every reason for leaving a line out is needed', () => {
  const all = PAGES.flatMap((page) => blocksOf(page)).flatMap(({ text }) => text.split('\n'));
  expect(NOT_HERE.filter(([pattern]) => !all.some((line) => pattern.test(line)))).toEqual([]);
});

function linesOf(page: string): readonly ShellLine[] {
  return shellLinesOf(page).filter(({ text }) => !NOT_HERE.some(([pattern]) => pattern.test(text)));
}
