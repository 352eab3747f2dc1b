// Asks of an exchange first: is there a whole answer, and does it carry a body to judge? A failure and a cut body are
// judged by no check.
import { plural } from '../contract/numbers.ts';
import { header, jsonText } from '../exchange/body.ts';
import type { Exchange, RecordedResponse } from '../exchange/exchange.ts';
import { isSafe } from '../exchange/methods.ts';
import { isStream } from '../exchange/streams.ts';

/** The response when it arrived whole; null for a failure and for a body that the byte limit cut. */
export function wholeResponse(exchange: Exchange): RecordedResponse | null {
  const { response } = exchange;
  return response === null || response.truncated ? null : response;
}

/** Tells whether the request was a HEAD: its answer has headers only. */
export function isHead(exchange: Exchange): boolean {
  return exchange.request.method.toUpperCase() === 'HEAD';
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

export function succeeded({ response }: Pick<Exchange, 'response'>): boolean {
  return response !== null && isSuccess(response.status);
}

/** Tells whether the answer says that there is no such thing, or no longer. */
export function isGone({ response }: Exchange): boolean {
  return response?.status === 404 || response?.status === 410;
}

/** Tells whether the connection was dropped without an answer, or the server failed: the next request may be served. */
export function isLostOrFailed({ response, failure }: Pick<Exchange, 'response' | 'failure'>): boolean {
  if (response === null) return failure?.kind === 'reset' || failure?.kind === 'protocol';
  return response.status >= 500 && response.status !== 501 && response.status !== 503;
}

export function inWords({ response, failure }: Exchange): string {
  if (response !== null) return `answered ${response.status}`;
  return failure?.kind === 'reset' ? 'cut: the connection was dropped' : 'not answered';
}

/** Tells whether the answer is a success that arrived whole, or a stream of which as much came as there was time for. */
export function isServed({ response }: Exchange): boolean {
  if (response === null || !isSuccess(response.status)) return false;
  return !response.truncated || isStream(header(response.headers, 'content-type') ?? '');
}

/** A stream that came in less was whole, and is kept shortened. ms. */
const MIN_OPEN_MS = 500;

/** Tells whether the answer is a stream that had not ended when it was left: each further one takes as long to look at. */
export function isOpenStream({ response, durationMs }: Pick<Exchange, 'response' | 'durationMs'>): boolean {
  return (
    durationMs >= MIN_OPEN_MS &&
    response?.truncated === true &&
    isStream(header(response.headers, 'content-type') ?? '')
  );
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399;
}

/** A status beyond 599 is treated as a 5xx. Source: RFC 9110, 15. */
export function isError(status: number): boolean {
  return status >= 400;
}

const MAX_SHOWN_CHARS = 120;

/** The value as JSON, shortened, for a finding's words. */
export function shortened(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN_CHARS)) : asJson(value);
  return text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS - 1)}…`;
}

/** Both values shortened; long texts that differ further on are told apart by their lengths, or begin where they differ. */
export function shortenedApart(one: unknown, other: unknown): readonly [string, string] {
  const [left, right] = [shortened(one), shortened(other)];
  if (left !== right || typeof one !== 'string' || typeof other !== 'string') return [left, right];
  if (one.length !== other.length)
    return [`${left} (${plural(one.length, 'character')})`, `${right} (${plural(other.length, 'character')})`];
  const at = [...one].findIndex((_, index) => one[index] !== other[index]);
  return at <= 0 ? [left, right] : [`…${shortened(one.slice(at))}`, `…${shortened(other.slice(at))}`];
}

function asJson(value: unknown): string {
  return value === undefined ? 'absent' : jsonText(value) || `${typeName(value)} nested too deeply to show`;
}

/** The JSON type of a value, with its article: "an array", "null". */
export function typeName(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** Tells whether the answer did not come whole. */
function isUntold({ response }: Exchange): boolean {
  return response === null || response.truncated;
}

/** Tells whether nobody knows what the call showed or did: its answer did not come whole, or the server failed on a write. */
export function isUnsure(exchange: Exchange): boolean {
  return isUntold(exchange) || (!isSafe(exchange.plan.method) && isLostOrFailed(exchange));
}
