// What this platform states of itself (src/contract/platform.ts) decides nothing about a service that is judged by its description alone. Each
// file that uses such a fact stands here, with why its use is not reached under `contract: openapi`, or decides nothing there.
import { expect, it } from 'vitest';
import { SOURCES } from './sources.ts';

const FACTS = 'src/contract/platform.ts';

const PLATFORM = 'is the reference platform itself, no judge';
const CLIENTS = "judges clients of this platform; a service's description has no part in it";
const CUSTOMARY = 'reads headers by their customary names, and goes without where they are absent';

/** By file, or by folder where it ends in a slash; the longest that fits counts. */
const USES: Readonly<Record<string, string>> = {
  'src/platform/': PLATFORM,
  'src/receiver/client/answers.ts': CLIENTS,
  'src/load/samples/exchange.ts': CUSTOMARY,
};

const isTest = (path: string): boolean => /\.test(-d)?\.ts$/.test(path);
const users = [...SOURCES.values()]
  .filter(({ path, targets }) => !isTest(path) && targets.includes(FACTS))
  .map(({ path }) => path);
const placeOf = (path: string): string | undefined =>
  Object.keys(USES)
    .filter((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))
    .toSorted((left, right) => right.length - left.length)[0];

it('each use of a fact of this platform has a reason why it decides nothing by a description alone', () => {
  expect(users.filter((path) => placeOf(path) === undefined)).toEqual([]);
});

it('no reason is left for a file that uses none', () => {
  const used = new Set(users.map(placeOf));
  expect(Object.keys(USES).filter((place) => !used.has(place))).toEqual([]);
});

/** Where faults of the reference platform may be known: it, what plants defects in answers, what simulates, and the tool's check of itself. */
const KNOW_FAULTS = ['src/platform/', 'src/sensitivity/', 'src/simulation/', 'src/certify/', 'src/cli/'];

it('nothing that judges or plans knows which faults the reference platform has', () => {
  const knowing = [...SOURCES.values()].filter(
    ({ path, targets }) =>
      !isTest(path) &&
      !KNOW_FAULTS.some((place) => path.startsWith(place)) &&
      targets.some((target) => /^src\/(platform\/(faults|tolerances)\/|simulation\/(cases|ladder))/.test(target)),
  );
  expect(knowing.map(({ path }) => path)).toEqual([]);
});
