// Errors of the harness itself. What throws while it judges or probes is kept with its clauses and the exchange that caused
// it, and the run goes on: a target must not be able to suppress its own report.
import { sep } from 'node:path';
import type { Clock } from '../../clock/clock.ts';
import type { Pieces } from '../../clock/pieces.ts';
import { PACKAGE_ROOT } from '../../contract/package-root.ts';
import type { HarnessError, ReportedExchange } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { toReported } from '../../exchange/reported.ts';
import { RunEnded } from '../perform/interruption.ts';
import { withinTime } from '../perform/within-time.ts';
import type { Ledger } from './ledger.ts';

/** The work during which an error is thrown. */
export interface Work {
  /** Clauses whose judgement rests on it; empty where it is done for no clause in particular. */
  readonly clauses: readonly string[];
  /** "check", "law", "probe auth/no-token", "stage reach". */
  readonly where: string;
}

interface Entry {
  readonly told: Omit<HarnessError, 'times'>;
  readonly evidence: ReportedExchange | null;
  times: number;
}

export class HarnessErrors {
  /** One entry for each place that threw one class of error. */
  readonly #entries = new Map<string, Entry>();

  /** The result of the work; `otherwise` where it throws, which is noted. What ends the run is thrown on. */
  attempt<T>(work: Work, exchange: Exchange | null, otherwise: T, perform: () => T): T {
    try {
      return exchange === null ? perform() : withinTime(exchange, perform);
    } catch (error) {
      this.note(work, error, exchange);
      return otherwise;
    }
  }

  /** The same for a computation in pieces, with a turn of the event loop after each. */
  async attemptInTurns<T>(
    work: Work,
    exchange: Exchange | null,
    otherwise: T,
    pieces: Pieces<T>,
    turn: Clock['turn'],
  ): Promise<T> {
    for (;;) {
      const next = this.attempt(work, exchange, null, () => pieces.next());
      if (next === null) return otherwise;
      if (next.done === true) return next.value;
      await turn();
    }
  }

  /** The same for work that takes its time. */
  async attemptAsync<T>(work: Work, otherwise: T, perform: () => Promise<T>): Promise<T> {
    try {
      return await perform();
    } catch (error) {
      this.note(work, error, null);
      return otherwise;
    }
  }

  /** Notes what the work threw, and the exchange that caused it. Throws on what ends the run. */
  note({ clauses, where }: Work, error: unknown, exchange: Exchange | null): void {
    if (error instanceof RunEnded) throw error;
    const name = error instanceof Error ? error.name : typeof error;
    const at = placeIn(error);
    const key = `${where} ${clauses.join()} ${name} ${at}`;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    // The message stays out: it may quote what the target answered.
    const told = { clauses, where, error: name, at, exchange: exchange?.id ?? null };
    this.#entries.set(key, { told, evidence: exchange === null ? null : reported(exchange), times: 1 });
  }

  /** Voids the judgements of the clauses that an error concerns, violations aside. */
  voidJudged(ledger: Pick<Ledger, 'void'>): void {
    for (const { told } of this.#entries.values())
      for (const clause of told.clauses) ledger.void(clause, `Assay itself failed on it: ${inWords(told)}`);
  }

  /** In the order in which they came. */
  rows(): readonly HarnessError[] {
    return [...this.#entries.values()].map(({ told, times }) => ({ ...told, times }));
  }

  /** The exchanges that the rows name. */
  evidence(): readonly ReportedExchange[] {
    return [...this.#entries.values()].flatMap(({ evidence }) => evidence ?? []);
  }
}

/** "RangeError in a check on ex-12". */
function inWords({ error, where, exchange }: Entry['told']): string {
  return `${error} in ${where}${exchange === null ? '' : ` on ${exchange}`}`;
}

/** The exchange as evidence; null where it is what cannot be told. */
function reported(exchange: Exchange): ReportedExchange | null {
  try {
    return toReported(exchange);
  } catch {
    // The error may be about this very exchange; it is told without its evidence then.
    return null;
  }
}

/** The first place of ours in the stack, below the package's folder: "src/checks/idem/difference.ts:27"; null for none. */
function placeIn(error: unknown): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    const begin = line.indexOf(PACKAGE_ROOT);
    const [, file, at] = begin < 0 ? [] : (/^([^:]+):(\d+)/.exec(line.slice(begin + PACKAGE_ROOT.length + 1)) ?? []);
    if (file !== undefined && !file.startsWith('node_modules')) return `${file.split(sep).join('/')}:${at}`;
  }
  return null;
}
