// The error envelope of an answer, as the ERR checks see it: what ERR-01 has against it, and its `error` object.
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isError, isHead, wholeResponse } from '../../facts/answered.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';

/** Whether the clauses on the error envelope speak about this exchange: any 4xx or 5xx that arrived whole, HEAD aside. */
export function isErrorAnswer(exchange: Exchange): boolean {
  const response = wholeResponse(exchange);
  return response !== null && isError(response.status) && !isHead(exchange);
}

/** The `error` object of an error answer; null when there is none (ERR-01 reports that) or the answer is no error. */
export function errorObjectOf(exchange: Exchange): JsonObject | null {
  if (!isErrorAnswer(exchange)) return null;
  const body = jsonBody(exchange);
  if (!body.ok || !isObject(body.value) || !Object.hasOwn(body.value, 'error')) return null;
  return isObject(body.value.error) ? body.value.error : null;
}

/** The member when it is a string with more in it than blanks; null otherwise (ERR-02 reports that). */
export function textMember(error: JsonObject, name: string): string | null {
  const value = Object.hasOwn(error, name) ? error[name] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The member when it is an integer; null otherwise. */
export function integerMember(error: JsonObject, name: string): number | null {
  const value = Object.hasOwn(error, name) ? error[name] : undefined;
  return Number.isInteger(value) ? (value as number) : null;
}

/** Whether the text is snake_case: `[a-z][a-z0-9]*(_[a-z0-9]+)*`, told without a repeated group, which a long text overflows. Source: ERR-03. */
export function isSnakeCase(text: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(text) && !text.includes('__') && !text.endsWith('_');
}
