// Whether what the target answers can be judged at all. An answer that is cut, too large or no HTTP is judged by no check: a
// run that meets hardly anything else, or nothing else in the end, says nothing about the target.

import { header } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isStream } from '../exchange/streams.ts';
import { type Spot, spotKey } from './spot.ts';

/** So many in a row, on so many operations, are no matter of one large list. */
const [MOST_IN_A_ROW, FEWEST_OPERATIONS] = [4, 2];

export class UnjudgedAnswers {
  #answers = 0;
  #unjudged = 0;
  #inARow = 0;
  readonly #operations = new Set<string>();

  count(spot: Spot, exchange: Exchange): void {
    if (exchange.halted === true || !hasBegun(exchange)) return;
    this.#answers += 1;
    if (isWhole(exchange)) {
      this.#inARow = 0;
      this.#operations.clear();
      return;
    }
    this.#unjudged += 1;
    this.#inARow += 1;
    this.#operations.add(spotKey(spot));
  }

  /** Why too little could be judged, in words; null: enough could. */
  get reason(): string | null {
    const why = 'they are too large, cut, or no HTTP';
    if (this.#inARow > MOST_IN_A_ROW && this.#operations.size >= FEWEST_OPERATIONS)
      return `none of the last ${this.#inARow} answers could be judged: ${why}`;
    if (2 * this.#unjudged > this.#answers)
      return `${this.#unjudged} of ${this.#answers} answers could not be judged: ${why}`;
    return null;
  }
}

/** Whether anything was answered. */
function hasBegun({ response, failure }: Exchange): boolean {
  return response !== null || failure?.kind === 'protocol' || failure?.status !== undefined;
}

/** A stream is judged by what came of it. */
function isWhole({ response }: Exchange): boolean {
  if (response === null) return false;
  return !response.truncated || isStream(header(response.headers, 'content-type') ?? '');
}
