// How observations of webhooks are worded: lists, spans of time, and how sure a row is.
import type { Observed } from '../../contract/judgement.ts';

export const MOST_LISTED = 12;
const LONGEST_ITEM = 300;

/** What one delivery shows is likely; what several show alike is sure. */
export function told(subject: string, value: string, calls: number, basis: string): Observed {
  return { subject, value, confidence: calls > 1 ? 'sure' : 'likely', calls, basis };
}

/** Each once, in the order seen. */
export function listed(values: readonly string[]): string {
  const different = [...new Set(values)];
  const more = different.length > MOST_LISTED ? `, and ${different.length - MOST_LISTED} more` : '';
  return different.slice(0, MOST_LISTED).map(shortened).join(', ') + more;
}

/** "0.5 to 2 s". */
export function range(all: readonly number[]): string {
  const [least, most] = [Math.min(...all), Math.max(...all)].map(seconds);
  return least === most ? `${least} s` : `${least} to ${most} s`;
}

function seconds(ms: number): string {
  return String(Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0)));
}

/** "1st", "2nd". */
export function ordinal(count: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? 'th';
  return `${count}${ending}`;
}

function shortened(text: string): string {
  return text.length > LONGEST_ITEM ? `${text.slice(0, LONGEST_ITEM - 1)}…` : text;
}
