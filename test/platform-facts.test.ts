// What this platform states of itself (src/contract/platform.ts) decides nothing about a service that is judged by its description alone. Each
// file that uses such a fact stands here, with why its use is not reached under `contract: openapi`, or decides nothing there.
import { expect, it } from 'vitest';
import { SOURCES } from './sources.ts';

const FACTS = 'src/contract/platform.ts';

const COMMERCE_CLAUSE = 'judges a clause that `openapi` does not have';
const COMMERCE_ONLY = 'asks for the contract, and uses the fact under `commerce` alone';
const PLATFORM = 'is the reference platform itself, no judge';
const PLANTS = 'plants defects in answers of the reference platform, for clauses that take part';
const CLIENTS = "judges clients of this platform; a service's description has no part in it";
const PACING = 'tells how long our own client waits and how often it tries again; no verdict rests on it';
const CUSTOMARY = 'reads headers by their customary names, and goes without where they are absent';

/** By file, or by folder where it ends in a slash; the longest that fits counts. */
const USES: Readonly<Record<string, string>> = {
  'src/platform/': PLATFORM,
  'src/sensitivity/plants/': PLANTS,
  'src/checks/spec/': COMMERCE_CLAUSE,
  'src/receiver/client/answers.ts': CLIENTS,
  'src/checks/req/req-09-unanswered.ts': 'the longest wait is that of REQ-09, which holds for any service',
  'src/checks/sch/header-value.ts': COMMERCE_ONLY,
  'src/checks/sch/sch-04.ts': COMMERCE_ONLY,
  'src/checks/sch/sch-05-to-08-statuses.ts': COMMERCE_ONLY,
  'src/probes/auth/registered-email.ts': COMMERCE_CLAUSE,
  'src/probes/catalogue-of-probes.ts': COMMERCE_CLAUSE,
  'src/probes/rate/asking.ts': COMMERCE_ONLY,
  'src/probes/requests/unknown-ids.ts': COMMERCE_ONLY,
  'src/run/plan/experiments.ts': COMMERCE_CLAUSE,
  'src/run/load/bench.ts': COMMERCE_ONLY,
  'src/run/traffic/traffic-judge.ts': COMMERCE_CLAUSE,
  'src/cli/init/way-to-target.ts': COMMERCE_ONLY,
  'src/client/retry.ts': PACING,
  'src/client/transfer.ts': PACING,
  'src/client/undici-client.ts': PACING,
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

it('what says that it asks for the contract mentions it', () => {
  const asking = Object.keys(USES).filter((place) => USES[place] === COMMERCE_ONLY);
  const deaf = asking.filter(
    (path) => ![...(SOURCES.get(path)?.mentions ?? [])].some((name) => /contract|isCommerce/i.test(name)),
  );
  expect(deaf).toEqual([]);
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
