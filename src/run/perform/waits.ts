// Remembers until when the run waits and for what, so that a display can tell why nothing is sent.
import type { Awaited } from '../../contract/progress.ts';

export interface Wait extends Awaited {
  readonly untilMs: number;
}

export class Waits {
  #waits: readonly Wait[] = [];

  /** Notes a wait that begins now. Epoch ms. */
  note({ what, key }: Awaited, untilMs: number, nowMs: number): void {
    const others = this.#waits.filter((wait) => wait.untilMs > nowMs && (wait.what !== what || wait.key !== key));
    this.#waits = [...others, { what, key, untilMs }];
  }

  /** The wait that ends first: then something is sent again. Null where nobody waits. */
  current(nowMs: number): Wait | null {
    const open = this.#waits.filter(({ untilMs }) => untilMs > nowMs);
    return open.toSorted((left, right) => left.untilMs - right.untilMs)[0] ?? null;
  }
}
