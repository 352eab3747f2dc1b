// Tells which members a request has sent: those of a JSON object, or the fields of a form.

import { parsedJson } from '../exchange/decoded.ts';
import type { Exchange, PlannedBody } from '../exchange/exchange.ts';
import { type FormPart, formParts } from '../exchange/form.ts';
import { oncePer } from '../exchange/once-per.ts';
import { isObject, type JsonObject } from '../openapi/json.ts';
import { isJson } from '../openapi/model/responses.ts';
import { unwrapped, type Wrapper } from './wrapper.ts';

const ofForm = oncePer(({ text, contentType }: Extract<PlannedBody, { readonly kind: 'raw' }>) =>
  fieldsOf(formParts(text, contentType) ?? []),
);

/** Members of the JSON object that an exchange sent, in this wrapper, or fields of its form as texts; none for another body. */
export function sentMembers({ plan: { body } }: Pick<Exchange, 'plan'>, wrapper: Wrapper = []): JsonObject {
  if (body.kind === 'json') return isObject(body.value) ? unwrapped(body.value, wrapper) : {};
  return body.kind === 'none' ? {} : ofForm(body);
}

/** Texts that may be meant for nothing or for a text, and a name with brackets, whose meaning is the receiver's. */
const UNCERTAIN: readonly string[] = ['', 'null'];

/** The fields by name, without files; what is given more than once is a list. */
function fieldsOf(parts: readonly FormPart[]): JsonObject {
  const texts = parts.filter(({ name, text, isFile }) => !isFile && !UNCERTAIN.includes(text) && !/[[\]]/.test(name));
  const files = new Set(parts.flatMap(({ name, isFile }) => (isFile ? [name] : [])));
  const byName = Map.groupBy(texts, ({ name }) => name);
  const fields = [...byName].filter(([name]) => !files.has(name));
  return Object.fromEntries(
    fields.map(([name, all]) => {
      const values = all.map(valueIn);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

function valueIn({ text, contentType }: FormPart): unknown {
  const value = contentType === null || !isJson(contentType) ? undefined : parsedJson(text);
  // A part that is called JSON and is none was sent as text.
  return value === undefined ? text : value;
}
