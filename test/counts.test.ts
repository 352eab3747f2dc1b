// All counts of a report agree: those of its parts add up to those of the whole, and every text tells the same numbers.
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunOptions } from '../src/config/config.ts';
import type { Report } from '../src/contract/report.ts';
import { selectDeviations } from '../src/platform/deviations.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { renderMarkdown } from '../src/reporters/formats/markdown.ts';
import { renderHtml } from '../src/reporters/html/html.ts';
import { summarise } from '../src/reporters/terminal/terminal.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { oneDue } from './programme.ts';

interface Scene {
  readonly faults?: readonly string[];
  readonly options: Partial<RunOptions>;
}

const SCENES: Readonly<Record<string, Scene>> = {
  'a sound platform within a budget': { options: { budget: 600 } },
  'five faults': {
    faults: ['err-02-no-title', 'auth-01-403', 'idem-02-lost', 'rate-05-past', 'pag-06-last-item'],
    options: { budget: 900 },
  },
  'one resource alone': { faults: ['err-02-no-title'], options: { operations: ['/api/v1/stores'], budget: 200 } },
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Of a text with numbers like "1,204": each number that stands before these words. */
function numbersBefore(words: string, text: string): readonly number[] {
  return [...text.matchAll(new RegExp(`([\\d,]+) ${words}`, 'g'))].map(([, digits = '']) =>
    Number(digits.replaceAll(',', '')),
  );
}

describe.each(oneDue(Object.entries(SCENES)))('of a run on %s', (_name, { faults = [], options }) => {
  let report: Report;
  let texts: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const deviations = selectDeviations(FAULTS, faults, 'fault');
    report = await simulate({ documents: await readModel({}), deviations, seed: 1, world: WORLDS.calm, options });
    const page = renderHtml(report).replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '');
    texts = {
      terminal: summarise(report, {}, { color: false, width: 10_000 }),
      markdown: renderMarkdown(report),
      page: page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    };
  });

  it('clauses, findings and the whole have as many violations, advisories and checks', () => {
    const { counts, clauses, findings } = report;
    const found = (kind: string, clause?: string): number =>
      findings.filter((one) => one.kind === kind && (clause === undefined || one.clause === clause)).length;
    expect(found('violation')).toBe(counts.violations);
    expect(found('advisory')).toBe(counts.advisories);
    expect(sum(clauses.map(({ checks }) => checks))).toBe(counts.checks);
    for (const { id, violations, advisories, status } of clauses) {
      expect([id, violations, advisories]).toEqual([id, found('violation', id), found('advisory', id)]);
      expect([id, status === 'fail']).toEqual([id, violations > 0]);
    }
    expect(counts.violations > 0).toBe(faults.length > 0);
  });

  it('operations, services and the whole have as many requests and operations', () => {
    const { counts, operations, services, clauses, elsewhere = [] } = report;
    expect(operations).toHaveLength(counts.operations);
    expect(operations.filter(({ tested }) => tested)).toHaveLength(counts.operationsTested);
    expect(sum(services.map(({ operationsTested }) => operationsTested))).toBe(counts.operationsTested);
    for (const { name, requests } of services) {
      const own = operations.filter(({ service }) => service === name);
      expect([name, requests]).toEqual([name, sum(own.map((one) => one.requests))]);
    }
    for (const { operation, requests, statuses } of operations)
      expect([operation, sum(Object.values(statuses))]).toEqual([operation, requests]);
    // Unknown paths and methods belong to no operation.
    expect(sum(operations.map(({ requests }) => requests))).toBeLessThanOrEqual(counts.requests);
    for (const { id, operationsTested, operationsInScope } of clauses) {
      const judged = [...operations, ...elsewhere].filter(
        ({ clauses: { [id]: one } }) => one !== undefined && one.checks > 0,
      );
      expect([id, operationsTested]).toEqual([id, judged.length]);
      expect(operationsTested).toBeLessThanOrEqual(operationsInScope);
    }
  });

  it('what was created was deleted or is left', () => {
    const { created, leftovers } = report;
    if (created === undefined) throw new Error('the report does not say what was created');
    expect(leftovers).toHaveLength(created.left);
    expect(created.deleted + created.left).toBe(created.made);
    for (const key of ['made', 'deleted', 'left'] as const)
      expect([key, sum(created.operations.map((one) => one[key]))]).toEqual([key, created[key]]);
  });

  it('every exchange that a finding names is in the report', () => {
    const known = new Set(report.exchanges.map(({ id }) => id));
    for (const { exchanges } of report.findings) for (const id of exchanges) expect(known).toContain(id);
  });

  it('terminal, summary and page tell the same numbers', () => {
    const { counts, findings, operations } = report;
    const violations = findings.filter(({ kind }) => kind === 'violation');
    const places = new Set(
      violations.flatMap((one) => (one.operation === null ? [] : [`${one.service} ${one.operation}`])),
    );
    const clauses = new Set(violations.map(({ clause }) => clause));
    const causes = new Set(violations.map(({ clause, cause }) => `${clause} ${cause}`));
    for (const [name, text] of Object.entries(texts)) {
      if (clauses.size > 0)
        expect([name, text]).toEqual([
          name,
          expect.stringMatching(new RegExp(`${clauses.size} clauses? fails? on ${places.size} operations?`)),
        ]);
      expect([name, numbersBefore('checks', text)]).toEqual([name, expect.arrayContaining([counts.checks])]);
      expect([name, numbersBefore('requests', text)]).toEqual([name, expect.arrayContaining([counts.requests])]);
    }
    if (clauses.size > 0)
      for (const name of ['terminal', 'markdown'] as const)
        expect([name, numbersBefore('causes?\\b', texts[name] ?? '')[0]]).toEqual([name, causes.size]);
    const rows = (status: string): number => report.clauses.filter((one) => one.status === status).length;
    for (const [status, words] of [
      ['pass', 'hold'],
      ['observed', 'observed'],
      ['not-tested', 'not tested'],
    ] as const)
      expect([words, numbersBefore(words, texts.page ?? '')]).toEqual([words, expect.arrayContaining([rows(status)])]);
    expect(texts.markdown).toContain(`${counts.operationsTested} of ${counts.operations} operations tested`);
    expect(sum(numbersBefore('of \\d+ operations tested', texts.terminal ?? ''))).toBe(counts.operationsTested);
    const targets = sum(operations.map(({ inputs }) => inputs?.targets ?? 0));
    const exercised = sum(operations.map(({ inputs }) => inputs?.exercised ?? 0));
    const inputs = `${exercised.toLocaleString('en-US')} of ${targets.toLocaleString('en-US')} targets exercised`;
    for (const name of ['terminal', 'markdown'] as const) expect(texts[name]).toContain(inputs);
  });
});
