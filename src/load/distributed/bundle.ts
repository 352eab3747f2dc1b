// A bundle for several instances: its files, and the facts of the run beside the plan that the instances read.
import { legOf } from '../arrivals/arrivals.ts';
import type { Objectives } from '../capacity/objectives.ts';
import { type ArrivalsPlan, type Leg, type LegPart, rampOf } from '../k6/arrivals-plan.ts';

export const BUNDLE_FILES = {
  /** Script and plan, which every instance runs. */
  archive: 'archive.tar',
  /** The same plan, to look at and to collect by. */
  plan: 'plan.json',
  /** Facts that collecting needs, and the instances do not. */
  facts: 'bundle.json',
  testRun: 'testrun.yaml',
  secret: 'secret.yaml',
  volume: 'volume.yaml',
  readme: 'README.md',
  /** Only where the target has authorities of its own. */
  authorities: 'authorities.pem',
} as const;
/** Where the samples of the instances belong, below the bundle. */
export const RESULTS_FOLDER = 'results';

/** Suites whose plan is fixed before the first request. */
export const SPREAD_SUITES = ['capacity', 'soak'] as const;
export type SpreadSuite = (typeof SPREAD_SUITES)[number];

/** The load that instances share. */
export interface SpreadFacts {
  readonly suite: SpreadSuite;
  readonly instances: number;
  readonly ratePerSecond: number;
  /** Left out of the measure: instances do not begin at once. */
  readonly rampSeconds: number;
  /** Measured, after the ramp. */
  readonly seconds: number;
  /** All instances must begin within so many seconds; absent: within the ramp. */
  readonly togetherSeconds?: number;
}

export interface BundleFacts extends SpreadFacts {
  /** Set: instances must trust the authorities that lie beside the archive. */
  readonly hasAuthorities?: true;
  readonly baseUrl: string;
  /** Service → its address, where it has one of its own; absent: none has. */
  readonly baseUrls?: Readonly<Record<string, string>>;
  /** Operation key → its service. */
  readonly services: Readonly<Record<string, string>>;
}

export interface Bundle {
  readonly facts: BundleFacts;
  readonly plan: ArrivalsPlan & { readonly run: string };
}

/** The parts of a step: its ramp, and what is measured. */
export function stepParts(step: string, { rampSeconds, seconds }: SpreadFacts): readonly LegPart[] {
  return [
    { step: rampOf(step), untilMs: rampSeconds * 1000 },
    { step, untilMs: (rampSeconds + seconds) * 1000 },
  ];
}

/** Answers kept whole for each instance, or each part of the leg. */
const MAX_KEPT_BODIES = 20;

/** The leg that instances share. VUs in equal numbers: k6 gives an instance its share of the arrivals by its share of them. */
export function sharedLeg(facts: SpreadFacts, parts: readonly LegPart[], objectives: Objectives): Leg {
  const { instances, ratePerSecond, rampSeconds, seconds } = facts;
  const wish = { seconds: rampSeconds + seconds, bodies: MAX_KEPT_BODIES * Math.max(instances, parts.length), parts };
  const share = legOf({ ...wish, ratePerSecond: ratePerSecond / instances }, objectives);
  return { ...legOf({ ...wish, ratePerSecond }, objectives), vus: share.vus * instances };
}

/** How long the plan is, its ramp among it. */
export function secondsOf({ legs }: Pick<ArrivalsPlan, 'legs'>): number {
  return legs.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Arrivals that the plan holds, its ramp among them. */
export function plannedBy({ legs }: Pick<ArrivalsPlan, 'legs'>): number {
  return legs.reduce((sum, { perTenSeconds, seconds }) => sum + Math.floor((perTenSeconds * seconds) / 10), 0);
}
