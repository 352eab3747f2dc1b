// Which objects an OpenAPI document is made of and where they stand in each other, in all versions together: enough to find
// every schema and every reference, and to leave alone what is only data (examples, defaults, enums, extensions). What a
// version has no field for its official schema tells.
import { appended, isObject, type JsonObject } from '../json.ts';

export type Kind =
  | 'document'
  | 'paths'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'header'
  | 'mediaType'
  | 'encoding'
  | 'example'
  | 'link'
  | 'callback'
  | 'securityScheme'
  | 'schema';

type Arity = 'one' | 'list' | 'map';
type Fields = Readonly<Record<string, readonly [Arity, Kind]>>;

/** Fields of a Path Item that hold an operation; `query` only since 3.2. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;
const DESCRIBED_VALUE: Fields = {
  schema: ['one', 'schema'],
  content: ['map', 'mediaType'],
  examples: ['map', 'example'],
};

const FIELDS: Readonly<Record<Kind, Fields>> = {
  document: {
    paths: ['one', 'paths'],
    webhooks: ['map', 'pathItem'],
    components: ['one', 'components'],
    // Swagger 2.0 has its components here.
    definitions: ['map', 'schema'],
    parameters: ['map', 'parameter'],
    responses: ['map', 'response'],
  },
  paths: { '*': ['one', 'pathItem'] },
  callback: { '*': ['one', 'pathItem'] },
  components: {
    schemas: ['map', 'schema'],
    responses: ['map', 'response'],
    parameters: ['map', 'parameter'],
    examples: ['map', 'example'],
    requestBodies: ['map', 'requestBody'],
    headers: ['map', 'header'],
    securitySchemes: ['map', 'securityScheme'],
    links: ['map', 'link'],
    callbacks: ['map', 'callback'],
    pathItems: ['map', 'pathItem'],
    mediaTypes: ['map', 'mediaType'],
  },
  pathItem: {
    parameters: ['list', 'parameter'],
    additionalOperations: ['map', 'operation'],
    ...Object.fromEntries(METHODS.map((method) => [method, ['one', 'operation'] as const])),
  },
  operation: {
    parameters: ['list', 'parameter'],
    requestBody: ['one', 'requestBody'],
    responses: ['map', 'response'],
    callbacks: ['map', 'callback'],
  },
  parameter: DESCRIBED_VALUE,
  header: DESCRIBED_VALUE,
  requestBody: { content: ['map', 'mediaType'] },
  response: {
    headers: ['map', 'header'],
    content: ['map', 'mediaType'],
    links: ['map', 'link'],
    // In Swagger 2.0 a response has one schema for all its media types.
    schema: ['one', 'schema'],
  },
  mediaType: {
    schema: ['one', 'schema'],
    itemSchema: ['one', 'schema'],
    examples: ['map', 'example'],
    encoding: ['map', 'encoding'],
    prefixEncoding: ['list', 'encoding'],
    itemEncoding: ['one', 'encoding'],
  },
  encoding: {
    headers: ['map', 'header'],
    encoding: ['map', 'encoding'],
    prefixEncoding: ['list', 'encoding'],
    itemEncoding: ['one', 'encoding'],
  },
  example: {},
  link: {},
  securityScheme: {},
  schema: {
    properties: ['map', 'schema'],
    patternProperties: ['map', 'schema'],
    additionalProperties: ['one', 'schema'],
    unevaluatedProperties: ['one', 'schema'],
    propertyNames: ['one', 'schema'],
    dependentSchemas: ['map', 'schema'],
    items: ['one', 'schema'],
    prefixItems: ['list', 'schema'],
    unevaluatedItems: ['one', 'schema'],
    contains: ['one', 'schema'],
    allOf: ['list', 'schema'],
    anyOf: ['list', 'schema'],
    oneOf: ['list', 'schema'],
    not: ['one', 'schema'],
    if: ['one', 'schema'],
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: ['one', 'schema'],
    else: ['one', 'schema'],
    contentSchema: ['one', 'schema'],
    $defs: ['map', 'schema'],
  },
};

/**
 * Kinds in whose place a Reference Object may stand; a Path Item and a schema have a `$ref` of their own. An operation
 * may not, but where one does (documents made to be bundled) it is followed, and the structure's problem tells.
 */
const REFERABLE: ReadonlySet<Kind> = new Set<Kind>([
  'pathItem',
  'operation',
  'parameter',
  'requestBody',
  'response',
  'header',
  'mediaType',
  'example',
  'link',
  'callback',
  'securityScheme',
  'schema',
]);

/** The reference that stands in this object, if its kind may have one. */
export function referenceIn(node: JsonObject, kind: Kind): string | null {
  return REFERABLE.has(kind) && typeof node.$ref === 'string' ? node.$ref : null;
}

export type Visit = (node: JsonObject, kind: Kind, pointer: string) => void;

/** Calls `visit` for a node and everything below it, each object once; `seen` carries over from walk to walk. */
export function walk(node: unknown, kind: Kind, pointer: string, seen: Set<object>, visit: Visit): void {
  if (!isObject(node) || seen.has(node)) return;
  seen.add(node);
  visit(node, kind, pointer);
  const fields = FIELDS[kind];
  for (const [name, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : name.startsWith('x-') ? undefined : fields['*'];
    if (field !== undefined) walkField(value, field, appended(pointer, name), seen, visit);
  }
}

function walkField(
  value: object,
  field: readonly [Arity, Kind],
  pointer: string,
  seen: Set<object>,
  visit: Visit,
): void {
  const [arity, kind] = field;
  if (arity === 'one') walk(value, kind, pointer, seen, visit);
  if (arity === 'one' || Array.isArray(value) !== (arity === 'list')) return;
  for (const [name, member] of Object.entries(value)) {
    if (kind === 'schema' || !name.startsWith('x-') || arity === 'list')
      walk(member, kind, appended(pointer, name), seen, visit);
  }
}

/** The kind of the innermost object that a place below an object of `kind` belongs to. */
export function kindAt(kind: Kind, tokens: readonly string[]): Kind {
  const [name, ...rest] = tokens;
  if (name === undefined) return kind;
  const fields = FIELDS[kind];
  const field = Object.hasOwn(fields, name) ? fields[name] : fields['*'];
  if (field === undefined) return kind;
  const [arity, inner] = field;
  if (arity === 'one') return kindAt(inner, rest);
  return rest.length === 0 ? kind : kindAt(inner, rest.slice(1));
}
