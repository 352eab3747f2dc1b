// A constant rate over minutes or hours: one run of k6, its slices judged one by one, and what changes from the first to
// the last.

import type { Drift, SoakPart, SoakSlice } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import type { Afforded } from '../arrivals/affordable.ts';
import { type ArrivalsBench, legOf, lost, sendArrivals } from '../arrivals/arrivals.ts';
import { type Conditions, droppedIn, figuresOf, resultOf } from '../arrivals/figures.ts';
import type { StepLost } from '../caller/caller.ts';
import { decide } from '../capacity/objectives.ts';
import { pooled } from '../capacity/sums.ts';
import type { BodySample, Sample } from '../samples/line.ts';
import { partsOf, type Slice, slicesOf, sorter } from './slices.ts';
import { isDrift, onsetOf, type Trend, trendOf } from './trend.ts';

export interface SoakBench extends ArrivalsBench {
  readonly wish: Afforded;
  /** Judges an answer that was kept whole. */
  readonly onKept: (sample: BodySample) => void;
  /** Told what each step does. */
  readonly label: (step: string, words: string, ratePerSecond: number) => void;
  readonly now: () => number;
}

export interface Soaked {
  /** null where nothing follows from what was sent. */
  readonly part: SoakPart | null;
  /** Why the soak did not come to its end; null where it did. */
  readonly ended: StepLost | null;
}

const BODIES_PER_SLICE = 20;

/** Sends and judges. Rejects only where nothing may be sent or k6 cannot be started. */
export async function measureSoak(bench: SoakBench): Promise<Soaked> {
  const { wish, objectives } = bench;
  const slices = slicesOf(wish);
  for (const slice of slices) bench.label(slice.step, labelOf(slice), wish.ratePerSecond);
  const sort = sorter(slices);
  let begunAtMs = bench.now();
  const onSample = (sample: Sample): void => {
    if (sample.kind === 'body') bench.onKept(sample);
    if (sample.kind === 'mark' && sample.event === 'begin') begunAtMs = sample.atMs;
    sort(sample);
  };
  const leg = legOf({ ...wish, bodies: BODIES_PER_SLICE * slices.length, parts: partsOf(slices) }, objectives);
  const { done, generatorCpu, othersCpu } = await sendArrivals(bench, { step: 'soak', legs: [leg], onSample });
  const isCut = done.ended.stopped === 'interrupted';
  if (done.incomplete !== null && !isCut) return { part: null, ended: lost(done, done.incomplete) };
  const untilSeconds = (bench.now() - begunAtMs) / 1000 - lagSeconds(leg.vus, wish.ratePerSecond);
  const whole = isCut ? slices.filter(({ toSeconds }) => toSeconds <= untilSeconds) : slices;
  const conditions = { generatorCpu, othersCpu, senders: leg.vus };
  const part = partOf(bench, whole, { conditions, broken: done.broken, requests: done.started });
  return {
    part: whole.length === 0 && !done.broken ? null : part,
    ended: isCut && !done.broken ? lost(done, done.incomplete ?? '') : null,
  };
}

/** Time after which a request has surely been told: VUs take turns, and tell when a second is over. */
function lagSeconds(vus: number, ratePerSecond: number): number {
  return 1.5 + vus / ratePerSecond;
}

/** The measurement, as the report tells it. */
export function partOf(
  { wish: { ratePerSecond, heldBy }, objectives }: Pick<SoakBench, 'objectives'> & { wish: Omit<Afforded, 'seconds'> },
  slices: readonly Slice[],
  { conditions, broken, requests }: { conditions: Conditions; broken: boolean; requests: number },
): SoakPart {
  const sums = pooled(slices.map((slice) => slice.sums));
  const [first, last] = [slices[0], slices.at(-1)];
  const lasted = (last?.toSeconds ?? 0) - (first?.fromSeconds ?? 0);
  const unsent = droppedIn(
    slices.map((slice) => slice.sums),
    ratePerSecond,
    Math.round(ratePerSecond * lasted),
  );
  const rows = slices.map(({ step, fromSeconds, toSeconds, sums: own }, at): SoakSlice => {
    const seconds = toSeconds - fromSeconds;
    const dropped = unsent[at] ?? 0;
    // Requests that are dropped in a slice make the numbers of all later ones lag behind.
    const droppedBefore = unsent.slice(0, at + 1).reduce((sum, one) => sum + one, 0);
    const result = resultOf(own, { ratePerSecond, seconds, dropped, ...conditions, droppedBefore });
    return { ...figuresOf(result, seconds, decide(result, objectives)), step, fromSeconds, toSeconds };
  });
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
  const result = resultOf(sums, { ratePerSecond, seconds, ...conditions });
  const decision = decide({ ...result, isBroken: broken }, objectives);
  const onset = onsetOf(slices.map(({ sums: { received: count, errors } }) => ({ count, errors })));
  return {
    ...figuresOf(result, seconds, decision),
    heldBy,
    objectives: { p99Ms: objectives.p99Ms, errorRate: objectives.errorRate },
    slices: rows,
    p50Drift: driftOf(trendOf(rows.map(({ p50Ms }) => p50Ms))),
    p99Drift: driftOf(trendOf(rows.map(({ p99Ms }) => p99Ms))),
    errorsFromSeconds: onset === null ? null : (slices[onset.slice]?.fromSeconds ?? null),
    requests,
  };
}

function driftOf(trend: Trend | null): Drift | null {
  if (trend === null) return null;
  const { rise, least, most } = trend;
  return { rise, least, most, drifts: isDrift(trend) };
}

/** The slice in words. */
export function labelOf({ fromSeconds, toSeconds }: Slice): string {
  return `from ${shown(fromSeconds)} to ${shown(toSeconds)} s`;
}

function shown(seconds: number): string {
  return String(Math.round(seconds * 10) / 10);
}

// A soak's part in the run's verdict. Objectives judge where the configuration states them; else it informs.

/** Demands of the configuration. */
export interface SoakDemands {
  /** True where p99 or errors are its word. */
  readonly stated: boolean;
  /** Most that latency may rise, as a share; null: any rise is only told. */
  readonly drift: number | null;
}

/** A generator that was late in more than this share of the slices measured itself. */
export const MAX_VOID_SHARE = 0.1;

/** The report with what the soak came to: a violation decides by itself, and is left. */
export function judgedSoak(report: Report, soak: SoakPart, demands: SoakDemands): Report {
  if (report.verdict === 'fail') return report;
  const noted = (verdict: Report['verdict'], note: string): Report => ({
    ...report,
    verdict,
    run: { ...report.run, note: `soak: ${note}` },
  });
  const unmeasured = whyUnmeasured(soak);
  if (unmeasured !== null) return noted('none', unmeasured);
  const missed = whatMissed(soak);
  const drift = whatDrifts(soak, demands.drift);
  if (missed !== null) return noted(demands.stated ? 'fail' : report.verdict, missed);
  if (drift !== null) return noted(demands.drift === null ? report.verdict : 'fail', drift);
  if (soak.decision !== 'met') return noted(demands.stated ? 'none' : report.verdict, soak.why);
  const errors = soak.errorsFromSeconds;
  if (errors !== null) return noted(report.verdict, `from ${Math.round(errors)} s on more requests fail than before`);
  return soak.heldBy === null ? report : noted(report.verdict, `held by ${soak.heldBy}`);
}

/** Why nothing follows for the platform; null where something does. */
function whyUnmeasured({ slices, decision, why }: SoakPart): string | null {
  if (decision === 'void') return `no verdict on the platform: ${why}`;
  const isVoid = slices.filter((slice) => slice.decision === 'void');
  if (isVoid.length <= MAX_VOID_SHARE * slices.length) return null;
  return `no verdict on the platform: in ${isVoid.length} of ${plural(slices.length, 'slice')} ${isVoid[0]?.why ?? ''}`;
}

function whatMissed({ slices, decision, why }: SoakPart): string | null {
  const missed = slices.filter((slice) => slice.decision === 'missed');
  const [first] = missed;
  if (first !== undefined)
    return `the objectives were missed in ${missed.length} of ${plural(slices.length, 'slice')}, first from ${Math.round(first.fromSeconds)} s on (${first.why})`;
  return decision === 'missed' ? `the objectives were ${why}` : null;
}

/** The rise that is surely above what is allowed; where nothing is said of it, any that is beyond chance. */
function whatDrifts({ p50Drift, p99Drift }: SoakPart, allowed: number | null): string | null {
  const isTold = (drift: Drift | null): drift is Drift => drift?.drifts === true && drift.least > (allowed ?? 0);
  const words = (name: string, { rise, least, most }: Drift): string =>
    `${name} rose by ${percent(rise)} (${percent(least)} to ${percent(most)}) from the first third to the last`;
  if (isTold(p50Drift)) return words('the median', p50Drift);
  return isTold(p99Drift) ? words('the 99th percentile', p99Drift) : null;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
