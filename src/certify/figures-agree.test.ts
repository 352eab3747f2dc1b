// Every number that a certificate tells is that of the report which it stands on.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNightly } from '../../test/programme.ts';
import { SEED } from '../../test/seed.ts';
import { SELF_CHECK, ZERO } from '../../test/support/certified-reports.ts';
import { countedReport } from '../../test/support/reporters/counted-report.ts';
import { number } from '../contract/numbers.ts';
import type { Report } from '../contract/report.ts';
import { certificatePage } from './page.ts';
import { predicateOf } from './write.ts';

const REPORTS: readonly Report[] = fc.sample(countedReport(), { numRuns: isNightly ? 50 : 8, seed: SEED });

describe.each(REPORTS.map((report, at) => [`certificate ${at} of seed ${SEED}: ${report.verdict}`, report] as const))(
  '%s',
  (_name, report) => {
    const facts = { toolDigest: ZERO, k6: null, selfCheck: SELF_CHECK, issuer: null, accept: {} };
    const predicate = predicateOf({ report, ...facts });
    const page = certificatePage({ predicate, report, subject: [], bound: false, keyId: null })
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace(/<[^>]+>/g, ' ')
      .replaceAll(/&#(?:x27|39);/g, "'")
      .replace(/\s+/g, ' ');
    const [reach = ''] = / Reach .*? By assay /.exec(page) ?? [];
    const rows = (...statuses: readonly string[]): number =>
      predicate.clauses.filter(({ status }) => statuses.includes(status)).length;
    const told = (words: string, text: string): number =>
      Number((new RegExp(`([\\d,]+) ${words}`).exec(text)?.[1] ?? '0').replaceAll(',', ''));

    test('has its sentence, and the requests and operations of the report', () => {
      const { requests, operations, operationsTested } = report.counts;
      expect(page).toContain(predicate.sentence);
      expect([told('requests?\\b', page), told('requests?\\b', reach)]).toEqual([requests, requests]);
      expect(reach).toMatch(new RegExp(`${operationsTested} operations? of ${number(operations)},`));
    });

    test('counts clauses by status, and as many as the contract has', () => {
      expect([told('holds?\\b', reach), told('fails?\\b', reach), told('not applicable', reach)]).toEqual([
        rows('pass'),
        rows('fail'),
        rows('not-applicable'),
      ]);
      expect(predicate.clauses.length + predicate.outOfScope.length).toBe(told('clauses?:', reach));
      expect(told('(?:was|were) judged', page)).toBe(rows('pass', 'fail'));
    });

    test('tells in its sentence what holds, what is broken and what is waived', () => {
      const { sentence, verdict, clauses } = predicate;
      const broken = clauses.filter(({ violations, accepted = 0 }) => violations > accepted).length;
      if (verdict === 'conforms')
        expect(sentence).toMatch(rows('pass') === 1 ? /the one clause judged holds/ : `all ${rows('pass')} clauses`);
      if (verdict === 'does-not-conform') expect(told('clauses? (?:is|are) broken', sentence)).toBe(broken);
      if (verdict === 'conforms-with-waivers') {
        expect(told('clauses? holds?', sentence)).toBe(rows('pass'));
        expect(told('violations? (?:is|are) waived', sentence)).toBe(report.counts.accepted);
      }
    });
  },
);
