import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUNDLE, samplesOf, type Told, textOf } from '../../../test/support/load/distributed/bundle.ts';
import { NotWhole, wholeRun } from './whole.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-whole-'));
  await mkdir(join(folder, 'results'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<void> {
  await writeFile(join(folder, 'results', name), text);
}

/** All three, the second with what is told. */
async function putAll(told: Told = {}): Promise<void> {
  for (const instance of [1, 2, 3])
    await put(`pod-${instance}.tsv`, textOf(samplesOf(instance, instance === 2 ? told : {})));
}

async function refusal(): Promise<string> {
  const error = await wholeRun(BUNDLE, folder).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NotWhole);
  return (error as NotWhole).message;
}

it('all instances, each once and from begin to end, are a whole run, in whatever folder', async () => {
  await putAll({ durationsMs: [1, 2, 3, 4] });
  await mkdir(join(folder, 'results', 'files'));
  await rename(join(folder, 'results', 'pod-3.tsv'), join(folder, 'results', 'files', 'pod-3.tsv'));
  await put('archive.tar', 'copied along');
  const files = await wholeRun(BUNDLE, folder);
  expect(files.map(({ instance, begun, broken }) => [instance, begun, broken])).toEqual([
    [1, 3, false],
    [2, 4, false],
    [3, 3, false],
  ]);
});

it('an instance that ended itself for errors of the target is told, whatever its VUs still held', async () => {
  await putAll({ event: 'broken', begun: 40, lastedMs: 2000 });
  expect((await wholeRun(BUNDLE, folder)).map(({ broken }) => broken)).toEqual([false, true, false]);
});

describe('refused is', () => {
  it('a run of which an instance is missing', async () => {
    await putAll();
    await rm(join(folder, 'results', 'pod-2.tsv'));
    expect(await refusal()).toBe('instance 2 of 3 is missing');
  });

  it('a folder without samples', async () => {
    await rm(join(folder, 'results'), { recursive: true });
    expect(await refusal()).toBe('instances 1, 2, 3 of 3 are missing');
  });

  it('a file that is cut, wherever it is', async () => {
    const text = textOf(samplesOf(2));
    // Without its last line break a file has no end either.
    for (let length = 0; length < text.length; length += 1) {
      await putAll();
      await put('pod-2.tsv', text.slice(0, length));
      expect(await refusal()).toMatch(/have no end: its file is cut|does not begin as the samples of an instance do/);
    }
  });

  it('a file that lost lines in its midst', async () => {
    const lines = textOf(samplesOf(2)).split(/(?<=\n)/);
    await putAll();
    await put('pod-2.tsv', lines.filter((line) => !line.startsWith('H')).join(''));
    expect(await refusal()).toBe('instance 2 (pod-2.tsv) began 3 requests, and samples came of 0');
  });

  it('a file without the count of one VU', async () => {
    await putAll({ begun: 5 });
    expect(await refusal()).toBe('instance 2 (pod-2.tsv) began 5 requests, and samples came of 3');
  });

  it('an instance that was told to end before its time', async () => {
    await putAll({ lastedMs: 6500 });
    expect(await refusal()).toBe('instance 2 (pod-2.tsv) was ended after 6 of 10 s');
  });

  it('an instance that sent nothing', async () => {
    await putAll({ durationsMs: [] });
    expect(await refusal()).toContain('instance 2 (pod-2.tsv) began no request');
  });

  it('the same instance twice', async () => {
    await putAll();
    await put('pod-2-again.tsv', textOf(samplesOf(2)));
    expect(await refusal()).toBe('instance 2 is there twice: pod-2-again.tsv and pod-2.tsv');
  });

  it('a file that two instances wrote', async () => {
    await putAll();
    await put('pod-2.tsv', textOf([...samplesOf(1), ...samplesOf(2)]));
    expect(await refusal()).toBe('pod-2.tsv holds the samples of 2 instances, one after another');
  });

  it('a file of another run', async () => {
    await putAll({ run: 'run-0' });
    expect(await refusal()).toBe('pod-2.tsv is of another run: run-0, and the bundle is of run-1');
  });

  it('a file of a run by another number of instances', async () => {
    await putAll({ segment: '0:1/2' });
    expect(await refusal()).toBe(
      'pod-2.tsv has the part 0:1/2 of the plan, which does not belong to a plan of 3 instances',
    );
  });

  it('an instance that ran at another time', async () => {
    await putAll({ beganMs: 1_060_000 });
    expect(await refusal()).toBe(
      'instance 2 began 60 s after instance 1: more than 3 s, so that 10 requests/s were not made together',
    );
  });

  it('more than was planned', async () => {
    await putAll({ durationsMs: Array.from({ length: 101 }, () => 1) });
    expect(await refusal()).toBe('107 requests were begun, more than the 100 planned');
  });
});
