// The two programmes of tests: `npm cit` runs what a change can break in a day's work, `npm run nightly` runs everything.
import { SEED } from './seed.ts';

export const isNightly = process.env.ASSAY_PROGRAMME === 'nightly';

/** Days in which every case is looked at by all clauses once in the daily programme. */
const ROUND_DAYS = 20;

/** A case is judged by all clauses in every night, and on the one day of twenty that its place in its table falls on. */
export function isDueWhole(place: number): boolean {
  return isNightly || place % ROUND_DAYS === SEED % ROUND_DAYS;
}

/** Days in which each of some rows is tried once by day. */
const ROUND_OF_ROWS_DAYS = 6;

/** The rows that today's programme tries: all of them at night, by day those that its turn falls on. */
export function dueToday<Row>(rows: readonly Row[]): Row[] {
  return rows.filter((_, place) => isNightly || place % ROUND_OF_ROWS_DAYS === SEED % ROUND_OF_ROWS_DAYS);
}
