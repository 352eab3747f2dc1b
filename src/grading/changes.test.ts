import { describe, expect, test } from 'vitest';
import type { ClauseRow, Finding, OperationRow, Report } from '../contract/report.ts';
import { changesSince, isComparable } from './changes.ts';

const FINDING = { clause: 'ERR-04', kind: 'violation', service: 'admin', operation: 'GET /a', cause: 'c' } as const;

function finding(fingerprint: string, given: Partial<Finding> = {}): Finding {
  return { ...FINDING, fingerprint, ...given } as Finding;
}

function report(findings: readonly Finding[], checks = 3, status: ClauseRow['status'] = 'pass'): Report {
  const operation = { service: 'admin', operation: 'GET /a', clauses: { 'ERR-04': { checks } } };
  return {
    run: { id: 'run-1', startedAt: '2026-11-21T00:00:00.000Z', scope: 's' },
    target: { baseUrl: 'https://api.example.com', environment: 'staging' },
    verdict: 'fail',
    clauses: [{ id: 'ERR-04', status, checks } as ClauseRow],
    operations: [operation as unknown as OperationRow],
    findings,
  } as unknown as Report;
}

describe('changes since an earlier run', () => {
  test('tell what appeared, what is gone, and which clauses changed', () => {
    const changes = changesSince(report([finding('a'), finding('b')], 3, 'fail'), report([finding('b'), finding('c')]));
    expect(changes).toMatchObject({ run: 'run-1', verdict: 'fail', appeared: ['c'], unknown: 0 });
    expect(changes.gone).toEqual([{ ...FINDING, fingerprint: 'a' }]);
    expect(changes.clauses).toEqual([{ id: 'ERR-04', before: 'fail', now: 'pass' }]);
  });

  test('what was not judged again is not gone', () => {
    expect(changesSince(report([finding('a')]), report([], 0))).toMatchObject({ gone: [], unknown: 1 });
    const lost = finding('a', { operation: 'GET /no-more' });
    expect(changesSince(report([lost]), report([]))).toMatchObject({ gone: [], unknown: 1 });
  });

  test('a finding on no operation is gone where its clause was judged', () => {
    const whole = finding('a', { service: null, operation: null });
    expect(changesSince(report([whole]), report([])).gone).toHaveLength(1);
  });

  test('observations are no change', () => {
    const fact = finding('a', { kind: 'observation' });
    expect(changesSince(report([]), report([fact])).appeared).toEqual([]);
    expect(changesSince(report([fact]), report([]))).toMatchObject({ gone: [], unknown: 0 });
  });

  test('need the same scope by the same load suite or none, on the same host; on this machine any port is the same', () => {
    const one = report([]);
    expect(isComparable(one, { scope: 's', target: { baseUrl: 'https://api.example.com/' } })).toBe(true);
    expect(isComparable(one, { scope: 's', target: { baseUrl: 'https://other.example.com' } })).toBe(false);
    expect(isComparable(one, { scope: 'other', target: { baseUrl: 'https://api.example.com' } })).toBe(false);
    const target = { baseUrl: 'https://api.example.com' };
    const spike = { ...one, load: { suite: 'spike', plans: [] } };
    expect(isComparable(spike, { scope: 's', target })).toBe(false);
    expect(isComparable(one, { scope: 's', target, suite: 'spike' })).toBe(false);
    expect(isComparable(spike, { scope: 's', target, suite: 'soak' })).toBe(false);
    expect(isComparable(spike, { scope: 's', target, suite: 'spike' })).toBe(true);
    const local = { ...one, target: { ...one.target, baseUrl: 'http://127.0.0.1:4001' } };
    expect(isComparable(local, { scope: 's', target: { baseUrl: 'http://127.0.0.1:4002' } })).toBe(true);
    expect(isComparable(local, { scope: 's', target: { ...local.target, embedded: true } })).toBe(false);
    // Two servers of one machine are told apart by the environments that `--env` chose.
    const preview = { ...local, run: { ...local.run, env: 'preview' } };
    expect(isComparable(preview, { scope: 's', target: local.target, env: 'preview' })).toBe(true);
    expect(isComparable(preview, { scope: 's', target: local.target, env: 'staging' })).toBe(false);
    expect(
      isComparable(
        { ...one, run: { ...one.run, shard: { index: 1, count: 2 } } },
        { scope: 's', target: { baseUrl: 'https://api.example.com' } },
      ),
    ).toBe(false);
  });
});
