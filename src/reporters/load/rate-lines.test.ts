import { describe, expect, it } from 'vitest';
import type { Report } from '../../contract/report.ts';
import { loadView } from '../html/load.ts';
import { sinceLines } from './since-words.ts';
import { ceilingLines, pressureLines, soakLines, spikeLines } from './suite-lines.ts';

const FIGURES = {
  ...{ rps: 40, seconds: 10, p50Ms: 10.04, p99Ms: 41.26, errorRate: 0.004, limitedRate: 0, dropped: 0, lateP99Ms: 1 },
  ...{ generatorCpu: 0.1, decision: 'met', why: 'met' },
};
const slice = (decision: string) => ({ ...FIGURES, decision });
const soak = {
  ...FIGURES,
  slices: [...Array.from({ length: 18 }, () => slice('met')), slice('missed'), slice('missed')],
  p50Drift: { rise: 0.31, least: 0.24, most: 0.39, drifts: true },
  p99Drift: { rise: 0.02, least: -0.04, most: 0.09, drifts: false },
  errorsFromSeconds: 6.4,
};
const spike = {
  generator: null,
  before: FIGURES,
  peak: { ...FIGURES, rps: 200 },
  shares: { succeeded: 0.61, limited: 0.3, refused: 0, serverErrors: 0.088, unanswered: 0, dropped: 0.002 },
  afterSeconds: 30,
  recovery: { least: 2, best: 3, most: null },
};
const pressure = {
  ...{ mode: 'limited', rps: 125, seconds: 9.2, figures: { ...FIGURES, limitedRate: 0.32 } },
  ...{ probes: 1264, probesRefused: 10, keyedRefused: 5, left: 1 },
};

describe('in words', () => {
  it('a soak is its figures, its slices, and what changed', () => {
    expect(soakLines({ soak })).toEqual([
      'Soak',
      '  40 requests/s for 10 s: p50 10 ms, p99 41.3 ms, errors 0.4 %, 429 0 %',
      '  objectives met; 20 slices: 18 met, 2 missed',
      '  p50 drifts: 31 % higher in the last third (24 % to 39 %)',
      '  from 6 s on more requests fail than before',
    ]);
  });

  it('a soak of which much was never sent says so beside its errors', () => {
    expect(soakLines({ soak: { ...soak, dropped: 172 } })[1]).toMatch(/errors 0.4 %, 429 0 %, 172 never sent$/);
  });

  it('of slices that tell nothing by themselves it is told why, and what to do', () => {
    const open = { ...slice('undecided'), why: '40 samples are too few' };
    const third = (slices: readonly unknown[]): string | undefined => soakLines({ soak: { ...soak, slices } })[2];
    expect(third([open, open])).toBe(
      '  objectives met; they are judged over the whole soak alone, for no slice tells by itself (40 samples are too few): a longer soak would',
    );
    expect(third([slice('met'), open, slice('void')])).toBe(
      '  objectives met; 3 slices: 1 met, 1 void, 1 not telling by itself (40 samples are too few)',
    );
  });

  it('a spike is its peak, and what came after', () => {
    expect(spikeLines({ spike })).toEqual([
      'Spike',
      '  40 requests/s: p99 41.3 ms; 200 requests/s for 10 s: p99 41.3 ms',
      '  in the peak: succeeded 61 %, 429 30 %, 5xx 8.8 %, never sent 0.2 %',
      '  the objectives held again after 3 s (2 to open)',
    ]);
    expect(spikeLines({ spike: { ...spike, recovery: null } }).at(-1)).toMatch(/did not hold again within 30 s/);
    expect(spikeLines({ spike: { ...spike, generator: 'it was late' } }).at(-1)).toBe('  not judged');
  });

  it('pressure is what pressed, and what was refused meanwhile', () => {
    expect(pressureLines({ pressure })).toEqual([
      'Pressure',
      '  limited: 125 requests/s for 9 s: p99 41.3 ms, errors 0.4 %, 429 32 %, 0 never sent',
      '  meanwhile 1,264 probes: 10 answered 429 and sent again, 5 of them with a key',
      '  1 experiment left for want of time (load.pressure.seconds)',
    ]);
  });

  it('they stand in the page, too', () => {
    const view = loadView({ load: { plans: [], soak, spike, pressure } } as unknown as Report);
    expect(view?.measured.map(({ title, lines }) => [title, lines.length])).toEqual([
      ['Soak', 4],
      ['Spike', 3],
      ['Pressure', 3],
    ]);
  });

  it.each([
    [soakLines, { soak: { ...soak, slices: [null] } }],
    [soakLines, { soak: 7 }],
    [spikeLines, { spike: { ...spike, before: null } }],
    [spikeLines, { spike: { ...spike, shares: null } }],
    [pressureLines, { pressure: { mode: 'limited' } }],
    [pressureLines, null],
  ])('a part of another shape is left out', (linesOf, load) => {
    expect(linesOf(load)).toEqual([]);
  });

  it('members that another version lacks are passed over', () => {
    const { p50Drift: _one, p99Drift: _other, errorsFromSeconds: _seconds, ...bare } = soak;
    expect(soakLines({ soak: bare })).toHaveLength(3);
  });

  it('the last run of the suite is its result, what changed, and what is noise', () => {
    const figure = (name: string, unit: string, before: number, now: number, noise: boolean) => ({
      ...{ figure: name, unit, before: { value: before }, now: { value: now }, noise },
    });
    const since = {
      ...{ run: 'run-1', startedAt: '2026-11-21T00:00:00.000Z', verdict: 'pass', result: 'It held', differs: null },
      figures: [
        figure('p50', 'ms', 10.04, 10.4, true),
        figure('p99', 'ms', 40, 52, false),
        figure('errors', 'share', 0, 0.05, false),
        figure('capacity', 'requests/s', 800.9, 200, false),
        figure('limit of std-1', 'calls', 100, 400, false),
        figure('limit of gro-1', 'calls', 300, 300, true),
      ],
    };
    expect(sinceLines({ since })).toEqual([
      'Since the last run',
      '  run-1: It held',
      '  p99 52 ms, before 40 ms (+30 %)',
      '  errors 5 %, before 0 % (more)',
      '  capacity 200/s, before 800/s (−75 %)',
      '  limit of std-1 400, before 100 (4 times)',
      '  the same: limit of gro-1 300',
      '  within noise: p50 10.4 ms (before 10 ms)',
    ]);
    const other = { ...since, differs: 'it called other operations', figures: [] };
    expect(sinceLines({ since: other }).at(-1)).toBe(
      '  latency and errors are not compared: it called other operations',
    );
    expect([sinceLines({}), sinceLines(null), sinceLines({ since: 7 })]).toEqual([[], [], []]);
  });
});

it('a window of which only the least is known says so, and what headers state is no result of other suites', () => {
  const row = {
    ...{ plan: 'standard', key: 'std-1', limit: 100, windowSeconds: 9, costs: {}, algorithm: 'unknown', burst: null },
    confidence: 'stated; window at least',
  };
  expect(ceilingLines({ suite: 'ratelimit', plans: [row] })).toEqual([
    'Ceilings',
    '  standard    100 in at least 9 s (stated; key std-1)',
  ]);
  expect(ceilingLines({ suite: 'isolation', plans: [row] })).toEqual([]);
});
