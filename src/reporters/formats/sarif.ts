// results.sarif: violations and advisories for code-scanning servers, located in the description's file and line.
import { SarifBuilder, SarifResultBuilder, SarifRuleBuilder, SarifRunBuilder } from 'node-sarif-builder';
import type { Result, Run } from 'sarif';
import type { Level } from '../../contract/clause.ts';
import { repairOf } from '../../contract/clauses.ts';
import { clausesOf } from '../../contract/own-clauses.ts';
import type { Finding, Report } from '../../contract/report.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { cut, visibleText } from '../text.ts';
import { replayCommand, startCommand } from '../words.ts';

const TEXT_CHARS = 2000;
const LEVELS: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = {
  must: 'error',
  should: 'warning',
  discover: 'note',
};

/**
 * SARIF 2.1.0: one run, its rules every clause, its results the violations (error) and advisories
 * (warning). The fingerprint is the finding's own, stable over runs; a waiver is a suppression, a baseline gives each
 * result its baselineState. What belongs to no description stands at the first one, since servers refuse a result
 * without a place.
 */
export function renderSarif(report: Report): string {
  const builder = new SarifBuilder();
  const run = new SarifRunBuilder().initSimple({ toolDriverName: 'assay', toolDriverVersion: report.tool.version });
  const clauses = clausesOf(report);
  for (const { id, text, level, family } of clauses) {
    const rule = new SarifRuleBuilder().initSimple({ ruleId: id, shortDescriptionText: text });
    if (repairOf(id) !== '') Object.assign(rule.rule, { help: { text: `How to repair: ${repairOf(id)}` } });
    Object.assign(rule.rule, { defaultConfiguration: { level: LEVELS[level] }, properties: { family, level } });
    run.addRule(rule);
  }
  const places = new Map(clauses.map(({ id }, at) => [id, at]));
  for (const finding of report.findings)
    if (finding.kind !== 'observation') run.addResult(resultOf(finding, report, places.get(finding.clause) ?? -1));
  Object.assign(run.run, runProperties(report));
  builder.addRun(run);
  return `${JSON.stringify(builder.log, null, 1)}\n`;
}

function runProperties(report: Report): Partial<Run> {
  const startedAtMs = Date.parse(report.run.startedAt);
  return {
    automationDetails: { id: `assay/${report.run.id}` },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: report.verdict !== 'none',
        exitCode: exitCode(report),
        startTimeUtc: report.run.startedAt,
        endTimeUtc: new Date(startedAtMs + report.run.durationMs).toISOString(),
      },
    ],
    properties: { verdict: report.verdict, requests: report.counts.requests, partial: report.run.partial },
  };
}

function resultOf(finding: Finding, report: Report, ruleIndex: number): SarifResultBuilder {
  const { clause, kind, message, expected, actual, operation, fingerprint, waiver } = finding;
  const where = operation === null ? '' : `${operation}: `;
  const again = replayCommand(finding, startCommand(report));
  const shownBy = again === '' ? '' : `. Shown again by: ${again}`;
  const text = `${where}${message}. Expected: ${expected}. Actual: ${actual}${shownBy}`;
  const builder = new SarifResultBuilder().initSimple({
    ruleId: clause,
    level: kind === 'violation' ? 'error' : 'warning',
    messageText: plain(text),
  });
  const result: Partial<Result> = {
    ruleIndex,
    locations: [placeOf(finding, report)],
    partialFingerprints: { 'assayFingerprint/v1': fingerprint },
    occurrenceCount: finding.occurrences,
    ...(waiver === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: plain(justified(waiver)) }] }),
    ...(report.acceptance?.baseline == null ? {} : { baselineState: finding.known === true ? 'unchanged' : 'new' }),
    properties: {
      ...(finding.code === undefined ? {} : { code: finding.code }),
      cause: finding.cause,
      pointer: finding.pointer,
      intermittent: finding.intermittent,
      ...(finding.traceIds === undefined ? {} : { traceIds: finding.traceIds }),
    },
  };
  Object.assign(builder.result, result);
  return builder;
}

function placeOf({ location, service, operation }: Finding, { services }: Report): NonNullable<Result['locations']>[0] {
  const described = services.filter(({ spec }) => spec !== null);
  const home = described.find(({ name }) => name === service) ?? described[0];
  const uri = location?.file ?? home?.spec ?? 'report.json';
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(uri.replaceAll('\\', '/').toWellFormed()) },
      region: { startLine: location?.line ?? 1 },
    },
    ...(operation === null
      ? {}
      : { logicalLocations: [{ name: operation, fullyQualifiedName: `${service} ${operation}`, kind: 'resource' }] }),
  };
}

function justified({ reason, owner, ticket, expires }: NonNullable<Finding['waiver']>): string {
  return `${reason} (${owner}${ticket === null ? '' : `, ${ticket}`}, until ${expires})`;
}

/** Text that no viewer takes for a link or a control sequence. */
function plain(text: string): string {
  return cut(visibleText(text), TEXT_CHARS).replaceAll('](', '] (');
}
