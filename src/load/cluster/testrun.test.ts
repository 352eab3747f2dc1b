// One TestRun against a cluster that is a function: what it is asked, what it answers, and what is left of it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUNDLE, samplesOf, textOf } from '../../../test/support/load/distributed/bundle.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import type { Kubectl } from './kubectl.ts';
import { courseOf, type PodObject, runTestRun } from './testrun.ts';

const SECRET = 'secret-of-std-1';
const STEP = {
  ...{ run: 'run-1', bundle: BUNDLE, outputs: [], archive: Buffer.from('tar'), authorities: null },
  secrets: { ASSAY_KEY_0: SECRET },
};
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr });
const answered = (value: unknown) => ({ code: 0, stdout: JSON.stringify(value), stderr: '' });

function runner(instance: number, phase: string, exitCode = 0): PodObject {
  const terminated = { state: { terminated: { exitCode } } };
  return {
    metadata: { name: `pod-${instance}`, labels: { runner: 'true' } },
    status: { phase, containerStatuses: phase === 'Running' ? [] : [terminated] },
  };
}

const ALL = [1, 2, 3].map((instance) => runner(instance, 'Succeeded'));
let folder: string;
let calls: (readonly string[])[];
let told: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-testrun-'));
  [calls, told] = [[], []];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Says {
  /** The run's pods, asked for the n-th time from 0 on. */
  readonly pods?: (times: number) => readonly PodObject[];
  /** Answers of kubectl by its first word, before all else. */
  readonly instead?: Readonly<Record<string, ReturnType<typeof failed>>>;
  readonly log?: (pod: string) => string;
  readonly stop?: AbortController;
}

function run({ pods = () => ALL, instead = {}, log, stop = new AbortController() }: Says = {}) {
  let times = 0;
  const kubectl: Kubectl = async (args) => {
    calls.push(args);
    const [verb = '', what = ''] = args;
    const other = instead[verb];
    if (other !== undefined) return other;
    if (verb === 'logs') {
      const instance = Number(what.slice('pod-'.length));
      return { code: 0, stdout: log?.(what) ?? textOf(samplesOf(instance)), stderr: '' };
    }
    if (verb === 'get' && what === 'pods') {
      times += 1;
      const isFailed = args.some((word) => word.includes('status.phase=Failed'));
      return answered({ items: pods(times - 1).filter(({ status }) => !isFailed || status?.phase === 'Failed') });
    }
    return answered({ status: { stage: 'started' } });
  };
  const simulated = simulatedClock();
  // Only what a run that is told to end gives its logs comes without a signal: files take real time.
  const sleep = (delayMs: number, signal?: AbortSignal) =>
    signal === undefined ? new Promise<void>(() => {}) : simulated.sleep(delayMs, signal);
  const clock = { ...simulated, sleep };
  const conceal = (text: string): string => text.replaceAll(SECRET, '***');
  const tell = (line: string): void => void told.push(line);
  return clock.drive(runTestRun('step-1', STEP, folder, { kubectl, clock, stop: stop.signal, conceal, tell }));
}

const verbs = (): readonly string[] => calls.map(([verb = '']) => verb);

it('is made, waited for, brought here and deleted', async () => {
  expect(await run({ pods: (times) => (times < 3 ? [runner(1, 'Running')] : ALL) })).toBeNull();
  expect(await readFile(join(folder, 'results', 'pod-2.tsv'), 'utf8')).toBe(textOf(samplesOf(2)));
  expect(verbs()[0]).toBe('create');
  expect(calls.at(-1)).toEqual([
    'delete',
    'testruns.k6.io,configmaps,secrets',
    '-l',
    'assay-run=run-1',
    '--wait=false',
    '--ignore-not-found',
  ]);
});

it('no argument of kubectl and no file holds a secret, whatever a log says', async () => {
  await run({ log: () => `could not reach http://host?key=${SECRET}\n` });
  expect(calls.flat().join(' ')).not.toContain(SECRET);
  expect(await readFile(join(folder, 'results', 'pod-1.tsv'), 'utf8')).toBe('could not reach http://host?key=***\n');
});

describe('nothing follows from it', () => {
  it('where an instance failed: what is there is kept, and the last words are told', async () => {
    const pods = () => [runner(1, 'Succeeded'), runner(2, 'Failed', 107)];
    const log = (pod: string) =>
      pod === 'pod-2' ? `a\nno such module ${SECRET}\nC\tstep\t5\t4\t62\n` : textOf(samplesOf(1));
    expect(await run({ pods, log })).toMatchObject({ message: 'pod pod-2 ended with 107: no such module ***' });
    expect(await readFile(join(folder, 'results', 'pod-1.tsv'), 'utf8')).toBe(textOf(samplesOf(1)));
    expect(verbs().at(-1)).toBe('delete');
  });

  it('where it does not end in its time', async () => {
    const why = await run({ pods: () => [runner(1, 'Running')] });
    expect(why?.message).toBe('the TestRun did not end within 315 s: stage started, 1 of 3 instances running, 0 ended');
    expect(verbs().at(-1)).toBe('delete');
  });

  it('where the cluster stays silent, and not where it is so once', async () => {
    expect(await run({ instead: { get: failed('Unable to connect to the server: EOF') } })).toMatchObject({
      ...{ code: 'incomplete' },
      message: 'the cluster does not tell how the TestRun is: Unable to connect to the server: EOF',
    });
    expect(verbs().at(-1)).toBe('delete');
  });
});

it('an object that the cluster does not take is told by its reason, and what was made of the others deleted', async () => {
  const stderr = `Error from server (Forbidden): secrets is forbidden, ${SECRET}\n`;
  await expect(run({ instead: { create: failed(stderr) } })).rejects.toMatchObject({
    ...{ code: 'incomplete', message: 'the TestRun was not made: secrets is forbidden, ***' },
  });
  expect(verbs()).toEqual(['create', 'delete']);
});

it('an interrupted one is deleted, once what was sent by then is brought here', async () => {
  const stop = new AbortController();
  const pods = (times: number) => {
    if (times === 2) stop.abort();
    return [runner(1, 'Running')];
  };
  expect(await run({ pods, stop })).toMatchObject({ code: 'interrupted' });
  expect(await readFile(join(folder, 'results', 'pod-1.tsv'), 'utf8')).toBe(textOf(samplesOf(1)));
  expect(verbs().at(-1)).toBe('delete');
});

it('objects that could not be deleted are told with the command that deletes them', async () => {
  await run({ instead: { delete: failed('Error from server (Forbidden): no') } });
  expect(told).toEqual([
    'left in the cluster (no); kubectl delete testruns.k6.io,configmaps,secrets -l assay-run=run-1 deletes it',
  ]);
});

type Status = NonNullable<PodObject['status']>;

function pod(name: string, status: Status, isRunner = true): PodObject {
  return { metadata: { name, labels: isRunner ? { runner: 'true' } : {} }, status };
}

const ended = (exitCode: number, reason?: string): Status => ({
  phase: exitCode === 0 ? 'Succeeded' : 'Failed',
  containerStatuses: [{ state: { terminated: { exitCode, ...(reason === undefined ? {} : { reason }) } } }],
});
const waiting = (reason: string, message = ''): Status => ({
  phase: 'Pending',
  containerStatuses: [{ state: { waiting: { reason, message } } }],
});
const started = { status: { stage: 'started' } };
const good = pod('a-1-x', ended(0));

describe('a TestRun', () => {
  it('is over when all its instances have ended, whatever its stage says by then', () => {
    expect(courseOf(started, [good, pod('a-2-x', ended(0))], 2)).toEqual({ kind: 'ended', pods: ['a-1-x', 'a-2-x'] });
  });

  it('is over, too, where an instance ended itself for errors of the target: its samples tell', () => {
    expect(courseOf(started, [good, pod('a-2-x', ended(108, 'Error'))], 2).kind).toBe('ended');
  });

  it('goes on while an instance runs, its image is pulled, or k6-operator has not looked', () => {
    expect(courseOf(started, [good, pod('a-2-x', { phase: 'Running' })], 2)).toEqual({
      kind: 'going',
      until: 'stage started, 1 of 2 instances running, 1 ended',
    });
    const pulling = pod('a-init', waiting('ContainerCreating'), false);
    expect(courseOf({ status: { stage: 'initialization' } }, [pulling], 2).kind).toBe('going');
    expect(courseOf({}, [], 2)).toMatchObject({ until: expect.stringContaining('has not taken up the TestRun') });
  });

  it('names the pod that has no node', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }];
    expect(courseOf(started, [pod('a-1-x', { phase: 'Pending', conditions })], 2)).toMatchObject({
      until: 'pod a-1-x has no node (0/3 nodes are available)',
    });
  });

  it.each([
    ['an image cannot be pulled', waiting('ErrImagePull', 'not found'), 'pod a-2-x: ErrImagePull: not found'],
    ['a Secret is missing', waiting('CreateContainerConfigError'), 'pod a-2-x: CreateContainerConfigError'],
    ['memory ran out', ended(137, 'OOMKilled'), 'pod a-2-x ended with 137 (OOMKilled)'],
    ['the script failed', ended(107, 'Error'), 'pod a-2-x ended with 107'],
    ['the pod was evicted', { phase: 'Failed', reason: 'Evicted', message: 'disk' }, 'pod a-2-x failed: Evicted: disk'],
  ])('is lost where %s', (_what, status, why) => {
    expect(courseOf(started, [good, pod('a-2-x', status)], 2)).toEqual({ kind: 'lost', why });
  });

  it('is lost where the pod that packs or starts fails, even as an instance would end itself', () => {
    expect(courseOf(started, [pod('a-initializer-x', ended(108), false)], 2).kind).toBe('lost');
  });

  it('is lost where k6-operator gave it up, or calls it finished while instances are missing', () => {
    expect(courseOf({ status: { stage: 'error' } }, [], 2)).toMatchObject({
      why: expect.stringContaining('stage error'),
    });
    expect(courseOf({ status: { stage: 'finished' } }, [good], 2)).toMatchObject({
      kind: 'lost',
      why: 'k6-operator says finished, and 1 of 2 instances ended',
    });
  });
});
