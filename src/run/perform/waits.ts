// Remembers until when the run waits and for which key, so that a display can tell why nothing is sent.

export interface Wait {
  /** The key whose limit is waited for; null where something else is. */
  readonly key: string | null;
  readonly untilMs: number;
}

export class Waits {
  #waits: readonly Wait[] = [];

  /** Notes a wait that begins now. Epoch ms. */
  note(key: string | null, untilMs: number, nowMs: number): void {
    this.#waits = [...this.#waits.filter((wait) => wait.untilMs > nowMs && wait.key !== key), { key, untilMs }];
  }

  /** The wait that ends first: then something is sent again. Null where nobody waits. */
  current(nowMs: number): Wait | null {
    const open = this.#waits.filter(({ untilMs }) => untilMs > nowMs);
    return open.toSorted((left, right) => left.untilMs - right.untilMs)[0] ?? null;
  }
}
