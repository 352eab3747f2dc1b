// Reads off the request what the validation error that answers it may say: was its body malformed, is there a field to name?
import type { Terms } from '../../contract/terms.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import { isCode } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formParts } from '../../exchange/form.ts';
import { isObject } from '../../openapi/json.ts';
import type { Subject } from '../check.ts';
import { type ToldError, textIn } from './error-object.ts';

/**
 * Tells whether the error is the one for refused input: by its type where the contract lists one with the code, else by
 * the code; by the status of its answer where the contract has no code for it.
 */
export function isValidationError(
  error: ToldError,
  { exchange, terms: { requests } }: Pick<Subject, 'exchange' | 'terms'>,
): boolean {
  const { code: listed = null, statuses = [] } = requests.invalid ?? {};
  if (listed === null) return statuses.includes(exchange.response?.status ?? 0);
  const type = error.terms.codes[listed]?.type ?? null;
  if (type !== null) return textIn(error, 'type') === type;
  const code = textIn(error, 'code');
  return code !== null && isCode(code, listed);
}

/** Tells whether the contract lists a type for refused input: then it is known by its type. */
export function isTyped(error: ToldError, { requests }: Pick<Terms, 'requests'>): boolean {
  return error.terms.codes[requests.invalid?.code ?? '']?.type != null;
}

/**
 * Tells whether the error may name nothing: where the code says so, or, of a contract that knows such errors by their
 * code alone, where the offending value may stand elsewhere than in the body.
 */
export function mayLackNames(error: ToldError, subject: Subject): boolean {
  const listed = subject.terms.requests.invalid?.code ?? '';
  if (!isTyped(error, subject.terms)) return !isObject(readBody(subject.exchange.plan));
  return mayBlameWholeBody(subject) && textIn(error, 'code') !== listed;
}

/**
 * Tells whether the body as a whole may have offended: it is no JSON object, or there was none where one is described.
 * Then no field has a name. A request that has no body, and is described with none, is refused for something that has
 * one.
 */
export function mayBlameWholeBody({ exchange: { plan }, operation }: Subject): boolean {
  if (plan.method === 'GET' || plan.method === 'HEAD') return false;
  if (plan.body.kind === 'none') return operation?.requestBody != null;
  return !isObject(readBody(plan));
}

/** Names at the top level of what was sent and declared: members of the body, query parameters, declared parameters. */
export function topLevelNames({ exchange, operation }: Pick<Subject, 'exchange' | 'operation'>): ReadonlySet<string> {
  const body = sentBody(exchange.plan.body);
  return new Set([
    ...(isObject(body) ? Object.keys(body) : []),
    ...new URLSearchParams(exchange.plan.query).keys(),
    ...(operation?.parameters ?? []).map((parameter) => parameter.name),
  ]);
}

/** The body as the target may read it: what parsers differ on may be no JSON to it. */
function readBody({ intent, body }: Exchange['plan']): unknown {
  return intent === 'hostile' && body.kind === 'raw' ? undefined : sentBody(body);
}

function sentBody(body: Exchange['plan']['body']): unknown {
  if (body.kind === 'json') return body.value;
  if (body.kind !== 'raw' || body.isLatin1 === true) return undefined;
  const parts = formParts(body.text, body.contentType);
  return parts === null ? parsedJson(body.text) : Object.fromEntries(parts.map(({ name, text }) => [name, text]));
}
