import { expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { ReportedExchange } from '../../contract/report.ts';
import { exchangeView } from './findings.ts';

function shown(body: string): string {
  const [exchange] = sampleReport().exchanges;
  const { response } = exchange as ReportedExchange;
  const answered = { ...(exchange as ReportedExchange), response: response && { ...response, body } };
  const pieces = exchangeView(answered, { pointer: '', note: '' }).response;
  return pieces.map(({ text }) => text).join('');
}

it('JSON is indented', () => {
  expect(shown('{"a":[1]}')).toContain('{\n  "a": [\n    1\n  ]\n}');
});

it('JSON that is nested deeper than anybody reads is shown as it came, and takes no more room', () => {
  const body = '['.repeat(2000) + ']'.repeat(2000);
  expect(shown(body)).toContain(body);
  expect(shown('{"a":'.repeat(100_000)).length).toBeLessThan(6000);
});
