import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedClock } from '../../clock/simulated.ts';
import { findK6 } from './find.ts';
import { K6Missing, provideK6 } from './provide.ts';
import { MAX_SILENCE_MS, startK6 } from './start.ts';
import { fits, versionIn } from './version.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-k6-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program that behaves as the shell lines say. */
async function program(name: string, lines: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
  return path;
}
const silent = (): void => {};

describe('a version of k6', () => {
  it.each([
    ['k6 v1.8.1 (commit/abc, go1.26.8, linux/amd64)\nExtensions:\n', '1.8.1'],
    ['k6.exe v1.8.1+ext', '1.8.1'],
    ['k6 v0.57.0', '0.57.0'],
    ['placeholder', null],
  ])('is read from %j', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });

  it('fits from the pinned release on, within its major', () => {
    expect(['1.8.0', '1.8.1', '1.9.0', '2.0.0', '0.57.0'].map(fits)).toEqual([false, true, true, false, false]);
  });
});

describe('k6 is found', () => {
  it('where ASSAY_K6 says, before PATH', async () => {
    const path = await program('own-k6', 'echo "k6 v1.8.1 (x)"');
    expect((await findK6({ ASSAY_K6: path, PATH: folder })).found).toEqual({
      path,
      version: '1.8.1',
      source: 'ASSAY_K6',
    });
  });

  it('on PATH where its version fits, and passed over where not', async () => {
    await program('k6', 'echo "k6 v0.40.0"');
    const search = await findK6({ PATH: folder, HOME: folder, ASSAY_CACHE: join(folder, 'none') });
    expect(search.found).toBeNull();
    expect(search.refused).toEqual([{ path: join(folder, 'k6'), why: 'is version 0.40.0, and 1.8.1 is needed' }]);
  });

  it('where `go install` puts it', async () => {
    await mkdir(join(folder, 'go', 'bin'), { recursive: true });
    const path = await program('go/bin/k6', 'echo "k6 v1.8.1"');
    const { found } = await findK6({ PATH: '', HOME: folder, ASSAY_CACHE: join(folder, 'none') });
    expect(found).toEqual({ path, version: '1.8.1', source: 'go' });
    await rm(join(folder, 'go'), { recursive: true });
  });

  it('in the cache that Assay keeps', async () => {
    await mkdir(join(folder, 'kept', 'k6-1.8.1'), { recursive: true });
    const path = await program('kept/k6-1.8.1/k6', 'echo "k6 v1.8.1"');
    const { found } = await findK6({ PATH: '', HOME: folder, ASSAY_CACHE: join(folder, 'kept') });
    expect(found).toEqual({ path, version: '1.8.1', source: 'cache' });
  });

  it('is neither looked for nor built in a cache that is off', async () => {
    const off = { PATH: join(folder, 'nowhere'), HOME: folder, ASSAY_CACHE: 'off' };
    await expect(provideK6(off, silent)).rejects.toThrow('no cache folder is there to keep it (ASSAY_CACHE)');
  });

  it('is missing, in one sentence, where neither it nor Go is there', async () => {
    const nowhere = { PATH: join(folder, 'nowhere'), HOME: folder, ASSAY_CACHE: join(folder, 'cache') };
    const refusal = await provideK6(nowhere, silent).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(K6Missing);
    expect((refusal as K6Missing).message).toMatch(/none is on PATH, and Go, .* is not on PATH/);
    expect((refusal as K6Missing).hint).toContain('go install go.k6.io/k6@v1.8.1');
  });

  it('is not built where ASSAY_K6 names one that does not fit', async () => {
    await expect(provideK6({ ASSAY_K6: join(folder, 'absent') }, silent)).rejects.toThrow('absent is not there');
  });
});

describe('a run of k6', () => {
  const start = {
    script: 'script.ts',
    samplesFile: 'samples.txt',
    env: { TOKEN: 'secret-token' },
    timeLimitSeconds: 60,
    outputs: [],
    senders: 1,
    conceal: (line: string) => line.replaceAll('secret-token', '[token]'),
  };
  const never = new AbortController().signal;

  it('gets its secrets by the environment, and none of them comes back', async () => {
    const path = await program('tells', 'echo "saw $TOKEN in $*" >&2; exit 7');
    const ended = await startK6({ ...start, path, stop: never });
    expect(ended).toMatchObject({ exitCode: 7, stopped: null });
    expect(ended.complaints[0]).toMatch(/^saw \[token\] in run --no-usage-report .* script\.ts$/);
  });

  it('is ended at its time limit', async () => {
    const path = await program('hangs', 'exec sleep 600');
    const ended = await startK6({ ...start, path, timeLimitSeconds: 0.05, stop: never });
    expect(ended).toMatchObject({ exitCode: null, stopped: 'time-limit', complaints: [] });
  });

  it('is ended where it tells nothing of itself, however much time its plan has', async () => {
    const clock = simulatedClock();
    const path = await program('falls-silent', 'echo running; exec sleep 600');
    const ended = startK6({ ...start, path, timeLimitSeconds: 3600, stop: never }, clock);
    await clock.drive(clock.sleep(MAX_SILENCE_MS + 1));
    expect(await ended).toMatchObject({ exitCode: null, stopped: 'silent' });
  });

  it('is ended when the run is', async () => {
    const path = await program('hangs', 'exec sleep 600');
    expect(await startK6({ ...start, path, stop: AbortSignal.abort() })).toMatchObject({ stopped: 'interrupted' });
  });

  it('sees none of the k6 settings of its user', async () => {
    const path = await program('shows', 'env | grep ^K6_ | sort >&2');
    process.env.K6_VUS = '99';
    const { complaints } = await startK6({ ...start, path, stop: never });
    delete process.env.K6_VUS;
    expect(complaints.map((line) => line.split('=')[0])).toEqual([
      'K6_AUTO_EXTENSION_RESOLUTION',
      'K6_NO_COLOR',
      'K6_NO_USAGE_REPORT',
    ]);
  });
});
