// Reading a recorded exchange: headers by name, and the response body as JSON, decoded once per exchange.

import type { Exchange, HeaderList } from './exchange.ts';
import { oncePer } from './once-per.ts';

export type JsonBody = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const NOT_JSON: JsonBody = { ok: false };

/** As many digits in a row are needed for an integer that no number holds. */
const LONG_INTEGER = /\d{16}/;

/**
 * The response body as JSON; not ok without a response, for an empty or cut body, and for text that is not JSON, or not in UTF-8. A byte
 * order mark is ignored. Integers beyond 2^53 are rounded, as numbers are: where two may be told apart, `exactBody` reads them.
 */
export const jsonBody = oncePer((exchange: Exchange): JsonBody => decode(exchange, null));

/** The same for whoever compares or sends again what an answer shows: integers that no number holds, such as 64-bit ids, are text. */
export const exactBody = oncePer(
  (exchange: Exchange): JsonBody =>
    LONG_INTEGER.test(exchange.response?.body ?? '') ? decode(exchange, digitsKept) : jsonBody(exchange),
);

function decode({ response }: Exchange, reviver: typeof digitsKept | null): JsonBody {
  if (response === null || response.truncated || response.garbled || response.body === '') return NOT_JSON;
  const text = response.body.charCodeAt(0) === 0xfeff ? response.body.slice(1) : response.body;
  try {
    return { ok: true, value: reviver === null ? JSON.parse(text) : JSON.parse(text, reviver) };
  } catch {
    // Clauses judge whether a body has to be JSON.
    return NOT_JSON;
  }
}

/** JavaScript tells a reviver how a number is written; TypeScript does not know it yet. */
function digitsKept(_name: string, value: unknown, written?: { readonly source?: string }): unknown {
  const source = written?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

/** The value as JSON; empty for what JSON cannot write, or is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Nested deeper than the stack allows, or a value that refers to itself.
    return '';
  }
}

/** The first value of the header, null when absent. Names compare without regard to case. */
export function header(list: HeaderList, name: string): string | null {
  const wanted = name.toLowerCase();
  for (const entry of list) if (isNamed(entry, wanted)) return entry[1];
  return null;
}

/** All values of the header, in the order received. */
export function headers(list: HeaderList, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (const entry of list) if (isNamed(entry, wanted)) values.push(entry[1]);
  return values;
}

/** Every answer is asked for many headers: names of another length are not even put into lower case. */
function isNamed(entry: HeaderList[number], wanted: string): boolean {
  const name = entry[0];
  return name === wanted || (name.length === wanted.length && name.toLowerCase() === wanted);
}
