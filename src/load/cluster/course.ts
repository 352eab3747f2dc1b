// How far a TestRun is, from what the cluster says of it and of its pods: still on its way, over, or lost, and why. What a
// pod's end means for the measure is said by its samples; here is only decided whether there is anything to wait for. Pure.

/** As `kubectl get -o json` tells them; only what is looked at. */
export interface TestRunObject {
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

export type Course =
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
const ABORTED = 108;

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
    const why = `k6-operator says ${stage}, and ${ended.length} of ${instances} instances have ended`;
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
  if (isRunner(pod) && terminated.exitCode === ABORTED) return null;
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
  return `stage ${stage}, ${running} of ${instances} instances run, ${runners.filter(hasEnded).length} have ended`;
}

function told(reason: string | undefined, message: string | undefined): string {
  return [reason, message].filter((text) => text !== undefined && text !== '').join(': ') || 'no reason told';
}
