// Every number that a report tells is the same on the page, in the terminal, in the summary, in JUnit, in SARIF and in report.json.
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { isNightly } from '../../test/programme.ts';
import { SEED } from '../../test/seed.ts';
import { countedReport } from '../../test/support/reporters/counted-report.ts';
import { loadedReport } from '../../test/support/reporters/loaded-report.ts';
import type { LoadPart } from '../contract/load-part.ts';
import type { Report } from '../contract/report.ts';
import { loadFigures } from '../load/figures.ts';
import { jsonPieces, reportProblems } from './formats/json.ts';
import { junitPieces } from './formats/junit.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { jsonSummary } from './formats/printed.ts';
import { renderSarif } from './formats/sarif.ts';
import { renderHtml } from './html/html.ts';
import { loadBlocks } from './load/blocks.ts';
import { summarise } from './terminal/terminal.ts';

/** Each day draws others. */
const DRAWN = isNightly ? 50 : 8;
const REPORTS = fc.sample(countedReport(), { numRuns: DRAWN, seed: SEED });

/** The numbers that stand before these words, "1,204" among them; one that is not told is 0. */
function told(words: string, text: string): number {
  const [, digits = '0'] = new RegExp(`([\\d,]+) ${words}`).exec(text) ?? [];
  return Number(digits.replaceAll(',', ''));
}

function textOf(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Counts rows and findings anew, by nothing that a reporter uses. */
function countedIn({ clauses, findings, acceptance }: Report) {
  const rows = (status: string): number => clauses.filter((row) => row.status === status).length;
  const violations = findings.filter(({ kind }) => kind === 'violation');
  const isSecurity = (id: string): boolean => id.startsWith('AUTH-') || id === 'ERR-12' || id === 'INT-01';
  const accepts = ({ known, waiver, clause }: Report['findings'][number]): boolean =>
    waiver !== undefined ||
    (known === true && acceptance?.failOn === 'new' && (acceptance.allowsSecurity === true || !isSecurity(clause)));
  const deciding = violations.filter((one) => !accepts(one));
  const distinct = (key: (one: (typeof deciding)[number]) => string): number => new Set(deciding.map(key)).size;
  return {
    ...{ pass: rows('pass'), fail: rows('fail'), observed: rows('observed') },
    ...{ untested: rows('not-tested'), notApplicable: rows('not-applicable') },
    all: violations.length,
    deciding: deciding.length,
    causes: distinct(({ clause, cause }) => `${clause} ${cause}`),
    broken: distinct(({ clause }) => clause),
    places: new Set(deciding.flatMap((one) => (one.operation === null ? [] : `${one.service} ${one.operation}`))).size,
    fresh: violations.filter(({ known, waiver }) => known !== true && waiver === undefined).length,
    known: violations.filter(({ known }) => known === true).length,
    waived: violations.filter(({ waiver }) => waiver !== undefined).length,
  };
}

describe.each(REPORTS.map((report, at) => [`report ${at} of seed ${SEED}: ${report.verdict}`, report] as const))(
  '%s',
  (_name, report) => {
    const real = countedIn(report);
    const { counts } = report;
    const terminal = summarise(report, {}, { color: false, width: 10_000 });
    const markdown = renderMarkdown(report);

    test('report.json keeps its schema, and its counts are those of its rows', () => {
      expect(reportProblems(report)).toEqual([]);
      const read: Report = JSON.parse([...jsonPieces(report)].join(''));
      expect(read.counts).toEqual(counts);
      expect([counts.violations, counts.accepted ?? 0]).toEqual([real.all, real.all - real.deciding]);
      expect(counts.checks).toBe(read.clauses.reduce((sum, { checks }) => sum + checks, 0));
      expect(read.clauses.reduce((sum, { accepted = 0 }) => sum + accepted, 0)).toBe(counts.accepted ?? 0);
    });

    test('the verdict is one sentence with these numbers', () => {
      const { sentence } = jsonSummary(report, {});
      for (const text of [terminal, markdown.replaceAll('\\', ''), textOf(renderHtml(report))])
        expect(text.replaceAll('&#x27;', "'").replaceAll('&#39;', "'")).toContain(sentence.slice(0, 60));
      if (report.verdict === 'fail')
        expect([told('clauses? fails?', sentence), told('operations?', sentence)]).toEqual([real.broken, real.places]);
      if (report.verdict === 'pass' && counts.accepted === undefined)
        expect(sentence).toMatch(
          real.pass === 1 ? /the one clause tested holds/ : new RegExp(`all ${real.pass} clauses`),
        );
      if (report.verdict === 'fail' && report.acceptance?.baseline != null)
        expect([told('violations? (?:is|are) new', sentence), told('known against', sentence)]).toEqual([
          real.fresh,
          real.known,
        ]);
    });

    test('terminal, summary and page tell violations, causes, requests, checks and clauses alike', () => {
      const html = renderHtml(report);
      const page = textOf(html);
      for (const [name, text] of Object.entries({ terminal, markdown, page }))
        expect([name, told('requests?\\b', text), told('checks?\\b', text)]).toEqual([
          name,
          counts.requests,
          counts.checks,
        ]);
      const lists = terminal.slice(0, terminal.lastIndexOf('\n\n'));
      expect(told('violations?(?:, |\\n|$)', lists)).toBe(real.deciding);
      expect(told('causes? of violations?\\n', markdown)).toBe(real.causes);
      expect(told('violations?, [\\d,]+ causes?\\. The most', page)).toBe(real.deciding);
      expect(told('causes?\\. The most', page)).toBe(real.causes);
      const row = textOf(/<ul class="tally">[\s\S]*?<\/ul>/.exec(html)?.[0] ?? '');
      for (const [words, count] of [
        ['holds?', real.pass],
        ['fails?', real.fail],
        ['observed', real.observed],
        ['not tested', real.untested],
        ['not applicable', real.notApplicable],
      ] as const)
        expect([words, told(`${words}\\b`, row)]).toEqual([words, count]);
      expect(real.fail - told('of these accepted', row)).toBe(real.broken);
      expect(told('clauses? holds?:', markdown)).toBe(real.pass);
      expect(told('clauses? not tested', markdown)).toBe(real.untested);
      expect(told('clauses? +nothing showed it', terminal)).toBe(real.untested);
    });

    test('by family as many hold on the page, in the terminal and in the summary as hold in all', () => {
      const rows = renderHtml(report).match(/<td class="num">[\d,]+ of [\d,]+<\/td>\s*<\/tr>/g) ?? [];
      const [, list = ''] = /clauses? holds?: (.*)/.exec(markdown) ?? [];
      const sum = (lines: readonly string[]): readonly number[] => [
        lines.reduce((total, line) => total + told('of', line), 0),
        lines.reduce((total, line) => total + Number(/of ([\d,]+)/.exec(line)?.[1] ?? 0), 0),
      ];
      const families = list === '' ? [] : list.split(', ');
      expect(sum(families)[0]).toBe(real.pass);
      if (rows.length > 0) expect(sum(rows)[0]).toBe(real.pass);
      const basis = terminal.split('\n').filter((line) => / of [\d,]+ clauses? holds?\b/.test(line));
      if (basis.length > 0) expect(sum(basis)[0]).toBe(real.pass);
    });

    test('JUnit fails for what decides, and SARIF has every violation, what is new and what is waived', () => {
      const xml = new DOMParser().parseFromString([...junitPieces(report)].join(''), 'text/xml');
      const failures = [...xml.getElementsByTagName('failure')].map((node) => node.textContent ?? '');
      expect(failures.reduce((sum, text) => sum + text.split(/^violation: /m).length - 1, 0)).toBe(real.deciding);
      expect(xml.documentElement?.getAttribute('failures')).toBe(String(failures.length));
      const results = (JSON.parse(renderSarif(report)) as Log).runs[0]?.results ?? [];
      const errors = results.filter(({ level }) => level === 'error');
      expect(errors).toHaveLength(counts.violations);
      expect(results).toHaveLength(counts.violations + counts.advisories);
      expect(errors.filter(({ suppressions = [] }) => suppressions.length > 0)).toHaveLength(real.waived);
      if (report.acceptance?.baseline != null)
        expect(errors.filter(({ baselineState }) => baselineState === 'unchanged')).toHaveLength(real.known);
    });
  },
);

/** A load run of this suite, drawn: its figures stand in report.json alone, all else tells them. */
const LOADS = fc.sample(loadedReport(), { numRuns: 3 * DRAWN, seed: SEED });

describe.each(LOADS.map((report, at) => [`load run ${at} of seed ${SEED}: ${report.verdict}`, report] as const))(
  '%s',
  (_name, report) => {
    const terminal = summarise(report, {}, { color: false, width: 10_000 });
    const markdown = renderMarkdown(report).replaceAll('\\', '');
    const html = renderHtml(report);
    const page = textOf(html).replaceAll(/&#(?:x27|39);/g, "'");

    test('terminal, summary and page tell its result, its figures and its note in the same words', () => {
      const { sentence } = jsonSummary(report, {});
      const note = report.run.note ?? '';
      const { lines = [] } = loadBlocks(report.load)[0] ?? {};
      const lacking = Object.entries({ terminal, markdown, page }).flatMap(([name, text]) =>
        [sentence.replace(/\.$/, ''), note, lines[0] ?? ''].flatMap((told) =>
          squeezed(text).includes(squeezed(told)) ? [] : [`${name}: ${told}`],
        ),
      );
      expect(lacking).toEqual([]);
    });

    test('its requests are told alike, and nowhere as less', () => {
      for (const [name, text] of Object.entries({ terminal, markdown, page: page.slice(0, page.indexOf(' Legend ')) }))
        expect([name, told('requests?\\b(?!/s)', text)]).toEqual([name, report.counts.requests]);
      expect(/operations? tested, [\d,]+ requests?/.test(page)).toBe(false);
    });

    test('what was never sent stands wherever its errors do', () => {
      const { soak } = report.load as LoadPart;
      if (soak === undefined || soak.dropped === 0) return;
      const unsent = `${soak.dropped.toLocaleString('en-US')} never sent`;
      expect([terminal, markdown, page].map((text) => text.includes(unsent))).toEqual([true, true, true]);
      expect(loadFigures(report.load).some(({ figure }) => figure === 'errors')).toBe(
        soak.decision !== 'void' && soak.dropped <= 0.01 * soak.rps * soak.seconds,
      );
    });
  },
);

/** Without blanks and soft breaks, which each form has of its own. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s\u00ad\u200b]+/g, '');
}

test('a pass, a fail, a baseline, a waiver and a part are among what is drawn', () => {
  const many = fc.sample(countedReport(), { numRuns: 50, seed: 1 });
  const kinds = many.flatMap(({ verdict, acceptance, run, contract }) => [
    ...[verdict, contract?.name, run.partial ? 'part' : 'whole', run.filters === undefined ? '' : 'filtered'],
    ...[acceptance?.baseline == null ? '' : 'baseline', (acceptance?.waivers.length ?? 0) > 0 ? 'waivers' : ''],
  ]);
  expect(kinds).toEqual(
    expect.arrayContaining(['pass', 'fail', 'none', 'openapi', 'commerce', 'Acme API', 'part', 'filtered']),
  );
  expect(kinds).toEqual(expect.arrayContaining(['baseline', 'waivers']));
});
