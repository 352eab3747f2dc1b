// How much evidence a run keeps: all of it for the first operations that show a cause, little for the thousandth.
import type { FindingKind, ReportedExchange } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toReported } from '../exchange/reported.ts';

const PER_FINDING = 3;
/** So many findings of one cause have all their evidence; a breach beyond has its last exchange, an observation none. */
const FINDINGS_SHOWN = 20;

export class Evidence {
  /** Findings by clause, kind and cause. */
  readonly #found = new Map<string, number>();

  /** What a new finding keeps of its exchanges, the last ones. */
  kept(
    { clause, kind, cause }: { readonly clause: string; readonly kind: FindingKind; readonly cause: string },
    exchanges: readonly Exchange[],
  ): readonly ReportedExchange[] {
    const key = `${clause} ${kind} ${cause}`;
    const before = this.#found.get(key) ?? 0;
    this.#found.set(key, before + 1);
    const most = before < FINDINGS_SHOWN ? PER_FINDING : kind === 'observation' ? 0 : 1;
    return most === 0 ? [] : exchanges.slice(-most).map(toReported);
  }
}
