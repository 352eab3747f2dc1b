// Presses on a target while laws are probed: how hard by the configuration's word, the arrivals themselves, and how
// much laws that held are worth.

import type { Clock } from '../../clock/clock.ts';
import type { Config } from '../../config/config.ts';
import type { PressurePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { type ArrivalsBench, legOf, lost, type Sent, sendArrivals } from '../arrivals/arrivals.ts';
import { type Conditions, figuresOf, resultOf } from '../arrivals/figures.ts';
import { whyUnsound } from '../arrivals/soundness.ts';
import { decide } from '../capacity/objectives.ts';
import { StepSums } from '../capacity/sums.ts';
import type { BodySample, Sample } from '../samples/line.ts';

export interface PressureWish {
  /** saturated: other keys call at a high rate. limited: the probing key's own limit is spent over and over. */
  readonly mode: 'saturated' | 'limited';
  /** requests/s; null: what the mode makes of what is known of the limit. */
  readonly rate: number | null;
  /** Nothing more is probed after so long. */
  readonly seconds: number;
}

const PRESSURE: PressureWish = { mode: 'saturated', rate: null, seconds: 120 };
const SATURATING_CALLS = 100;
/** Times its limit that a limited key is asked: about a fifth of what is sent is refused. */
const EXCESS = 1.25;
/** Each refusal costs the probes up to a window. */
const LONGEST_WINDOW_SECONDS = 60;

/** `load.pressure` of the configuration; its schema has checked it. */
export function pressureWish({ load }: Pick<Config, 'load'>): PressureWish {
  return { ...PRESSURE, ...(load.pressure as Partial<PressureWish> | undefined) };
}

/** The key's limit as its headers tell it. */
export interface StatedLimit {
  readonly limit: number | null;
  readonly windowSeconds: number | null;
}

/** The rate of arrivals; a text says why there is none. */
export function pressingRate({ mode, rate }: PressureWish, stated: StatedLimit | null): number | string {
  if (mode === 'saturated') return rate ?? SATURATING_CALLS;
  const windowSeconds = stated?.windowSeconds ?? null;
  if (windowSeconds !== null && windowSeconds > LONGEST_WINDOW_SECONDS)
    return `the limit's window is ${windowSeconds} s: probes that are refused would wait for it each time`;
  if (rate !== null) return rate;
  if (stated?.limit == null || windowSeconds === null)
    return 'no header tells the limit and its window: set load.pressure.rate above the limit';
  return Math.max(1, (EXCESS * stated.limit) / windowSeconds);
}

// Arrivals that press for as long as something else lasts: begun, under way, ended.

export interface PressingBench extends ArrivalsBench {
  readonly ratePerSecond: number;
  /** Longest time that it presses. */
  readonly seconds: number;
  /** Wait until the key is refused, too. */
  readonly untilRefused: boolean;
  readonly onKept: (sample: BodySample) => void;
  /** Ends the arrivals; the generator of the bench stops with it. */
  readonly enough: AbortController;
  readonly clock: Clock;
}

export type PressingFigures = Pick<PressurePart, 'seconds' | 'rps' | 'figures' | 'generator' | 'requests'>;

/** Longest wait for the first answers. */
const UNDER_WAY_MS = 60_000;
const STEP = 'pressure';
/** Samples come each second, and the last ones are cut: less than this share of what was due is too little. */
const MIN_ARRIVED_SHARE = 0.8;
const MAX_KEPT_BODIES = 200;

/** Begins to press at once. */
export class Background {
  readonly #bench: PressingBench;
  readonly #sums: StepSums;
  readonly #sent: Promise<Sent>;
  readonly #senders: number;
  #hasEnded = false;
  #firstMs: number | null = null;
  readonly #begun = Promise.withResolvers<'under way' | 'ended' | 'late'>();

  constructor(bench: PressingBench) {
    this.#bench = bench;
    this.#sums = new StepSums(STEP, (sample) => bench.onKept(sample));
    const { ratePerSecond, seconds, objectives } = bench;
    const parts = [{ step: STEP, untilMs: seconds * 1000 }];
    const leg = legOf({ ratePerSecond, seconds, bodies: MAX_KEPT_BODIES, parts }, objectives);
    this.#senders = leg.vus;
    this.#sent = sendArrivals(bench, {
      step: STEP,
      legs: [leg],
      onSample: (sample) => this.#take(sample),
      endures: () => true,
    }).finally(() => {
      this.#hasEnded = true;
      this.#begun.resolve('ended');
    });
    // Whoever asks for its end is told.
    this.#sent.catch(() => {});
  }

  /** True once nothing presses any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves once arrivals are answered, and refused where that is wanted. Throws StepLost where k6 ended before. */
  async underWay(): Promise<boolean> {
    const timer = this.#bench.clock.after(UNDER_WAY_MS, () => this.#begun.resolve('late'));
    const why = await this.#begun.promise;
    timer.cancel();
    if (why !== 'ended') return why === 'under way';
    const { done } = await this.#sent;
    if (done.incomplete !== null) throw lost(done, done.incomplete);
    return false;
  }

  /** Ends it, and tells what it came to. */
  async end(): Promise<PressingFigures> {
    const seconds = (this.#bench.clock.now() - (this.#firstMs ?? this.#bench.clock.now())) / 1000;
    this.#bench.enough.abort();
    const { done, generatorCpu, othersCpu } = await this.#sent;
    const conditions = { generatorCpu, othersCpu, senders: this.#senders };
    const { objectives, ratePerSecond } = this.#bench;
    return { ...pressed(this.#sums, { ratePerSecond, seconds, ...conditions }, objectives), requests: done.started };
  }

  #take(sample: Sample): void {
    this.#sums.add(sample);
    if (sample.kind !== 'histogram') return;
    this.#firstMs ??= this.#bench.clock.now();
    if (!this.#bench.untilRefused || sample.status === 429) this.#begun.resolve('under way');
  }
}

/** Arrivals held against the rate that they were to press at: those that did not come for the generator's sake did not press. */
export function pressed(
  sums: StepSums,
  wished: Conditions & { readonly ratePerSecond: number; readonly seconds: number },
  objectives: ArrivalsBench['objectives'],
): Omit<PressingFigures, 'requests'> {
  const { seconds } = wished;
  const rps = seconds > 0 ? sums.received / seconds : 0;
  const due = resultOf(sums, wished);
  const arrived = resultOf(sums, { ...wished, ratePerSecond: rps, droppedBefore: due.dropped });
  const unsound = whyUnsound(rps < MIN_ARRIVED_SHARE * wished.ratePerSecond ? due : arrived, objectives);
  const generator = unsound?.spoilsMissesOnly === false ? unsound.why : null;
  return { seconds, rps, figures: figuresOf(arrived, seconds, decide(arrived, objectives)), generator };
}

// Laws that held under pressure count only where something pressed: the rest is not passed.

/** Families whose guarantees are probed under pressure. */
const PROBED = ['IDEM', 'PAG'];

/** The report with what the pressure came to: a violation decides by itself, and is left. */
export function judgedPressure(report: Report, pressure: PressurePart): Report {
  if (report.verdict === 'fail') return report;
  const open = whyOpen(report, pressure);
  if (open === null) return report;
  // A run that ended early has said why.
  return { ...report, verdict: 'none', run: { ...report.run, note: report.run.note ?? `pressure: ${open}` } };
}

function whyOpen(
  { clauses }: Report,
  { mode, generator = null, probes, keyedRefused, probesRefused }: PressurePart,
): string | null {
  const checks = clauses.reduce(
    (sum, { id, checks }) => sum + (PROBED.includes(id.split('-')[0] ?? '') ? checks : 0),
    0,
  );
  if (probes === 0 || checks === 0) return 'no guarantee of idempotency or pagination was probed';
  if (generator !== null) return `it was not as told, for ${generator}`;
  if (mode === 'saturated') return null;
  if (probesRefused === 0) return 'no probe was answered 429: the key was not limited';
  const isKeyed = clauses.some(({ id, checks }) => id.startsWith('IDEM') && id !== 'IDEM-06' && checks > 0);
  return isKeyed && keyedRefused === 0 ? 'no request with an idempotency key was answered 429' : null;
}
