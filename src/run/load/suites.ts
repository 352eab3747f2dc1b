// The load suites, one entry each: what it measures and judges, whether a record of it can be judged again, and what of
// its result decides the verdict. Which clauses it judges stands in the clauses' entries.
import type { Config } from '../../config/config.ts';
import type { SuiteName } from '../../contract/clauses/entry.ts';
import type {
  CapacityPart,
  ExportsPart,
  IsolationPart,
  IsolationRow,
  LoadPart,
  PlanCeiling,
  PressurePart,
  SoakPart,
  SpikePart,
} from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { judgedCapacity } from '../../load/capacity/capacity.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import { judgedStep } from '../../load/distributed/collected.ts';
import { isolation } from '../../load/isolation/isolation.ts';
import { isolationSettings } from '../../load/isolation/schedule.ts';
import { judgedIsolation } from '../../load/isolation/slowing.ts';
import { ceilings } from '../../load/limits/ceiling.ts';
import { judgedCeilings, judgedRateLimits } from '../../load/limits/ceiling-verdicts.ts';
import { rateLimits } from '../../load/limits/ratelimit.ts';
import { judgedPressure } from '../../load/pressure/pressure.ts';
import { judgedSoak } from '../../load/soak/soak.ts';
import { judgedSpike } from '../../load/spike/spike.ts';
import type { Outcome } from '../../probes/probe.ts';
import { RunEnded } from '../perform/interruption.ts';
import type { StageState } from '../perform/state.ts';
import { capacityOf, soakOf, spikeOf } from './arrivals.ts';
import { loadBench } from './bench.ts';
import type { LoadGround } from './callers.ts';
import { collectedOf } from './distributed.ts';
import { exportsOf } from './exports.ts';
import { pressureOf } from './pressure.ts';

/** The measurements of a suite; they grow while it runs, so that an interrupted run keeps what it has. */
export interface Measured
  extends Omit<LoadPart, 'plans' | 'capacity' | 'isolation' | 'exports' | 'soak' | 'spike' | 'pressure'> {
  readonly plans: PlanCeiling[];
  capacity?: CapacityPart;
  isolation?: IsolationPart;
  exports?: ExportsPart;
  soak?: SoakPart;
  spike?: SpikePart;
  pressure?: PressurePart;
}

interface Suite {
  /** True where its samples can be judged again without sending. */
  readonly replays: boolean;
  measure(state: StageState, ground: LoadGround, measured: Measured): Promise<void>;
  /** The report, its verdict that of what was measured, too. Absent: clauses alone decide. */
  readonly judged?: (report: Report, measured: Measured, config: Config) => Report;
}

export const LOAD_SUITES = {
  ratelimit: {
    replays: true,
    async measure(state, ground) {
      const bench = await loadBench(state, ground, { priced: false });
      await bookAll(state, rateLimits(bench));
    },
    judged: judgedRateLimits,
  },
  ceiling: {
    replays: true,
    async measure(state, ground, { plans }) {
      const bench = await loadBench(state, ground, { priced: true });
      await bookAll(
        state,
        ceilings(bench, (one) => plans.push(one)),
      );
    },
    judged: (report, { plans }) => judgedCeilings(report, plans),
  },
  isolation: {
    replays: true,
    async measure(state, ground, measured) {
      const bench = await loadBench(state, ground, { priced: false });
      const { phaseMs, slowdown } = isolationSettings(ground.config);
      const keys: IsolationRow[] = [];
      measured.isolation = { slowdown, keys };
      await bookAll(
        state,
        isolation(bench, phaseMs, (row) => keys.push(row)),
      );
    },
    judged: byPart('isolation', judgedIsolation),
  },
  exports: {
    // How exports are asked for follows from what was accepted.
    replays: false,
    async measure(state, ground, measured) {
      const outcomes = await exportsOf(state, sending(ground), (part) => {
        measured.exports = part;
      });
      book(state, outcomes);
    },
  },
  capacity: {
    // The steps of a search depend on what was measured.
    replays: false,
    async measure(state, ground, measured) {
      const { part, ended } = await capacityOf(state, sending(ground));
      if (part !== null) measured.capacity = part;
      if (ended !== null) throw ended;
    },
    judged: byPart('capacity', (report, capacity, config) =>
      judgedCapacity(report, capacity, capacitySettings(config).minRps),
    ),
  },
  soak: {
    replays: false,
    async measure(state, ground, measured) {
      const { part, ended } = await soakOf(state, sending(ground));
      if (part !== null) measured.soak = part;
      if (ended !== null) throw ended;
    },
    judged: byPart('soak', (report, soak, config) => judgedSoak(report, soak, capacitySettings(config))),
  },
  spike: {
    replays: false,
    async measure(state, ground, measured) {
      measured.spike = await spikeOf(state, sending(ground));
    },
    judged: byPart('spike', (report, spike, config) => judgedSpike(report, spike, capacitySettings(config))),
  },
  // Requests that instances elsewhere sent: their samples are brought together, and judged once.
  distributed: {
    replays: false,
    async measure(state, ground, measured) {
      Object.assign(measured, await collectedOf(state, ground));
    },
    judged(report, { capacity, soak }, config) {
      const settings = capacitySettings(config);
      if (soak !== undefined) return judgedSoak(report, soak, settings);
      return capacity === undefined ? report : judgedStep(report, capacity, { stated: settings.stated });
    },
  },
  pressure: {
    replays: false,
    async measure(state, ground, measured) {
      await pressureOf(state, sending(ground), (part) => {
        measured.pressure = part;
      });
    },
    judged: byPart('pressure', judgedPressure),
  },
} satisfies Record<SuiteName, Suite>;

export type LoadSuite = keyof typeof LOAD_SUITES;

/** The suite of this name. */
export function suiteOf(name: LoadSuite): Suite {
  return LOAD_SUITES[name];
}

/** No part, no verdict: where what the suite is for was not measured, clauses that hold say nothing of it. */
function byPart<Name extends keyof Measured>(
  name: Name,
  judge: (report: Report, part: NonNullable<Measured[Name]>, config: Config) => Report,
): NonNullable<Suite['judged']> {
  return (report, { [name]: part }, config) => {
    if (part !== undefined && part !== null) return judge(report, part, config);
    return report.verdict === 'fail' ? report : { ...report, verdict: 'none' };
  };
}

/** The ground with k6 to send by. Throws RunEnded without: samples do not tell what depends on when they are sent. */
function sending(ground: LoadGround): LoadGround & { readonly k6: string } {
  const { k6 } = ground;
  if (k6 === null) throw new RunEnded('precondition', 'this suite cannot be made from samples');
  return { ...ground, k6 };
}

async function bookAll(state: StageState, course: AsyncIterable<readonly Outcome[]>): Promise<void> {
  for await (const outcomes of course) book(state, outcomes);
}

function book({ books: { ledger, errors } }: StageState, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes)
    errors.attempt({ clauses: [outcome.clause], where: 'a law of limits' }, null, [], () =>
      ledger.book(outcome.clause, outcome, outcome.judgement, outcome.evidence),
    );
}
