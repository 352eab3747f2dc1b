// Lets some requests go alone: those under way are awaited first, and all that come later wait until such a one is answered.

export class Turns {
  readonly #underWay = new Set<Promise<unknown>>();
  /** Ends when nothing that goes alone is under way or waits; null where there is none. */
  #alone: Promise<unknown> | null = null;

  /** The result of the work, which begins at once unless something goes alone. */
  take<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    if (isAlone) return this.#takeAlone(work);
    const turn = this.#alone === null ? work() : this.#alone.then(work);
    const entry: Promise<unknown> = turn.then(
      () => this.#underWay.delete(entry),
      () => this.#underWay.delete(entry),
    );
    this.#underWay.add(entry);
    return turn;
  }

  #takeAlone<T>(work: () => Promise<T>): Promise<T> {
    const turn = Promise.all([this.#alone, ...this.#underWay]).then(work);
    const over = (): void => {
      if (this.#alone === entry) this.#alone = null;
    };
    const entry: Promise<unknown> = turn.then(over, over);
    this.#alone = entry;
    return turn;
  }
}
