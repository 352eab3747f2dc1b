// Commands that are ended from outside: what they found is kept, and nothing else is left of them.
import { once } from 'node:events';
import { mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { agrees, type Ground, newGround, passingIn, reportIn, type Started, startAssay } from './interrupting.ts';
import { randomRound } from './interrupting-rounds.ts';
import { SEED } from './seed.ts';
import { sampleReport } from './support/reporters/sample-report.ts';

vi.setConfig({ testTimeout: 120_000 });

let ground: Ground;
beforeEach(() => {
  ground = newGround();
});
afterEach(() => ground.remove());

const FORMS = [
  'created.jsonl',
  'ctrf.json',
  'evidence.har',
  'index.html',
  'junit.xml',
  'performed.txt',
  'report.json',
  'results.sarif',
  'summary.md',
];

/** A conformance run that is well under way. */
async function underWay(...args: readonly string[]): Promise<Started> {
  const started = startAssay(ground, ['conform', '--embedded', '--out', 'out', ...args]);
  await started.saw(/^breadth: /m);
  return started;
}

/** Nothing is left of the command but what it is to leave. */
async function expectNothingLeft(started: Started): Promise<void> {
  expect(await started.left()).toEqual([]);
  expect(readdirSync(ground.tmp)).toEqual([]);
  expect(passingIn(ground.cwd)).toEqual([]);
}

describe('a conformance run', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'that gets %s keeps what it found, in every form',
    async (signal) => {
      const started = await underWay();
      started.child.kill(signal);
      const ended = await started.ended;
      const report = reportIn(join(ground.cwd, 'out'));
      expect(report.run).toMatchObject({ partial: true, note: 'the run was interrupted' });
      expect(report.counts.requests).toBeGreaterThan(0);
      expect(agrees(ended, report)).toBe(true);
      expect([1, 3]).toContain(ended.code);
      expect(readdirSync(join(ground.cwd, 'out')).filter((name) => name !== 'evidence')).toEqual(FORMS);
      expect(started.stderr()).toMatch(/^Go on {3}npx assay conform --embedded --resume out$/m);
      await expectNothingLeft(started);
    },
  );

  test('that gets a second Ctrl-C ends at once with its last checkpoint', async () => {
    const started = await underWay();
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
    await expectNothingLeft(started);
  });

  test('that is killed leaves its last checkpoint, takes its processes with it, and the next run cleans up', async () => {
    const started = await underWay();
    expect(started.processes().length).toBeGreaterThan(1);
    started.child.kill('SIGKILL');
    await started.ended;
    expect(await started.left()).toEqual([]);
    const report = reportIn(join(ground.cwd, 'out'));
    expect(report).toMatchObject({ verdict: report.counts.violations > 0 ? 'fail' : 'none', run: { partial: true } });
    const again = startAssay(ground, ['conform', '--embedded', '--out', 'out', '--resume', 'out', '--budget', '40']);
    const ended = await again.ended;
    const whole = reportIn(join(ground.cwd, 'out'));
    expect(whole.run.resumes).toBe(report.run.id);
    expect(agrees(ended, whole)).toBe(true);
    await expectNothingLeft(again);
  });

  test('that nobody listens to any more goes on to its end', async () => {
    const started = await underWay('--budget', '150', '--json');
    started.child.stderr?.destroy();
    started.child.stdout?.destroy();
    const ended = await started.ended;
    const report = reportIn(join(ground.cwd, 'out'));
    expect(report.counts.requests).toBeGreaterThan(100);
    expect(agrees(ended, report)).toBe(true);
    await expectNothingLeft(started);
  });
});

describe('assay platform', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends well by %s, and takes its folder with it',
    async (signal) => {
      const started = await listening();
      started.child.kill(signal);
      expect(await started.ended).toEqual({ code: 0, signal: null });
      await expectNothingLeft(started);
    },
  );

  test('that is killed takes its process and its folder with it', async () => {
    const started = await listening();
    started.child.kill('SIGKILL');
    await started.ended;
    await expectNothingLeft(started);
  });

  async function listening(): Promise<Started> {
    const started = startAssay(ground, ['platform', '--port', '0']);
    while (!started.stdout().includes('\n')) await sleep(50);
    return started;
  }
});

describe('a command whose starter is killed', () => {
  test('writes what it has, and ends', async () => {
    const started = startAssay(ground, ['conform', '--embedded', '--out', 'out'], { byNpm: true });
    await started.saw(/^breadth: /m);
    started.child.kill('SIGKILL');
    expect(await started.left()).toEqual([]);
    expect(reportIn(join(ground.cwd, 'out')).run).toMatchObject({ partial: true, note: 'the run was interrupted' });
  });

  test('ends though it computes without a pause', async () => {
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
});

test.each([
  // Nobody answers there; the check waits for seconds.
  ['doctor', ['doctor', '--base-url', 'SILENT'], true],
  ['report', ['report', 'stored', '--out', 'out'], false],
])('assay %s that is interrupted says so and ends with 3', async (_name, args, connects) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  mkdirSync(join(ground.cwd, 'stored'));
  writeFileSync(join(ground.cwd, 'stored', 'report.json'), JSON.stringify(sampleReport()));
  const started = startAssay(
    ground,
    args.map((word) => word.replace('SILENT', url)),
  );
  if (connects) await once(silent, 'connection');
  else await once(watch(ground.cwd), 'change');
  started.child.kill('SIGINT');
  const { code } = await started.ended;
  silent.closeAllConnections();
  silent.close();
  expect([code, started.stderr()]).toEqual([3, 'assay: interrupted\n']);
  await expectNothingLeft(started);
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
    await expectNothingLeft(started);
  });
});

test('commands that are ended at moments drawn at random leave nothing behind', async () => {
  console.log(`npm run interrupt -- --rounds 3 --seed ${SEED}`);
  for (let round = 0; round < 3; round += 1) {
    const { what, complaints } = await randomRound(`${SEED} ${round}`, { withK6: false, only: '' });
    expect(complaints, what).toEqual([]);
  }
}, 600_000);
