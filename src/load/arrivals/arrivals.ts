// Requests that arrive by the clock, sent in one run of k6: what capacity, soak and spike are made of.
import { availableParallelism } from 'node:os';
import { systemClock } from '../../clock/system.ts';
import { mutates, type Reached } from '../../probes/world.ts';
import { StepLost } from '../caller/caller.ts';
import type { Objectives } from '../capacity/objectives.ts';
import type { ArrivalsPlan, Leg, LegPart } from '../k6/arrivals-plan.ts';
import type { Generator, Measured } from '../k6/measure.ts';
import { longestAnswerSeconds } from '../k6/requests-plan.ts';
import type { Sample } from '../samples/line.ts';
import { type CpuTimes, cpuTimesNow, isHere, othersShare, stolenShare } from './machine.ts';

/** Requests that arrive, and the generator that sends them. */
export interface ArrivalsBench {
  readonly generator: Generator;
  readonly objectives: Objectives;
  /** Requests that arrive, in which shares, under which keys. */
  readonly load: Pick<ArrivalsPlan, 'requests' | 'order' | 'variants' | 'keys' | 'headers' | 'tagged' | 'trace'> &
    Partial<Pick<ArrivalsPlan, 'answerLimitSeconds' | 'refusedStatus'>>;
  /** Takes requests from what the run may send; throws StepLost where they are too many. */
  readonly charge: (requests: number) => void;
  readonly refund: (requests: number) => void;
  /** The share of the machine that others take while nothing is sent, null where it is not known; absent: it is looked at, where the target is here. */
  readonly othersNow?: () => Promise<number | null>;
}

export interface Arrivals {
  readonly step: string;
  readonly legs: readonly Leg[];
  readonly onSample: (sample: Sample) => void;
  /** Steps whose errors do not end the run; absent: none. */
  readonly endures?: (step: string) => boolean;
}

export interface Sent {
  readonly done: Measured;
  /** Share of all cores that the generator used. */
  readonly generatorCpu: number;
  /** Share that others used just before, or that was stolen meanwhile; null where the target is elsewhere. */
  readonly othersCpu: number | null;
}

export const ANSWER_LIMIT_SECONDS = 10;
const SLACK_SECONDS = 20;
/** With as many under way as arrive within the objective, answers take longer than it on the average; and some more. */
const VUS_BY_NEEDED = 1.25;
const MIN_VUS = 20;
/** Each takes 0.3 MB. */
const MAX_VUS = 1500;

/** A leg of so many requests a second, with senders for what the objectives allow, that keeps about `bodies` answers whole. */
export function legOf(
  {
    ratePerSecond,
    seconds,
    bodies,
    parts,
  }: { ratePerSecond: number; seconds: number; bodies: number; parts: readonly LegPart[] },
  { p99Ms }: Objectives,
): Leg {
  const perTenSeconds = Math.max(1, Math.round(ratePerSecond * 10));
  const vus = Math.ceil((VUS_BY_NEEDED * ratePerSecond * p99Ms) / 1000);
  return {
    ...{ perTenSeconds, seconds, parts },
    vus: Math.min(MAX_VUS, Math.max(MIN_VUS, vus)),
    bodyEvery: Math.max(1, Math.floor(planned({ perTenSeconds, seconds }) / bodies)),
  };
}

/** Tells whether the objectives allow more requests under way than there are senders: then drops say nothing of the platform. */
export function isShortOfSenders(ratePerSecond: number, { p99Ms }: Objectives): boolean {
  return (ratePerSecond * p99Ms) / 1000 > MAX_VUS;
}

/** Sends the legs one after another. Rejects only where nothing may be sent, k6 cannot be started or files not written. */
export async function sendArrivals(
  { generator, load, charge, refund, othersNow = calmestShare }: ArrivalsBench,
  { step, legs, onSample, endures }: Arrivals,
): Promise<Sent> {
  const { answerLimitSeconds = ANSWER_LIMIT_SECONDS } = load;
  const plan: ArrivalsPlan = { step, legs, ...load, answerLimitSeconds };
  const most = legs.reduce((sum, leg) => sum + planned(leg), 0);
  const seconds = legs.reduce((sum, leg) => sum + leg.seconds, 0);
  charge(most);
  const isNear = load.requests.some(({ url }) => isHere(url));
  const others = isNear ? await othersNow() : null;
  const before = timesNow();
  const begunAtMs = systemClock.monotonic();
  const done = await generator.measure({
    script: 'arrivals',
    plan,
    planned: most,
    timeLimitSeconds: seconds + longestAnswerSeconds(plan) + SLACK_SECONDS,
    senders: Math.max(...legs.map(({ vus }) => vus)),
    onSample,
    ...(endures === undefined ? {} : { endures }),
  });
  refund(most - done.started);
  const wallSeconds = (systemClock.monotonic() - begunAtMs) / 1000;
  const stolen = isNear ? stolenShare(before, timesNow()) : null;
  const othersCpu = others === null && stolen === null ? null : Math.max(others ?? 0, stolen ?? 0);
  return { done, generatorCpu: (done.ended.cpuSeconds ?? 0) / (wallSeconds * availableParallelism()), othersCpu };
}

/** Between two looks at an idle machine, and how often it is looked at: what was sent before may still be worked off. */
const [LOOK_MS, MAX_LOOKS] = [250, 8];
/** Others that take less of the machine leave it calm. */
const MAX_CALM_SHARE = 0.1;

function timesNow(): CpuTimes {
  return cpuTimesNow(systemClock.monotonic());
}

/** The least share of the machine that others take while nothing is sent, until it is calm; null where it does not tell. */
async function calmestShare(): Promise<number | null> {
  let least: number | null = null;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const before = timesNow();
    await systemClock.sleep(LOOK_MS);
    const share = othersShare(before, timesNow());
    if (share !== null) least = Math.min(share, least ?? share);
    if (least !== null && least <= MAX_CALM_SHARE) return least;
  }
  return least;
}

/** A run of k6 from which nothing follows. */
export function lost({ ended, broken }: Measured, why: string): StepLost {
  if (broken) return new StepLost('broken', why);
  return new StepLost(ended.stopped === 'interrupted' ? 'interrupted' : 'incomplete', why);
}

/** The most requests of a leg: k6 rounds its intervals, and may begin a few more at the very end. */
export function planned({ perTenSeconds, seconds }: Pick<Leg, 'perTenSeconds' | 'seconds'>): number {
  return Math.ceil((perTenSeconds * seconds * 1.01) / 10) + 2;
}

/** A key, and whose it is. */
interface Owned {
  readonly name: string;
  readonly account: string | null;
}

/**
 * Indexes of the keys that may send the operation; null: all. What a path names, or a body, belongs to the account that it
 * was reached with, and is not there for others.
 */
export function sendersOf(
  { operation, recipe: { credential } }: Pick<Reached, 'operation' | 'recipe'>,
  keys: readonly Owned[],
): readonly number[] | null {
  if (credential.kind !== 'key' || !(operation.path.includes('{') || mutates(operation))) return null;
  const owner = keys.find(({ name }) => name === credential.name);
  if (owner === undefined) return null;
  return keys.flatMap((key, at) =>
    key === owner || (key.account !== null && key.account === owner.account) ? [at] : [],
  );
}
