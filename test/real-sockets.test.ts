// The simulation itself is checked: on some cases of each family a run over real sockets, in real time, comes to the verdict that
// the simulated run comes to, and blames the same clauses.
import { describe, expect, test } from 'vitest';
import { CASES, judgeCase, judgeCaseBy } from '../src/simulation/cases.ts';
import { blamed, CASE_LIMIT_MS, judgePlatform } from './mutant.ts';
import { CALM_LOOK } from './simulated.ts';

/** Of each family those that depend most on connections, on time, or on calls that are under way at once. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  SPEC: ['spec-05-internal-path', 'spec-03-lower-case'],
  SCH: ['sch-01-one-in-seven', 'sch-06-unavailable', 'sch-06-now-and-then-503'],
  ERR: ['err-06-every-seventh', 'err-08-skew'],
  AUTH: ['auth-02-alg-none', 'auth-04-served', 'auth-01-challenge'],
  REQ: ['req-01-400', 'req-09-hangs', 'req-09-drops', 'req-09-chunked', 'req-09-connection-close'],
  VER: ['ver-01-rejected', 'ver-01-echoed'],
  RED: ['red-01-no-location', 'red-01-relative'],
  HEALTH: ['health-01-missing', 'health-01-non-numeric'],
  INT: ['int-01-usage', 'int-01-forbidden'],
  PAG: ['pag-06-order', 'pag-12-huge', 'pag-07-clamped', 'pag-06-others-write'],
  IDEM: ['idem-03-within-5-ms', 'idem-05-after-a-second', 'idem-03-conflict'],
  LIFE: ['life-01-unreadable', 'life-04-late'],
  RATE: ['rate-04-too-many', 'rate-05-fraction', 'rate-07-shared', 'rate-04-sliding-log', 'rate-03-bucket'],
};

const familyOf = (clause: string | null): string => clause?.split('-')[0] ?? '';

test('every family that has cases is looked at', () => {
  const families = new Set(CASES.flatMap(({ clause }) => (clause === null ? [] : [familyOf(clause)])));
  expect(Object.keys(CHOSEN).sort()).toEqual([...families].filter((family) => family !== 'HOOK').sort());
});

// Most of the time is spent waiting.
describe.concurrent('over real sockets, as in the simulation, is judged', { timeout: CASE_LIMIT_MS }, () => {
  test.each(Object.entries(CHOSEN).flatMap(([family, ids]) => ids.map((id) => [family, id] as const)))(
    '%s: %s',
    async (family, id) => {
      const one = CASES.find((known) => known.id === id);
      if (one === undefined) throw new Error(`there is no case ${id}`);
      expect(familyOf(one.clause)).toBe(family);
      const simulated = await judgeCase(one, CALM_LOOK);
      const real = await judgeCaseBy(one, {}, (subject, options) => judgePlatform(subject, options));
      expect(blamed(real.report)).toEqual(blamed(simulated.report));
      expect(real.report.verdict).toBe(simulated.report.verdict);
    },
  );
});
