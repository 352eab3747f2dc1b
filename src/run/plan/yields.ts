// How many faults of the catalogue further looks at a clause still show. A budget is spent where these promise most.

export interface Yield {
  /** Faults that each show to one of the variants of a first look, whatever the operation. Absent: none. */
  readonly variants?: number;
  /** Faults that the first look at the clause leaves, and that first looks on all operations show. */
  readonly first: number;
  /** Faults that these leave, and that only further looks show. */
  readonly further: number;
  /** Set: these show on operations that create. On others as many again show only rarely. */
  readonly onCreates?: true;
}

/** By clause. Absent: the first look at it shows all, or the catalogue has no fault of it. `npm run bench:budgets` tells what is missed. */
export const YIELDS: Readonly<Record<string, Yield>> = {
  'SCH-01': { first: 0, further: 2 },
  'SCH-06': { first: 0, further: 1 },
  'SCH-07': { first: 0, further: 1 },
  'ERR-10': { first: 1, further: 0 },
  'AUTH-01': { first: 4, further: 0 },
  'AUTH-02': { variants: 5, first: 1, further: 0 },
  'AUTH-03': { first: 1, further: 0 },
  'AUTH-04': { first: 1, further: 0 },
  'AUTH-05': { first: 1, further: 0 },
  // With ERR-13, of which one operation answers unknown ids alone.
  'REQ-02': { first: 6, further: 0 },
  'REQ-03': { first: 3, further: 1, onCreates: true },
  'REQ-04': { first: 1, further: 0, onCreates: true },
  'REQ-05': { first: 1, further: 0, onCreates: true },
  'REQ-06': { variants: 5, first: 2, further: 0, onCreates: true },
  'REQ-09': { first: 4, further: 4 },
  'VER-01': { first: 3, further: 0 },
  'PAG-06': { first: 0, further: 2 },
  'PAG-07': { first: 7, further: 1 },
  'PAG-08': { first: 4, further: 0 },
  'PAG-09': { first: 2, further: 0 },
  'PAG-10': { first: 3, further: 0 },
  'PAG-12': { first: 5, further: 2 },
  'IDEM-01': { first: 2, further: 0 },
  'IDEM-02': { first: 1, further: 0 },
  'IDEM-03': { first: 1, further: 0 },
  'IDEM-05': { first: 2, further: 0 },
  'IDEM-06': { first: 3, further: 0 },
  'INT-01': { first: 0, further: 1 },
  'LIFE-01': { first: 2, further: 0 },
  'LIFE-02': { first: 3, further: 0 },
  'LIFE-03': { first: 2, further: 0 },
  'LIFE-04': { first: 2, further: 0 },
  'LIFE-05': { first: 1, further: 0 },
  'LIFE-06': { first: 1, further: 0 },
  'LIFE-07': { first: 2, further: 0 },
  'RATE-03': { first: 0, further: 3 },
  // With the refusals that come of it, on which RATE-01 and RATE-05 are judged.
  'RATE-04': { first: 0, further: 6 },
  'RATE-06': { first: 0, further: 1 },
  'RATE-07': { first: 0, further: 2 },
  'RATE-08': { first: 0, further: 1 },
  'RATE-09': { first: 0, further: 2 },
  'RATE-10': { first: 0, further: 2 },
};
