// How much evidence a run keeps: all of it for the first operations that show a kind of breach, little for the thousandth.
import type { FindingKind, ReportedExchange } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type ErrorMessages, toReported } from '../../exchange/reported.ts';

const PER_FINDING = 3;
/** So many findings of one code have all their evidence; a breach beyond has its last exchange, an observation none. */
const FINDINGS_SHOWN = 20;

export class Evidence {
  /** Findings by kind and code. */
  readonly #found = new Map<string, number>();
  readonly #messages: ErrorMessages;

  constructor(messages: ErrorMessages) {
    this.#messages = messages;
  }

  /** What a new finding keeps of its exchanges, the last ones. */
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
