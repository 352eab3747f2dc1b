// Every text that shows a finding says its trace; the page leads to it where the configuration says where traces are.
import { describe, expect, it } from 'vitest';
import { unpacked } from '../../test/support/reporters/pages.ts';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import type { Report } from '../contract/report.ts';
import { junitPieces } from './formats/junit.ts';
import { renderSarif } from './formats/sarif.ts';
import { renderHtml } from './html/html.ts';
import { summarise } from './terminal/terminal.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The sample's first violation with evidence, traced. */
function traced(traceUrl?: string): Report {
  const report = sampleReport();
  const shown = report.findings.find(({ kind, exchanges }) => kind === 'violation' && exchanges.length > 0)!;
  return {
    ...report,
    run: { ...report.run, ...(traceUrl === undefined ? {} : { traceUrl }) },
    findings: report.findings.map((one) => (one === shown ? { ...one, traceIds: [ID] } : one)),
    exchanges: report.exchanges.map((one) => (shown.exchanges.includes(one.id) ? { ...one, traceId: ID } : one)),
  };
}

const page = (traceUrl?: string) => unpacked(renderHtml(traced(traceUrl))).whole;

describe('a finding whose request named a trace', () => {
  it('says it in JUnit, SARIF and the page', () => {
    expect([...junitPieces(traced())].join('')).toContain(`trace: ${ID}`);
    const results = JSON.parse(renderSarif(traced())).runs[0].results as { properties: { traceIds?: string[] } }[];
    expect(results.flatMap(({ properties }) => properties.traceIds ?? [])).toEqual([ID]);
    expect(page()).toContain(`<span class="mono">${ID}</span>`);
  });

  it('says it at the terminal where it is shown in detail', () => {
    const report = traced('https://t.example.com/{traceId}');
    const [finding] = report.findings.filter(({ traceIds }) => traceIds !== undefined);
    const { fingerprint, clause, service, operation } = finding!;
    const replay = { fingerprint, run: 'run-1', clause, service, operation, shown: true, others: 0 };
    const text = summarise({ ...report, findings: [finding!], replay }, {}, { color: false });
    expect(text).toContain(`trace https://t.example.com/${ID}`);
  });

  it('leads to it by an address that is escaped', () => {
    expect(page('https://t.example.com/a"b<c/{traceId}?x=1&y=2')).toContain(
      `href="https://t.example.com/a%22b%3Cc/${ID}?x=1&amp;y=2"`,
    );
  });

  it.each(['javascript:alert("{traceId}")', 'data:text/html,{traceId}', '{traceId}'])(
    'leads nowhere by %s, which a report may hold that was changed',
    (traceUrl) => {
      expect(page(traceUrl)).toContain(`<span class="mono">${ID}</span>`);
      expect(page(traceUrl)).not.toContain('href="javascript');
      expect(page(traceUrl)).not.toContain('href="data');
    },
  );
});
