// What the run found out beside its judgements, with the exchanges that show it.
import type { Judgement } from '../../contract/judgement.ts';
import type { Observation, ReportedExchange } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type ErrorMessages, toReported } from '../../exchange/reported.ts';
import { printOf } from '../../grading/fingerprint.ts';
import { ObservationTable } from '../../grading/observations.ts';

const EVIDENCE_PER_ROW = 2;
/** So many rows of one subject have evidence. */
const ROWS_SHOWN = 20;
const NO_KEY = { key: null, plan: null } as const;

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
    const [told] = judgement.kind === 'breached' ? judgement.breaches : [];
    const finding = told === undefined ? null : printOf(clause, { service, operation }, told, evidence.length > 0);
    for (const { of = NO_KEY, ...observed } of judgement.observed) {
      const subject = `${clause} ${observed.subject}`;
      const rows = this.#rows.get(subject) ?? 0;
      const shown = rows < ROWS_SHOWN ? evidence.slice(-EVIDENCE_PER_ROW) : [];
      const exchanges = shown.map(({ id }) => id);
      const isNew = this.#table.note({ clause, service, operation, ...of, ...observed, exchanges, finding });
      if (!isNew) continue;
      this.#rows.set(subject, rows + 1);
      for (const exchange of shown) this.#shown.set(exchange.id, toReported(exchange, this.#messages));
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
