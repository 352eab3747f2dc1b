// What a run tells of itself while it goes on.

export interface Progress {
  /** What is being done, in one or two words: "smoke", "breadth", "depth". */
  readonly phase: string;
  readonly operations: number;
  readonly operationsTested: number;
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly violations: number;
  /** null while it cannot be told. */
  readonly secondsLeft: number | null;
}
