// Commands that are ended from outside, in the ways that are met less often: nothing is left of them either.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  agrees,
  conformUnderWay,
  type Ground,
  leavingsOf,
  newGround,
  platformListening,
  reportIn,
  startAssay,
} from './interrupting.ts';
import { randomRound } from './interrupting-rounds.ts';
import { SEED } from './seed.ts';
import { sampleReport } from './support/reporters/sample-report.ts';

let ground: Ground;
beforeEach(() => {
  ground = newGround();
});
afterEach(() => ground.remove());

describe('a conformance run', () => {
  test('that gets a second Ctrl-C ends at once with its last checkpoint', async () => {
    const started = await conformUnderWay(ground);
    started.child.kill('SIGINT');
    await started.saw(/interrupted, the report is being written/);
    // However fast it writes, the second signal comes while it does, and too late to be taken for the first.
    started.child.kill('SIGSTOP');
    await sleep(600);
    started.child.kill('SIGINT');
    started.child.kill('SIGCONT');
    const ended = await started.ended;
    expect(started.stderr()).toMatch(/^assay: ended at once; .*report\.json holds what was found until then$/m);
    const report = reportIn(join(ground.cwd, 'out'));
    expect(report.run.partial).toBe(true);
    expect(agrees(ended, report)).toBe(true);
    expect(await leavingsOf(started, ground)).toEqual([]);
  });

  test('that nobody listens to any more goes on to its end', async () => {
    const started = await conformUnderWay(ground, '--budget', '150', '--json');
    started.child.stderr?.destroy();
    started.child.stdout?.destroy();
    const ended = await started.ended;
    const report = reportIn(join(ground.cwd, 'out'));
    expect(report.counts.requests).toBeGreaterThan(100);
    expect(agrees(ended, report)).toBe(true);
    expect(await leavingsOf(started, ground)).toEqual([]);
  });
});

test('assay platform that is killed takes its process and its folder with it', async () => {
  const started = await platformListening(ground);
  started.child.kill('SIGKILL');
  await started.ended;
  expect(await leavingsOf(started, ground)).toEqual([]);
});

test('a command whose starter is killed ends though it computes without a pause', async () => {
  const busy = join(ground.cwd, 'busy.mjs');
  writeFileSync(
    busy,
    `import { writeSync } from 'node:fs';
       import { isMainThread } from 'node:worker_threads';
       if (isMainThread) setTimeout(() => { writeSync(2, 'busy\\n'); for (;;); }, 1000);`,
  );
  const started = startAssay(ground, ['platform', '--port', '0'], { byNpm: true, node: [`--import=${busy}`] });
  await started.saw(/^busy$/m);
  started.child.kill('SIGKILL');
  expect(await started.left()).toEqual([]);
});

describe('what cannot be written is named in one line, with the reason', () => {
  const REFUSED = /^assay: .*in-the-way.*: a file stands where a folder should be \((ENOTDIR|EEXIST)\)$/;

  test.each([
    ['conform', ['conform', '--embedded', '--quiet', '--out', 'in-the-way/x'], 3],
    ['report', ['report', 'stored', '--out', 'in-the-way/x'], 3],
    ['init', ['init', '--out', 'in-the-way/assay.config.yaml'], 3],
  ])('%s', async (_name, args, expected) => {
    writeFileSync(join(ground.cwd, 'in-the-way'), '');
    mkdirSync(join(ground.cwd, 'stored'));
    writeFileSync(join(ground.cwd, 'stored', 'report.json'), JSON.stringify(sampleReport()));
    const started = startAssay(ground, args);
    const { code } = await started.ended;
    expect(
      started
        .stderr()
        .split('\n')
        .filter((line) => line.startsWith('assay: ')),
    ).toEqual([expect.stringMatching(REFUSED)]);
    expect(code).toBe(expected);
    expect(await leavingsOf(started, ground)).toEqual([]);
  });
});

test('commands that are ended at moments drawn at random leave nothing behind', async () => {
  console.log(`npm run interrupt -- --rounds 3 --seed ${SEED}`);
  for (let round = 0; round < 3; round += 1) {
    const { what, complaints } = await randomRound(`${SEED} ${round}`, { withK6: false, only: '' });
    expect(complaints, what).toEqual([]);
  }
});
