// Commands that are ended from outside: what they found is kept, and nothing else is left of them. By day each way is tried once;
// interrupted.nightly.test.ts has those that are met less often.
import { once } from 'node:events';
import { mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
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
import { inTurn, oneDue } from './programme.ts';
import { sampleReport } from './support/reporters/sample-report.ts';

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

describe('a conformance run', () => {
  inTurn(
    () => {
      test.each(oneDue(['SIGINT', 'SIGTERM', 'SIGHUP'] as const))(
        'that gets %s keeps what it found, in every form',
        async (signal) => {
          const started = await conformUnderWay(ground);
          started.child.kill(signal);
          const ended = await started.ended;
          const report = reportIn(join(ground.cwd, 'out'));
          expect(report.run).toMatchObject({ partial: true, note: 'the run was interrupted' });
          expect(report.counts.requests).toBeGreaterThan(0);
          expect(agrees(ended, report)).toBe(true);
          expect([1, 3]).toContain(ended.code);
          expect(readdirSync(join(ground.cwd, 'out')).filter((name) => name !== 'evidence')).toEqual(FORMS);
          expect(started.stderr()).toMatch(/^Go on {3}npx assay conform --embedded --resume out$/m);
          expect(await leavingsOf(started, ground)).toEqual([]);
        },
      );
    },
    () => {
      test('that is killed leaves its last checkpoint, takes its processes with it, and the next run cleans up', async () => {
        const started = await conformUnderWay(ground);
        expect(started.processes().length).toBeGreaterThan(1);
        started.child.kill('SIGKILL');
        await started.ended;
        expect(await started.left()).toEqual([]);
        const report = reportIn(join(ground.cwd, 'out'));
        expect(report).toMatchObject({
          verdict: report.counts.violations > 0 ? 'fail' : 'none',
          run: { partial: true },
        });
        const again = startAssay(ground, [
          'conform',
          '--embedded',
          '--out',
          'out',
          '--resume',
          'out',
          '--budget',
          '40',
        ]);
        const ended = await again.ended;
        const whole = reportIn(join(ground.cwd, 'out'));
        expect(whole.run.resumes).toBe(report.run.id);
        expect(agrees(ended, whole)).toBe(true);
        expect(await leavingsOf(again, ground)).toEqual([]);
      });
    },
  );
});

describe('assay platform', () => {
  test.each(oneDue(['SIGINT', 'SIGTERM', 'SIGHUP'] as const))(
    'ends well by %s, and takes its folder with it',
    async (signal) => {
      const started = await platformListening(ground);
      started.child.kill(signal);
      expect(await started.ended).toEqual({ code: 0, signal: null });
      expect(await leavingsOf(started, ground)).toEqual([]);
    },
  );
});

describe('a command whose starter is killed', () => {
  test('writes what it has, and ends', async () => {
    const started = startAssay(ground, ['conform', '--embedded', '--out', 'out'], { byNpm: true });
    await started.saw(/^breadth: /m);
    started.child.kill('SIGKILL');
    expect(await started.left()).toEqual([]);
    expect(reportIn(join(ground.cwd, 'out')).run).toMatchObject({ partial: true, note: 'the run was interrupted' });
  });
});

test.each(
  oneDue<readonly [name: string, args: readonly string[], connects: boolean]>([
    // Nobody answers there; the check waits for seconds.
    ['doctor', ['doctor', '--base-url', 'SILENT'], true],
    ['report', ['report', 'stored', '--out', 'out'], false],
  ]),
)('assay %s that is interrupted says so and ends with 3', async (_name, args, connects) => {
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
  expect(await leavingsOf(started, ground)).toEqual([]);
});
