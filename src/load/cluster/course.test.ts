import { describe, expect, it } from 'vitest';
import { courseOf, type PodObject } from './course.ts';

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
      until: 'stage started, 1 of 2 instances run, 1 have ended',
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
      why: 'k6-operator says finished, and 1 of 2 instances have ended',
    });
  });
});
