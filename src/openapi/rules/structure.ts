// Tells whether a document has the structure that OpenAPI prescribes: judged by the official JSON Schema of its
// version, each mistake reported once and at its most specific place, in one sentence per keyword.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { oncePerValue } from '../../exchange/once-per.ts';
import { appended, asArray, asObject, isObject, type JsonObject, tokensOf, valueAt } from '../json.ts';
import type { Problem } from '../model/operation.ts';
import { isPattern } from '../patterns/pattern.ts';
import type { Bundle } from '../read/bundle.ts';
import { type Kind, kindAt } from './document-grammar.ts';
import { officialSchema, type Version } from './official-schemas.ts';

type Place = Omit<Problem, 'file'>;

/** Names in the official schemas of 3.1 and 3.2 for the kinds of objects that a bundled file may contribute. */
const LATEST: Partial<Record<Kind, string>> = {
  schema: 'schema',
  pathItem: 'path-item',
  parameter: 'parameter',
  requestBody: 'request-body',
  response: 'response',
  header: 'header',
  mediaType: 'media-type',
  example: 'example',
  link: 'link',
  callback: 'callbacks',
  securityScheme: 'security-scheme',
};

/** The same for each version. */
const DEFINITIONS: Readonly<Record<Version, Partial<Record<Kind, string>>>> = {
  '2.0': { schema: 'schema', pathItem: 'pathItem', parameter: 'parameter', response: 'response' },
  '3.0': {
    schema: 'Schema',
    pathItem: 'PathItem',
    parameter: 'Parameter',
    requestBody: 'RequestBody',
    response: 'Response',
    header: 'Header',
    example: 'Example',
    link: 'Link',
    callback: 'Callback',
    securityScheme: 'SecurityScheme',
  },
  '3.1': LATEST,
  '3.2': LATEST,
};

/** All breaches of the document's structure, pointers into the bundled document. */
export function structureProblems(bundled: Bundle, version: Version): Place[] {
  const own = judged(structureValidator(version, null), bundled.document, { kind: 'document', pointer: '' });
  const attached = bundled.attached.flatMap(({ kind, pointer }) => {
    const name = DEFINITIONS[version][kind];
    const value = valueAt(bundled.document, pointer);
    if (name === undefined || (isObject(value) && '$ref' in value)) return [];
    return judged(structureValidator(version, name), value, { kind, pointer });
  });
  return oncePerPlace([...own, ...attached].filter((problem) => !isOfOtherDialect(problem, bundled.document)));
}

const OWN_DIALECTS = /json-schema\.org\/draft\/2020-12\/|spec\.openapis\.org\/oas\/3\.[12]\//;

/**
 * Tells whether a schema keyword follows another dialect, which the schema around it or the whole document names.
 * Source: OpenAPI 3.1, 4.8.24.5.
 */
function isOfOtherDialect({ pointer, rule }: Place, document: JsonObject): boolean {
  if (rule !== 'schema-keyword') return false;
  const tokens = tokensOf(pointer);
  const named = tokens.map(
    (_, depth) => asObject(valueAt(document, appended('', ...tokens.slice(0, tokens.length - depth)))).$schema,
  );
  const dialect = named.find((one) => typeof one === 'string') ?? document.jsonSchemaDialect;
  return typeof dialect === 'string' && !OWN_DIALECTS.test(dialect);
}

/** Compiled on first use and kept: the schemas are constants. `definition`: null for the whole document. */
function structureValidator(version: Version, definition: string | null): ValidateFunction {
  const { ajv, folder } = registryOf(version);
  const reference = definition === null ? version : `${version}#/${folder}/${definition}`;
  return ajv.getSchema(reference) as ValidateFunction;
}

const registryOf = oncePerValue((version: Version) => {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    formats: { regex: { type: 'string', validate: isPattern } },
    // Compiled once a run and short-lived: optimising takes longer than it saves.
    code: { optimize: false },
  });
  const { schema, folder } = officialSchema(version);
  ajv.addSchema({ ...schema, $id: version });
  return { ajv, folder };
});

function judged(validate: ValidateFunction, value: unknown, at: { kind: Kind; pointer: string }): Place[] {
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).filter((error) => !isNoise(error));
  return errors.map((error) => {
    const { place, message } = sentence(error);
    return { pointer: `${at.pointer}${place}`, rule: ruleOf(error, at.kind), message };
  });
}

/** Errors that only repeat another one. */
function isNoise(error: ErrorObject): boolean {
  if (error.keyword === 'if' || error.propertyName !== undefined) return true;
  if (/\/(oneOf|anyOf)\/\d+\//.test(error.schemaPath)) return true;
  // A misplaced reference has the member that it lacks in its target.
  if (error.keyword === 'required' && isObject(error.data) && typeof error.data.$ref === 'string') return true;
  if (error.keyword !== 'unevaluatedProperties') return false;
  // A failing subschema hides from ajv which properties it knows: those are not unknown.
  return knows(error.parentSchema, String(error.params.unevaluatedProperty));
}

/** Tells whether a property is mentioned anywhere in the subschemas that stand in the same place. */
function knows(schema: unknown, property: string): boolean {
  if (Array.isArray(schema)) return schema.some((one) => knows(one, property));
  if (!isObject(schema)) return false;
  if (Object.hasOwn(asObject(schema.properties), property)) return true;
  // The definitions of a whole schema stand elsewhere; those of a subschema are for itself.
  const definitions = '$id' in schema ? [] : Object.values(asObject(schema.$defs));
  const dependent = Object.values(asObject(schema.dependentSchemas));
  return knows([schema.allOf, schema.then, schema.else, ...definitions, ...dependent], property);
}

function ruleOf({ keyword, instancePath }: ErrorObject, kind: Kind): string {
  if (kind === 'document' && instancePath === '/openapi') return 'openapi-version';
  if (kindAt(kind, tokensOf(instancePath)) === 'schema') return 'schema-keyword';
  return RULES[keyword] ?? 'field-value';
}

const RULES: Readonly<Record<string, string>> = {
  required: 'required-field',
  oneOf: 'required-field',
  anyOf: 'required-field',
  not: 'exclusive-fields',
  minProperties: 'required-field',
  type: 'field-type',
  additionalProperties: 'unknown-field',
  unevaluatedProperties: 'unknown-field',
  propertyNames: 'field-name',
};

/** One problem per place and rule; a missing field is a place of its own. */
function oncePerPlace(problems: readonly Place[]): Place[] {
  const kept = new Map<string, Place>();
  for (const problem of problems) {
    const key = problem.rule === 'required-field' ? `${problem.pointer} ${problem.message}` : problem.pointer;
    if (!kept.has(key)) kept.set(key, problem);
  }
  return [...kept.values()];
}

interface Sentence {
  /** Pointer into the judged value: an unknown field is named itself, a missing one by its owner. */
  readonly place: string;
  readonly message: string;
}

/** `error` must carry schema and data (ajv's `verbose`). */
function sentence(error: ErrorObject): Sentence {
  const { instancePath: place, params, keyword } = error;
  switch (keyword) {
    case 'required':
      return { place, message: `the field "${params.missingProperty}" is missing` };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const message = name === '$ref' ? 'OpenAPI allows no reference here' : `OpenAPI has no field "${name}" here`;
      return { place: appended(place, name), message };
    }
    case 'propertyNames':
      return {
        place: appended(place, params.propertyName),
        message: `"${params.propertyName}" is not allowed as a name here`,
      };
    case 'type':
      return { place, message: `${shown(error.data)} stands here, expected ${asList(params.type)}` };
    case 'enum':
      return { place, message: `${shown(error.data)} stands here, expected ${asList(params.allowedValues)}` };
    case 'const':
      return { place, message: `${shown(error.data)} stands here, expected ${JSON.stringify(params.allowedValue)}` };
    case 'oneOf':
      return { place, message: `exactly one of these fields is needed: ${fieldsOf(error.schema)}` };
    case 'anyOf':
      return { place, message: `one or more of these fields are needed: ${fieldsOf(error.schema)}` };
    case 'not':
      return { place, message: exclusion(error.schema) };
    case 'pattern':
      return { place, message: `${shown(error.data)} does not match ${params.pattern}` };
    case 'format':
      return { place, message: `${shown(error.data)} is not a valid ${params.format}` };
    default:
      return { place, message: `the value ${error.message}` };
  }
}

function fieldsOf(alternatives: unknown): string {
  return asArray(alternatives)
    .flatMap((one) => asArray(asObject(one).required))
    .join(', ');
}

function exclusion(schema: unknown): string {
  const fields = asArray(asObject(schema).required);
  if (fields.length === 1) return `the field "${fields[0]}" is not allowed here`;
  const places = asArray(asObject(schema).allOf).map((one) => valueAt(one, '/contains/properties/in/const'));
  const [what, names] = fields.length > 0 ? ['fields', fields] : ['places', places];
  return `the ${what} ${names.map((name) => `"${name}"`).join(' and ')} exclude each other`;
}

function asList(values: unknown): string {
  return (Array.isArray(values) ? values : [values]).map(String).join(' or ');
}

const MAX_CHARS = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
