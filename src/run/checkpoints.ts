// What a run leaves behind should it be killed: its report as it stands, every so often, and the rarer the longer it
// takes to tell.

/** Between two checkpoints. ms. */
const INTERVAL_MS = 20_000;
/** So many times as long as the last one took goes by before the next. */
const RARER = 30;

export class Checkpoints {
  readonly #tell: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `tell` builds the report and hands it on. */
  constructor(tell: () => void) {
    this.#tell = tell;
  }

  start(): void {
    this.#next(INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #next(afterMs: number): void {
    this.#timer = setTimeout(() => {
      const startedAt = performance.now();
      this.#tell();
      this.#next(Math.max(INTERVAL_MS, RARER * (performance.now() - startedAt)));
    }, afterMs);
  }
}
