import { describe, expect, it } from 'vitest';
import type { ClauseRow, Report } from '../contract/report.ts';
import { loadHeadline, verdictSentence } from './verdict-sentence.ts';

const FIGURES = {
  ...{ rps: 40, seconds: 10, answers: 400, p50Ms: 3, p95Ms: 6.21, p99Ms: 7.84, errorRate: 0, limitedRate: 0 },
  ...{ dropped: 0, lateP99Ms: 1, generatorCpu: 0.1, decision: 'met', why: 'met' },
};
type Given = Partial<Omit<Report, 'load'>>;

function report(suite: string, load: object, given: Given = {}): Report {
  return {
    ...{ verdict: 'pass', counts: { violations: 0 }, run: { partial: false }, clauses: [], findings: [] },
    operations: [],
    ...given,
    load: { plans: [], suite, ...load },
  } as unknown as Report;
}
const said = (suite: string, load: object, given: Given = {}): string | null =>
  loadHeadline(report(suite, load, given));
const clause = (id: string, status: ClauseRow['status'], checks = 3): ClauseRow =>
  ({ id, status, checks, violations: status === 'fail' ? 1 : 0 }) as ClauseRow;
const failing = { verdict: 'fail' } as const;

describe('the headline of a search for capacity', () => {
  const step = (rps: number, decision: string) => ({ ...FIGURES, rps, decision });
  const steps = [step(800.5, 'met'), step(824.2, 'missed')];
  const capacity = { met: 800.5, missed: 824.2, open: null, steps, p50Ms: 2, p99Ms: 29.94, confidence: 'sure' };
  const of = (changes: object, given: Given = {}) => said('capacity', { capacity: { ...capacity, ...changes } }, given);

  it('is the bracket of a settled search, rounded to the side that claims less', () => {
    expect(of({})).toBe('Capacity: 800 to 825 requests/s, p99 29.9 ms at 800');
    expect(of({}, failing)).toBe('Capacity: 800 to 825 requests/s, p99 29.9 ms at 800, less than demanded');
  });

  it('tells a rate below a hundred in tenths', () => {
    expect(of({ met: 40, missed: 41.3 })).toBe('Capacity: 40 to 41.3 requests/s, p99 29.9 ms at 40');
  });

  it('says of a search that is not settled only what was met or missed', () => {
    const open = 'the time for load, 80 s, is spent';
    const none = { verdict: 'none' } as const;
    expect(of({ met: 20, missed: null, open }, none)).toBe('Capacity: at least 20 requests/s, search not finished');
    expect(of({ open }, none)).toBe('Capacity: at least 800 requests/s, search not finished');
    expect(of({ met: null, open }, none)).toBe('Capacity: less than 825 requests/s, search not finished');
    const isVoid = [step(824.2, 'void')];
    expect(of({ met: null, open, steps: isVoid }, none)).toBe('Capacity: not known, search not finished');
    expect(of({ met: null, open }, failing)).toBe(
      'Capacity: less than 825 requests/s, less than demanded, search not finished',
    );
  });
});

describe('the sentence of a search for capacity', () => {
  it('says from which rate on the answers broke the contract, whatever the order of the steps', () => {
    const capacity = { met: 320, missed: null, open: 'time', steps: [], p50Ms: 2, p99Ms: 9, confidence: '' };
    const steps = [
      { step: 'capacity.1', label: '160 requests/s', answers: 20, violations: { 'SCH-01': 9 } },
      { step: 'capacity.2', label: '80 requests/s', answers: 20, violations: { 'SCH-01': 1 } },
      { step: 'capacity.3', label: '40 requests/s', answers: 20, violations: {} },
    ];
    const findings = [{ kind: 'violation', service: 's', operation: 'GET /a', clause: 'SCH-01' }];
    const given = { ...failing, counts: { violations: 1 }, clauses: [clause('SCH-01', 'fail')], findings };
    const load = { capacity, conformance: { steps, brokenAt: 'capacity.1' } };
    expect(verdictSentence(report('capacity', load, given as unknown as Given))).toBe(
      'Capacity: at least 320 requests/s, search not finished; 1 clause fails on 1 operation from 80 requests/s on.',
    );
  });
});

describe('the headline of a spike', () => {
  const shares = { succeeded: 1, limited: 0, refused: 0, serverErrors: 0, unanswered: 0, dropped: 0 };
  const spike = {
    ...{ generator: null, before: { ...FIGURES, rps: 20 }, peak: { ...FIGURES, rps: 120 }, shares, afterSeconds: 30 },
    recovery: { least: 0, best: 0, most: 0 },
  };
  const of = (changes: object, given: Given = {}) => said('spike', { spike: { ...spike, ...changes } }, given);
  const head = 'Spike 20 → 120 requests/s:';

  it('is what became of the peak and how long recovery took', () => {
    expect(of({})).toBe(`${head} all succeeded, p99 7.84 ms, recovered at once`);
    const mixed = { ...shares, succeeded: 0.61, limited: 0.3, serverErrors: 0.088, dropped: 0.002 };
    expect(of({ shares: mixed, recovery: { least: 2, best: 3, most: 3 } })).toBe(
      `${head} 61 % succeeded, 30 % answered 429, 8.8 % answered 5xx, 0.2 % never sent, p99 7.84 ms, recovered within 3 s`,
    );
  });

  it('rounds no share to all or to none', () => {
    expect(of({ shares: { ...shares, succeeded: 0.9996, unanswered: 0.0004 } })).toContain(
      'over 99.9 % succeeded, under 0.1 % not answered,',
    );
    expect(of({ shares: { ...shares, succeeded: 0.996, limited: 0.004 } })).toContain('99.6 % succeeded, 0.4 %');
  });

  it('tells a p95 or nothing where the answers are too few for a p99', () => {
    const peak = (answers: number) => ({ peak: { ...spike.peak, answers } });
    expect(of(peak(300))).toContain('p99 7.84 ms');
    expect(of(peak(299))).toBe(`${head} all succeeded, p95 6.21 ms, recovered at once`);
    expect(of(peak(59))).toBe(`${head} all succeeded, recovered at once`);
  });

  it('says where the objectives did not hold again, too late, or beyond what few requests tell', () => {
    expect(of({ recovery: null }, failing)).toContain('not recovered within 30 s');
    expect(of({ recovery: { least: 8, best: 9, most: 9 } }, failing)).toContain('within 9 s, later than allowed');
    expect(of({ recovery: { least: 0, best: 0, most: null } })).toContain(
      'recovered at once as far as few requests tell',
    );
  });

  it('claims nothing of the platform where the generator or the limiter was in the way, or the base rate too much', () => {
    expect(of({ generator: 'requests were sent 40 ms late' })).toBe(`${head} not judged`);
    const limited = { ...spike.before, decision: 'void', why: '40 % of the requests were answered 429' };
    expect(of({ before: limited })).toBe(`${head} not judged`);
    expect(of({ before: { ...spike.before, decision: 'missed' } })).toBe(
      `${head} the base rate alone missed the objectives`,
    );
  });
});

describe('the headline of a soak', () => {
  const slice = (decision: string) => ({ ...FIGURES, decision, why: 'requests were sent 40 ms late' });
  const still = { rise: 0.01, least: -0.02, most: 0.04, drifts: false };
  const soak = {
    ...{ ...FIGURES, rps: 20, seconds: 600, answers: 12_000, p50Drift: still, p99Drift: still },
    ...{ slices: Array.from({ length: 30 }, () => slice('met')), errorsFromSeconds: null },
  };
  const of = (changes: object, given: Given = {}) => said('soak', { soak: { ...soak, ...changes } }, given);
  const head = 'Soak at 20 requests/s for 10 min:';

  it('is objectives, latency, errors and drift', () => {
    expect(of({})).toBe(`${head} objectives met, p99 7.84 ms, no errors, no drift`);
    expect(of({ p50Drift: null, p99Drift: null })).toBe(`${head} objectives met, p99 7.84 ms, no errors`);
  });

  it('says what failed', () => {
    const some = [slice('missed'), slice('missed'), ...soak.slices.slice(2)];
    expect(of({ slices: some, errorRate: 0.004 }, failing)).toBe(
      `${head} objectives missed in 2 of 30 slices, p99 7.84 ms, 0.4 % errors, no drift`,
    );
    const rising = { rise: 0.31, least: 0.24, most: 0.39, drifts: true };
    expect(of({ p50Drift: rising }, failing)).toBe(
      `${head} objectives met, p99 7.84 ms, no errors, median up 31 % by the end, more than is allowed`,
    );
    expect(of({ errorRate: 0.01, errorsFromSeconds: 120 })).toContain('more errors from 2 min on');
    expect(of({ decision: 'undecided', answers: 40 })).toBe(`${head} objectives not decided, no errors, no drift`);
  });

  it('judges nothing where the generator or the limiter was in the way', () => {
    expect(of({ decision: 'void', why: 'the generator used 95 % of the machine' })).toBe(`${head} not judged`);
    const late = (count: number) => ({ slices: [...soak.slices, ...Array(count).fill(slice('void'))] });
    expect(of(late(4), { verdict: 'none' })).toBe(`${head} not judged`);
    // As few are not why there is no verdict.
    expect(of({ ...late(1), decision: 'undecided' }, { verdict: 'none' })).toContain('objectives not decided');
  });

  it('says that a run was cut short', () => {
    const run = { partial: true } as Report['run'];
    expect(of({ seconds: 90 }, { verdict: 'none', run })).toMatch(/for 1 min 30 s: .*, run cut short$/);
  });
});

describe('the headline of suites that judge limits', () => {
  const plan = (name: string, changes: object = {}) => ({
    ...{ plan: name, key: `${name}-1`, limit: 100, windowSeconds: 4, algorithm: 'fixed-window', burst: 100, costs: {} },
    ...{ confidence: 'sure', limitBounds: { least: 100, best: 100, most: 100 }, ...changes },
  });

  it('is how many clauses on limits hold, of those judged', () => {
    const plans = [plan('standard'), plan('growth')];
    const clauses = [
      clause('RATE-04', 'pass'),
      clause('RATE-10', 'pass'),
      clause('RATE-11', 'observed'),
      clause('ERR-01', 'pass'),
    ];
    expect(said('ratelimit', { plans }, { clauses })).toBe(
      'Rate limits of 2 plans, called by many at once: all 2 clauses judged hold',
    );
    const broken = [...clauses, clause('RATE-03', 'fail'), clause('RATE-07', 'pass', 0)];
    expect(said('ratelimit', { plans }, { clauses: broken, ...failing })).toContain('2 of 3 clauses judged hold');
    expect(said('ratelimit', { plans })).toBe('Rate limits: nothing was measured');
  });

  it('is the ceiling of each plan, as sure as it is known', () => {
    const plans = [
      plan('standard'),
      plan('growth', { limit: 300, confidence: 'likely' }),
      plan('enterprise', { limit: null, confidence: 'unknown: nothing was measured' }),
      plan('bucket', { algorithm: 'token-bucket', unitsPerSecond: 25, burst: 50 }),
      plan('split'),
      plan('split', { key: 'split-2', limit: 200, limitBounds: { least: 199, best: 200, most: 201 } }),
    ];
    expect(said('ceiling', { plans })).toBe(
      'Ceilings: standard 100 in 4 s, growth likely 300 in 4 s, enterprise not known, bucket 25 a second and 50 at once, 1 plan more',
    );
    expect(said('ceiling', { plans: plans.slice(4) })).toBe('Ceilings: split different for its 2 keys');
  });

  it('is one for keys whose windows agree within their bounds', () => {
    const window = (best: number, least: number, most: number) => ({
      ...{ windowSeconds: best, windowSecondsBounds: { least, best, most }, algorithm: 'fixed-window' },
    });
    const first = plan('standard', window(9.978, 9.855, 10.1));
    const near = plan('standard', { key: 'two', ...window(9.903, 9.782, 10.023) });
    const far = plan('standard', { key: 'two', ...window(11, 10.9, 11.1) });
    expect(said('ceiling', { plans: [first, near] })).toBe('Ceilings: standard 100 in 9.98 s');
    expect(said('ceiling', { plans: [first, far] })).toBe('Ceilings: standard different for its 2 keys');
    expect(said('ceiling', { plans: [plan('standard', { confidence: 'stated' })] })).toBe(
      'Ceilings: nothing was measured',
    );
  });

  it('is whether one key at its ceiling slows another', () => {
    const other = (changes: object = {}) => ({
      plan: 'growth',
      key: 'gro-1',
      slowing: { factor: { least: 0.9, best: 1, most: 1.1 }, shift: 'none', unknown: null, ...changes },
    });
    const row = (others: readonly object[], refused = 20) => ({
      plan: 'standard',
      key: 'std-1',
      admitted: 100,
      refused,
      others,
    });
    const of = (rows: readonly object[], given: Given = {}) =>
      said('isolation', { isolation: { slowdown: null, keys: rows } }, given);
    expect(of([row([other()])])).toBe('Isolation, 1 key at its ceiling: no other key slowed');
    const slow = other({ factor: { least: 2, best: 2.3, most: 2.6 }, shift: 'sure' });
    expect(of([row([other(), slow])], failing)).toBe(
      'Isolation, 1 key at its ceiling: gro-1 answers 2.3 times as slowly beside std-1, more than is allowed',
    );
    expect(of([row([other(), other({ shift: 'open' })])])).toContain(
      'no other key surely slowed, not settled for 1 of 2 pairs',
    );
    expect(of([row([other()], 0)])).toBe('Isolation: no key was brought to its ceiling');
    expect(of([])).toBe('Isolation: nothing was measured');
  });

  it('is how many exports were accepted and refused', () => {
    const part = { operation: 'POST /e', key: 'std-1', calls: 210, accepted: 40, refused: 170, refusedAfterMs: 90 };
    expect(said('exports', { exports: part })).toBe('Exports of one user: 40 of 210 accepted, 170 refused');
    expect(said('exports', { exports: { ...part, accepted: 210, refused: 0 } })).toContain(
      '210 of 210 accepted, none refused',
    );
  });

  it('is which guarantees held under pressure', () => {
    const pressure = {
      mode: 'saturated',
      rps: 100,
      seconds: 9,
      figures: FIGURES,
      probes: 12,
      probesRefused: 0,
      keyedRefused: 0,
    };
    const clauses = [clause('IDEM-01', 'pass'), clause('PAG-04', 'fail'), clause('SCH-01', 'pass')];
    const of = (changes: object, given: Given) => said('pressure', { pressure: { ...pressure, ...changes } }, given);
    expect(of({}, { clauses, ...failing })).toBe(
      'Beside 100 requests/s: 1 of 2 clauses on idempotency and pagination holds',
    );
    expect(of({ probes: 0 }, { verdict: 'none' })).toBe('Beside 100 requests/s: nothing was probed');
    expect(of({ mode: 'limited' }, { verdict: 'none', clauses })).toBe(
      'Key kept at its limit by 100 requests/s: not judged',
    );
  });
});

describe('the headline of load by several instances', () => {
  const capacity = (step: object) => ({
    capacity: { met: 300, missed: null, open: 'one rate', steps: [step], p50Ms: 3, p99Ms: 8, confidence: '' },
  });

  it('is how the one rate fared', () => {
    const step = { ...FIGURES, rps: 3000, seconds: 60, answers: 180_000, errorRate: 0.002 };
    const head = '3,000 requests/s by several instances for 1 min:';
    expect(said('distributed', capacity(step))).toBe(`${head} objectives met, p99 7.84 ms, 0.2 % errors`);
    expect(said('distributed', capacity({ ...step, decision: 'missed' }), failing)).toContain('objectives missed');
    expect(said('distributed', capacity({ ...step, decision: 'void', why: 'requests were sent 40 ms late' }))).toBe(
      `${head} not judged, requests were sent 40 ms late`,
    );
  });
});

describe('the sentence of a report', () => {
  it('also says what a load run found broken', () => {
    const clauses = [clause('ERR-04', 'fail')];
    const findings = [{ kind: 'violation', clause: 'ERR-04', service: 'admin', operation: 'GET /a' }];
    const broken = { ...failing, clauses, findings, counts: { violations: 1 } } as unknown as Given;
    expect(verdictSentence(report('capacity', {}, broken))).toBe(
      'Capacity: nothing was measured; 1 clause fails on 1 operation.',
    );
    const accepted = { ...broken, verdict: 'pass', counts: { violations: 1, accepted: 1 } } as unknown as Given;
    expect(verdictSentence(report('exports', {}, accepted))).toBe('Exports: nothing was measured.');
  });

  it('is that of the contract where no single load suite ran', () => {
    expect(loadHeadline(report('', {}))).toBeNull();
    expect(loadHeadline({ ...report('', {}), load: undefined })).toBeNull();
    expect(verdictSentence(report('', {}, { clauses: [clause('ERR-04', 'pass')], target: {} as never }))).toBe(
      'The target keeps its contract: the one clause tested holds.',
    );
  });

  it('counts what is new and what is known against the baseline, and names that', () => {
    const violation = { kind: 'violation', clause: 'ERR-04', service: 'admin', operation: 'GET /a' };
    const findings = [violation, { ...violation, known: true }, { ...violation, known: true }];
    const baseline = { run: 'r1', resolved: [], startedAt: '2026-11-20T09:00:00Z' };
    const told = (revision?: object) => {
      const given = {
        ...{ verdict: 'fail', clauses: [clause('ERR-04', 'fail')], findings, target: {}, counts: { violations: 3 } },
        acceptance: { failOn: 'any', waivers: [], baseline: { ...baseline, ...(revision && { revision }) } },
      };
      return verdictSentence(report('', {}, given as unknown as Given));
    };
    expect(told()).toContain('; 1 violation is new, 2 known against r1.');
    const main = { branch: 'main', commit: '1a2b3c4d5e6f' };
    expect(told(main)).toContain('; 1 violation is new, 2 known against main (20 Nov 2026, 1a2b3c4).');
  });

  it('says what is waived, and why a run fails though nothing is new', () => {
    const violation = { kind: 'violation', clause: 'AUTH-01', service: 'admin', operation: 'GET /a' };
    const findings = [
      { ...violation, known: true },
      { ...violation, waiver: { owner: 'a' } },
    ];
    const told = (failOn: string) => {
      const acceptance = { failOn, waivers: [], baseline: { run: 'r1', resolved: [] } };
      const given = {
        verdict: 'fail',
        clauses: [clause('AUTH-01', 'fail')],
        findings,
        target: {},
        counts: {},
        acceptance,
      };
      return verdictSentence(report('', {}, given as unknown as Given));
    };
    const counted = '; 0 violations are new, 1 known against r1, 1 waived; ';
    expect(told('new')).toContain(`${counted}a baseline does not accept the 1 on security.`);
    expect(told('any')).toContain(`${counted}--fail-on any counts what is known, too.`);
  });

  it.each([
    ['as far as tested, 9 of 46 operations', { counts: { operations: 46, operationsTested: 9 } }],
    ['as far as tested, within its filters', { run: { partial: false, filters: {} } }],
    ['as far as tested, shard 1 of 3', { run: { partial: false, shard: { index: 1, count: 3 } } }],
    ['as far as tested, not to the end', { run: { partial: true } }],
    ['', { counts: { operations: 46, operationsTested: 46 } }],
  ])('says in the same sentence what part was tested: %j', (extent, given) => {
    const clauses = [clause('ERR-04', 'pass'), clause('ERR-05', 'pass')];
    const sentence = (counts: object) =>
      verdictSentence(
        report('', {}, {
          clauses,
          target: {},
          ...given,
          counts: { ...Object(given).counts, ...counts },
        } as unknown as Given),
      );
    const told = extent === '' ? '' : ` ${extent}`;
    expect(sentence({})).toBe(`The target keeps its contract${told}: all 2 clauses tested hold.`);
    const onLists = (...shown: readonly string[]) =>
      verdictSentence(
        report('', {}, {
          clauses,
          target: {},
          counts: {},
          operations: shown.map((lists) => ({ lists })),
        } as unknown as Given),
      );
    expect(onLists('empty', 'empty')).toMatch(/: all 2 clauses tested hold, though no list showed an item\.$/);
    expect(onLists('empty', 'filled')).toMatch(/: all 2 clauses tested hold\.$/);
    expect(sentence({ accepted: 3 })).toBe(`Nothing new is broken${told}: 2 clauses hold, 3 violations are accepted.`);
    expect(sentence({ advisories: 1 })).toContain(': all 2 clauses tested hold, with 1 advisory.');
    expect(sentence({ accepted: 3, advisories: 2 })).toContain(', 3 violations are accepted, with 2 advisories.');
  });

  it.each(['capacity', 'soak', 'spike', 'pressure', 'isolation', 'exports', 'ratelimit', 'ceiling', 'distributed'])(
    'of %s whose part has another shape says that nothing was measured',
    (suite) => {
      const other = Object.fromEntries(
        ['capacity', 'soak', 'spike', 'pressure', 'isolation', 'exports'].map((name) => [name, 7]),
      );
      expect(said(suite, { ...other, plans: [null] })).toMatch(/: nothing was measured$/);
    },
  );
});
