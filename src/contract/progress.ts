// Defines a run's progress, as it is told while the run goes on.

/** Why nothing is sent: a limit is to reset, a request is to be sent again after a failure, or a second look is to come later. */
export interface Awaited {
  readonly what: 'limit' | 'again' | 'look';
  /** The key whose limit is waited for; null where something else is, or requests without a key are limited. */
  readonly key: string | null;
}

export interface Progress {
  /** The work that is being done, in one or two words: "smoke", "breadth", "depth". */
  readonly phase: string;
  readonly operations: number;
  readonly operationsTested: number;
  readonly requests: number;
  /** Requests/s over the last seconds. */
  readonly requestsPerSecond: number;
  readonly violations: number;
  /** Until the phase ends, or, where `work` is that of the run, the run; null while it cannot be told. */
  readonly secondsLeft: number | null;
  /** How far the phase is, in requests or in seconds of load; absent while nobody knows its end. */
  readonly work?: {
    readonly done: number;
    readonly planned: number;
    readonly unit: 'requests' | 'seconds';
    /** Set where a budget bounds the run, and the work is that of all its phases. */
    readonly isWholeRun?: true;
  };
  /** Set while nothing is sent because of a wait. */
  readonly waiting?: Awaited & { readonly seconds: number };
}
