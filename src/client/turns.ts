// Says how many requests a target is sent at once: fewer where it serves them one after another and takes its time, so that none waits for
// its turn longer than an answer may take.

/** A request that is under way. */
interface UnderWay {
  readonly sinceMs: number;
  /** Requests that were under way when it was sent. */
  readonly beside: number;
  /** Requests that were sent after it, and answered before. */
  overtaken: number;
}

/** Longest time that as many answers as are awaited at once may take together. ms. */
const MAX_TOGETHER_MS = 20_000;
/** Answers to requests that nothing stood beside, by which it is told how long one takes. */
const MIN_ALONE = 3;
const MAX_ALONE = 5;
/** Who answers beside so many others in hardly more time than alone serves several at once. */
const [MIN_BESIDE, MAX_SHARE_OF_ALONE] = [2, 1.5];

/** Requests that must be waiting at once for a target to be one that serves a single connection, or that is locked. */
const MIN_WAITING = 3;
/** They wait for the connections of others to end where these overtake them, and for a lock where nothing is answered for longer. */
const [MIN_OVERTAKEN, MIN_OVERTAKEN_MS, MIN_WAIT_MS] = [5, 3000, 10_000];
/** An answer that takes a larger share of the longest wait, though nothing stood beside it, shows that waiting was not for a turn. */
const MAX_SHARE_OF_WAIT = 0.5;

export class Turns {
  readonly #underWay = new Set<UnderWay>();
  #aloneMs: readonly number[] = [];
  #servesSeveral = false;
  #how: 'together' | 'one by one' | 'together after all' = 'together';
  #longestWaitMs = 0;

  /** Tells whether one is sent after another, each on a connection of its own. */
  get isOneByOne(): boolean {
    return this.#how === 'one by one';
  }

  /** Tells whether one more request may be sent now. */
  get isFree(): boolean {
    const { size } = this.#underWay;
    return size === 0 || (!this.isOneByOne && size + 1 <= this.#limit);
  }

  get #limit(): number {
    const { length } = this.#aloneMs;
    const median = this.#aloneMs.toSorted((left, right) => left - right)[Math.floor(length / 2)] ?? 0;
    return this.#servesSeveral || length < MIN_ALONE ? Number.POSITIVE_INFINITY : MAX_TOGETHER_MS / median;
  }

  begin(nowMs: number): UnderWay {
    const one = { sinceMs: nowMs, beside: this.#underWay.size, overtaken: 0 };
    this.#underWay.add(one);
    return one;
  }

  end(one: UnderWay, nowMs: number): void {
    this.#underWay.delete(one);
    const tookMs = nowMs - one.sinceMs;
    if (this.isOneByOne) this.#weigh(one, tookMs);
    else if (this.#how === 'together') this.#look(one, tookMs, nowMs);
  }

  /** Goes on one by one as long as that is faster: where it is not, each answer takes its time by itself. */
  #weigh({ beside }: UnderWay, tookMs: number): void {
    if (beside > 0) this.#longestWaitMs = Math.max(this.#longestWaitMs, tookMs);
    else if (tookMs > MAX_SHARE_OF_WAIT * this.#longestWaitMs) this.#how = 'together after all';
  }

  #look(one: UnderWay, tookMs: number, nowMs: number): void {
    const others = [...this.#underWay];
    const alone = this.#aloneMs[0] ?? 0;
    if (one.beside === 0 && others.length === 0) this.#aloneMs = [tookMs, ...this.#aloneMs].slice(0, MAX_ALONE);
    else if (one.beside >= MIN_BESIDE && tookMs < MAX_SHARE_OF_ALONE * alone) this.#servesSeveral = true;
    for (const other of others) if (other.sinceMs < one.sinceMs) other.overtaken += 1;
    const waits = others
      .map(({ sinceMs, overtaken }) => ({ ms: nowMs - sinceMs, overtaken }))
      .filter(({ ms, overtaken }) => ms > (overtaken >= MIN_OVERTAKEN ? MIN_OVERTAKEN_MS : MIN_WAIT_MS))
      .map(({ ms }) => ms);
    if (waits.length < MIN_WAITING) return;
    this.#longestWaitMs = Math.max(...waits);
    this.#how = 'one by one';
  }
}
