// Decides whether the files of a run's instances are all of it, and nothing else: every instance once, each file from
// its begin to its end, each request that was begun with its sample. Before that nothing is concluded.

import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { plural } from '../../contract/numbers.ts';
import { followSamples } from '../samples/follow.ts';
import type { Sample, StepMark } from '../samples/line.ts';
import { Tally } from '../samples/tally.ts';
import { type Bundle, plannedBy, RESULTS_FOLDER, secondsOf } from './bundle.ts';
import { instanceOf } from './segment.ts';

/** Says in one sentence what is missing of the run or does not belong to it. Caught by commands, which add a hint. */
export class NotWhole extends Error {}

/** The file of one instance. */
export interface InstanceFile {
  readonly path: string;
  /** From 1 on. */
  readonly instance: number;
  /** Epoch ms of the instance's clock. */
  readonly beganMs: number;
  /** Requests begun. */
  readonly begun: number;
  /** True where it ended itself for the target's errors. */
  readonly broken: boolean;
}

const ENDING = '.tsv';
/** Clocks may be put right while an instance runs. */
const CLOCK_SECONDS = 1;

/** The files of all instances in their order. Throws NotWhole. */
export async function wholeRun(bundle: Bundle, folder: string): Promise<readonly InstanceFile[]> {
  const files: InstanceFile[] = [];
  for (const path of await instanceFiles(folder)) files.push(await scanned(path, bundle));
  files.sort((left, right) => left.instance - right.instance);
  mustBeEach(files, bundle.facts.instances);
  for (const file of files) mustHaveBegunTogether(file, files, bundle);
  const [begun, planned] = [files.reduce((sum, file) => sum + file.begun, 0), plannedBy(bundle.plan)];
  // k6 may begin one more at the very end, in each instance.
  if (begun > planned + files.length)
    throw new NotWhole(`${plural(begun, 'request was', 'requests were')} begun, more than the ${planned} planned`);
  return files;
}

/** Paths of the files of samples below the folder, whatever they are worth. */
export async function instanceFiles(folder: string): Promise<readonly string[]> {
  const results = join(folder, RESULTS_FOLDER);
  const names = await readdir(results, { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => join(results, name));
}

/** Hands over every sample of the file. */
export async function readSamples(path: string, onSample: (sample: Sample) => void): Promise<void> {
  await followSamples(path, 0, () => true, onSample);
}

async function scanned(path: string, bundle: Bundle): Promise<InstanceFile> {
  const marks: StepMark[] = [];
  const tally = new Tally();
  let numbered = 0;
  await readSamples(path, (sample) => {
    tally.add(sample);
    if (sample.kind === 'mark') marks.push(sample);
    if (sample.kind === 'started') numbered = Math.max(numbered, sample.begun ?? 0);
  });
  const name = basename(path);
  const { instance, beganMs } = beginOf(name, marks, bundle);
  const broken = marks.some(({ event }) => event === 'broken');
  const who = `instance ${instance} (${name})`;
  const end = marks.find(({ event }) => event === 'end');
  if (end === undefined)
    throw new NotWhole(`the samples of ${who} have no end: its file is cut, or k6 did not come to its end`);
  // Told to end, k6 comes to a good end before its time.
  const [lasted, whole] = [(end.atMs - beganMs) / 1000, secondsOf(bundle.plan)];
  if (!broken && lasted < whole - CLOCK_SECONDS)
    throw new NotWhole(`${who} was ended after ${Math.floor(lasted)} of ${whole} s`);
  const { started, received, unanswered } = tally.sums();
  // An instance that broke off takes with it what its VUs held.
  if (!broken && (started !== numbered || received !== started))
    throw new NotWhole(
      `${who} began ${plural(Math.max(started, numbered), 'request')}, and samples came of ${received}`,
    );
  if (started === 0) throw new NotWhole(`${who} began no request: its script failed, or all were dropped`);
  // A target that breaks down answers at first, or answers others: this is one that cannot be reached.
  if (received > 0 && unanswered === received)
    throw new NotWhole(
      `not one of the ${plural(received, 'request')} of ${who} was answered: is the target reached from there?`,
    );
  return { path, instance, beganMs, begun: started, broken };
}

/** Which instance of this run the file tells of. */
function beginOf(
  name: string,
  marks: readonly StepMark[],
  { facts: { instances }, plan }: Bundle,
): { readonly instance: number; readonly beganMs: number } {
  const begins = marks.filter(({ event }) => event === 'begin');
  const [begin, another] = begins;
  if (begin === undefined) throw new NotWhole(`${name} does not begin as the samples of an instance do`);
  if (another !== undefined)
    throw new NotWhole(`${name} holds the samples of ${plural(begins.length, 'instance')}, one after another`);
  if (begin.run !== plan.run)
    throw new NotWhole(
      `${name} is of another run: ${begin.run || 'one without a name'}, and the bundle is of ${plan.run}`,
    );
  const instance = instanceOf(begin.segment, instances);
  if (instance === null)
    throw new NotWhole(
      `${name} has the part ${begin.segment} of the plan, which does not belong to a plan of ${plural(instances, 'instance')}`,
    );
  return { instance, beganMs: begin.atMs };
}

function mustBeEach(files: readonly InstanceFile[], instances: number): void {
  for (const [at, { instance, path }] of files.entries()) {
    const next = files[at + 1];
    if (next?.instance === instance)
      throw new NotWhole(`instance ${instance} is there twice: ${basename(path)} and ${basename(next.path)}`);
  }
  const all = Array.from({ length: instances }, (_, at) => at + 1);
  const missing = all.filter((one) => files.every(({ instance }) => instance !== one));
  if (missing.length === 0) return;
  const [verb, noun] = missing.length === 1 ? ['is', 'instance'] : ['are', 'instances'];
  throw new NotWhole(`${noun} ${missing.join(', ')} of ${instances} ${verb} missing`);
}

/** Instances that did not run at the same time never made the planned rate. */
function mustHaveBegunTogether(
  { instance, beganMs }: InstanceFile,
  files: readonly InstanceFile[],
  { facts: { rampSeconds, ratePerSecond, togetherSeconds = rampSeconds } }: Bundle,
): void {
  const first = files.reduce((least, file) => (file.beganMs < least.beganMs ? file : least));
  const lateSeconds = (beganMs - first.beganMs) / 1000;
  if (lateSeconds <= togetherSeconds) return;
  const late = lateSeconds < 10 ? lateSeconds.toFixed(1) : Math.round(lateSeconds);
  const when = `instance ${instance} began ${late} s after instance ${first.instance}`;
  throw new NotWhole(
    `${when}: more than ${togetherSeconds} s, so that ${ratePerSecond} requests/s were not made together`,
  );
}
