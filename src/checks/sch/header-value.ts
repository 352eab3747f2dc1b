// Reads a header's text as the JSON values that it may stand for (style "simple"), so that its schema can judge it.
import { parsedJson } from '../../exchange/decoded.ts';
import { DELIMITERS } from '../../openapi/model/delimiters.ts';
import type { DeclaredHeader } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { Subject } from '../check.ts';

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** IMF-fixdate, and the two older forms that recipients accept. Source: RFC 9110, 5.6.7. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d) \d{2}:\d{2}:\d{2}(?: GMT| \d{4})$/;

/**
 * The values that the text may stand for, likeliest first: a number or boolean, the text itself, a list, an object, JSON. A header
 * that is described by `content` holds a value of that media type.
 */
export function headerReadings(
  text: string,
  { contentType, style = 'simple' }: Pick<DeclaredHeader, 'contentType' | 'style'> = {},
): readonly unknown[] {
  const trimmed = text.trim();
  if (contentType !== undefined) return isJson(contentType) ? [readJson(trimmed)] : scalarReadings(trimmed);
  const json = /^[[{"]/.test(trimmed) ? [readJson(trimmed)] : [];
  return [...scalarReadings(trimmed), ...listReadings(trimmed, DELIMITERS[style] ?? ','), ...json];
}

/** A text that is no JSON stands for itself. */
function readJson(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/**
 * Tells whether the contract allows the form of the text, whatever a description says: Retry-After may be seconds or an
 * HTTP date in any, the header that tells when a limit is back a number or a date under `commerce`. How large a number
 * may be is the description's to say. Source: RFC 9110, 10.2.3; RATE-01, RATE-05.
 */
export function hasFormOfContract(
  { contract, terms }: Pick<Subject, 'contract' | 'terms'>,
  header: string,
  text: string,
): boolean {
  const name = header.toLowerCase();
  if (name === 'retry-after') return /^\d+$/.test(text) || HTTP_DATE.test(text);
  if (contract !== 'commerce' || name !== terms.rateLimits?.headers?.reset?.toLowerCase()) return false;
  return NUMBER.test(text) || !Number.isNaN(Date.parse(text));
}

function scalarReadings(text: string): unknown[] {
  if (NUMBER.test(text)) return [Number(text), text];
  return text === 'true' || text === 'false' ? [text === 'true', text] : [text];
}

/** A list of one is a list too; its items are texts, or all of what they look like. A list of pairs may be an object. */
function listReadings(text: string, delimiter: string): unknown[] {
  const items = text === '' ? [] : text.split(delimiter).map((item) => item.trim());
  return [items.map(likeliest), items, ...objectReadings(items)];
}

/** Exploded (`a=1,b=2`) or not (`a,1,b,2`). */
function objectReadings(items: readonly string[]): unknown[] {
  const exploded = items.map((item) => item.split('='));
  if (items.length > 0 && exploded.every(({ length }) => length === 2)) {
    return [Object.fromEntries(exploded.map(([name = '', value = '']) => [name, likeliest(value)]))];
  }
  if (items.length === 0 || items.length % 2 === 1) return [];
  return [
    Object.fromEntries(
      items.flatMap((name, index) => (index % 2 === 0 ? [[name, likeliest(items[index + 1] ?? '')]] : [])),
    ),
  ];
}

function likeliest(text: string): unknown {
  return scalarReadings(text)[0];
}
