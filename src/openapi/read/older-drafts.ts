// Rewrites schemas of older drafts of JSON Schema, which a description of OpenAPI 3.1 may name by $schema or jsonSchemaDialect, in the
// words of 2020-12: whatever reads schemas knows one dialect. Source: OpenAPI 3.1, 4.8.24.5; JSON Schema 2020-12, migration from older drafts.
import { asObject, isObject, type JsonObject, tokensOf } from '../json.ts';

/** 2019-09 is written as its year. */
type Draft = 4 | 6 | 7 | 2019;

const OLDER = /json-schema\.org\/draft(?:-0(4|6|7)|\/(2019)-09)\/schema/;

/** Keywords by the draft that brought them: an older one does not know them. */
const SINCE: Readonly<Record<string, Draft | 2020>> = {
  const: 6,
  contains: 6,
  propertyNames: 6,
  examples: 6,
  if: 7,
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: 7,
  else: 7,
  dependentRequired: 2019,
  dependentSchemas: 2019,
  maxContains: 2019,
  minContains: 2019,
  unevaluatedItems: 2019,
  unevaluatedProperties: 2019,
  $anchor: 2019,
  prefixItems: 2020,
  $dynamicRef: 2020,
  $dynamicAnchor: 2020,
};

/** Until draft 7 nothing else counts beside a $ref; definitions are led to by their place. */
const BESIDE_REFERENCE: readonly string[] = ['$ref', '$schema', 'definitions', 'description', 'title'];

/** Tells whether the text of a file may name an older draft. */
export function mayNameOlderDraft(text: string): boolean {
  return OLDER.test(text.replaceAll('\\/', '/'));
}

/** The older draft by which the schema at the place is to be read, as the innermost schema around it says, or the document; null for none. */
export function olderDraftAt(document: JsonObject, pointer: string): Draft | null {
  let dialect = document.jsonSchemaDialect;
  let node: unknown = document;
  for (const token of tokensOf(pointer)) {
    node = Array.isArray(node) ? node[Number(token)] : asObject(node)[token];
    const named = asObject(node).$schema;
    if (typeof named === 'string') dialect = named;
  }
  const [, draft, year] = typeof dialect === 'string' ? (OLDER.exec(dialect) ?? []) : [];
  const number = draft ?? year;
  return number === undefined ? null : (Number(number) as Draft);
}

/** Changes the schema itself, not those within it. */
export function modernise(schema: JsonObject, draft: Draft): void {
  for (const [keyword, since] of Object.entries(SINCE)) if (since > draft) delete schema[keyword];
  if (draft <= 7 && typeof schema.$ref === 'string')
    for (const keyword of Object.keys(schema)) if (!BESIDE_REFERENCE.includes(keyword)) delete schema[keyword];
  if (draft <= 7) renameId(schema, draft);
  if (draft === 4) for (const bound of ['inimum', 'aximum']) numberBound(schema, `m${bound}`, `exclusiveM${bound}`);
  renameItems(schema);
  if (draft <= 7) renameDependencies(schema);
}

function renameId(schema: JsonObject, draft: Draft): void {
  const id = draft === 4 ? schema.id : schema.$id;
  delete schema.$id;
  if (typeof id !== 'string') return;
  if (draft === 4) delete schema.id;
  if (id.startsWith('#')) schema.$anchor = id.slice(1);
  else schema.$id = id;
}

function numberBound(schema: JsonObject, bound: string, exclusive: string): void {
  const isExclusive = schema[exclusive] === true && schema[bound] !== undefined;
  delete schema[exclusive];
  if (!isExclusive) return;
  schema[exclusive] = schema[bound];
  delete schema[bound];
}

function renameItems(schema: JsonObject): void {
  const { items, additionalItems } = schema;
  delete schema.additionalItems;
  if (!Array.isArray(items)) return;
  delete schema.items;
  if (items.length > 0) schema.prefixItems = items;
  if (additionalItems !== undefined) schema.items = additionalItems;
}

function renameDependencies(schema: JsonObject): void {
  if (!isObject(schema.dependencies)) return;
  const all = Object.entries(schema.dependencies);
  delete schema.dependencies;
  const [names, schemas] = [all.filter(([, one]) => Array.isArray(one)), all.filter(([, one]) => !Array.isArray(one))];
  if (names.length > 0) schema.dependentRequired = Object.fromEntries(names);
  if (schemas.length > 0) schema.dependentSchemas = Object.fromEntries(schemas);
}

/** Where what older drafts have at the place stands after it was rewritten. */
export function modernPlace(pointer: string): string {
  return pointer
    .replaceAll(/\/items\/(?=\d+(\/|$))/g, '/prefixItems/')
    .replaceAll(/\/additionalItems(?=\/|$)/g, '/items')
    .replaceAll(/\/dependencies\//g, '/dependentSchemas/');
}
