// Fixed windows: so many calls per name in each window; windows begin at whole multiples of their length.

export interface Limit {
  readonly calls: number;
  readonly seconds: number;
}

export interface Grant {
  readonly granted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, epoch seconds. */
  readonly resetSeconds: number;
  /** Whole seconds until then, at least 1. */
  readonly retryAfterSeconds: number;
}

export class FixedWindow {
  private readonly limit: Limit;
  private readonly counts = new Map<string, { window: number; used: number }>();

  constructor(limit: Limit) {
    this.limit = limit;
  }

  /** Takes one call of the name's window. A refused call takes nothing. `nowMs` is epoch ms. */
  take(name: string, nowMs: number): Grant {
    return this.grant(name, nowMs, 1);
  }

  /** The name's window as it stands, granted and nothing taken. */
  look(name: string, nowMs: number): Grant {
    return this.grant(name, nowMs, 0);
  }

  private grant(name: string, nowMs: number, cost: 0 | 1): Grant {
    const { calls, seconds } = this.limit;
    const window = Math.floor(nowMs / 1000 / seconds);
    let count = this.counts.get(name);
    if (count === undefined || count.window !== window) {
      count = { window, used: 0 };
      this.counts.set(name, count);
    }
    const granted = count.used + cost <= calls;
    if (granted) count.used += cost;
    const resetSeconds = (window + 1) * seconds;
    const retryAfterSeconds = Math.max(1, Math.ceil(resetSeconds - nowMs / 1000));
    return { granted, limit: calls, remaining: calls - count.used, resetSeconds, retryAfterSeconds };
  }
}
