// A base rate, a peak of a few seconds, the base rate again, in one run of k6: what became of requests during the peak,
// and how long after it until the objectives hold again.
import type { Recovery, SpikePart, SpikeShares } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { type ArrivalsBench, legOf, lost, sendArrivals } from '../arrivals/arrivals.ts';
import { droppedIn, droppedOf, figuresOf, resultOf } from '../arrivals/figures.ts';
import { decide, type Objectives, rateInterval } from '../capacity/objectives.ts';
import { pooled, StepSums } from '../capacity/sums.ts';
import { rampOf } from '../k6/arrivals-plan.ts';
import { type BodySample, durationOf } from '../samples/line.ts';
import type { SpikeWish } from './settings.ts';

export interface SpikeBench extends ArrivalsBench {
  readonly wish: SpikeWish & { readonly heldBy: string | null };
  /** Judges an answer that was kept whole. */
  readonly onKept: (sample: BodySample) => void;
  /** Told what each step does. */
  readonly label: (step: string, words: string, ratePerSecond: number) => void;
}

/** Left out of the measure: connections are made, caches warm. */
const RAMP_SECONDS = 1;
/** As many times as long as the peak: what came to a halt takes its time. */
const AFTER_BY_PEAK_SECONDS = 3;
const WINDOW_SECONDS = 1;
const BODIES = { before: 20, peak: 100, after: 60 };
const [BEFORE, PEAK] = ['spike.before', 'spike.peak'];

/** Seconds of load in all. */
export function secondsOf({ seconds }: SpikeWish): number {
  return RAMP_SECONDS + (2 + AFTER_BY_PEAK_SECONDS) * seconds;
}

/** Sends and judges. Throws StepLost where what was sent proves nothing. */
export async function measureSpike(bench: SpikeBench): Promise<SpikePart> {
  const { wish, objectives, label, onKept } = bench;
  const { base, peak, seconds } = wish;
  const windows = windowsOf(AFTER_BY_PEAK_SECONDS * seconds);
  label(BEFORE, `${base} requests/s`, base);
  label(PEAK, `${peak} requests/s`, peak);
  for (const { step, words } of windows) label(step, `${base} requests/s, ${words}`, base);
  const parts = new Map([BEFORE, PEAK, ...windows.map(({ step }) => step)].map((step) => [step, new StepSums(step)]));
  const [before, atPeak, ...after] = [...parts.values()] as [StepSums, StepSums, ...StepSums[]];
  const legs = legsOf(bench, windows);
  const { done, ...cpu } = await sendArrivals(bench, {
    step: 'spike',
    legs,
    onSample(sample) {
      if (sample.kind === 'body') onKept(sample);
      parts.get(sample.step)?.add(sample);
    },
    // A peak may break the target for a while: that is what is looked at.
    endures: (step) => step !== BEFORE && step !== rampOf(BEFORE),
  });
  if (done.incomplete !== null) throw lost(done, done.incomplete);
  const judged = (sums: StepSums, ratePerSecond: number, leg: number, lastsSeconds = seconds) => {
    const conditions = { ...cpu, senders: legs[leg]?.vus ?? null };
    const result = resultOf(sums, { ratePerSecond, seconds: lastsSeconds, ...conditions });
    const decision = decide(result, objectives);
    const generator = decision.kind === 'void' && decision.by === 'generator' ? decision.why : null;
    return { figures: figuresOf(result, seconds, decision), generator };
  };
  const [first, second] = [judged(before, base, 0), judged(atPeak, peak, 1)];
  const afterSeconds = windows.length * WINDOW_SECONDS;
  const dropped = droppedIn(after, base, Math.round(base * afterSeconds));
  const counts = after.map((sums, at) => windowOf(sums, dropped[at] ?? 0, objectives.p99Ms));
  const recovery = recoveryOf(counts, WINDOW_SECONDS, objectives);
  // A generator that was weak after the peak cannot tell how long the platform took to recover.
  const lateAfter = recovery?.most === 0 ? null : judged(pooled(after), base, 2, afterSeconds).generator;
  return {
    heldBy: wish.heldBy,
    objectives: { p99Ms: objectives.p99Ms, errorRate: objectives.errorRate },
    generator: first.generator ?? second.generator ?? lateAfter,
    before: { ...first.figures, step: BEFORE },
    peak: { ...second.figures, step: PEAK },
    shares: sharesOf(atPeak, Math.round(peak * seconds)),
    ...{ afterSeconds, recovery },
    requests: done.started,
  };
}

interface AfterWindow {
  readonly step: string;
  readonly untilSeconds: number;
  readonly words: string;
}

function windowsOf(seconds: number): readonly AfterWindow[] {
  return Array.from({ length: Math.max(1, Math.floor(seconds / WINDOW_SECONDS)) }, (_, at) => ({
    step: `spike.after.${at + 1}`,
    untilSeconds: (at + 1) * WINDOW_SECONDS,
    words: `until ${(at + 1) * WINDOW_SECONDS} s after the peak`,
  }));
}

function legsOf({ wish: { base, peak, seconds }, objectives }: SpikeBench, windows: readonly AfterWindow[]) {
  const whole = RAMP_SECONDS + seconds;
  const before = [
    { step: rampOf(BEFORE), untilMs: RAMP_SECONDS * 1000 },
    { step: BEFORE, untilMs: whole * 1000 },
  ];
  const after = windows.map(({ step, untilSeconds }) => ({ step, untilMs: untilSeconds * 1000 }));
  const atPeak = [{ step: PEAK, untilMs: seconds * 1000 }];
  return [
    legOf({ ratePerSecond: base, seconds: whole, bodies: BODIES.before, parts: before }, objectives),
    legOf({ ratePerSecond: peak, seconds, bodies: BODIES.peak, parts: atPeak }, objectives),
    legOf(
      { ratePerSecond: base, seconds: windows.length * WINDOW_SECONDS, bodies: BODIES.after, parts: after },
      objectives,
    ),
  ];
}

// A spike's part in the run's verdict. Objectives judge where the configuration states them; else it informs.

/** Demands of the configuration. */
export interface SpikeDemands {
  /** True where p99 or errors are its word. */
  readonly stated: boolean;
  /** Most seconds after the peak until the objectives hold again; null: only never is too late. */
  readonly recoverySeconds: number | null;
}

/** The report with what the spike came to: a violation decides by itself, and is left. */
export function judgedSpike(report: Report, spike: SpikePart, demands: SpikeDemands): Report {
  if (report.verdict === 'fail') return report;
  const { stated, recoverySeconds } = demands;
  const { before, generator, recovery, afterSeconds, heldBy } = spike;
  const allowedSeconds = recoverySeconds ?? Number.POSITIVE_INFINITY;
  const otherwise = stated || recoverySeconds !== null ? 'fail' : report.verdict;
  const { least = 0, best = 0, most = 0 } = recovery ?? {};
  const outcomes: readonly (readonly [applies: boolean, verdict: Report['verdict'], note: string])[] = [
    [generator !== null, 'none', `no verdict on the platform: ${generator}`],
    [before.decision === 'void', 'none', `no verdict on the platform: ${before.why}`],
    [
      before.decision === 'missed',
      stated ? 'fail' : 'none',
      `the objectives were ${before.why} at the base rate, before the peak`,
    ],
    [recovery === null, otherwise, `the objectives did not hold again within ${afterSeconds} s`],
    [
      least > allowedSeconds,
      'fail',
      `the objectives held again ${best} s after the peak, ${recoverySeconds} s are allowed`,
    ],
    [
      (most ?? Number.POSITIVE_INFINITY) > allowedSeconds,
      'none',
      `whether the objectives held again within ${recoverySeconds} s was not settled`,
    ],
    [heldBy !== null, report.verdict, `held by ${heldBy}`],
  ];
  const [, verdict, note] = outcomes.find(([applies]) => applies) ?? [];
  return verdict === undefined ? report : { ...report, verdict, run: { ...report.run, note: `spike: ${note}` } };
}

/** Counts of what was due. What was not sent waited for a sender: every sender waited for the target. */
function windowOf({ counts }: StepSums, dropped: number, slowAboveMs: number): WindowCounts {
  const { requests, limited, errors, durations } = counts;
  const slow = [...durations].filter(([bucket]) => durationOf(bucket) > slowAboveMs);
  return {
    count: requests + dropped,
    slow: slow.reduce((sum, [, count]) => sum + count, 0) + dropped,
    ...{ errors, limited },
  };
}

/** Shares of what was due. */
function sharesOf({ counts }: StepSums, planned: number): SpikeShares {
  const { requests, limited, errors, otherErrors, serverErrors, unanswered } = counts;
  const dropped = droppedOf(planned, requests);
  const all = Math.max(1, requests + dropped);
  return {
    succeeded: (requests - limited - errors) / all,
    limited: limited / all,
    refused: otherErrors / all,
    serverErrors: serverErrors / all,
    unanswered: unanswered / all,
    dropped: dropped / all,
  };
}

// How long after a peak until the objectives hold again, from counts of short windows.

/** Counts of the requests that were due in a window. */
export interface WindowCounts {
  readonly count: number;
  /** Slower than the objective, or never sent since all senders waited. */
  readonly slow: number;
  readonly errors: number;
  readonly limited: number;
}

/** A 99th percentile is kept while not more than this share is slower. */
const SLOW_SHARE = 0.01;

/**
 * Seconds from the end of the peak on; null where the objectives do not hold again. `best`: the first window that keeps
 * them, as do all that follow together. Before it came a window that did not keep them, so that it was not earlier than
 * that one's begin (`least`); from `most` on it is beyond doubt – null where the windows are too few to tell.
 */
export function recoveryOf(
  windows: readonly WindowCounts[],
  widthSeconds: number,
  objectives: Pick<Objectives, 'errorRate' | 'limitedRate'>,
): Recovery | null {
  const allowed = { slow: SLOW_SHARE, errors: objectives.errorRate, limited: objectives.limitedRate };
  const rest = windows.map((_, at) => summed(windows.slice(at)));
  const best = windows.findIndex((one, at) => !isBad(one, allowed) && keeps(rest[at] ?? one, allowed));
  if (best < 0) return null;
  const sure = rest.findIndex((one, at) => at >= best && surelyKeeps(one, allowed));
  return {
    least: Math.max(0, best - 1) * widthSeconds,
    best: best * widthSeconds,
    most: sure < 0 ? null : sure * widthSeconds,
  };
}

type Allowed = Omit<WindowCounts, 'count'>;

const CLASSES = ['slow', 'errors', 'limited'] as const;

/** Tells whether more than is allowed went wrong, beyond chance; a window without a request tells nothing good. */
function isBad(one: WindowCounts, allowed: Allowed): boolean {
  return one.count === 0 || CLASSES.some((name) => rateInterval(one[name], one.count).least > allowed[name]);
}

function keeps(one: WindowCounts, allowed: Allowed): boolean {
  return one.count > 0 && CLASSES.every((name) => one[name] <= allowed[name] * one.count);
}

function surelyKeeps(one: WindowCounts, allowed: Allowed): boolean {
  return one.count > 0 && CLASSES.every((name) => rateInterval(one[name], one.count).most <= allowed[name]);
}

function summed(windows: readonly WindowCounts[]): WindowCounts {
  const sum = (name: keyof WindowCounts): number => windows.reduce((total, one) => total + one[name], 0);
  return { count: sum('count'), slow: sum('slow'), errors: sum('errors'), limited: sum('limited') };
}
