// The proof of CLIENT: every fault of a client is caught by its clause and no other clause is blamed, and every allowance raises
// nothing. The scenarios take place in memory and in virtual time.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contractOf } from '../src/config/contract-file.ts';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import type { Terms } from '../src/contract/terms.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { type Conduct, lawfulWait } from './clients/conduct.ts';
import { CLIENT_FAULTS, CLIENT_TOLERANCES } from './clients/deviations.ts';
import { judged } from './clients/in-memory.ts';
import { keepLook } from './looks.ts';
import { blamed } from './mutant.ts';
import { draws } from './programme.ts';

const CLIENT = CLAUSES.filter(({ family }) => family === 'CLIENT').map(({ id }) => id);

function rowOf(report: Report, clause: string) {
  return report.clauses.find(({ id }) => id === clause);
}

test('a right client keeps every clause, and the report has a row for each clause of the contract', async () => {
  const report = await judged();
  assertValid(report);
  expect(blamed(report)).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.verdict).toBe('pass');
  expect(report.clauses.map(({ id }) => id)).toEqual(CLAUSES.map(({ id }) => id));
  for (const id of CLIENT) expect(rowOf(report, id)).toMatchObject({ status: 'pass' });
  expect(rowOf(report, 'CLIENT-02')?.basis).toBe(
    '6 scenarios: read-store (401, 403); create-store (401, 403); pay (401, 403)',
  );
  const others = report.clauses.filter(({ id }) => !CLIENT.includes(id));
  expect(others.every(({ status, reasonCode }) => status === 'not-tested' && reasonCode === 'other-command')).toBe(
    true,
  );
});

describe('faults: clients', () => {
  test.each(CLIENT_FAULTS.map((fault) => [fault.id, fault] as const))(
    '%s',
    async (id, { clause, change, alsoBreaks }) => {
      const broken = blamed(await judged(change));
      keepLook({ id, rung: 'family' });
      expect(broken).toContain(clause);
      expect(broken.filter((id) => id !== clause && !alsoBreaks?.includes(id))).toEqual([]);
    },
  );
});

describe('tolerance cases: clients', () => {
  test.each(CLIENT_TOLERANCES.map((one) => [one.id, one] as const))('%s', async (id, { clause, change }) => {
    const report = await judged(change);
    keepLook({ id, rung: 'family' });
    expect(report.findings.filter(({ kind }) => kind === 'violation')).toEqual([]);
    expect(report.verdict).toBe('pass');
    // A client that tries little shows little.
    const shown = ['client-05-never', 'client-03-one-retry'].some((id) => id.startsWith(clause.toLowerCase()));
    if (!shown) expect(rowOf(report, clause)).toMatchObject({ status: 'pass' });
  });
});

test('every clause of CLIENT has a fault and a tolerance case', () => {
  for (const all of [CLIENT_FAULTS, CLIENT_TOLERANCES])
    expect(CLIENT.filter((id) => !all.some(({ clause }) => clause === id))).toEqual([]);
});

test('what is an advisory is none of the violations', async () => {
  const fifth = CLIENT_TOLERANCES.find(({ id }) => id === 'client-03-four-retries');
  const { findings } = await judged(fifth?.change);
  expect(findings.map(({ clause, kind, code }) => `${clause} ${kind} ${code}`)).toEqual([
    'CLIENT-03 advisory client-03.fifth-request',
  ]);
});

test.each([
  [60, ['CLIENT-04']],
  [40, []],
])('a client that comes %i ms early is blamed by %j', async (earlyMs, clauses) => {
  const wait: Conduct['wait'] = (situation) => {
    const { retryAfter, status, attempt } = situation;
    const isBare = retryAfter === null && status !== null && [429, 503].includes(status);
    return isBare && lawfulWait(situation) !== null ? 1000 * 2 ** (attempt - 1) - earlyMs : lawfulWait(situation);
  };
  expect(blamed(await judged({ wait }))).toEqual(clauses);
});

test('no lateness of a busy machine makes a right client break a clause', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 900 })), fc.nat({ max: 250 }), async (lags, jitterMs) => {
      const report = await judged(
        {
          wait: (situation) => {
            const wait = lawfulWait({ ...situation });
            const isBare =
              situation.retryAfter === null && situation.status !== null && [429, 503].includes(situation.status);
            return wait === null || !isBare ? wait : 1000 * 2 ** (situation.attempt - 1) + jitterMs;
          },
        },
        { lagMs: () => lags.next().value ?? 0 },
      );
      expect(blamed(report)).toEqual([]);
    }),
    { numRuns: draws(20) },
  );
});

describe('a client that waits as another contract states', () => {
  const platform = contractOf('commerce', '.');
  const stating = (clients: Terms['clients']) => ({ ...platform, terms: { ...platform.terms, clients } });

  test('is judged by the figures of that contract', async () => {
    const figures = { maxRetries: 4, base429Ms: 3000, capMs: 30_000, jitterMs: 250, base5xxMs: 500, tasks: {} };
    const report = await judged({}, { stated: stating(figures) });
    expect(blamed(report)).toEqual(['CLIENT-04', 'CLIENT-05']);
    const messages = report.findings.map(({ message }) => message);
    expect(
      messages.filter((text) => /expected 3 s and 0 to 250 ms more|expected 500 ms at least/.test(text)),
    ).not.toEqual([]);
  });

  test('is not judged on waits where the contract does not state them', async () => {
    const report = await judged({}, { stated: stating(null) });
    expect(blamed(report)).toEqual([]);
    expect(['CLIENT-03', 'CLIENT-04', 'CLIENT-05'].map((id) => rowOf(report, id)?.reason)).toEqual(
      Array(3).fill('the contract commerce does not state it (clients)'),
    );
  });
});

describe('a client that shows nothing', () => {
  test('is not judged where it knows no task', async () => {
    const report = await judged({ tasks: [] });
    expect(report.verdict).toBe('none');
    expect(rowOf(report, 'CLIENT-06')).toMatchObject({ status: 'not-tested', checks: 0 });
    expect(rowOf(report, 'CLIENT-06')?.reason).toContain('does not know the task');
  });

  test('is judged by the tasks that it knows, and no others', async () => {
    const report = await judged({ tasks: ['walk-logs'] });
    expect(report.verdict).toBe('pass');
    const passed = report.clauses.filter(({ status }) => status === 'pass').map(({ id }) => id);
    expect(passed).toEqual(
      ['CLIENT-09', 'CLIENT-11', 'CLIENT-10'].toSorted((left, right) => CLIENT.indexOf(left) - CLIENT.indexOf(right)),
    );
    expect(rowOf(report, 'CLIENT-03')?.reason).toMatch(/a pass needs at least 4 scenarios/);
    expect(rowOf(report, 'CLIENT-01')?.reason).toContain('does not know the task read-store');
  });

  test('is not judged on its retries where its token is not accepted', async () => {
    const report = await judged({ headers: () => ({ 'content-type': 'application/json' }) });
    expect(blamed(report)).toEqual(['CLIENT-09']);
    expect(rowOf(report, 'CLIENT-03')?.reason).toContain('did not send its token');
  });
});

test('only the scenarios that a clause needs are played for it', async () => {
  for (const clause of CLIENT) {
    const report = await judged({}, { clauses: [clause] });
    expect(report.clauses.filter(({ status }) => status === 'pass').map(({ id }) => id)).toEqual([clause]);
  }
});

test('a finding names its client where there may be several, and is another finding than that of another client', async () => {
  const change = { wait: () => 300 };
  const [sdk, cli, alone] = await Promise.all([
    judged(change, { name: 'sdk' }),
    judged(change, { name: 'cli' }),
    judged(change),
  ]);
  for (const { message } of sdk?.findings ?? []) expect(message).toMatch(/^the client sdk: /);
  for (const { message } of alone?.findings ?? []) expect(message).not.toContain('the client');
  const prints = [sdk, cli, alone].flatMap((report) => report?.findings.map(({ fingerprint }) => fingerprint) ?? []);
  expect(new Set(prints).size).toBe(prints.length);
});

test('what the time limit cuts short says so', async () => {
  const report = await judged({ wait: () => 4000 }, { timeLimitSeconds: 3 });
  const untold = report.clauses.filter(({ id, status }) => CLIENT.includes(id) && status === 'not-tested');
  expect(untold.length).toBeGreaterThan(0);
  expect(untold.filter(({ reasonCode }) => reasonCode !== 'time-limit')).toEqual([]);
  for (const { reason } of untold) expect(reason).toMatch(/^the time limit was reached/);
});

test('no token, and no error.message, is in the report', async () => {
  const leaking = CLIENT_FAULTS.filter(({ clause }) => clause === 'CLIENT-11');
  for (const { change } of [...leaking, { change: { wait: () => 300 } }]) {
    const told = JSON.stringify(await judged(change));
    expect(told).not.toMatch(/jane\.roe/);
    expect(told).not.toMatch(/[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/);
  }
});

test('a request that is shown says that it carried a token of the client, and not which', async () => {
  const { exchanges } = await judged({ wait: () => 300 });
  expect(exchanges.length).toBeGreaterThan(0);
  for (const { credential, request } of exchanges) {
    expect(credential).toBe('a token of its own');
    expect(new Map(request.headers).get('authorization')).toBe('Bearer [redacted token]');
  }
});
