// The two programmes of tests: `npm cit` runs what a change can break in a day's work, `npm run nightly` runs everything.
import { SEED } from './seed.ts';

export const isNightly = process.env.ASSAY_PROGRAMME === 'nightly';

/** Days in which every case is looked at by all clauses once in the daily programme. */
const ROUND_OF_CASES_DAYS = 20;
/** Days that draw as much as one night. */
const ROUND_OF_DRAWS_DAYS = 4;
/** Days in which each of some rows is tried once by day. */
const ROUND_OF_ROWS_DAYS = 12;

/** For what hangs: on a busy machine a test, or a hook, may take its time. */
export const MAX_TEST_MS = isNightly ? 3_600_000 : 600_000;
/** For what a test polls for, or waits for the end of. */
export const PATIENCE_MS = isNightly ? 600_000 : 120_000;

/** Defines a test of the night. By day it is not there: a test that is skipped counts as failed. */
export function atNight(define: () => void): void {
  if (isNightly) define();
}

/** True each night, and on the one day of so many that the place falls on. */
export function isDue(place: number, days: number): boolean {
  return isNightly || place % days === SEED % days;
}

/** True where today's programme judges the case at this place of its table by all clauses. */
export function isDueWhole(place: number): boolean {
  return isDue(place, ROUND_OF_CASES_DAYS);
}

/**
 * All of them at night; by day every so many-th of them, others each day, and so all of them in as many days. Of few rows one a day: a suite
 * without tests fails.
 */
export function shareDue<Row>(rows: readonly Row[], days: number): Row[] {
  return rows.filter((_, place) => isDue(place, Math.min(days, rows.length)));
}

/** All of them at night; by day one, another one each day. */
export function oneDue<Row>(rows: readonly Row[]): Row[] {
  return shareDue(rows, rows.length);
}

/** Defines one group of tests by day, another one each day, and all of them at night. */
export function inTurn(...groups: readonly (() => void)[]): void {
  for (const define of oneDue(groups)) define();
}

/** So many draws of a property at night; by day a quarter, from the seed of the day. */
export function draws(atNight: number): number {
  return isNightly ? atNight : Math.ceil(atNight / ROUND_OF_DRAWS_DAYS);
}

/** Seeds from 1 on: all of them at night, by day every fourth. */
export function seedsDue(atNight: number): number[] {
  return shareDue(
    Array.from({ length: atNight }, (_, place) => place + 1),
    ROUND_OF_DRAWS_DAYS,
  );
}

/** The rows that today's programme tries: all of them at night, by day those that its turn falls on. */
export function dueToday<Row>(rows: readonly Row[]): Row[] {
  return shareDue(rows, ROUND_OF_ROWS_DAYS);
}
