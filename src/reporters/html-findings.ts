// Findings and their evidence as the page shows them: per cause a few findings in full, the rest as rows.
import { clauseById } from '../contract/clauses.ts';
import type { Finding, ReportedExchange } from '../contract/report.ts';
import type { FindingGroup } from './grouping.ts';
import { type ExchangeView, exchangeView } from './html-exchange.ts';
import { anchor, codeParts } from './html-text.ts';
import { cut } from './text.ts';
import { KIND_WORDS, number, plural, replayCommand } from './words.ts';

/** Findings of one cause shown with their evidence; more of the same teach nothing new and make the page heavy. */
const WITH_EVIDENCE = 3;
const EXCHANGES_SHOWN = 3;
const VALUE_CHARS = 2000;
const ROW_CHARS = 240;

export interface FindingView {
  readonly id: string;
  readonly service: string;
  /** Operation key, or what stands in its place. */
  readonly operation: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  readonly seen: string;
  readonly intermittent: boolean;
  readonly curl: string;
  /** The command that shows it again; empty for an observation. */
  readonly replay: string;
  /** Empty beyond the first few findings of a cause. */
  readonly exchanges: readonly ExchangeView[];
  /** Exchanges of the evidence that are not shown; report.json may have them. */
  readonly exchangesLeft: string;
}

/** One clause and cause with all its findings. */
export type GroupView = ReturnType<typeof groupView>;

/** The groups in their order. */
export function groupViews(
  groups: readonly FindingGroup[],
  exchanges: readonly ReportedExchange[],
): readonly GroupView[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return groups.map((group) => groupView(group, byId));
}

function groupView(group: FindingGroup, exchanges: ReadonlyMap<string, ReportedExchange>) {
  const { clause: id, kind, cause, findings, operationCount, intermittent } = group;
  const { text, tolerance } = clauseById(id);
  return {
    id,
    kind,
    kindWord: KIND_WORDS[kind][0],
    cause,
    text: codeParts(text),
    tolerance: codeParts(tolerance),
    intermittent,
    href: `#${anchor('f', findings[0]!.fingerprint)}`,
    reach: operationCount === 0 ? plural(findings.length, 'finding') : plural(operationCount, 'operation'),
    example: cut(findings[0]!.operation ?? '', ROW_CHARS),
    message: cut(findings[0]!.message, ROW_CHARS),
    full: findings.slice(0, WITH_EVIDENCE).map((finding) => findingView(finding, exchanges, VALUE_CHARS)),
    rows: findings.slice(WITH_EVIDENCE).map((finding) => findingView(finding, new Map(), ROW_CHARS)),
  };
}

function findingView(
  finding: Finding,
  exchanges: ReadonlyMap<string, ReportedExchange>,
  valueChars: number,
): FindingView {
  const shown = finding.exchanges.slice(-EXCHANGES_SHOWN).flatMap((id) => exchanges.get(id) ?? []);
  const left = finding.exchanges.length - shown.length;
  return {
    id: anchor('f', finding.fingerprint),
    service: finding.service ?? '',
    operation: finding.operation ?? (finding.service === null ? 'the target as a whole' : 'no single operation'),
    message: cut(finding.message, valueChars),
    expected: cut(finding.expected, valueChars),
    actual: cut(finding.actual, valueChars),
    pointer: cut(finding.pointer ?? '', valueChars),
    seen: `${number(finding.occurrences)} of ${number(finding.looks)}`,
    intermittent: finding.intermittent,
    curl: cut(finding.curl ?? '', 2 * VALUE_CHARS),
    replay: finding.kind === 'observation' ? '' : replayCommand(finding),
    exchanges: shown.map(exchangeView),
    exchangesLeft: left > 0 ? plural(left, 'further exchange') : '',
  };
}
