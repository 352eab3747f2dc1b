// The forms for other programs, each rendered from a report with every status and hostile strings, and read back.
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { validate } from 'ctrf';
import type { Har } from 'har-format';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { manyOperations } from '../../../test/support/reporters/many-operations.ts';
import { SAMPLE_LOAD } from '../../../test/support/reporters/sample-measures.ts';
import { HOSTILE, sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import type { Report } from '../../contract/report.ts';
import { accept } from '../../grading/acceptance.ts';
import { ctrfPieces } from './ctrf.ts';
import { renderHar } from './har.ts';
import { junitCases } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { annotations } from './printed.ts';
import { renderSarif } from './sarif.ts';

const require = createRequire(import.meta.url);
const located = (report: Report): Report => ({
  ...report,
  findings: report.findings.map((finding) =>
    finding.service === null ? finding : { ...finding, location: { file: `specs/${finding.service}.yaml`, line: 7 } },
  ),
});
const report = located(sampleReport());
const breaches = report.findings.filter(({ kind }) => kind !== 'observation');
const waiver = {
  operation: '*',
  fingerprint: null,
  reason: 'known',
  owner: 'Edge',
  ticket: 'T-1',
  expires: '2026-12-31',
};
const accepted = accept(report, {
  waivers: [{ ...waiver, clause: 'ERR-04' }],
  baseline: { ...report, findings: report.findings.filter(({ clause }) => clause !== 'SCH-01') },
  failOn: 'any',
  allowsSecurity: false,
  today: '2026-01-01',
});

describe('results.sarif', () => {
  const log: Log = JSON.parse(renderSarif(report));
  const [run] = log.runs;
  const results = run?.results ?? [];

  test('is SARIF 2.1.0 with every clause as a rule', () => {
    const validate = new Ajv2020({ strict: false }).compile(require('../test-data/sarif.schema.json'));
    expect(validate(log) ? [] : validate.errors).toEqual([]);
    expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual(CLAUSES.map(({ id }) => id));
  });

  test('has each violation as an error and each advisory as a warning, by its own fingerprint', () => {
    const read = results.map(({ ruleId, ruleIndex, level, partialFingerprints }) => [
      ruleId,
      CLAUSES[ruleIndex ?? -1]?.id,
      level,
      partialFingerprints?.['assayFingerprint/v1'],
    ]);
    expect(read).toEqual(
      breaches.map(({ clause, kind, fingerprint }) => [
        clause,
        clause,
        kind === 'violation' ? 'error' : 'warning',
        fingerprint,
      ]),
    );
  });

  test('places each in its description, by file, line and operation', () => {
    const at = results.findIndex(({ ruleId }) => ruleId === 'ERR-04');
    expect(results[at]?.locations).toMatchObject([
      {
        physicalLocation: { artifactLocation: { uri: 'specs/admin.yaml' }, region: { startLine: 7 } },
        logicalLocations: [{ fullyQualifiedName: `admin ${breaches[at]?.operation}` }],
      },
    ]);
    expect(results.every(({ locations }) => locations?.length === 1)).toBe(true);
  });

  test('suppresses what is waived and says what the baseline knew', () => {
    const held: Log = JSON.parse(renderSarif(accepted));
    const of = (clause: string) => held.runs[0]?.results?.find(({ ruleId }) => ruleId === clause);
    expect(of('ERR-04')).toMatchObject({
      suppressions: [{ kind: 'external', justification: 'known (Edge, T-1, until 2026-12-31)' }],
      baselineState: 'unchanged',
    });
    expect(of('SCH-01')).toMatchObject({ baselineState: 'new' });
    expect(of('SCH-01')?.suppressions).toBeUndefined();
  });

  test('holds no link that the target made up', () => {
    const first = breaches[0]!;
    const made = { ...report, findings: [{ ...first, actual: '[click](http://evil.example)' }] };
    expect((JSON.parse(renderSarif(made)) as Log).runs[0]?.results?.[0]?.message.text).not.toContain('](');
  });
});

describe('ctrf.json', () => {
  const ctrf = JSON.parse([...ctrfPieces(report)].join(''));

  test('validates against the format', () => {
    expect(validate(ctrf)).toMatchObject({ valid: true, errors: [] });
  });

  test('has the cases of junit.xml, counted', () => {
    const cases = junitCases(report);
    const { summary, tests } = ctrf.results;
    expect(tests).toHaveLength(cases.length);
    expect(summary).toMatchObject({
      tests: cases.length,
      passed: cases.filter(({ outcome }) => outcome === 'passed').length,
      failed: cases.filter(({ outcome }) => outcome === 'failed').length,
      skipped: cases.filter(({ outcome }) => outcome === 'skipped').length,
      other: cases.filter(({ outcome }) => outcome === 'error').length,
    });
    for (const { id } of CLAUSES) expect(tests.some(({ name }: { name: string }) => name.startsWith(id))).toBe(true);
  });
});

describe('summary.md', () => {
  const markdown = renderMarkdown(report);

  test('begins with the verdict, counts what holds, and names what was not tested', () => {
    expect(markdown).toMatch(/^## ❌ FAIL: The target breaks its contract/);
    expect(markdown).toMatch(/^\d+ clauses hold: SPEC \d+ of \d+, /m);
    expect(markdown).toMatch(/<summary>\d+ clauses not tested<\/summary>/);
    expect(markdown).toContain('| a key or credential is missing or refused | AUTH-03, PAG-02 |');
  });

  test('fits into a comment, however much is broken', () => {
    expect(Buffer.byteLength(markdown)).toBeLessThan(4000);
    expect(Buffer.byteLength(renderMarkdown(manyOperations(1674, 5000)))).toBeLessThan(4000);
  });

  test('has the figures of a load run and its objectives, and no gaps of what was judged in passing', () => {
    const capacity = { ...SAMPLE_LOAD.capacity!, objectives: { p99Ms: 300, errorRate: 0.01 } };
    const load = { ...SAMPLE_LOAD, suite: 'capacity', capacity };
    const measured = renderMarkdown({ ...report, load });
    expect(measured).toContain('- Objectives: p99 at most 300 ms, errors at most 1 %');
    expect(measured).toMatch(/^- Capacity: .*requests\/s.*: p50 .* ms, p99 .* ms; \d+ steps?/m);
    expect(measured).toContain('Answers were judged in passing');
    expect(measured).not.toMatch(/not tested<|^Inputs/m);
  });

  test('shows each cause once with the command that shows it again', () => {
    expect(markdown).toMatch(
      /^\| ERR-04 \| .* and 4 more \| .* \| `npx assay conform --base-url \S+ --replay [\w-]+` \|$/m,
    );
  });

  test('lets no string of the target be markup', () => {
    const first = breaches[0]!;
    const hostile = `${HOSTILE} | \`code\` **bold** ![x](http://evil.example/x.png) @team #1 <details>`;
    const made = renderMarkdown({ ...report, findings: [{ ...first, cause: hostile, actual: hostile }] });
    const row = made.split('\n').find((line) => line.startsWith(`| ${first.clause} |`));
    expect(row?.replaceAll(/\\./g, '')).not.toMatch(/<|\*\*|!\[|@|http:\/\//);
    expect(row?.replaceAll('\\|', '').split('|')).toHaveLength(8);
  });

  test('tells accepted violations apart', () => {
    const held = renderMarkdown(accepted);
    expect(held).toContain('waived until 2026-12-31 by Edge: known (T-1)');
    expect(held.indexOf('waived until')).toBeGreaterThan(held.indexOf(', accepted'));
  });
});

describe('evidence.har', () => {
  const har: Har = JSON.parse(renderHar(report));

  test('validates as HAR 1.2', () => {
    const schemas: Record<string, object> = require('har-schema');
    const ajv = new Ajv({ strict: false, schemas: Object.values(schemas).map(withoutDraft) });
    addFormats.default(ajv);
    const validate = ajv.getSchema('har.json#') ?? ajv.getSchema('har.json');
    expect(validate?.(har) ? [] : validate?.errors).toEqual([]);
  });

  test('gives a body that was cut the size of the whole, so that nobody takes the part for it', () => {
    const [model] = report.exchanges.filter(({ response }) => response !== null);
    const cut = `{"a":"${'x'.repeat(20)}\n[cut: 26 of 900 characters]`;
    const one = { ...model!, request: { ...model!.request, body: cut }, response: { ...model!.response!, body: cut } };
    const [entry] = (JSON.parse(renderHar({ ...report, exchanges: [one] })) as Har).log.entries;
    expect(entry?.response.content).toMatchObject({ size: 900, text: `{"a":"${'x'.repeat(20)}` });
    expect(entry?.request).toMatchObject({ bodySize: 900, postData: { text: `{"a":"${'x'.repeat(20)}` } });
  });

  test('has every exchange of the evidence with its answer', () => {
    expect(har.log.entries.map(({ request, response }) => [request.method, response.status])).toEqual(
      report.exchanges.map(({ request, response }) => [request.method, response?.status ?? 0]),
    );
  });
});

describe('annotations', () => {
  test('are one line a cause, at its file and line', () => {
    const lines = annotations(report);
    expect(lines[1]).toMatch(/^::error file=specs\/admin\.yaml,line=7,title=ERR-04 [^:]*::GET \/api\/v1\/themes: /);
    expect(lines.every((line) => /^::(error|warning) /.test(line) && !/[\r\n]/.test(line))).toBe(true);
  });

  test('cannot be ended or begun by the target', () => {
    const first = breaches[0]!;
    const [line] = annotations({ ...report, findings: [{ ...first, message: 'a\n::error::b', cause: 'c::d,line=9' }] });
    expect(line).toMatch(/^::error [^\n]*title=SPEC-03 c%3A%3Ad%2Cline=9::[^\n]*$/);
  });

  test('say that there is no verdict', () => {
    const run = { ...report.run, note: 'key std-1 is not accepted' };
    expect(annotations({ ...report, run, verdict: 'none', findings: [] })).toEqual([
      '::error::No verdict could be reached. key std-1 is not accepted',
    ]);
  });

  test('say that an objective is missed where no clause is broken', () => {
    const run = { ...report.run, note: '500 requests/s are demanded, and 400 missed the objectives' };
    expect(annotations({ ...report, run, verdict: 'fail', findings: [] })).toEqual([
      expect.stringMatching(/^::error::.* 500 requests\/s are demanded/),
    ]);
  });
});

/** The schemas name a draft that needs no meta-schema here. */
function withoutDraft(schema: object): object {
  const { $schema: _draft, ...rest } = schema as { $schema?: string };
  return rest;
}

test('findings that conform cannot show again come without its command', () => {
  const ofWebhooks: Report = { ...report, run: { ...report.run, command: 'webhooks' } };
  for (const text of [renderMarkdown(ofWebhooks), renderSarif(ofWebhooks)]) expect(text).not.toContain('--replay');
  for (const text of [renderMarkdown(report), renderSarif(report)]) expect(text).toContain('--replay');
});
