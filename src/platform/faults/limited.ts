// What faults of limits are made of: the headers of answers that a limiter counted, and other limiters in its place.
import { RATE_HEADERS } from '../../contract/platform.ts';
import type { Deviation, Hooks } from '../deviation.ts';
import type { Answer, Call } from '../http/call.ts';
import type { Grant, Limit } from '../limits/limiter.ts';
import { on } from './fault.ts';
import { isPlainRead } from './subject.ts';

const NAMES = Object.values(RATE_HEADERS);
export const SMALL: Limit = { calls: 100, seconds: 2 };
export const LONG: Limit = { calls: 200, seconds: 6 };
/** The standard key is spare: its limit is small enough to be spent. */
export const SPARE = { standard: SMALL } as const;

export const limited = (call: Call) => call.key !== null && call.standing[RATE_HEADERS.limit] !== undefined;

export function headers(change: (call: Call, answer: Answer) => void): () => Hooks {
  return () => ({
    answer: (call, answer) => {
      if (limited(call)) change(call, answer);
      return answer;
    },
  });
}

/** Changes the headers of one plain read. */
export function onOne(change: (answer: Answer) => void) {
  return on('a readable operation', isPlainRead, (route) => ({
    answer: (call, answer) => {
      if (call.route === route && limited(call)) change(answer);
      return answer;
    },
  }));
}

export function without(answer: Answer, names: readonly string[] = NAMES): void {
  for (const name of names) delete answer.headers[name];
}

export function setNumber(answer: Answer, name: string, change: (value: number) => number): void {
  answer.headers[name] = String(change(Number(answer.headers[name])));
}

export function onRefusal(change: (headers: Record<string, string>, call: Call) => void): () => Hooks {
  return headers((call, answer) => {
    if (answer.status === 429) change(answer.headers, call);
  });
}

/** Another limiter for the standard plan's keys. */
export function limiting(make: () => (call: Call, grant: Grant) => Grant): () => Hooks {
  return () => {
    const decide = make();
    return { limit: (call, grant) => (call.key?.plan === 'standard' ? decide(call, grant) : grant) };
  };
}

export function withLimits(deviation: Deviation, limits: Readonly<Record<string, Limit>>): Deviation {
  return { ...deviation, limits };
}
