// Reading a recorded exchange: headers by name, and the response body as JSON, decoded once per exchange.
import type { Exchange, HeaderList } from './exchange.ts';

export type JsonBody = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const NOT_JSON: JsonBody = { ok: false };
const decoded = new WeakMap<Exchange, JsonBody>();

/** The response body as JSON; not ok without a response, for an empty or cut body, and for text that is not JSON. A byte order mark is ignored. */
export function jsonBody(exchange: Exchange): JsonBody {
  let body = decoded.get(exchange);
  if (body === undefined) {
    body = decode(exchange);
    decoded.set(exchange, body);
  }
  return body;
}

function decode({ response }: Exchange): JsonBody {
  if (response === null || response.truncated || response.body === '') return NOT_JSON;
  const text = response.body.charCodeAt(0) === 0xfeff ? response.body.slice(1) : response.body;
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return NOT_JSON;
  }
}

/** The value as JSON; empty for what JSON cannot write, or is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
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
