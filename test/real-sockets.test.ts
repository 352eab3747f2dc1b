// The simulation itself is checked: on some cases of each family a run over real sockets, in real time, comes to the verdict that
// the simulated run comes to, and blames the same clauses: those of the family by day, all at night. What most simulated runs come to the tables of test/faults and
// test/tolerances demand; where they leave a choice a thread of its own simulates, so that real runs wait for nothing but their platform.
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import type { Judged, Task } from '../scripts/simulation/worker.ts';
import { haltsOf } from '../src/clock/clock.ts';
import { systemClock } from '../src/clock/system.ts';
import type { Report } from '../src/contract/report.ts';
import { CASES, type Case, clausesOfFamily, judgeCaseBy, type Look } from '../src/simulation/cases.ts';
import { blamed, judgePlatform } from './mutant.ts';
import { isDue, isNightly } from './programme.ts';
import { ROOT } from './root.ts';

/** By family the cases that depend most on connections, on time, or on calls that are under way at once. */
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

/** Clauses that a case breaks, too, on a machine so slow that a resend comes a second late. */
const BROKEN_WHERE_LATE: Readonly<Record<string, readonly string[]>> = { 'idem-05-after-a-second': ['IDEM-02'] };

/** All of them each night; by day one of each family, another one each day. */
const TODAY = Object.entries(CHOSEN).flatMap(([family, ids]) =>
  ids.filter((_, at) => isDue(at, ids.length)).map((id) => [family, id] as const),
);

/** Absent: all. */
const clausesFor = (one: Case): Pick<Look, 'clauses'> => (isNightly ? {} : { clauses: clausesOfFamily(one) });

const familyOf = (clause: string | null): string => clause?.split('-')[0] ?? '';

test('every family that has cases is looked at', () => {
  const families = new Set(CASES.flatMap(({ clause }) => (clause === null ? [] : [familyOf(clause)])));
  expect(Object.keys(CHOSEN).sort()).toEqual([...families].filter((family) => family !== 'HOOK').sort());
});

let simulator: Worker | undefined;
let simulating: Promise<unknown> = Promise.resolve();

afterAll(() => simulator?.terminate());

/** How the run ended and the rows of the clauses: why it did not blame them. */
function rowsOf({ run, clauses }: Report, ids: readonly string[]): string {
  return JSON.stringify({ note: run.note, rows: clauses.filter(({ id }) => ids.includes(id)) });
}

/** Over real sockets. A run during which this process was halted says itself that it did not look at all: it is made again. */
async function judgedUnhalted(one: Case): Promise<Report> {
  const { count } = haltsOf(systemClock);
  const { report } = await judgeCaseBy(one, clausesFor(one), (subject, options) => judgePlatform(subject, options));
  return haltsOf(systemClock).count === count ? report : judgedUnhalted(one);
}

type Outcome = Pick<Judged, 'blamed' | 'verdict'>;

/** What the simulated run of the case comes to: it is simulated where the tables let it blame one clause or another. */
async function simulatedOutcome({ id, kind, clause, blamable }: Case): Promise<Outcome> {
  if (kind === 'tolerance') return { blamed: [], verdict: 'pass' };
  if (kind === 'fault' && clause !== null && blamable.length === 1) return { blamed: [clause], verdict: 'fail' };
  const { error, ...outcome } = await simulated(id);
  expect(error).toBeNull();
  return outcome;
}

/** The simulated run of the case, after those that were asked for before. */
function simulated(id: string): Promise<Judged> {
  const judged = simulating.then(async () => {
    // It loads as much as this thread does, and most days have no use for it.
    simulator ??= new Worker(join(ROOT, 'scripts', 'simulation', 'worker.ts'));
    const answered = once(simulator, 'message');
    simulator.postMessage({ id, world: 'calm', seed: 1, whole: false, family: !isNightly } satisfies Task);
    const [found] = await answered;
    return found;
  });
  simulating = judged.catch(() => {});
  return judged;
}

// Most of the time is spent waiting.
describe.concurrent('over real sockets, as in the simulation, is judged', () => {
  test.each(TODAY)('%s: %s', async (family, id) => {
    const one = CASES.find((known) => known.id === id);
    if (one === undefined) throw new Error(`there is no case ${id}`);
    expect(familyOf(one.clause)).toBe(family);
    const [report, expected] = await Promise.all([judgedUnhalted(one), simulatedOutcome(one)]);
    const inTime = (clause: string): boolean => BROKEN_WHERE_LATE[id]?.includes(clause) !== true;
    expect(blamed(report).filter(inTime), rowsOf(report, expected.blamed)).toEqual(expected.blamed.filter(inTime));
    // Some families alone leave nothing that could pass.
    const verdicts = !isNightly && expected.verdict === 'pass' ? ['pass', 'none'] : [expected.verdict];
    expect(verdicts).toContain(report.verdict);
  });
});
