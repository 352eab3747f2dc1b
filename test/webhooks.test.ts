// The proof of HOOK: every fault of the platform's deliveries is caught by its clause and no other clause is blamed, and
// every allowance raises nothing. The platform delivers to the receiver over sockets, on a fast schedule.
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../src/clock/system.ts';
import { loadConfig } from '../src/config/load.ts';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import { selectDeviations } from '../src/platform/deviations.ts';
import { HOOK_FAULTS } from '../src/platform/faults/hook.ts';
import { servePlatform } from '../src/platform/http/serve.ts';
import { HOOK_TOLERANCES } from '../src/platform/tolerances/hook.ts';
import { runWebhooks } from '../src/run/webhooks/run-webhooks.ts';
import { keepLook } from './looks.ts';
import { blamed } from './mutant.ts';
import { reducedDocuments } from './reduced-documents.ts';
import { optionsWith } from './support/run/test-config.ts';

/** One unit of the platform's schedule. It gives up an attempt after ten, and the receiver hangs for longer. */
const UNIT_MS = 60;

interface Case {
  readonly faults?: readonly string[];
  readonly tolerances?: readonly string[];
  readonly clauses?: readonly string[];
}

async function judge({ faults = [], tolerances = [], clauses = [] }: Case): Promise<Report> {
  const deviations = [
    ...selectDeviations(HOOK_FAULTS, faults, 'fault'),
    ...selectDeviations(HOOK_TOLERANCES, tolerances, 'tolerance'),
  ];
  const documents = await reducedDocuments();
  const platform = await servePlatform({
    ...{ documents, deviations, limits: {}, seed: 1, port: 0, webhookUnitMs: UNIT_MS },
  });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const { webhooks } = config;
    const subscriptions = webhooks?.trigger?.at(-1) ?? '';
    const subscribe = (url: string): void => {
      void fetch(subscriptions, { method: 'POST', body: JSON.stringify({ url }) });
    };
    return await runWebhooks({
      config: { ...config, webhooks: webhooks && { ...webhooks, trigger: null } },
      ...{ options: optionsWith({ clauses }), checks: [], clock: systemClock },
      source: {
        ...{ host: '127.0.0.1', port: 0, env: {}, onListening: subscribe },
        waiting: { seconds: 8, quietMs: 15 * UNIT_MS, slowMs: 2 * UNIT_MS, hangMs: 12 * UNIT_MS },
      },
      stop: new AbortController().signal,
      say: () => {},
    });
  } finally {
    await platform.stop();
  }
}

function rowOf(report: Report, clause: string) {
  return report.clauses.find(({ id }) => id === clause);
}

function observed(report: Report, subject: string): string | undefined {
  return report.observations?.find((row) => row.subject === subject)?.value;
}

test('the unfaulted platform breaks nothing, and both laws are judged', async () => {
  const report = await judge({});
  expect(blamed(report)).toEqual([]);
  expect(report.verdict).toBe('pass');
  expect(rowOf(report, 'HOOK-01')?.status).toBe('pass');
  expect(rowOf(report, 'HOOK-01')?.checks).toBeGreaterThanOrEqual(4);
  expect(rowOf(report, 'HOOK-02')?.status).toBe('pass');
  expect(rowOf(report, 'HOOK-02')?.checks).toBeGreaterThanOrEqual(4);
  expect(observed(report, 'event kinds')).toBe('store.created, payment.processed');
  expect(report.clauses.map(({ id }) => id)).toEqual(CLAUSES.map(({ id }) => id));
  const others = report.clauses.filter(({ id }) => !id.startsWith('HOOK-'));
  expect(others.every(({ status, reasonCode }) => status === 'not-tested' && reasonCode === 'other-command')).toBe(
    true,
  );
});

/** What cannot be a violation, and how it is told: the clause tolerates that nothing comes again, or the source says nothing. */
const TOLD: Readonly<Record<string, (report: Report) => void>> = {
  'hook-02-no-retry': (report) => {
    expect(rowOf(report, 'HOOK-01')?.status).toBe('pass');
    expect(rowOf(report, 'HOOK-02')).toMatchObject({ status: 'not-tested', reasonCode: 'precondition', checks: 0 });
    expect(observed(report, 'deliveries not accepted')).toMatch(/^500: 0 of \d came again/);
  },
  'hook-03-endless-retry': (report) => {
    expect(report.verdict).toBe('pass');
    expect(observed(report, 'delivered again although accepted')).toMatch(/^\d+ more deliveries of 4 accepted events$/);
  },
};

describe.concurrent('faults: webhooks', () => {
  let caught = 0;
  afterAll(() => {
    process.stdout.write(
      `\nfaults (webhooks) caught by the right clause, or told: ${caught} of ${HOOK_FAULTS.length}\n`,
    );
  });
  test.each(HOOK_FAULTS.map((fault) => [fault.id, fault] as const))('%s', async (id, { clause }) => {
    const report = await judge({ faults: [id] });
    keepLook({ id, rung: 'family' });
    const told = TOLD[id];
    if (told !== undefined) told(report);
    expect(blamed(report)).toEqual(told === undefined ? [clause] : []);
    caught += 1;
  });
});

describe.concurrent('tolerance cases: webhooks', () => {
  test.each(HOOK_TOLERANCES.map(({ id }) => [id] as const))('%s', async (id) => {
    const report = await judge({ tolerances: [id] });
    keepLook({ id, rung: 'family' });
    expect(report.findings.filter(({ kind }) => kind === 'violation')).toEqual([]);
    expect(report.verdict).toBe('pass');
    expect(rowOf(report, 'HOOK-01')?.status).toBe('pass');
    expect(rowOf(report, 'HOOK-02')?.status).toBe('pass');
  });
});

test('every must clause of HOOK has a fault and a tolerance case', () => {
  const must = CLAUSES.filter(({ family, level }) => family === 'HOOK' && level === 'must').map(({ id }) => id);
  for (const all of [HOOK_FAULTS, HOOK_TOLERANCES])
    expect(must.filter((id) => !all.some(({ clause }) => clause === id))).toEqual([]);
});
