// Tells whether the target's answers can be judged at all. An answer that is cut, too large or no HTTP is judged by no
// check, nor is one that never comes: a run that meets hardly anything else, or nothing else in the end, says nothing
// about the target.

import { plural } from '../../contract/numbers.ts';
import { header } from '../../exchange/body.ts';
import { answeredMs, type Exchange } from '../../exchange/exchange.ts';
import { isStream } from '../../exchange/streams.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';

/** More answers in a row than these, on so many operations, are no matter of one large list. */
const CUT = { inARow: 4, operations: 2 };
/** Requests without an answer: a firewall drops a few in a row. */
const LOST = { inARow: 9, operations: 3 };

/** Requests that were under way when the run was stopped, and had waited for longer than any before. */
const SILENT = { requests: 2, operations: 2, leastMs: 2000, timesTheLongest: 3 };

/** The unjudged answers that came last, without a sound one between. */
class Row {
  readonly #operations = new Set<string>();
  length = 0;

  add(spot: Spot): void {
    this.length += 1;
    this.#operations.add(spotKey(spot));
  }

  clear(): void {
    this.length = 0;
    this.#operations.clear();
  }

  exceeds({ inARow, operations }: typeof CUT): boolean {
    return this.length > inARow && this.#operations.size >= operations;
  }
}

export class UnjudgedAnswers {
  #requests = 0;
  #unjudged = 0;
  readonly #cut = new Row();
  readonly #lost = new Row();
  /** When the last sound answer was there, and how long the slowest of them took. Epoch ms; ms. */
  #lastSoundMs = 0;
  #longestMs = 0;
  readonly #stopped: { readonly spot: Spot; readonly sentAt: number; readonly waitedMs: number }[] = [];

  /** The end of the run came before the answer. */
  countStopped(spot: Spot, { plan, sentAt, durationMs }: Exchange): void {
    if (plan.onlyAlive !== true) this.#stopped.push({ spot, sentAt, waitedMs: durationMs });
  }

  count(spot: Spot, exchange: Exchange): void {
    if (exchange.halted === true || exchange.plan.onlyAlive === true) return;
    this.#requests += 1;
    if (isWhole(exchange)) {
      this.#cut.clear();
      this.#lost.clear();
      this.#lastSoundMs = Math.max(this.#lastSoundMs, answeredMs(exchange));
      this.#longestMs = Math.max(this.#longestMs, exchange.durationMs);
      return;
    }
    this.#unjudged += 1;
    this.#lost.add(spot);
    if (hasBegun(exchange)) this.#cut.add(spot);
  }

  /** Why too little could be judged, in words; null: enough could. */
  get reason(): string | null {
    const why = 'they are too large, cut, or no HTTP';
    if (this.#lost.exceeds(LOST))
      return `none of the last ${plural(this.#lost.length, 'request')} got an answer that could be judged`;
    if (this.#cut.exceeds(CUT)) return `none of the last ${plural(this.#cut.length, 'answer')} could be judged: ${why}`;
    if (this.#isSilent())
      return 'the target had fallen silent: neither the requests under way at the end nor any other before was answered for long';
    if (this.#requests > LOST.inARow && 2 * this.#unjudged > this.#requests)
      return `${this.#unjudged} of ${plural(this.#requests, 'request')} got no answer that could be judged`;
    return null;
  }

  /**
   * Tells whether the target had fallen silent when the run was stopped: nothing sound came for long, and several
   * requests had waited as long. Those that were sent beside the last sound answer count, too: their answers were as
   * late.
   */
  #isSilent(): boolean {
    const longMs = Math.max(SILENT.leastMs, SILENT.timesTheLongest * this.#longestMs);
    const waiting = this.#stopped.filter(
      ({ sentAt, waitedMs }) => waitedMs >= longMs && sentAt + waitedMs - this.#lastSoundMs >= longMs,
    );
    const operations = new Set(waiting.map(({ spot }) => spotKey(spot)));
    return waiting.length >= SILENT.requests && operations.size >= SILENT.operations;
  }
}

/** Tells whether anything was answered. */
function hasBegun({ response, failure }: Exchange): boolean {
  return response !== null || failure?.kind === 'protocol' || failure?.status !== undefined;
}

/** A stream is judged by what came of it. */
function isWhole({ response }: Exchange): boolean {
  if (response === null) return false;
  return !response.truncated || isStream(header(response.headers, 'content-type') ?? '');
}
