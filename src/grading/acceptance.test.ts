import { describe, expect, it } from 'vitest';
import type { Finding, Report, Waiver } from '../contract/report.ts';
import { type AcceptanceRules, accept, unaccepted } from './acceptance.ts';

const LIST = 'GET /api/v1/themes';
const TODAY = '2026-06-15';
const ROW = { level: 'must', checks: 9, advisories: 0, operationsInScope: 1, operationsTested: 1 } as const;

function violation(changes: Partial<Finding> = {}): Finding {
  return { ...BASE, ...changes };
}

const BASE: Finding = {
  clause: 'ERR-04',
  kind: 'violation',
  service: 'admin',
  operation: LIST,
  cause: 'c',
  message: 'm',
  expected: 'e',
  actual: 'a',
  pointer: null,
  fingerprint: '00000000000000aa',
  exchanges: [],
  curl: null,
  occurrences: 1,
  looks: 1,
  intermittent: false,
};

function report(findings: readonly Finding[], run: Partial<Report['run']> = {}): Report {
  const count = (clause: string) => findings.filter((one) => one.clause === clause && one.kind === 'violation').length;
  const rows = ['ERR-04', 'REQ-02', 'AUTH-01'].map((id) => {
    const violations = count(id);
    return { ...ROW, id, status: violations > 0 ? ('fail' as const) : ('pass' as const), violations };
  });
  const violations = rows.reduce((sum, row) => sum + row.violations, 0);
  const counts = { requests: 1, operations: 1, operationsTested: 1, checks: 18, violations, advisories: 0 };
  return {
    run: { id: 'now', partial: false, ...run },
    counts,
    verdict: violations > 0 ? 'fail' : 'pass',
    clauses: rows,
    findings,
    operations: [{ service: 'admin', operation: LIST, clauses: { 'ERR-04': { checks: 4 }, 'REQ-02': { checks: 5 } } }],
  } as unknown as Report;
}

const WAIVER: Waiver = {
  clause: 'ERR-04',
  operation: LIST,
  fingerprint: null,
  reason: 'r',
  owner: 'o',
  ticket: null,
  expires: '2026-06-15',
};

function rules(changes: Partial<AcceptanceRules>): AcceptanceRules {
  return { waivers: [], baseline: null, failOn: 'any', allowsSecurity: false, today: TODAY, ...changes };
}

function waived(findings: readonly Finding[], waiver: Partial<Waiver> = {}, run: Partial<Report['run']> = {}): Report {
  return accept(report(findings, run), rules({ waivers: [{ ...WAIVER, ...waiver }] }));
}

describe('a waiver', () => {
  it('keeps the violation in sight and out of the verdict', () => {
    const held = waived([violation()]);
    expect(held.verdict).toBe('pass');
    expect(held.findings).toMatchObject([{ kind: 'violation', waiver: { owner: 'o' } }]);
    expect(held.clauses[0]).toMatchObject({ status: 'fail', violations: 1, accepted: 1 });
    expect(held.counts).toMatchObject({ violations: 1, accepted: 1, advisories: 0 });
    expect(held.acceptance?.waivers).toMatchObject([{ status: 'used', violations: 1 }]);
  });

  it.each<[string, Partial<Waiver>]>([
    ['of another clause', { clause: 'REQ-02' }],
    ['of another operation', { operation: 'POST *' }],
    ['of another finding', { fingerprint: '00000000000000bb' }],
    ['that has expired', { expires: '2026-06-14' }],
  ])('%s accepts nothing', (_name, waiver) => {
    const held = waived([violation()], waiver);
    expect(held.verdict).toBe('fail');
    expect(held.counts.accepted).toBeUndefined();
  });

  it('that has expired is told, with what counts again', () => {
    expect(waived([violation()], { expires: '2026-01-01' }).acceptance?.waivers).toMatchObject([
      { status: 'expired', violations: 1 },
    ]);
  });

  it('leaves other violations of its clause in the verdict', () => {
    const other = violation({ operation: 'POST /api/v1/stores', fingerprint: '00000000000000cc' });
    expect(waived([violation(), other]).verdict).toBe('fail');
  });

  it('that matches nothing is an advisory', () => {
    const held = waived([]);
    expect(held.verdict).toBe('pass');
    expect(held.findings).toMatchObject([{ kind: 'advisory', clause: 'ERR-04' }]);
    expect([held.counts.advisories, held.clauses[0]?.advisories]).toEqual([1, 1]);
  });

  it.each<[string, Partial<Waiver>, Partial<Report['run']>]>([
    ['where another part of the operations was judged', { operation: 'POST /api/v1/stores' }, { partial: true }],
    [
      'where filters left something out',
      { operation: '*' },
      { filters: { services: [], operations: [], clauses: [] } },
    ],
    ['where a shard judged', { operation: null, fingerprint: '00000000000000bb' }, { shard: { index: 1, count: 2 } }],
  ])('is not called unused %s', (_name, waiver, run) => {
    const held = waived([], waiver, run);
    expect(held.findings).toEqual([]);
    expect(held.acceptance?.waivers).toMatchObject([{ status: 'not-judged' }]);
  });

  it('is unused where its operation is described no more', () => {
    expect(waived([], { operation: 'GET /gone' }).findings).toMatchObject([{ kind: 'advisory' }]);
  });

  it('accepts what belongs to no operation by * alone', () => {
    const whole = violation({ service: null, operation: null });
    expect(waived([whole], { operation: 'GET *' }).verdict).toBe('fail');
    expect(waived([whole], { operation: '*' }).verdict).toBe('pass');
  });

  it('does not make a verdict where there is none', () => {
    expect(waived([violation()], {}, { broken: true }).verdict).toBe('none');
    expect(waived([violation()], {}, { minOperations: 2 }).verdict).toBe('none');
  });
});

describe('a baseline', () => {
  const baseline = report([violation(), violation({ fingerprint: '00000000000000dd', clause: 'REQ-02' })], {
    id: 'old',
  });
  const fresh = violation({ fingerprint: '00000000000000ee' });

  it('leaves what it has out of the verdict, and names what is gone', () => {
    const held = accept(report([violation()]), rules({ baseline, failOn: 'new' }));
    expect(held.verdict).toBe('pass');
    expect(held.findings).toMatchObject([{ known: true }]);
    expect(held.acceptance?.baseline).toEqual({ run: 'old', resolved: ['00000000000000dd'] });
  });

  it('does not excuse what is new', () => {
    expect(accept(report([violation(), fresh]), rules({ baseline, failOn: 'new' })).verdict).toBe('fail');
  });

  it('excuses no violation of a security clause unless it is allowed to', () => {
    const stranger = violation({ clause: 'AUTH-01' });
    const known = report([stranger], { id: 'old' });
    const held = accept(report([stranger]), rules({ baseline: known, failOn: 'new' }));
    expect(held).toMatchObject({ verdict: 'fail', findings: [{ known: true }] });
    const allowed = accept(report([stranger]), rules({ baseline: known, failOn: 'new', allowsSecurity: true }));
    expect(allowed).toMatchObject({ verdict: 'pass', acceptance: { allowsSecurity: true } });
  });

  it('excuses nothing where any violation is to fail', () => {
    const held = accept(report([violation()]), rules({ baseline, failOn: 'any' }));
    expect(held).toMatchObject({ verdict: 'fail', findings: [{ known: true }] });
  });

  it('excuses no advisory that became a violation', () => {
    const milder = report([violation({ kind: 'advisory' })]);
    expect(accept(report([violation()]), rules({ baseline: milder, failOn: 'new' })).verdict).toBe('fail');
  });
});

it('held twice, a report is as if held once; taken back, as it was judged', () => {
  const judged = report([violation()]);
  const once = accept(judged, rules({ waivers: [WAIVER, { ...WAIVER, clause: 'REQ-02' }] }));
  expect(accept(once, rules({ waivers: [WAIVER, { ...WAIVER, clause: 'REQ-02' }] }))).toEqual(once);
  expect(unaccepted(once)).toEqual(judged);
});
