// Readers for the load part of a report, which may come from another version: what does not fit is nothing.
import { number } from '../../contract/numbers.ts';
import { cut } from '../text.ts';
import { threeDigits } from '../words.ts';

const TEXT_CHARS = 200;

export type Part = Readonly<Record<string, unknown>>;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly Part[] {
  return Array.isArray(value) ? value.filter(isPart) : [];
}

/** NaN for what is no number. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** The number in four digits, or a dash. */
export function shown(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? number(Number(value.toPrecision(4))) : '–';
}

/** "1.25 %", or a dash. */
export function percentOf(share: unknown): string {
  const value = numberOf(share);
  return Number.isFinite(value) ? `${Number((100 * value).toFixed(2))} %` : '–';
}

/** In three digits; a dash where the answers are too few to tell it. */
export function inThreeDigits(value: unknown): string {
  const ms = numberOf(value);
  return Number.isFinite(ms) ? threeDigits(ms) : '–';
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? cut(value, TEXT_CHARS) : '';
}

/** Names and numbers of an object that counts. */
export function countsIn(value: unknown): readonly (readonly [name: string, count: number])[] {
  const entries = isPart(value) ? Object.entries(value) : [];
  return entries.flatMap(([name, count]) =>
    typeof count === 'number' ? [[cut(name, TEXT_CHARS), count] as const] : [],
  );
}

/** Objectives of latency and errors; null where there were none, or the report does not tell. */
export function objectivesOf({ capacity, soak, spike }: Part) {
  const [aims] = [capacity, soak, spike].flatMap((part) =>
    isPart(part) && isPart(part.objectives) ? [part.objectives] : [],
  );
  if (aims === undefined) return null;
  const known = (value: unknown): number | null => (numberOf(value) > 0 ? numberOf(value) : null);
  return { p99Ms: known(aims.p99Ms), errorPercent: known(100 * numberOf(aims.errorRate)) };
}
