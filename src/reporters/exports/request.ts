// A recorded request as a test of the user's own sends it: in parts, of which some are variables and some are drawn anew for each
// run of the test. What cannot be sent again by itself is told with its reason.
import type { Report, ReportedExchange } from '../../contract/report.ts';
import { REDACTED, tokenParts } from '../../exchange/curl.ts';
import { isKeyHeader } from '../../exchange/idempotency-key.ts';
import { ANY_SERIAL, uniqueTexts } from '../../generate/preferred.ts';

/** The variable that holds the target's address. Vitest sets `BASE_URL` by itself, to something else. */
export const BASE_VARIABLE = 'TARGET_URL';

/** A text as it is, a variable of the environment, or letters that differ from one run of the test to the next. */
export type Part = { readonly text: string } | { readonly variable: string } | { readonly fresh: number };
export type Parts = readonly Part[];

export interface TestRequest {
  readonly method: string;
  readonly url: Parts;
  readonly headers: readonly (readonly [name: string, value: Parts])[];
  readonly body: Parts | null;
}

/** `because`: it cannot be sent by itself. */
export type Sendable = { readonly request: TestRequest } | { readonly because: string };

/** Number of letters that are drawn anew. */
export const FRESH_LETTERS = ANY_SERIAL.length;

/** Headers that whoever sends sets, and those that tell only where a request comes from. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'user-agent', 'traceparent', 'tracestate']);
const OF_A_STATE = new Set(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']);
/** The value of a header that reports never show. */
const HIDDEN = /^\[redacted, \d+ characters\]$/;
const CUT = /\n\[cut: \d+ of \d+ characters\]$/;

/** The exchange's request, with the target's address, tokens and whatever else is redacted in its headers as variables. */
export function sendable({ request }: ReportedExchange, { run, target }: Pick<Report, 'run' | 'target'>): Sendable {
  const headers = request.headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const because = whyNot({ ...request, headers }, run);
  if (because !== null) return { because };
  const serials = new Map<string, number>();
  const variables = target.tokenVariables ?? {};
  const partsOf = (text: string): Parts =>
    tokenParts(text, variables).flatMap((part, index) =>
      index % 2 === 1 ? [{ variable: part }] : withFresh(part, run.id, serials),
    );
  const base = target.baseUrl.replace(/\/+$/, '');
  const isOfTarget = request.url.startsWith(`${base}/`);
  const start = isOfTarget ? [{ variable: BASE_VARIABLE }] : [];
  return {
    request: {
      method: request.method,
      url: [...start, ...partsOf(isOfTarget ? request.url.slice(base.length) : request.url)],
      headers: headers.map(([name, value]) => [name, knownValue(name, value, serials) ?? partsOf(value)]),
      body: request.body ? partsOf(request.body) : null,
    },
  };
}

/** A key is another one each time, and what is hidden stands in a variable that is called as its header is. */
function knownValue(name: string, value: string, serials: Map<string, number>): Parts | null {
  if (isKeyHeader(name)) return [{ text: 'assay-' }, { fresh: numberOf(`key ${value}`, serials) }];
  return HIDDEN.test(value) ? [{ variable: name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_') }] : null;
}

/** Takes other letters for those at the end of texts which the run made up so that no other body holds them. */
function withFresh(text: string, run: string, serials: Map<string, number>): Parts {
  const marks = uniqueTexts({ run, serial: '' }).map((mark) => mark.replaceAll(/[^a-z0-9]/g, '\\$&'));
  const parts = text.split(new RegExp(`(?<=${marks.join('|')})([a-z]{${FRESH_LETTERS}})`));
  return parts
    .map((part, index): Part => (index % 2 === 1 ? { fresh: numberOf(part, serials) } : { text: part }))
    .filter((part) => !('text' in part) || part.text !== '');
}

function numberOf(serial: string, serials: Map<string, number>): number {
  const known = serials.get(serial) ?? serials.size + 1;
  serials.set(serial, known);
  return known;
}

function whyNot({ url, headers, body }: ReportedExchange['request'], run: Report['run']): string | null {
  const names = headers.map(([name]) => name.toLowerCase());
  const shown = headers.filter(([, value]) => !HIDDEN.test(value)).map(([, value]) => value);
  if (run.hooks !== undefined && run.hooks.length > 0) return 'a hook of the configuration gives it headers';
  if ([url, body ?? '', ...shown].some(isRedacted)) return 'a part of it is redacted';
  if (CUT.test(body ?? '')) return 'its body is too long for the report';
  if (names.some((name) => OF_A_STATE.has(name))) return 'it depends on the state of what it names';
  if (new Set(names).size < names.length) return 'it has a header twice';
  if (URL.parse(url)?.href !== url) return 'programs would send another address';
  if (headers.some(([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)))
    return 'programs would not send its headers';
  return isText(body ?? '') ? null : 'its body is no text';
}

/**
 * Tells whether something is left out beside whole tokens; a user and a password are sent in another form than they are
 * kept in.
 */
function isRedacted(text: string): boolean {
  const rest = tokenParts(text, {}).filter((_, index) => index % 2 === 0);
  return rest.some((part) => REDACTED.test(part)) || /^basic \[redacted /i.test(text);
}

/** Bytes that are no UTF-8 stand in a report as the characters up to U+00FF, or as what stands for what cannot be read. */
function isText(body: string): boolean {
  if (!body.isWellFormed() || body.includes('\ufffd')) return false;
  return !/[\x80-\xff]/.test(body) || /[\u0100-\uffff]/.test(body);
}
