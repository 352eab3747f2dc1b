// One TestRun from its objects to the samples of its instances: made, waited for within a bound, its logs brought here, and
// deleted whatever became of it.

import { join } from 'node:path';
import type { Clock } from '../../clock/clock.ts';
import { plural } from '../../contract/numbers.ts';
import { makeFolder, writeWhole } from '../../disk/whole-file.ts';
import { StepLost } from '../caller/caller.ts';
import { RESULTS_FOLDER, secondsOf } from '../distributed/bundle.ts';
import { sampleIn } from '../samples/reading.ts';
import { complaintOf, type Kubectl, type KubectlEnded } from './kubectl.ts';
import { KINDS, objectsOf, type StepObjects, selectorOf } from './objects.ts';

export interface TestRunGround {
  readonly kubectl: Kubectl;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** A text without any secret. */
  readonly conceal: (text: string) => string;
  /** Told where objects are left behind. */
  readonly tell: (line: string) => void;
}

/** Pods are placed, their image is pulled, and k6-operator starts them one after another. s */
const STARTING_SECONDS = 300;
const LOOK_MS = 1000;
/** Questions in a row that the cluster may leave unanswered. */
const MAX_SILENCES = 5;
const LAST_LINES = 20;

const INTERRUPTED = new StepLost('interrupted', 'the run was interrupted');
type Over = Exclude<Course, { kind: 'going' }> | { readonly kind: 'interrupted' };
/** A run that was told to end has little time: what the logs tell by then is counted. */
const FAREWELL_MS = 1500;

/**
 * Runs the step, and writes a file of samples for each instance below `folder`. Resolves with why nothing follows from it,
 * null where its samples are to be judged. Throws StepLost where it could not be made.
 */
export async function runTestRun(
  name: string,
  objects: StepObjects,
  folder: string,
  ground: TestRunGround,
): Promise<StepLost | null> {
  const { kubectl, clock, stop, conceal } = ground;
  if (stop.aborted) return INTERRUPTED;
  try {
    const made = await kubectl(['create', '--validate=strict', '-f', '-'], objectsOf(name, objects));
    if (made.code !== 0) throw new StepLost('incomplete', `the TestRun was not made: ${conceal(complaintOf(made))}`);
    const course = await awaited(name, objects, ground);
    const collected = collectAll(name, course, folder, ground);
    if (course.kind === 'interrupted') {
      await Promise.race([collected, clock.sleep(FAREWELL_MS)]);
      return INTERRUPTED;
    }
    await collected;
    return course.kind === 'ended' ? null : new StepLost('incomplete', `${course.why}${await lastWords(name, ground)}`);
  } finally {
    await deleteObjects(objects.run, ground);
  }
}

/** Waits until all instances have ended, or nothing more can come of them. */
async function awaited(
  name: string,
  { bundle: { facts, plan } }: StepObjects,
  { kubectl, clock, stop }: TestRunGround,
): Promise<Over> {
  const limitSeconds = STARTING_SECONDS + secondsOf(plan) + plan.answerLimitSeconds;
  const endsAtMs = clock.monotonic() + limitSeconds * 1000;
  let [until, silences] = ['its first answer', 0];
  while (clock.monotonic() < endsAtMs) {
    const run = await kubectl(['get', `testruns.k6.io/${name}`, '-o', 'json']);
    const pods = await kubectl(['get', 'pods', '-l', `k6_cr=${name}`, '-o', 'json']);
    const failed = [run, pods].find(({ code }) => code !== 0);
    silences = failed === undefined ? 0 : silences + 1;
    if (failed !== undefined && silences >= MAX_SILENCES)
      return { kind: 'lost', why: `the cluster does not tell how the TestRun is: ${complaintOf(failed)}` };
    if (failed === undefined) {
      const course = courseOf(parsed<TestRunObject>(run), parsed<{ items: PodObject[] }>(pods).items, facts.instances);
      if (course.kind !== 'going') return course;
      until = course.until;
    }
    await clock.sleep(LOOK_MS, stop);
    if (stop.aborted) return { kind: 'interrupted' };
  }
  return { kind: 'lost', why: `the TestRun did not end within ${limitSeconds} s: ${until}` };
}

async function runnersOf(name: string, { kubectl }: TestRunGround): Promise<readonly string[]> {
  const found = await kubectl(['get', 'pods', '-l', `k6_cr=${name},runner=true`, '-o', 'json']);
  return found.code === 0 ? parsed<{ items: PodObject[] }>(found).items.map(({ metadata }) => metadata.name) : [];
}

/** The samples of all instances that there are, all at once where there is little time. */
async function collectAll(name: string, course: Over, folder: string, ground: TestRunGround): Promise<void> {
  await makeFolder(join(folder, RESULTS_FOLDER));
  const pods = course.kind === 'ended' ? course.pods : await runnersOf(name, ground);
  if (course.kind === 'interrupted') await Promise.all(pods.map((pod) => collect(pod, folder, ground)));
  else for (const pod of pods) await collect(pod, folder, ground);
}

/** The samples of one instance as its file; an instance whose log cannot be read has no file, and is missing. */
async function collect(pod: string, folder: string, { kubectl, conceal }: TestRunGround): Promise<void> {
  const log = await kubectl(['logs', pod]);
  if (log.code === 0) await writeWhole(join(folder, RESULTS_FOLDER, `${pod}.tsv`), conceal(log.stdout));
}

/** The last words of the pods that failed; empty where they said nothing. */
async function lastWords(name: string, { kubectl, conceal }: TestRunGround): Promise<string> {
  const found = await kubectl([
    'get',
    'pods',
    '-l',
    `k6_cr=${name}`,
    '--field-selector=status.phase=Failed',
    '-o',
    'json',
  ]);
  const [pod] = found.code === 0 ? parsed<{ items: PodObject[] }>(found).items : [];
  if (pod === undefined) return '';
  const log = await kubectl(['logs', pod.metadata.name, `--tail=${LAST_LINES}`]);
  // Samples say nothing of a failure.
  const words = log.stdout.split('\n').findLast((line) => line.trim() !== '' && sampleIn(line) === null);
  return log.code === 0 && words !== undefined ? `: ${conceal(words)}` : '';
}

/** Deletes what the run made, and nothing else; what is left is told with the command that deletes it. */
async function deleteObjects(run: string, { kubectl, tell, conceal }: TestRunGround): Promise<void> {
  const args = ['delete', KINDS, '-l', selectorOf(run), '--wait=false', '--ignore-not-found'];
  const ended = await kubectl(args).catch((error: Error) => ({ code: null, stdout: '', stderr: error.message }));
  if (ended.code === 0) return;
  tell(`left in the cluster (${conceal(complaintOf(ended))}); kubectl ${args.slice(0, 4).join(' ')} deletes it`);
}

function parsed<T>({ stdout }: KubectlEnded): T {
  return JSON.parse(stdout) as T;
}

// How far a TestRun is, from what the cluster says of it and of its pods: still on its way, over, or lost, and why. What a
// pod's end means for the measure is said by its samples; here is only decided whether there is anything to wait for. Pure.

/** As `kubectl get -o json` tells them; only what is looked at. */
interface TestRunObject {
  readonly status?: { readonly stage?: string };
}

export interface PodObject {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly waiting?: { readonly reason?: string; readonly message?: string };
        readonly terminated?: { readonly exitCode: number; readonly reason?: string };
      };
    }[];
  };
}

type Course =
  /** `until`: what is waited for. */
  | { readonly kind: 'going'; readonly until: string }
  /** All instances have ended: names of their pods. */
  | { readonly kind: 'ended'; readonly pods: readonly string[] }
  | { readonly kind: 'lost'; readonly why: string };

/** Reasons to wait that waiting does not mend within the time of a step. */
const HOPELESS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
];
/** k6 ends so where its script aborts the test: the target's errors ended the instance, which its samples tell. */
const ABORTED_EXIT_CODE = 108;

/** The course of a TestRun of so many instances. */
export function courseOf(testRun: TestRunObject, pods: readonly PodObject[], instances: number): Course {
  for (const pod of pods) {
    const why = failureOf(pod);
    if (why !== null) return { kind: 'lost', why };
  }
  const runners = pods.filter(isRunner);
  const ended = runners.filter(hasEnded);
  if (ended.length >= instances) return { kind: 'ended', pods: ended.map(({ metadata }) => metadata.name) };
  const stage = testRun.status?.stage ?? '';
  if (stage === 'error') return { kind: 'lost', why: 'k6-operator gave the TestRun up (stage error)' };
  if (stage === 'finished' || stage === 'stopped') {
    const why = `k6-operator says ${stage}, and ${ended.length} of ${plural(instances, 'instance')} ended`;
    return { kind: 'lost', why };
  }
  return { kind: 'going', until: waitedFor(stage, pods, runners, instances) };
}

/** Runners bear the label by which k6-operator finds them. */
function isRunner({ metadata }: PodObject): boolean {
  return metadata.labels?.runner === 'true';
}

function hasEnded({ status }: PodObject): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Why the pod will come to nothing; null while it may. */
function failureOf(pod: PodObject): string | null {
  const { metadata, status } = pod;
  const states = (status?.containerStatuses ?? []).map(({ state }) => state);
  const waiting = states.find((state) => HOPELESS.includes(state?.waiting?.reason ?? ''))?.waiting;
  if (waiting !== undefined) return `pod ${metadata.name}: ${told(waiting.reason, waiting.message)}`;
  if (status?.phase !== 'Failed') return null;
  const terminated = states.find((state) => (state?.terminated?.exitCode ?? 0) !== 0)?.terminated;
  if (terminated === undefined) return `pod ${metadata.name} failed: ${told(status.reason, status.message)}`;
  if (isRunner(pod) && terminated.exitCode === ABORTED_EXIT_CODE) return null;
  const reason = terminated.reason === undefined || terminated.reason === 'Error' ? '' : ` (${terminated.reason})`;
  return `pod ${metadata.name} ended with ${terminated.exitCode}${reason}`;
}

function waitedFor(
  stage: string,
  pods: readonly PodObject[],
  runners: readonly PodObject[],
  instances: number,
): string {
  const place = pods.flatMap(({ metadata, status }) =>
    (status?.conditions ?? [])
      .filter(({ type, status: holds }) => type === 'PodScheduled' && holds === 'False')
      .map(({ message }) => `pod ${metadata.name} has no node (${message ?? 'no reason told'})`),
  )[0];
  if (place !== undefined) return place;
  const running = runners.filter(({ status }) => status?.phase === 'Running').length;
  if (stage === '')
    return 'k6-operator has not taken up the TestRun: is it installed, and does it watch the namespace?';
  return `stage ${stage}, ${running} of ${plural(instances, 'instance')} running, ${runners.filter(hasEnded).length} ended`;
}

function told(reason: string | undefined, message: string | undefined): string {
  return [reason, message].filter((text) => text !== undefined && text !== '').join(': ') || 'no reason told';
}
