// The error of an answer, as the ERR checks see it: what ERR-01 has against it, and what stands at the places that the contract names.
import type { ErrorRole, ErrorTerms, Terms } from '../../contract/terms.ts';
import { jsonBody } from '../../exchange/body.ts';
import { isEnveloped, type Placed, type Telling, textOf, toldAt } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isError, isHead, wholeResponse } from '../../facts/answered.ts';
import type { JsonObject } from '../../openapi/json.ts';

/** An answer, and what the contract states of errors. */
interface Answered {
  readonly exchange: Exchange;
  readonly terms: Pick<Terms, 'errors'>;
}

/** An error, and what the contract states of such. */
export interface ToldError extends Telling {
  readonly body: JsonObject;
  readonly terms: ErrorTerms;
}

/** Tells whether the contract's terms on errors bind this exchange: an answer of such a status that arrived whole, HEAD aside. */
export function isErrorAnswer({ exchange, terms: { errors } }: Answered): boolean {
  const response = wholeResponse(exchange);
  return response !== null && errors !== null && isStated(response.status, errors) && !isHead(exchange);
}

/** A status beyond 599 is treated as a 5xx. Source: RFC 9110, 15. */
function isStated(status: number, { statuses }: ErrorTerms): boolean {
  const ofClass = `${Math.min(5, Math.floor(status / 100))}XX`;
  return statuses.some((one) => one === String(status) || one === ofClass || (one === 'default' && isError(status)));
}

/** The error of an answer; null when its body is none (ERR-01 reports that) or the answer is no error. */
export function toldError(answered: Answered): ToldError | null {
  const { errors } = answered.terms;
  if (errors === null || !isErrorAnswer(answered)) return null;
  const body = jsonBody(answered.exchange);
  if (!body.ok || !isEnveloped(body.value, errors)) return null;
  return { body: body.value, headers: answered.exchange.response?.headers ?? [], terms: errors };
}

/** All that stands where the contract has the member; nothing for a member that it does not have. */
export function membersIn(error: ToldError, role: ErrorRole): readonly Placed[] {
  const member = error.terms.members[role];
  return member === undefined ? [] : toldAt(error, member);
}

export interface PlacedText {
  readonly pointer: string;
  readonly text: string;
}

/** Those of them that are texts with more in them than blanks (ERR-02 reports the others). */
export function textsIn(error: ToldError, role: ErrorRole): readonly PlacedText[] {
  const member = error.terms.members[role];
  if (member === undefined) return [];
  return membersIn(error, role).flatMap(({ pointer, value }) => {
    const text = textOf(value, role, member);
    return text === null || text.trim() === '' ? [] : [{ pointer, text }];
  });
}

/** The first of them; null where there is none. */
export function textIn(error: ToldError, role: ErrorRole): string | null {
  return textsIn(error, role)[0]?.text ?? null;
}

/** A status that the error states, and where. */
export interface PlacedStatus {
  readonly pointer: string;
  readonly status: number;
}

/** The statuses that it states: integers, or texts of one where the contract does not ask for integers. */
export function statusesIn(error: ToldError): readonly PlacedStatus[] {
  const member = error.terms.members.status;
  return membersIn(error, 'status').flatMap(({ pointer, value }) => {
    const isText = typeof value === 'string' && /^\d{3}$/.test(value) && member?.form !== 'integer';
    return Number.isInteger(value) || isText ? [{ pointer, status: Number(value) }] : [];
  });
}

/**
 * Tells whether the text is snake_case: `[a-z][a-z0-9]*(_[a-z0-9]+)*`, without a repeated group, which a long text
 * overflows. Source: ERR-03.
 */
export function isSnakeCase(text: string): boolean {
  return isJoinedBy('_', text);
}

function isJoinedBy(joint: '_' | '-', text: string): boolean {
  return /^[a-z]/.test(text) && text.split(joint).every((part) => /^[a-z0-9]+$/.test(part));
}

/** Tells whether the code is written as the contract says. */
export function isOfForm(code: string, form: string | null): boolean {
  if (form === null) return true;
  if (form === 'snake_case') return isSnakeCase(code);
  if (form === 'kebab-case') return isJoinedBy('-', code);
  return form === 'uri' ? isUriReference(code) : new RegExp(`^(?:${form})$`).test(code);
}

/** Characters of a URI, absolute or relative. Source: RFC 3986, 2. */
const URI_REFERENCE = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-fA-F]{2})+$/;

function isUriReference(text: string): boolean {
  return URI_REFERENCE.test(text) && URL.canParse(text, 'http://assay.invalid/');
}
