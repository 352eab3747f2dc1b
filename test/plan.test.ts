// What `assay plan` tells beforehand is what a run then does, and nothing is sent or run for it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Config, RunOptions } from '../src/config/config.ts';
import { checkConfig } from '../src/config/load.ts';
import type { Description } from '../src/openapi/model/operation.ts';
import { loadDescription } from '../src/openapi/read/load.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { planInJson, planInText, type ToldPlan } from '../src/reporters/terminal/plan.ts';
import { type Rehearsal, rehearse } from '../src/simulation/rehearsal.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { isNightly } from './programme.ts';

const TOKEN = 'a-token-that-nobody-may-see';
const LIMITS = { standard: { calls: 300, seconds: 10 } };
const OPTIONS: RunOptions = {
  ...{ services: ['admin'], operations: [], clauses: [], out: null, budget: 800, timeLimitSeconds: null },
  ...{ seed: 1, runId: '20260131-120000-000001' },
};

function configured(): Config {
  const document = {
    target: { baseUrl: 'https://shop.example.com', environment: 'staging' },
    services: { admin: { spec: 'admin.openapi.json' } },
    keys: [
      { name: 'ours', plan: 'standard', token: TOKEN },
      { name: 'spare', plan: 'growth', tokenCommand: ['a-program-that-does-not-exist'] },
      {
        ...{ name: 'by-login', plan: 'enterprise' },
        oauth: { tokenUrl: 'https://nowhere.example.com/token', clientId: 'us', clientSecret: 'a-secret' },
      },
    ],
    mutations: 'allow',
  };
  return checkConfig(document, '/nowhere/assay.config.yaml', { baseUrl: null, env: {} });
}

let descriptions: readonly Description[];
let rehearsal: Rehearsal;

beforeAll(async () => {
  const documents = await readModel({}, null);
  const [{ root }] = documents.filter(({ service }) => service === 'admin') as [(typeof documents)[number]];
  const text = JSON.stringify(root);
  descriptions = [await loadDescription({ service: 'admin', file: 'admin.openapi.json', text, remoteRefs: [] })];
  const stop = new AbortController().signal;
  rehearsal = await rehearse({ config: configured(), options: OPTIONS, descriptions, startMs: 0, stop });
});

describe('a rehearsal', () => {
  test('sends as much as a run on such a target, within 15 %', async () => {
    // By day by a few clauses: without a budget all of them take a minute.
    const clauses = isNightly ? [] : ['SCH-01', 'AUTH-01', 'REQ-02', 'PAG-06'];
    const options = { ...OPTIONS, budget: null, operations: ['GET *'], clauses };
    const stop = new AbortController().signal;
    const planned = await rehearse({ config: configured(), options, descriptions, startMs: 0, stop });
    const documents = (await readModel({}, null)).filter(({ service }) => service === 'admin');
    const run = await simulate({ documents, deviations: [], seed: 1, world: WORLDS.calm, options });
    const share = planned.report.counts.requests / run.counts.requests;
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(1.15);
  });

  test('takes the tokens of the configuration, runs no program and logs in nowhere for one, and finds nothing to blame', () => {
    expect(rehearsal.report.harnessErrors ?? []).toEqual([]);
    expect(rehearsal.report.counts.violations).toBe(0);
    expect(rehearsal.report.counts.operationsSucceeded).toBeGreaterThan(15);
    for (const key of ['ours', 'spare', 'by-login']) expect(rehearsal.byKey.get(key), key).toBeGreaterThan(10);
  });

  test('counts every request once by stage, service and key', () => {
    const { requests } = rehearsal.report.counts;
    for (const counts of [rehearsal.byStage, rehearsal.byService, rehearsal.byKey])
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
    expect([...rehearsal.byStage.keys()]).toEqual(expect.arrayContaining(['smoke', 'reach']));
    expect(rehearsal.byClause.size).toBeGreaterThan(10);
  });

  test('takes as long as the limits that are stated make it', async () => {
    const stop = new AbortController().signal;
    const limits = { standard: { calls: 100, seconds: 60 } };
    const options = { ...OPTIONS, budget: 400 };
    const slow = await rehearse({ config: configured(), options, descriptions, limits, startMs: 0, stop });
    const windows = Math.floor((slow.byKey.get('ours') ?? 0) / 100) - 1;
    expect(slow.report.run.durationMs).toBeGreaterThan(windows * 60_000);
  });
});

describe('the plan that is told', () => {
  const told = (limits: typeof LIMITS | Record<string, never> = {}) => ({
    ...{ config: configured(), limits, rehearsal, asked: null, bounds: { timeLimitSeconds: null, fitSeconds: 300 } },
  });

  test('holds no token', () => {
    expect(JSON.stringify(planInJson(told(LIMITS))) + planInText(told())).not.toContain(TOKEN);
  });

  test('says what is created, what stays, and what would let more be tested', () => {
    const { created, notTested, requests, seconds } = planInJson(told());
    expect({ requests, seconds }).toEqual({ requests: rehearsal.report.counts.requests, seconds: null });
    expect(created?.made).toBeGreaterThan(0);
    expect(notTested.clauses).toContainEqual({
      clause: 'AUTH-04',
      reason: expect.any(String),
      change: 'Configure one that is accepted under keys or credentials.',
    });
    expect(planInText(told())).toMatch(/creates {5}\d+ objects/);
  });

  test('says a reason once, and no advice that the reason itself gives', () => {
    const denied = { status: 'not-tested', reasonCode: 'mutations-denied', reason: 'mutations are denied' } as const;
    const paying = {
      ...denied,
      reason: 'payments are not allowed: mutations: { payments: allow } allows them',
    } as const;
    const clauses = rehearsal.report.clauses.flatMap((row) =>
      row.id === 'REQ-03' || row.id === 'REQ-04'
        ? { ...row, ...denied }
        : row.id === 'IDEM-05'
          ? { ...row, ...paying }
          : [],
    );
    const text = planInText({ ...told(), rehearsal: { ...rehearsal, report: { ...rehearsal.report, clauses } } });
    expect(text).toContain(
      '  REQ-03, -04: mutations are denied. Set mutations: allow where the target may be changed.\n',
    );
    expect(text).toContain(`  IDEM-05: ${paying.reason}\n`);
  });

  test('promises no more than was rehearsed where the rehearsal was cut', () => {
    const cut = { ...rehearsal, isCut: true } as const;
    expect(planInText({ ...told(), rehearsal: cut })).toMatch(/creates {5}at least \d+ objects/);
    expect(planInText({ ...told(), rehearsal: { ...cut, byClause: new Map() } })).not.toContain('by clause');
    const { created: _created, ...report } = rehearsal.report;
    expect(planInText({ ...told(), rehearsal: { ...cut, report } })).toMatch(/creates {5}nothing as far as/);
  });

  test('speaks of time only as far as limits are known', () => {
    expect(planInText(told())).toMatch(/no limit is stated: the run ends within 5 min 0 s; if it allowed 100 calls/);
    const asked = { requests: 3, limits: {}, refused: [] };
    expect(planInText({ ...told(), asked })).toMatch(/no limit is stated: the run ends within 5 min 0 s\n/);
    expect(planInText(told(LIMITS))).toContain('with standard 300 in 10 s');
    const timed = (bounds: ToldPlan['bounds']) => planInText({ ...told(), bounds });
    expect(timed({ timeLimitSeconds: 840 })).toContain('no limit is stated: the run ends within 14 min 0 s;');
    expect(timed({ timeLimitSeconds: null })).toContain('no limit is stated: the run has no time limit;');
  });
});
