// What a run tells of itself while it goes on.

export interface Progress {
  /** What is being done, in one or two words: "smoke", "breadth", "depth". */
  readonly phase: string;
  readonly operations: number;
  readonly operationsTested: number;
  readonly requests: number;
  /** Of the last seconds. */
  readonly requestsPerSecond: number;
  readonly violations: number;
  /** Until the phase ends; null while it cannot be told. */
  readonly secondsLeft: number | null;
  /** How far the phase is, in requests or in seconds of load; absent while nobody knows its end. */
  readonly work?: { readonly done: number; readonly planned: number; readonly unit: 'requests' | 'seconds' };
  /** Set while nothing is sent because of a wait; `key` is the key whose limit is waited for, null where it is another wait. */
  readonly waiting?: { readonly seconds: number; readonly key: string | null };
}
