// Keeps the evidence of findings within bounds: all of it for the first operations that show a kind of breach, little
// for the thousandth, texts of bounded length, and rows of observations with the exchanges that show them.

import { codeOf } from '../../contract/code.ts';
import type { Breach, Judgement } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { FindingKind, Observation, ReportedExchange } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type ErrorMessages, toReported } from '../../exchange/reported.ts';
import { printOf } from '../../grading/fingerprint.ts';
import { ObservationTable } from '../../grading/observations.ts';

const PER_FINDING = 3;
/** Maximum number of findings of one code with all their evidence; a breach beyond has its last exchange, an observation none. */
const FINDINGS_SHOWN = 20;

export class Evidence {
  /** Findings by kind and code. */
  readonly #found = new Map<string, number>();
  readonly #messages: ErrorMessages;

  constructor(messages: ErrorMessages) {
    this.#messages = messages;
  }

  /** The exchanges, the last ones, that a new finding keeps. */
  kept(
    { kind, code }: { readonly kind: FindingKind; readonly code: string },
    exchanges: readonly Exchange[],
  ): readonly ReportedExchange[] {
    const key = `${kind} ${code}`;
    const before = this.#found.get(key) ?? 0;
    this.#found.set(key, before + 1);
    const most = before < FINDINGS_SHOWN ? PER_FINDING : kind === 'observation' ? 0 : 1;
    return most === 0 ? [] : exchanges.slice(-most).map((exchange) => toReported(exchange, this.#messages));
  }
}

/** Length from which a request is too long to be read. */
const LONG_REQUEST_MIN_CHARACTERS = 1000;

/** Number of headers that requests have as a rule; each further one is as hard to read as so many characters. */
const [USUAL_HEADERS, CHARACTERS_PER_FURTHER_HEADER] = [6, 200];

/** Length of the evidence's one request, in characters, and what its further headers count for; null where it has several, or none. */
export function requestCharacters(evidence: readonly Exchange[]): number | null {
  const [only, ...others] = evidence;
  if (only === undefined || others.length > 0) return null;
  const { url, headers, body } = only.request;
  const further = Math.max(0, headers.length - USUAL_HEADERS) * CHARACTERS_PER_FURTHER_HEADER;
  return headers.reduce((sum, [, value]) => sum + value.length, further + url.length + (body?.length ?? 0));
}

/** Tells whether one request shows what a long one of `known` characters has shown, and is half as long at most: a person reads it. */
export function isPlainer(evidence: readonly Exchange[], known: number | null): boolean {
  if (known === null || known < LONG_REQUEST_MIN_CHARACTERS) return false;
  const characters = requestCharacters(evidence);
  return characters !== null && characters <= known / 2;
}

// How much of a breach a report tells. What a target answers has no measure: names of a megabyte, and new ones each time, must
// not make the report as large.

const MOST_CHARACTERS = 2000;
/** Findings of one clause on one operation; on a description, which is as large as its author made it, more. */
const [MOST_ON_ANSWERS, MOST_ON_DESCRIPTIONS] = [50, 1000];

/** The code of what stands for all others of the clause. */
export function furtherCode(clause: string): string {
  return codeOf(clause, 'further');
}

/** The breach with its texts cut to what anybody reads; the pointer leads to the nearest place above that can be told. */
export function boundedBreach(breach: Breach): Breach {
  const { code, cause, message, expected, actual, pointer } = breach;
  const told = {
    ...breach,
    code: cut(code),
    cause: shown(cause),
    message: shown(message),
    expected: cut(expected),
    actual: cut(actual),
  };
  if (pointer === undefined || pointer.length <= MOST_CHARACTERS) return told;
  return { ...told, pointer: pointer.slice(0, Math.max(0, pointer.lastIndexOf('/', MOST_CHARACTERS))) };
}

/** The breach in place of every further one of the clause on the operation, once `known` different ones are told; null before. */
export function furtherBreach(
  clause: string,
  breach: Breach,
  known: number,
  { isOnAnswer }: { readonly isOnAnswer: boolean },
): Breach | null {
  const most = isOnAnswer ? MOST_ON_ANSWERS : MOST_ON_DESCRIPTIONS;
  if (known < most) return null;
  const {
    pointer: _pointer,
    wanted: _wanted,
    property: _property,
    within: _within,
    sometimes: _sometimes,
    ...rest
  } = breach;
  const message = `${plural(most, 'finding is', 'findings are')} told, and there are more that differ from them, such as: ${breach.message}`;
  return boundedBreach({ ...rest, code: furtherCode(clause), cause: 'more findings than are told', message });
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** Stands for a text that the report's schema wants and that nothing stands in: what a target names may be empty. */
const NO_TEXT = '(empty)';

function shown(text: string): string {
  return text === '' ? NO_TEXT : cut(text);
}

const EVIDENCE_PER_ROW = 2;
/** Maximum number of rows of one subject that have evidence. */
const ROWS_SHOWN = 20;
const NO_KEY = { key: null, plan: null } as const;

/** The observations that the run made beside its judgements, with the exchanges that show them. */
export class RunObservations {
  readonly #table = new ObservationTable();
  /** Exchanges that show something, by id. */
  readonly #shown = new Map<string, ReportedExchange>();
  /** Rows by clause and subject. */
  readonly #rows = new Map<string, number>();
  readonly #messages: ErrorMessages;

  constructor(messages: ErrorMessages) {
    this.#messages = messages;
  }

  /** Notes what the judgement carries, where it was booked. */
  note(
    clause: string,
    { service, operation }: Pick<Observation, 'service' | 'operation'>,
    judgement: Judgement,
    evidence: readonly Exchange[],
  ): void {
    if (judgement.observed === undefined) return;
    const [first] = judgement.kind === 'breached' ? judgement.breaches : [];
    const finding =
      first === undefined ? null : printOf(clause, { service, operation }, first, { inAnswer: evidence.length > 0 });
    for (const { of = NO_KEY, ...observed } of judgement.observed) {
      const told = { ...observed, subject: shown(observed.subject), value: shown(observed.value) };
      const subject = `${clause} ${told.subject}`;
      const rows = this.#rows.get(subject) ?? 0;
      const kept = rows < ROWS_SHOWN ? evidence.slice(-EVIDENCE_PER_ROW) : [];
      const exchanges = kept.map(({ id }) => id);
      const isNew = this.#table.note({ clause, service, operation, ...of, ...told, exchanges, finding });
      if (!isNew) continue;
      this.#rows.set(subject, rows + 1);
      for (const exchange of kept) this.#shown.set(exchange.id, toReported(exchange, this.#messages));
    }
  }

  rows(): readonly Observation[] {
    return this.#table.rows();
  }

  /** Every exchange that a row points to. */
  evidence(): readonly ReportedExchange[] {
    return [...this.#shown.values()];
  }
}
