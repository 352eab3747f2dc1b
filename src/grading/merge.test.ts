import { describe, expect, it } from 'vitest';
import type { ClauseRow, Finding, Observation, OperationRow, Report } from '../contract/report.ts';
import { continued, mergeShards, together } from './merge.ts';
import { NO_OCCASION } from './rows.ts';

interface Shape {
  readonly index: number;
  readonly rows: readonly Partial<ClauseRow>[];
  readonly findings?: readonly Partial<Finding>[];
  readonly tested?: boolean;
  readonly run?: Partial<Report['run']>;
}

function shard({ index, rows, findings = [], tested = true, run = {} }: Shape): Report {
  const numbers = { checks: 0, violations: 0, advisories: 0, operationsInScope: 1, operationsTested: 1 };
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: '1' },
    run: {
      id: `run-${index}`,
      startedAt: `2026-11-21T00:00:0${index}.000Z`,
      durationMs: 1000,
      seed: 1,
      partial: false,
      shard: { index, count: 2 },
      scope: 'same',
      ...run,
    },
    target: { baseUrl: 'http://127.0.0.1:1', environment: 'local' },
    verdict: 'pass',
    counts: { requests: 10, operations: 1, operationsTested: 1, checks: 5, violations: 0, advisories: 0 },
    clauses: rows.map((row) => ({ id: 'ERR-04', level: 'must', status: 'not-tested', ...numbers, ...row })),
    findings: findings.map((finding) => ({ ...FINDING, ...finding })),
    services: [
      {
        name: 'admin',
        spec: 'a',
        openapi: '3.0.0',
        version: '1',
        testable: true,
        operations: 1,
        operationsTested: 1,
        requests: 10,
      },
    ],
    operations: [
      {
        service: 'admin',
        operation: `GET /${index}`,
        tested,
        requests: 1,
        statuses: {},
        clauses: { 'ERR-04': { checks: 1 } },
      } as unknown as OperationRow,
    ],
    exchanges: [{ id: 'ex-1' } as Report['exchanges'][number]],
    leftovers: [],
  };
}

const FINDING: Finding = {
  clause: 'ERR-04',
  kind: 'violation',
  service: 'admin',
  operation: 'GET /1',
  cause: 'c',
  message: 'm',
  expected: 'e',
  actual: 'a',
  pointer: null,
  fingerprint: 'f1',
  exchanges: ['ex-1'],
  curl: null,
  occurrences: 2,
  looks: 4,
  seen: { times: 1, of: 2, what: 'answers' },
  intermittent: false,
};
const pass = { status: 'pass', checks: 3 } as const;

describe('shards merged', () => {
  it('add up, and pass when all of them do', () => {
    const merged = mergeShards([shard({ index: 2, rows: [pass] }), shard({ index: 1, rows: [pass] })]);
    expect(merged.verdict).toBe('pass');
    expect(merged.counts).toMatchObject({ requests: 20, operations: 2, operationsTested: 2, checks: 10 });
    expect(merged.clauses[0]).toMatchObject({ status: 'pass', checks: 6, operationsInScope: 2, operationsTested: 2 });
    expect(merged.run).toMatchObject({ id: 'merged-run-1', durationMs: 2000, partial: false });
    expect(merged.services[0]).toMatchObject({ operations: 2, requests: 20 });
    expect(merged.run.shard).toBeUndefined();
  });

  it('add up how long answers took and what was sent, and tell no changes', () => {
    const used = (sent: number) => ({
      service: 'admin',
      operation: 'GET /same',
      tested: true,
      statuses: {},
      clauses: {},
      latency: { 8: sent },
      declared: { parameters: { 'query limit': sent, 'query page': 0 }, statuses: { 200: 1 } },
    });
    const part = (index: number): Report => ({
      ...shard({ index, rows: [pass] }),
      operations: [used(index) as unknown as OperationRow],
      since: { run: 'r', startedAt: '', verdict: 'pass', appeared: [], gone: [], unknown: 0, clauses: [] },
    });
    const merged = mergeShards([part(1), part(2)]);
    expect(merged.operations).toMatchObject([
      { latency: { 8: 3 }, declared: { parameters: { 'query limit': 3, 'query page': 0 }, statuses: { 200: 2 } } },
    ]);
    expect(merged.since).toBeUndefined();
  });

  it('keep the evidence of equal exchange ids apart, and count what both saw once', () => {
    const failed = { status: 'fail', checks: 1, violations: 1 } as const;
    const merged = mergeShards([
      shard({ index: 1, rows: [failed], findings: [{}] }),
      shard({ index: 2, rows: [failed], findings: [{}, { fingerprint: 'f2' }] }),
    ]);
    expect(merged.verdict).toBe('fail');
    expect(merged.clauses[0]).toMatchObject({ status: 'fail', violations: 2 });
    expect(merged.counts.violations).toBe(2);
    expect(merged.findings.map(({ exchanges, occurrences, seen }) => [exchanges, occurrences, seen])).toEqual([
      [['s1-ex-1'], 4, { times: 2, of: 4, what: 'answers' }],
      [['s2-ex-1'], 2, { times: 1, of: 2, what: 'answers' }],
    ]);
    expect(merged.exchanges.map(({ id }) => id)).toEqual(['s1-ex-1', 's2-ex-1']);
  });

  it('add what one saw on an operation of another to its row, and keep apart what none answers for', () => {
    const seen = (operation: string): OperationRow => ({
      ...{ service: 'admin', operation, resource: 'r', tested: false, requests: 2, statuses: { 200: 2 } },
      ...{ reasonCode: 'sharded', reason: 'another shard answers for it' },
      clauses: { 'ERR-04': { status: 'pass', checks: 2, violations: 0, advisories: 0 } },
    });
    const first: Report = { ...shard({ index: 1, rows: [pass] }), elsewhere: [seen('GET /2'), seen('GET /3')] };
    const merged = mergeShards([first, shard({ index: 2, rows: [pass] })]);
    expect(merged.operations.map(({ operation, tested, requests }) => [operation, tested, requests])).toEqual([
      ['GET /1', true, 1],
      ['GET /2', true, 3],
    ]);
    expect(merged.operations[1]).not.toHaveProperty('reasonCode');
    expect(merged.operations[1]?.clauses['ERR-04']).toMatchObject({ status: 'pass', checks: 3 });
    expect(merged.elsewhere).toEqual([seen('GET /3')]);
    expect(merged.clauses[0]).toMatchObject({ operationsInScope: 3, operationsTested: 3 });
    expect(merged.counts.operations).toBe(2);
  });

  it('say why a clause was not tested by the shard that knows', () => {
    const elsewhere = { reasonCode: 'sharded', reason: 'elsewhere' } as const;
    const known = { reasonCode: 'no-credential', reason: 'no key' } as const;
    expect(
      mergeShards([shard({ index: 1, rows: [elsewhere] }), shard({ index: 2, rows: [known] })]).clauses[0],
    ).toMatchObject({
      status: 'not-tested',
      reasonCode: 'no-credential',
    });
    const none = [shard({ index: 1, rows: [elsewhere] }), shard({ index: 2, rows: [elsewhere] })];
    expect(mergeShards(none).clauses[0]).toMatchObject({ status: 'not-tested', reasonCode: 'precondition' });
  });

  it('have no verdict while one is missing, unless something was violated', () => {
    const alone = mergeShards([shard({ index: 2, rows: [pass] })]);
    expect([alone.verdict, alone.run.partial, alone.run.note]).toEqual(['none', true, 'shard 1 of 2 is missing']);
    const failed = shard({ index: 2, rows: [{ status: 'fail', checks: 1, violations: 1 }], findings: [{}] });
    expect(mergeShards([failed]).verdict).toBe('fail');
  });

  it('say so where they ran against several addresses', () => {
    const moved = {
      ...shard({ index: 2, rows: [pass] }),
      target: { baseUrl: 'http://127.0.0.1:2', environment: 'local' },
    };
    const merged = mergeShards([shard({ index: 1, rows: [pass] }), moved]);
    expect([merged.verdict, merged.run.note]).toEqual([
      'pass',
      'the shards ran against http://127.0.0.1:1, http://127.0.0.1:2',
    ]);
  });

  it('have no verdict where one lost its target', () => {
    const lost = {
      ...shard({ index: 2, rows: [pass], run: { partial: true, broken: true, note: 'gone' } }),
      verdict: 'none' as const,
    };
    const merged = mergeShards([shard({ index: 1, rows: [pass] }), lost]);
    expect([merged.verdict, merged.run.note]).toEqual(['none', 'shard 2: gone']);
  });

  it('tell what failed in Assay itself, and do not pass its clause by what others judged', () => {
    const error = { clauses: ['ERR-04'], where: 'a check', error: 'RangeError', at: null, exchange: 'ex-1', times: 1 };
    const failed = { status: 'not-tested', checks: 0, reasonCode: 'harness-error', reason: 'it failed' } as const;
    const parts = [
      { ...shard({ index: 1, rows: [failed], run: { broken: true } }), harnessErrors: [error] },
      shard({ index: 2, rows: [pass] }),
    ];
    const merged = mergeShards(parts);
    expect(merged.harnessErrors).toEqual([{ ...error, exchange: 's1-ex-1' }]);
    expect(merged.clauses[0]).toMatchObject({ status: 'not-tested', reasonCode: 'harness-error' });
    expect(merged.verdict).toBe('none');
  });

  it('must together have judged an answer and met a success', () => {
    const counted = (index: number, checksOnAnswers: number, successes: number): Report => {
      const { counts, operations, ...rest } = shard({ index, rows: [pass] });
      const rows = operations.map((row) => ({ ...row, successes }));
      const own = { checksOnAnswers, operationsSucceeded: Number(successes > 0) };
      return { ...rest, operations: rows, counts: { ...counts, ...own } };
    };
    expect(mergeShards([counted(1, 0, 0), counted(2, 3, 1)])).toMatchObject({
      verdict: 'pass',
      counts: { checksOnAnswers: 3, operationsSucceeded: 1 },
    });
    expect(mergeShards([counted(1, 3, 0), counted(2, 3, 0)]).verdict).toBe('none');
    expect(mergeShards([counted(1, 0, 1), counted(2, 0, 1)]).verdict).toBe('none');
  });

  it('must together pass the gate of the whole', () => {
    const gate = { run: { minOperations: 2 } };
    const both = (tested: boolean) =>
      mergeShards([
        shard({ index: 1, rows: [pass], run: { ...shard({ index: 1, rows: [] }).run, ...gate.run } }),
        shard({ index: 2, rows: [pass], tested }),
      ]).verdict;
    expect([both(true), both(false)]).toEqual(['pass', 'none']);
  });

  it.each([
    ['the same shard twice', [shard({ index: 1, rows: [] }), shard({ index: 1, rows: [] })], 'shard 1 is given twice'],
    [
      'another seed',
      [shard({ index: 1, rows: [] }), shard({ index: 2, rows: [], run: { seed: 2 } })],
      'are not parts of one',
    ],
    [
      'another configuration',
      [shard({ index: 1, rows: [] }), shard({ index: 2, rows: [], run: { settings: 'other' } })],
      'configuration unknown, not configuration other',
    ],
    [
      'another description',
      [1, 2].map((index) => {
        const report = shard({ index, rows: [] });
        return { ...report, services: report.services.map((service) => ({ ...service, digest: `d${index}` })) };
      }),
      'descriptions admin d2',
    ],
    [
      'a whole run',
      [{ ...shard({ index: 1, rows: [] }), run: { id: 'whole' } as Report['run'] }],
      'run whole is no shard',
    ],
    ['nothing', [], 'nothing to merge'],
  ])('are refused: %s', (_, reports, message) => {
    expect(() => mergeShards(reports)).toThrow(message);
  });

  it('join the tables of observations: what several shards saw alike is sure', () => {
    const row: Observation = {
      clause: 'ERR-11',
      service: null,
      operation: null,
      key: null,
      plan: null,
      subject: 'the code conflict',
      value: '409 conflict_error',
      confidence: 'likely',
      calls: 1,
      basis: 'error answers',
      exchanges: ['ex-1'],
      finding: 'f9',
    };
    const parts = [1, 2].map((index) => ({ ...shard({ index, rows: [{}] }), observations: [row] }));
    expect(mergeShards(parts).observations).toEqual([{ ...row, confidence: 'sure', calls: 2, exchanges: ['s1-ex-1'] }]);
    expect(mergeShards([1, 2].map((index) => shard({ index, rows: [{}] })))).not.toHaveProperty('observations');
  });
});

describe('a run that goes on', () => {
  const part = (
    id: string,
    row: Partial<ClauseRow>,
    clause: OperationRow['clauses'][string],
    run: Partial<Report['run']> = {},
  ): Report => {
    const report = shard({ index: 1, rows: [row], run: { id, ...run } });
    const operation = {
      service: 'admin',
      operation: 'GET /1',
      resource: 'r',
      tested: true,
      requests: 3,
      statuses: { 200: 3 },
      clauses: { 'ERR-04': clause },
    };
    return { ...report, operations: [operation] };
  };
  const untested = { status: 'not-tested', checks: 0, violations: 0, advisories: 0, reasonCode: 'budget' } as const;
  const passed = { status: 'pass', checks: 3, violations: 0, advisories: 0 } as const;

  it('tests what the earlier part left, and counts both', () => {
    const earlier = part('one', { status: 'not-tested', reasonCode: 'budget', reason: 'spent' }, untested, {
      partial: true,
    });
    const whole = continued(earlier, part('two', pass, passed));
    expect(whole.clauses[0]).toMatchObject({ status: 'pass', checks: 3, operationsInScope: 1, operationsTested: 1 });
    expect(whole.operations).toMatchObject([{ requests: 6, statuses: { 200: 6 }, clauses: { 'ERR-04': passed } }]);
    expect(whole.run).toMatchObject({ id: 'two', resumes: 'one', durationMs: 2000, partial: false });
    expect([whole.verdict, whole.counts.operations]).toEqual(['pass', 1]);
  });

  it.each([
    ['precondition', true],
    ['budget', false],
  ] as const)(
    'keeps in scope what the earlier part could not judge for want of something: %s',
    (reasonCode, isKept) => {
      const open = { ...untested, reasonCode };
      const later = part('two', pass, passed);
      const [row] = later.operations as [OperationRow];
      const whole = continued(part('one', pass, open), { ...later, operations: [{ ...row, clauses: {} }] });
      expect('ERR-04' in (whole.operations[0]?.clauses ?? {})).toBe(isKept);
    },
  );

  it('says what the earlier part lacked where the later one had no occasion', () => {
    const lacking = { status: 'not-tested', reasonCode: 'no-credential', reason: 'no second key' } as const;
    const idle = { status: 'not-tested', ...NO_OCCASION } as const;
    const reasonsOf = (earlier: Partial<ClauseRow>, later: Partial<ClauseRow>) => {
      const [one, two] = [part('one', earlier, untested), part('two', later, untested)];
      return continued({ ...one, operations: [] }, { ...two, operations: [] }).clauses[0]?.reason;
    };
    expect(reasonsOf(lacking, idle)).toBe('no second key');
    expect(reasonsOf({ ...idle, reasonCode: 'budget', reason: 'spent' }, idle)).toBe(NO_OCCASION.reason);
    expect(reasonsOf(idle, lacking)).toBe('no second key');
  });

  it('keeps the violations of the earlier part', () => {
    const failed = { status: 'fail', checks: 1, violations: 1 } as const;
    const earlier = { ...part('one', failed, { ...failed, advisories: 0 }), findings: [FINDING] };
    const whole = continued(earlier, part('two', pass, passed));
    expect(whole.verdict).toBe('fail');
    expect(whole.operations[0]?.clauses['ERR-04']).toEqual({ status: 'fail', checks: 4, violations: 1, advisories: 0 });
  });

  it('is refused where the scope is another', () => {
    expect(() => continued(part('one', pass, passed), part('two', pass, passed, { scope: 'other' }))).toThrow(
      'are not parts of one: operations and clauses same, not operations and clauses other',
    );
  });
});

describe('conformance and load together', () => {
  const whole = (rows: readonly Partial<ClauseRow>[], run: Partial<Report['run']> = {}): Report => {
    const { shard: _shard, ...own } = shard({ index: 1, rows }).run;
    return { ...shard({ index: 1, rows }), run: { ...own, ...run } };
  };
  const idle = { status: 'not-tested', reasonCode: 'precondition', reason: 'no occasion' } as const;
  const elsewhere = { status: 'not-tested', reasonCode: 'other-command', reason: 'judged by assay conform' } as const;
  const pass = { status: 'pass', checks: 3 } as const;

  it('add up what each judged', () => {
    const joined = together(whole([pass]), [whole([pass]), whole([elsewhere])]);
    expect(joined.clauses[0]).toMatchObject({ status: 'pass', checks: 6 });
    expect(joined).toMatchObject({ verdict: 'pass', run: { durationMs: 3000, partial: false } });
  });

  it('tell why a clause was not judged by whom it concerns', () => {
    expect(together(whole([idle]), [whole([elsewhere])]).clauses[0]).toMatchObject(idle);
  });

  it('tell of each key what was measured last', () => {
    const row = (key: string, limit: number) => ({ plan: 'standard', key, limit });
    const stated = { ...whole([pass]), load: { plans: [row('a', 1), row('b', 2)] } };
    const measured = { ...whole([pass]), load: { plans: [row('a', 3)] } };
    expect(together(whole([pass]), [stated, measured]).load).toEqual({ plans: [row('a', 3), row('b', 2)] });
    expect(together(whole([pass]), [whole([pass])]).load).toBeUndefined();
  });

  it('tell what was sent and how it conformed, one run after the other', () => {
    const run = (lane: string, brokenAt: string | null) => ({
      ...whole([pass]),
      load: {
        plans: [],
        series: [{ suite: lane, lane, everySeconds: 1, rows: [], steps: [] }],
        conformance: { steps: [{ step: `${lane}.1`, answers: 1, violations: {} }], brokenAt },
      },
    });
    expect(together(whole([pass]), [run('a', null), run('b', 'b.1'), run('c', 'c.1')]).load).toMatchObject({
      series: [{ lane: 'a' }, { lane: 'b' }, { lane: 'c' }],
      conformance: { steps: [{ step: 'a.1' }, { step: 'b.1' }, { step: 'c.1' }], brokenAt: 'b.1' },
    });
  });

  it('lack what any of them lacks', () => {
    const lost = whole([pass], { partial: true, broken: true, note: 'gone' });
    expect(together(whole([pass]), [lost])).toMatchObject({ verdict: 'none', run: { partial: true, note: 'gone' } });
  });
});
