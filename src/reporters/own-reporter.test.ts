import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import { simulatedClock } from '../clock/simulated.ts';
import { type BroughtReporter, type OwnReporter, reportOwn } from './own-reporter.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-own-reporter-'));
afterAll(() => rmSync(folder, { recursive: true }));

const brought = (name: string, report: OwnReporter['report']): BroughtReporter => ({
  reporter: { name, report },
  file: 'own.ts',
});
const last = brought('last', () => ({ 'notes/last.txt': 'told' }));

async function reported(...reporters: readonly BroughtReporter[]) {
  const clock = simulatedClock();
  const failures = await clock.drive(reportOwn(sampleReport(), folder, reporters, clock));
  return { failures, tookMs: clock.monotonic() };
}

describe('a reporter of the user', () => {
  it('that does not end is left after five minutes, and the next one tells', async () => {
    const { failures, tookMs } = await reported(
      brought('stuck', () => new Promise(() => {})),
      last,
    );
    expect(failures).toEqual(['the reporter stuck of own.ts failed: does not end within 5 minutes']);
    expect(tookMs).toBe(300_000);
    expect(readFileSync(join(folder, 'notes', 'last.txt'), 'utf8')).toBe('told');
  });

  it.each([
    ['an error', new Error('no room\n    at a place'), 'no room'],
    ['no error', 'a text', 'a text'],
    ['nothing', undefined, 'undefined'],
  ])('that throws %s is told of in one line', async (_what, thrown, why) => {
    const failing = brought('amiss', () => {
      throw thrown;
    });
    const { failures } = await reported(
      failing,
      brought('late', () => Promise.reject(thrown)),
      last,
    );
    expect(failures).toEqual([
      `the reporter amiss of own.ts failed: ${why}`,
      `the reporter late of own.ts failed: ${why}`,
    ]);
  });

  it.each(['report.json', './index.html', 'created.jsonl', 'load/samples.tsv', 'certificate.html', '/etc/x', '..', ''])(
    'cannot write %s',
    async (name) => {
      const before = readdirSync(folder);
      const { failures } = await reported(brought('amiss', () => ({ [name]: 'x' })));
      expect(failures).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(before);
    },
  );

  it('cannot change the report that others tell of', async () => {
    const seen: unknown[] = [];
    await reported(
      brought('first', (report) => {
        (report as { verdict: string }).verdict = 'changed';
        return undefined;
      }),
      brought('second', (report) => {
        seen.push(report.verdict);
        return undefined;
      }),
    );
    expect(seen).toEqual([sampleReport().verdict]);
  });
});
