// Parameters as they stand in a request: valid values drawn from the description, written in the declared style; and why an
// operation cannot be called for want of them.
import { uriEncoded } from '../exchange/decoded.ts';
import { isObject } from '../openapi/json.ts';
import { DELIMITERS } from '../openapi/model/delimiters.ts';
import type { Description, Operation, Parameter } from '../openapi/model/operation.ts';
import { isJson } from '../openapi/model/responses.ts';
import { asText, type Draw, drawnBody, isValid } from './bodies.ts';
import { type Drawn, drawnValue } from './drawn.ts';
import { shapeOf, typesOf } from './schema-shape.ts';

/** A name and its value, neither percent-encoded. */
export type Pair = readonly [name: string, value: string];

/** A path segment that is empty leads elsewhere: another value is looked for so often. */
const MAX_TRIES = 4;

/** A value of the parameter: an example of the description that is valid, else a drawn one. */
function drawnParameter(
  description: Description,
  parameter: Parameter,
  from: Draw,
  beside: readonly unknown[] = [],
): Drawn {
  const { schema, examples, name } = parameter;
  const example = beside.length > 0 ? undefined : examples.find((one) => isValid(description, schema, one));
  if (example !== undefined) return { ok: true, value: example };
  if (schema === null) return { ok: true, value: 'assay' };
  const place = `parameter ${parameter.in} ${name}`;
  let drawn: Drawn = { ok: false, reason: 'it is empty' };
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    drawn = drawnValue(
      description,
      schema,
      { optional: false, beside },
      { seed: from.seed, place: `${place} ${attempt}`, name },
    );
    if (!drawn.ok || asText(drawn.value) !== '') return drawn;
  }
  return drawn;
}

/** The parameter's value, which fits the schemas beside its own as well; where none can be drawn, a word. */
export function parameterData(
  description: Description,
  parameter: Parameter,
  from: Draw,
  beside: readonly unknown[] = [],
): unknown {
  const drawn = drawnParameter(description, parameter, from, beside);
  return drawn.ok ? drawn.value : 'assay';
}

/** A valid value as the text of a path segment or header. */
export function parameterValue(description: Description, parameter: Parameter, from: Draw): string {
  return segmentText(parameter, parameterData(description, parameter, from));
}

/** The pairs of a query, cookie or form that stand for the value. Source: OpenAPI, style and explode. */
export function pairsOf(
  parameter: Pick<Parameter, 'name' | 'style' | 'explode' | 'contentType'>,
  value: unknown,
): readonly Pair[] {
  const { name, style, explode, contentType } = parameter;
  if (contentType !== undefined) return [[name, isJson(contentType) ? JSON.stringify(value) : asText(value)]];
  if (style === 'deepObject') return deepPairs(name, value);
  if (Array.isArray(value)) {
    const items = value.map(asText);
    if (explode && !(style in DELIMITERS)) return items.map((item) => [name, item]);
    return [[name, items.join(DELIMITERS[style] ?? ',')]];
  }
  if (!isObject(value)) return [[name, asText(value)]];
  const members = Object.entries(value).map(([key, member]) => [key, asText(member)] as const);
  return explode ? members : [[name, members.flat().join(DELIMITERS[style] ?? ',')]];
}

/** `filter[name]=…`, at any depth, and `filter[0]=…` for a list, of which OpenAPI says nothing: so most who read brackets tell one from a scalar. */
function deepPairs(name: string, value: unknown): readonly Pair[] {
  if (!isObject(value) && !Array.isArray(value)) return [[name, asText(value)]];
  return Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member));
}

/** The value as a header, or as a path without what `label` and `matrix` put before it. Source: OpenAPI, style values. */
export function segmentText({ name, style, explode, contentType }: Parameter, value: unknown): string {
  if (contentType !== undefined && isJson(contentType)) return JSON.stringify(value);
  const delimiter = delimiterOf({ name, style, explode }, Array.isArray(value));
  if (Array.isArray(value)) return value.map(asText).join(delimiter);
  if (!isObject(value)) return asText(value);
  const members = Object.entries(value).map(([key, member]) => [key, asText(member)] as const);
  return explode ? members.map((member) => member.join('=')).join(delimiter) : members.flat().join(',');
}

/** Character between the items or members of one value. */
function delimiterOf({ name, style, explode }: Pick<Parameter, 'name' | 'style' | 'explode'>, isList: boolean): string {
  if (!explode || style === 'simple') return DELIMITERS[style] ?? ',';
  if (style === 'label') return '.';
  return style === 'matrix' ? (isList ? `;${name}=` : ';') : ',';
}

/** The text of a path parameter as it stands in the path: percent-encoded but for the delimiters of its style, with "." before it for label, ";name=" for matrix. */
export function pathText(description: Description, operation: Operation, name: string, text: string): string {
  const encoded = uriEncoded(text);
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  if (parameter === undefined) return encoded;
  const { style, explode, contentType } = parameter;
  const types = contentType === undefined ? typesOf(shapeOf(description, parameter.schema?.value)) : [];
  const isSpread = explode && types.includes('object');
  const prefix = style === 'label' ? '.' : style === 'matrix' ? (isSpread ? ';' : `;${uriEncoded(name)}=`) : '';
  if (!types.includes('array') && !types.includes('object')) return prefix + encoded;
  const delimiter = delimiterOf(parameter, types.includes('array'));
  // Spaces, pipes and tabs are no characters of a path.
  const joined = style in DELIMITERS ? encoded : encoded.replaceAll(uriEncoded(delimiter), delimiter);
  return prefix + (isSpread ? joined.replaceAll('%3D', '=') : joined);
}

/**
 * Why the operation cannot be called for want of valid input, in one sentence; null when all that it requires can be generated.
 * Path parameters are not asked for here: ids come from the target.
 */
export function ungeneratable(description: Description, operation: Operation, from: Draw): string | null {
  const body = operation.requestBody?.required === true ? drawnBody(description, operation, 'example', from) : null;
  if (body?.ok === false) return `cannot generate a valid request body, because ${body.reason}`;
  for (const parameter of operation.parameters) {
    if (!parameter.required || parameter.in === 'path') continue;
    const drawn = drawnParameter(description, parameter, from);
    if (!drawn.ok)
      return `cannot generate a value for the ${parameter.in} parameter "${parameter.name}", because ${drawn.reason}`;
  }
  return null;
}
