// The two programmes of tests: `npm cit` runs what a change can break in a day's work, `npm run nightly` runs everything.
import { SEED } from './seed.ts';

export const isNightly = process.env.ASSAY_PROGRAMME === 'nightly';

/** Days in which every case is looked at by all clauses once in the daily programme. */
const ROUND_DAYS = 20;

/** A case is judged by all clauses in every night, and on the one day of twenty that its place in its table falls on. */
export function isDueWhole(place: number): boolean {
  return isNightly || place % ROUND_DAYS === SEED % ROUND_DAYS;
}
