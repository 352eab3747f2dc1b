// Findings and their evidence as the page shows them: per cause a few findings in full, with their exchanges as text that
// people read, the rest as rows; the page of a cause beside the report has all of them in full.

import { createHash } from 'node:crypto';
import { type Edit, format } from 'jsonc-parser';
import type { Clause } from '../../contract/clause.ts';
import { repairOf } from '../../contract/clauses.ts';
import { plural } from '../../contract/numbers.ts';
import { clauseFinder, clausesOf } from '../../contract/own-clauses.ts';
import type { Finding, Report, ReportedExchange } from '../../contract/report.ts';
import { severityOf } from '../../contract/severity.ts';
import type { TokenVariables } from '../../exchange/curl.ts';
import { beyondCause, type FindingGroup } from '../grouping.ts';
import { cut, isReadableJson, omitted } from '../text.ts';
import {
  acceptedBecause,
  duration,
  KIND_WORDS,
  newIn,
  replayCommand,
  seenWords,
  startCommand,
  traceLink,
} from '../words.ts';
import { type Script, scriptOf } from './script.ts';
import { anchor, codeParts, marked, type Piece, versus } from './text.ts';

/** Findings of one cause shown in full; more of the same teach nothing new and make the page heavy. */
const MAX_IN_FULL = 3;
/** Exchanges of one cause shown in the page; the rest stands beside it. */
const EXCHANGES_SHOWN = 3;
const VALUE_CHARS = 2000;
const ROW_CHARS = 240;
const NOTE_CHARS = 80;
/** Folder of the causes' pages, beside index.html. */
export const EVIDENCE_FOLDER = 'evidence';

export interface FindingView {
  readonly id: string;
  readonly service: string;
  /** Operation key, or what stands in its place. */
  readonly operation: string;
  readonly message: string;
  readonly expected: readonly Piece[];
  readonly actual: readonly Piece[];
  readonly pointer: string;
  readonly seen: string;
  readonly intermittent: boolean;
  /** Not found by the last run, where one is known. */
  readonly fresh: boolean;
  /** Sends its last exchange again; empty where the script does. */
  readonly curl: string;
  /** Sends its exchanges again, step by step; null where none was kept, or no request to the target shows it. */
  readonly script: Script | null;
  /** The command that shows it again; empty for an observation. */
  readonly replay: string;
  readonly exchanges: readonly ExchangeView[];
}

/** One clause and cause with all its findings. */
export type GroupView = ReturnType<typeof groupView>;

type ExchangesById = ReadonlyMap<string, ReportedExchange>;

/** Facts that a report knows of its findings. */
export interface FindingFacts {
  readonly exchanges: ExchangesById;
  /** Fingerprints that the last run did not have. */
  readonly fresh: ReadonlySet<string>;
  readonly clauseOf: (id: string) => Clause;
  /** `npx assay conform` with what the target needs. */
  readonly command: string | null;
  readonly tokenVariables: TokenVariables;
  /** Where traces are looked at; undefined: nobody says. */
  readonly traceUrl: string | undefined;
}

/** The facts of a report. */
export function factsOf(report: Report): FindingFacts {
  return {
    exchanges: new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
    fresh: newIn(report),
    clauseOf: clauseFinder(clausesOf(report)),
    command: startCommand(report),
    tokenVariables: report.target.tokenVariables ?? {},
    traceUrl: report.run.traceUrl,
  };
}

/** The groups in their order. */
export function groupViews(groups: readonly FindingGroup[], facts: FindingFacts) {
  return groups.map((group) => groupView(group, facts));
}

function groupView(group: FindingGroup, facts: FindingFacts) {
  const { exchanges, fresh, clauseOf } = facts;
  const { clause: id, kind, cause, operationCount, intermittent } = group;
  const { text, tolerance } = clauseOf(id);
  // One that names an operation says more than one on the whole target.
  const findings = group.findings.toSorted(
    (left, right) => Number(right.operation !== null) - Number(left.operation !== null),
  );
  const first = findings[0]!;
  const recorded = findings.flatMap((finding) => finding.exchanges.filter((name) => exchanges.has(name)));
  let left = EXCHANGES_SHOWN;
  const full = findings.slice(0, MAX_IN_FULL).map((finding) => {
    const view = findingView(finding, facts, left);
    left -= view.exchanges.length;
    return view;
  });
  return {
    id,
    kind,
    kindWord: KIND_WORDS[kind][0],
    cause,
    text: codeParts(text),
    tolerance: codeParts(tolerance),
    severity: severityOf(id),
    repair: codeParts(repairOf(id)),
    intermittent,
    total: findings.length,
    href: `#${anchor('f', first.fingerprint)}`,
    reach: operationCount === 0 ? plural(findings.length, 'finding') : plural(operationCount, 'operation'),
    /** Why none of its findings decides the verdict; set for accepted ones alone. */
    waived: findings.every(({ waiver, known }) => waiver !== undefined || known === true) ? acceptedBecause(first) : '',
    fresh: findings.filter(({ fingerprint }) => fresh.has(fingerprint)).length,
    example: cut(first.operation ?? '', ROW_CHARS),
    said: cut(beyondCause(first.message, first.cause), ROW_CHARS),
    full,
    rows: findings.slice(MAX_IN_FULL).map((finding) => rowView(finding, fresh)),
    /** The cause's own page, where the evidence does not fit in here; else empty. */
    file: recorded.length > EXCHANGES_SHOWN - left ? evidenceFile(group) : '',
    exchangesLeft: plural(recorded.length - (EXCHANGES_SHOWN - left), 'further exchange'),
  };
}

/** Path of the cause's page, from index.html: the same in every run. */
function evidenceFile(group: FindingGroup): string {
  const digest = createHash('sha256').update(group.key).digest('hex').slice(0, 8);
  return `${EVIDENCE_FOLDER}/${group.clause.toLowerCase()}-${digest}.html`;
}

/** One finding in full, with at most so many of its exchanges, the last ones. */
export function findingView(
  finding: Finding,
  { exchanges, fresh, command, tokenVariables, traceUrl }: FindingFacts,
  mostExchanges: number,
): FindingView {
  const known = finding.exchanges.flatMap((id) => exchanges.get(id) ?? []);
  const shown = known.slice(Math.max(0, known.length - mostExchanges));
  const script = finding.curl === null ? null : scriptOf(known, tokenVariables);
  const [expected, actual] = versus(cut(finding.expected, VALUE_CHARS), cut(finding.actual, VALUE_CHARS));
  const pointer = cut(finding.pointer ?? '', VALUE_CHARS);
  const note = finding.kind === 'observation' ? '' : `expected ${cut(finding.expected, NOTE_CHARS)}`;
  return {
    ...rowView(finding, fresh),
    message: cut(finding.message, VALUE_CHARS),
    expected,
    actual,
    pointer,
    curl: script === null ? cut(finding.curl ?? '', 2 * VALUE_CHARS) : '',
    script,
    replay: finding.kind === 'observation' ? '' : replayCommand(finding, command),
    exchanges: shown.map((one) => exchangeView(one, { pointer, note: one === shown.at(-1) ? note : '', traceUrl })),
  };
}

function rowView(finding: Finding, fresh: ReadonlySet<string>) {
  return {
    id: anchor('f', finding.fingerprint),
    service: finding.service ?? '',
    operation: finding.operation ?? (finding.service === null ? 'the target as a whole' : 'no single operation'),
    message: cut(finding.message, ROW_CHARS),
    seen: seenWords(finding),
    intermittent: finding.intermittent,
    fresh: fresh.has(finding.fingerprint),
  };
}

const BODY_CHARS = 4000;
const HEADER_CHARS = 500;
const URL_CHARS = 1000;

interface ExchangeView {
  readonly id: string;
  /** "GET https://api.example.com/v1/themes". */
  readonly line: string;
  /** "404", or "no answer". */
  readonly outcome: string;
  readonly failed: boolean;
  /** Who asked, why, how long it took. */
  readonly details: string;
  /** The trace that the request named, and where it is looked at, empty where nobody says; null: it named none. */
  readonly trace: { readonly id: string; readonly href: string } | null;
  readonly request: string;
  /** The lines that the finding points to are marked. */
  readonly response: readonly Piece[];
}

type Headers = ReportedExchange['request']['headers'];

/**
 * The exchange in words, with long values cut; no value is decoded or re-encoded, so digits and order stay as sent.
 * `pointer` is the finding's, into the body of the response; `note` stands where it points to.
 */
export function exchangeView(
  { request, response, ...exchange }: ReportedExchange,
  {
    pointer,
    note,
    traceUrl,
  }: { readonly pointer: string; readonly note: string; readonly traceUrl?: string | undefined },
): ExchangeView {
  const line = `${cut(request.method, 40)} ${cut(request.url, URL_CHARS)}`;
  const attempt = exchange.attempt > 1 ? `attempt ${exchange.attempt}` : '';
  const time = exchange.sentAt.slice(11, 23);
  const { traceId } = exchange;
  return {
    id: exchange.id,
    line,
    outcome: response === null ? 'no answer' : String(response.status),
    failed: response === null,
    details: [exchange.probe, exchange.credential, attempt, time, duration(exchange.durationMs)]
      .filter((part) => part !== '')
      .join(' · '),
    trace: traceId === undefined ? null : { id: traceId, href: traceLink({ traceUrl }, traceId) ?? '' },
    request: `${head(line, request.headers)}${bodyOf(request.body ?? '')}`,
    response: responseView({ response, failure: exchange.failure }, pointer, note),
  };
}

function responseView(
  { response, failure }: Pick<ReportedExchange, 'response' | 'failure'>,
  pointer: string,
  note: string,
): readonly Piece[] {
  if (response === null) return [{ text: cut(failure ?? 'no answer', BODY_CHARS), mark: false }];
  const top = { text: head(`HTTP ${response.status}`, response.headers), mark: false };
  return response.body === ''
    ? [top]
    : [top, { text: '\n\n', mark: false }, ...marked(indented(response.body), pointer, note)];
}

function head(startLine: string, headers: Headers): string {
  return [startLine, ...headers.map(([name, value]) => `${name}: ${cut(value, HEADER_CHARS)}`)].join('\n');
}

function bodyOf(body: string): string {
  return body === '' ? '' : `\n\n${indented(body)}`;
}

/** JSON with line breaks and indentation, byte for byte its tokens; anything else as it is. Cut to a readable length. */
function indented(body: string): string {
  const kept = body.slice(0, BODY_CHARS);
  if (!isReadableJson(kept)) return cut(body, BODY_CHARS);
  const pretty = edited(kept, format(kept, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
  return kept.length < body.length ? pretty + omitted(body.length - kept.length) : pretty;
}

/** The formatter's edits, which stand in the order of the text, made in one pass: one after another, each would copy the whole text. */
function edited(text: string, edits: readonly Edit[]): string {
  let done = 0;
  const pieces = edits.map(({ offset, length, content }) => {
    const piece = text.slice(done, offset) + content;
    done = offset + length;
    return piece;
  });
  return pieces.join('') + text.slice(done);
}
