// How much the platform bears: rates searched by steps of k6, each judged against the objectives, and what the search says of
// the run's verdict.

import type { CapacityPart, CapacityStep } from '../../contract/load-part.ts';
import { number, plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { type ArrivalsBench, isShortOfSenders, legOf, lost, sendArrivals } from '../arrivals/arrivals.ts';
import { figuresOf, resultOf } from '../arrivals/figures.ts';
import { StepLost } from '../caller/caller.ts';
import { rampOf } from '../k6/arrivals-plan.ts';
import type { BodySample } from '../samples/line.ts';
import { type Decision, decide, type Objectives, type StepResult } from './objectives.ts';
import { type Bracket, type SearchOptions, type StepWish, searchCapacity } from './search.ts';
import { percentileMs, pooled, StepSums } from './sums.ts';

/** Result of a step, its ramp left out. */
export interface StepOutcome {
  readonly sums: StepSums;
  readonly result: StepResult;
  /** True where it was ended for the target's errors. */
  readonly isBroken: boolean;
  /** Requests begun, those of the ramp among them. */
  readonly sent: number;
}

/** Sends the steps of a search: k6 on this machine, or several instances elsewhere. */
export interface StepEngine {
  /** Left out of the measure at the begin of each step. */
  readonly rampSeconds: number;
  /** Instances that share each step. */
  readonly instances: number;
  /** Sends one step of this name. Throws StepLost where nothing follows from what came back. */
  send(wish: StepWish, name: string): Promise<StepOutcome>;
}

export interface CapacityBench {
  readonly engine: StepEngine;
  readonly objectives: Objectives;
  readonly search: SearchOptions;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly enter: (phase: string, seconds?: number) => void;
  /** Told what each step does. */
  readonly label: (step: string, words: string, ratePerSecond: number) => void;
}

/** Between two steps, for what waits in the platform to end. */
const REST_MS = 500;
/** A step that found its generator or the machine busy is looked at again: another process may have taken it for a while. */
const MAX_VOID_LOOKS = 3;

interface Looked extends CapacityStep {
  readonly sums: StepSums;
  /** Requests sent, those of the ramp and of looks that were void among them. */
  readonly sent: number;
}

export interface Searched {
  /** The result so far; null where no step was measured. */
  readonly part: CapacityPart | null;
  /** Why the search did not come to its end; null where it did. */
  readonly ended: StepLost | null;
}

/** Searches until the bracket is settled, or a step is not measured whole. Rejects only where k6 cannot be started. */
export async function measureCapacity(bench: CapacityBench): Promise<Searched> {
  const course = searchCapacity(bench.search);
  const steps: Looked[] = [];
  let ended: StepLost | null = null;
  let turn = course.next();
  while (!turn.done) {
    const looked = await decided(bench, turn.value, steps.length + 1).catch(onlyLost);
    if (looked instanceof StepLost) {
      ended = looked;
      turn = course.next({ kind: 'ended', why: looked.message });
    } else {
      steps.push(looked.step);
      turn = course.next(looked.decision);
      await bench.sleep(REST_MS);
    }
  }
  return { part: steps.length === 0 ? null : partOf(turn.value, steps, bench), ended };
}

function onlyLost(error: unknown): StepLost {
  if (error instanceof StepLost) return error;
  throw error;
}

async function decided(
  bench: CapacityBench,
  wish: StepWish,
  number: number,
): Promise<{ decision: Decision; step: Looked }> {
  let before = 0;
  for (let look = 1; ; look += 1) {
    const { decision, step } = await measured(bench, wish, `capacity.${number}${look > 1 ? `-${look}` : ''}`);
    const isBusy = decision.kind === 'void' && decision.by === 'generator';
    const sent = step.sent + before;
    if (!isBusy || look === MAX_VOID_LOOKS) return { decision, step: { ...step, sent } };
    before = sent;
    await bench.sleep(2 * look * REST_MS);
  }
}

async function measured(
  { engine, objectives, enter, label }: CapacityBench,
  wish: StepWish,
  name: string,
): Promise<{ decision: Decision; step: Looked }> {
  const { ratePerSecond, seconds } = wish;
  const [rate, by] = [
    Math.round(ratePerSecond),
    engine.instances === 1 ? '' : ` by ${plural(engine.instances, 'instance')}`,
  ];
  enter(`capacity at ${number(rate)}/s${by}`, engine.rampSeconds + seconds);
  label(name, `${rate} requests/s${by}`, ratePerSecond);
  const { sums, result, isBroken, sent } = await engine.send(wish, name);
  const decision = decide({ ...result, isBroken }, objectives);
  return { decision, step: { step: name, ...figuresOf(result, seconds, decision), sums, sent } };
}

function partOf(
  { met, missed, open }: Bracket,
  steps: readonly Looked[],
  { engine, objectives, search }: CapacityBench,
): CapacityPart {
  const own = steps.filter(({ rps, decision }) => rps === met && decision === 'met');
  const { durations, received, errors } = pooled(own.map(({ sums }) => sums));
  const by = engine.instances === 1 ? '' : `, by ${plural(engine.instances, 'instance')}`;
  return {
    ...settlement({ met, missed, open }),
    p50Ms: percentileMs(durations, 50),
    p99Ms: percentileMs(durations, 99),
    errorRate: received === 0 ? 0 : errors / received,
    met,
    missed,
    open,
    confidence:
      open === null
        ? `both ends measured at least ${search.repeats} times, in both orders${by}`
        : `not settled: ${open}`,
    objectives: { p99Ms: objectives.p99Ms, errorRate: objectives.errorRate },
    steps: steps.map(({ sums: _sums, sent: _sent, ...step }) => step),
    requests: steps.reduce((sum, { sent }) => sum + sent, 0),
  };
}

/** The capacity that a bracket tells: the knee where it is settled, else the bounds that are known and why there are no more. */
export function settlement({
  met,
  missed,
  open,
}: Pick<Bracket, 'met' | 'missed' | 'open'>): Pick<
  CapacityPart,
  'settled' | 'kneeRps' | 'atLeastRps' | 'belowRps' | 'reason'
> {
  if (open === null && met !== null) return { settled: true, kneeRps: met };
  return { settled: false, atLeastRps: met, belowRps: missed, reason: open ?? 'no rate met the objectives' };
}

/**
 * A search whose bracket lies below the objective (`minRps`) fails the run where its upper end surely missed, and one that met the
 * objective decides it even if it was cut. Any other search that was cut settled nothing, and the run has no verdict.
 */
export function judgedCapacity(report: Report, capacity: CapacityPart, minRps: number | null): Report {
  if (report.verdict === 'fail') return report;
  const { met, missed, open, steps } = capacity;
  const ofMissed = steps.filter(({ rps }) => rps === missed);
  if (
    minRps !== null &&
    missed !== null &&
    missed <= minRps &&
    ofMissed.some(({ decision }) => decision === 'missed')
  ) {
    const note = `${minRps} requests/s are demanded, and ${Math.round(missed)} missed the objectives`;
    return { ...report, verdict: 'fail', run: { ...report.run, note } };
  }
  const isDecided = met !== null && (minRps === null ? open === null : met >= minRps);
  if (isDecided && open === null) return report;
  const unsure = ofMissed.find(({ decision }) => decision === 'undecided');
  const otherwise = unsure === undefined ? 'no rate met the objectives' : `${missed} requests/s: ${unsure.why}`;
  // A pass of a search that is not finished rests on the demand alone.
  const enough = isDecided ? `${minRps} requests/s are demanded, and met; ` : '';
  const note = `${enough}${report.run.note ?? open ?? otherwise}`;
  return { ...report, ...(isDecided ? {} : { verdict: 'none' }), run: { ...report.run, note } };
}

// Steps that are each sent by one k6 on this machine.

export interface MachineBench extends ArrivalsBench {
  /** Judges an answer that was kept whole, of the step of this rate. */
  readonly onKept: (sample: BodySample, ratePerSecond: number) => void;
}

/** Connections are made, caches warm. */
const RAMP_SECONDS = 1;
const BODIES_PER_STEP = 20;

/** Sends steps from this machine. Rejects besides StepLost only where k6 cannot be started. */
export function oneMachine(bench: MachineBench): StepEngine {
  return { rampSeconds: RAMP_SECONDS, instances: 1, send: (wish, name) => sent(bench, wish, name) };
}

async function sent(bench: MachineBench, { ratePerSecond, seconds }: StepWish, name: string): Promise<StepOutcome> {
  const { objectives } = bench;
  const whole = RAMP_SECONDS + seconds;
  const parts = [
    { step: rampOf(name), untilMs: RAMP_SECONDS * 1000 },
    { step: name, untilMs: whole * 1000 },
  ];
  const sums = new StepSums(name, (sample) => bench.onKept(sample, ratePerSecond));
  const leg = legOf({ ratePerSecond, seconds: whole, bodies: BODIES_PER_STEP, parts }, objectives);
  const { done, generatorCpu, othersCpu } = await sendArrivals(bench, {
    step: name,
    legs: [leg],
    onSample: (sample) => sums.add(sample),
  });
  if (done.incomplete !== null && !done.broken) throw lost(done, done.incomplete);
  const shortOfSenders = isShortOfSenders(ratePerSecond, objectives);
  const conditions = { generatorCpu, othersCpu, senders: leg.vus };
  const result = { ...resultOf(sums, { ratePerSecond, seconds, ...conditions }), shortOfSenders };
  return { sums, result, isBroken: done.broken, sent: done.started };
}
