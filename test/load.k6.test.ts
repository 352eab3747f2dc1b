// Load from configuration to report, with a real k6 and the reference platform; and the same once more from its record alone.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BroughtCheck, OwnExchangeCheck } from '../src/checks/own-check.ts';
import { breached, holds } from '../src/contract/judgement.ts';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { type Loaded, loaded } from './loaded.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

describe.skipIf(k6Path === null)(`${WITH_K6}, the laws of limits`, () => {
  let target: Loaded;
  let live: Report;

  const run = (k6: string | null): Promise<Report> => {
    const keys = target.config.keys.filter(({ plan }) => plan !== 'enterprise');
    return target.run('ratelimit', k6, { keys });
  };

  beforeAll(async () => {
    target = await loaded({ limits: { standard: { calls: 60, seconds: 3 }, growth: { calls: 150, seconds: 3 } } });
    live = await run(k6Path);
  });
  afterAll(() => target.end());

  const judged = (report: Report): readonly (readonly [string, string])[] =>
    report.clauses
      .filter(({ id, checks }) => id.startsWith('RATE') && checks > 0)
      .map(({ id, status }) => [id, status]);

  it('are judged and hold on a platform that keeps them', () => {
    expect(live.verdict).toBe('pass');
    expect(new Map(judged(live))).toEqual(
      new Map([
        ...['RATE-01', 'RATE-02', 'RATE-03', 'RATE-04', 'RATE-05', 'RATE-06', 'RATE-07', 'RATE-08', 'RATE-10'].map(
          (id) => [id, 'pass'] as const,
        ),
        ['RATE-11', 'observed'],
      ]),
    );
    expect(live.clauses.find(({ id }) => id === 'PAG-01')?.reasonCode).toBe('other-command');
    expect(() => assertValid(live)).not.toThrow();
  });

  it('tell the limits of each plan', () => {
    const rows = (live.load as LoadPart).plans.map(({ plan, limit, windowSeconds }) => [plan, limit, windowSeconds]);
    expect(rows.sort()).toEqual([
      ['growth', 150, 3],
      ['standard', 60, 3],
    ]);
  });

  it('stand beside the checks of the user', async () => {
    const keys = target.config.keys.filter(({ plan }) => plan !== 'enterprise');
    const own = (id: string, judge: OwnExchangeCheck['judge']): BroughtCheck => ({
      check: { clause: id, level: 'must', text: 'A clause.', applies: () => true, judge },
      file: 'own.ts',
    });
    const breach = { weight: 'breach', cause: 'c', message: 'm', expected: 'e', actual: 'a' } as const;
    const fails = (): never => {
      throw new Error('a defect');
    };
    const checks = [
      own('X-LOAD-01', () => breached([breach])),
      own('X-LOAD-02', fails),
      own('X-LOAD-03', () => holds()),
    ];
    const report = await target.run('ratelimit', null, { keys }, { checks });
    const rows = report.clauses.filter(({ id }) => id.startsWith('X-'));
    expect(rows.map(({ status, reasonCode }) => reasonCode ?? status)).toEqual(['fail', 'harness-error', 'pass']);
    expect(report.verdict).toBe('fail');
    expect(() => assertValid(report)).not.toThrow();
  });

  it('leave no token in the record', async () => {
    const tokens = target.config.keys.flatMap(({ token }) => token ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    for (const file of await readdir(target.folder)) {
      const text = await readFile(join(target.folder, file), 'utf8');
      expect(tokens.filter((token) => text.includes(token))).toEqual([]);
    }
  });

  it('are judged alike from the record, and nothing is sent', async () => {
    await target.stop();
    const again = await run(null);
    expect(judged(again)).toEqual(judged(live));
    expect(again).toMatchObject({ verdict: 'pass', counts: { requests: 0, violations: 0 } });
  });
});
