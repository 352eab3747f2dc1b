// Brings together the measurements of a run's instances: their counts added up bucket by bucket, so that every
// percentile is that of all requests, and judged as those of one instance are.

import type { CapacityPart, CapacityStep, SoakPart } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { figuresOf, resultOf } from '../arrivals/figures.ts';
import { type StepOutcome, settlement } from '../capacity/capacity.ts';
import { type Decision, decide, type Objectives } from '../capacity/objectives.ts';
import { StepSums } from '../capacity/sums.ts';
import type { BodySample, Sample } from '../samples/line.ts';
import { slicesOf, sorter } from '../soak/slices.ts';
import { partOf as soakPart } from '../soak/soak.ts';
import { type Bundle, plannedBy, type SpreadFacts } from './bundle.ts';
import { type InstanceFile, readSamples } from './whole.ts';

export interface Readers {
  readonly onSample: (sample: Sample) => void;
  /** Handed every answer kept whole. */
  readonly onKept: (sample: BodySample) => void;
}

/** Sums of the files of all instances: counts added up bucket by bucket. */
export async function summed(
  { facts, plan }: Bundle,
  files: readonly InstanceFile[],
  readers: Readers,
): Promise<StepOutcome> {
  const sums = new StepSums();
  let lateP99Ms = 0;
  let wakeP99Ms: number | null = null;
  for (const { path } of files) {
    const own = new StepSums(plan.step);
    await readAll(path, readers, (sample) => own.add(sample));
    sums.merge(own);
    // The latest instance counts: the others do not even it out.
    lateP99Ms = Math.max(lateP99Ms, own.lateP99Ms);
    if (own.wakeP99Ms !== null) wakeP99Ms = Math.max(wakeP99Ms ?? 0, own.wakeP99Ms);
  }
  const senders = plan.legs[0]?.vus ?? null;
  const { ratePerSecond, seconds } = facts;
  const result = { ...resultOf(sums, { ratePerSecond, seconds, generatorCpu: null, senders }), lateP99Ms, wakeP99Ms };
  return { sums, result, isBroken: files.some(({ broken }) => broken), sent: begunBy(files) };
}

/** The files of all instances as one step of a search for capacity. */
export async function collectedStep(
  bundle: Bundle,
  files: readonly InstanceFile[],
  objectives: Objectives,
  readers: Readers,
): Promise<CapacityPart> {
  const { seconds, instances } = bundle.facts;
  const { plan } = bundle;
  const { result, isBroken, sent: requests } = await summed(bundle, files, readers);
  const decision = decide({ ...result, isBroken }, objectives);
  const step: CapacityStep = { ...figuresOf(result, seconds, decision), step: plan.step };
  const broken = files.filter((file) => file.broken).map(({ instance }) => instance);
  const end = broken.length === 0 ? '' : `; ${broken.join(', ')} ended early, most answers being 5xx or missing`;
  const confidence = `${plural(plannedBy(plan), 'request')} planned, ${requests} sent by ${plural(instances, 'instance')}${end}`;
  return partOf(step, decision, objectives, { confidence, requests });
}

/** The files of all instances as one soak. */
export async function collectedSoak(
  { facts }: Bundle,
  files: readonly InstanceFile[],
  objectives: Objectives,
  readers: Readers,
): Promise<SoakPart> {
  const slices = spreadSlices(facts);
  const sort = sorter(slices);
  for (const { path } of files) await readAll(path, readers, sort);
  const wish = { ratePerSecond: facts.ratePerSecond, heldBy: null };
  const broken = files.some((file) => file.broken);
  const whole = { conditions: { generatorCpu: null }, broken, requests: begunBy(files) };
  return soakPart({ wish, objectives }, slices, whole);
}

/** The slices of a soak by several instances. */
export function spreadSlices({ ratePerSecond, rampSeconds, seconds }: SpreadFacts): ReturnType<typeof slicesOf> {
  return slicesOf({ ratePerSecond, seconds: rampSeconds + seconds }, rampSeconds);
}

async function readAll(path: string, { onSample, onKept }: Readers, count: (sample: Sample) => void): Promise<void> {
  await readSamples(path, (sample) => {
    count(sample);
    onSample(sample);
    if (sample.kind === 'body') onKept(sample);
  });
}

function begunBy(files: readonly InstanceFile[]): number {
  return files.reduce((sum, { begun }) => sum + begun, 0);
}

function partOf(
  step: CapacityStep,
  decision: Decision,
  { p99Ms, errorRate }: Objectives,
  told: Pick<CapacityPart, 'confidence' | 'requests'>,
): CapacityPart {
  const bracket = {
    met: decision.kind === 'met' ? step.rps : null,
    missed: decision.kind === 'missed' ? step.rps : null,
    open: 'why' in decision ? decision.why : 'one rate was measured, none above or below it',
  };
  return {
    ...settlement(bracket),
    p50Ms: step.p50Ms,
    p99Ms: step.p99Ms,
    errorRate: step.errorRate,
    ...bracket,
    objectives: { p99Ms, errorRate },
    steps: [step],
    ...told,
  };
}

/** The report with the step's verdict: objectives that are `stated` and missed fail it, those that nobody stated inform. */
export function judgedStep(
  report: Report,
  { met, missed, steps }: CapacityPart,
  { stated }: { readonly stated: boolean },
): Report {
  const [step] = steps;
  if (report.verdict === 'fail' || met !== null || step === undefined) return report;
  const note = `capacity: ${step.rps} requests/s: ${missed === null ? step.why : `objectives ${step.why}`}`;
  const verdict = missed === null ? 'none' : stated ? 'fail' : report.verdict;
  return { ...report, verdict, run: { ...report.run, note } };
}
