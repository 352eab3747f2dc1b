// The operations of a bundled document, with their parameters, bodies and declared responses, whether or not all of it
// obeys OpenAPI's rules.
import { essence } from '../../exchange/media-type.ts';
import { isJsonSequence, itemsOf } from '../../exchange/sequences.ts';
import { asArray, asObject, asString, isObject, type JsonObject, pointerOfFragment } from '../json.ts';
import { type Located, member, type References } from '../read/references.ts';
import { METHODS } from '../rules/document-grammar.ts';
import { URL_ENCODED } from './media-types.ts';
import type {
  DeclaredHeader,
  DeclaredResponse,
  Link,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  SchemaHandle,
  SecurityScheme,
} from './operation.ts';
import { isJson } from './responses.ts';
import { basePath } from './servers.ts';
import { obstacle } from './unsupported.ts';

const PLACES_OF_KEYS = ['header', 'query', 'cookie'] as const;

export interface ReadingOptions {
  readonly service: string;
  /** True where any reference leads nowhere. */
  readonly dangling: boolean;
  /** Text before a path, given the path of its servers. */
  readonly rebase: (serverPath: string) => string;
  /** Path of the description where it was read from a server, else "/". */
  readonly ownPath: string;
}

/** Operations that can be understood; shapes that cannot are left out. */
export function readOperations(references: References, options: ReadingOptions): Operation[] {
  const { document } = references;
  return Object.entries(asObject(document.paths)).flatMap(([path, raw]) => {
    if (!path.startsWith('/')) return [];
    const item = references.resolve(raw, member({ value: document, pointer: '' }, 'paths', path).pointer);
    return item === null ? [] : itemOperations(path, withSiblings(item, raw), { ...options, references });
  });
}

interface Reading extends ReadingOptions {
  readonly references: References;
}

/** A Path Item's $ref may have fields beside it, unlike any other. */
function withSiblings(item: Located, raw: unknown): Located {
  if (item.value === raw || !isObject(raw)) return item;
  const { $ref: _, ...siblings } = raw;
  return { pointer: item.pointer, value: { ...siblings, ...asObject(item.value) } };
}

/** Where a path item describes operations, with their methods: in fields of their own and, since 3.2, by further methods. */
export function operationPlaces(item: Located): { readonly method: string; readonly at: Located }[] {
  const further = member(item, 'additionalOperations');
  const places = [
    ...METHODS.map((method) => ({ method: method.toUpperCase(), at: member(item, method) })),
    ...Object.keys(asObject(further.value)).map((method) => ({ method, at: member(further, method) })),
  ];
  return places.filter(({ at }) => isObject(at.value));
}

function itemOperations(path: string, item: Located, reading: Reading): Operation[] {
  return operationPlaces(item).map(({ method, at }) => {
    // OpenAPI has no references here, but descriptions do.
    const found = reading.references.resolve(at.value, at.pointer);
    const operation = readOperation(method, path, found ?? { ...at, value: {} }, item, reading);
    return found === null ? { ...operation, unsupported: 'the reference in its place does not resolve' } : operation;
  });
}

function readOperation(method: string, template: string, at: Located, item: Located, reading: Reading): Operation {
  const { references } = reading;
  const raw = asObject(at.value);
  const servers = raw.servers ?? asObject(item.value).servers ?? references.document.servers;
  const path = reading.rebase(basePath(servers, reading.ownPath)) + template;
  const lists = [member(item, 'parameters'), member(at, 'parameters')];
  const parameters = readParameters(lists, references);
  const requestBody = readRequestBody(member(at, 'requestBody'), references);
  return {
    key: `${method} ${path}`,
    service: reading.service,
    method,
    path,
    operationId: asString(raw.operationId),
    tags: asArray(raw.tags).filter((tag): tag is string => typeof tag === 'string'),
    deprecated: raw.deprecated === true,
    pointer: at.pointer,
    parameters,
    requestBody: requestBody === 'dangling' ? null : requestBody,
    responses: readResponses(member(at, 'responses'), references),
    security: readSecurity(raw.security ?? references.document.security),
    unsupported:
      obstacle({ parameters, requestBody }, reading.dangling ? references : null) ?? unmade(lists, references),
  };
}

function readSecurity(security: unknown): string[][] {
  return asArray(security)
    .filter(isObject)
    .map((alternative) => Object.keys(alternative));
}

/** HTTP schemes that answer a challenge: no key alone makes a request of them. */
const CHALLENGED: readonly string[] = ['digest', 'negotiate', 'hoba', 'scram-sha-1', 'scram-sha-256', 'mutual'];

/** Tells whether a key alone satisfies the scheme. */
export function isSpoken({ type, scheme }: SecurityScheme): boolean {
  const isChallenge = type === 'http' && CHALLENGED.includes(scheme?.toLowerCase() ?? '');
  return type !== 'mutualTLS' && !isChallenge;
}

/** The operation with those of its schemes named that a key alone does not satisfy. */
export function withUnspoken(operation: Operation, schemes: readonly SecurityScheme[]): Operation {
  const asked = new Set(operation.security.flat());
  const unspoken = schemes.filter((scheme) => asked.has(scheme.name) && !isSpoken(scheme)).map(({ name }) => name);
  return unspoken.length === 0 ? operation : { ...operation, unspoken };
}

/** The schemes in components.securitySchemes. */
export function readSchemes(references: References): SecurityScheme[] {
  const at = member({ value: references.document, pointer: '' }, 'components', 'securitySchemes');
  return Object.entries(asObject(at.value)).map(([name, value]) => {
    const scheme: JsonObject = asObject(references.resolve(value, member(at, name).pointer)?.value);
    return {
      name,
      type: asString(scheme.type) ?? '',
      scheme: asString(scheme.scheme),
      bearerFormat: asString(scheme.bearerFormat),
      in: PLACES_OF_KEYS.find((place) => place === scheme.in) ?? null,
      parameter: asString(scheme.name),
    };
  });
}

const PLACES: readonly string[] = ['path', 'query', 'header', 'cookie'];
/** OpenAPI: "the parameter definition SHALL be ignored"; and what HTTP itself writes, which no other value can stand for. */
const IGNORED_HEADERS: readonly string[] = [
  ...['accept', 'content-type', 'authorization'],
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'expect'],
];
const ANY_MEDIA_TYPE: MediaType = { mediaType: '*/*', schema: null, examples: [] };

/**
 * Parameters of the path item and of the operation, the latter's winning. One whose reference leads nowhere is left out: the
 * operation may well be called without it.
 */
function readParameters(lists: readonly Located[], references: References): readonly Parameter[] {
  const byPlace = new Map<string, Parameter>();
  for (const list of lists) {
    if (!Array.isArray(list.value)) continue;
    for (const [index, raw] of list.value.entries()) {
      const found = references.resolve(raw, member(list, index).pointer);
      for (const parameter of found === null ? [] : parametersAt(found, references))
        byPlace.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...byPlace.values()];
}

/** Why the whole query string of an operation cannot be made; null where it can, or need not be there. */
function unmade(lists: readonly Located[], references: References): string | null {
  const needed = lists
    .flatMap((list) => asArray(list.value).map((raw, index) => references.resolve(raw, member(list, index).pointer)))
    .filter((at) => at !== null)
    .find(({ value }) => asObject(value).in === 'querystring' && asObject(value).required === true);
  const types =
    needed === undefined
      ? [URL_ENCODED]
      : readContent(member(needed, 'content'), references).map((one) => one.mediaType);
  return types.some((type) => type === URL_ENCODED || isJson(type))
    ? null
    : `its query string must be ${types.join(', ')}; only forms and JSON can be made`;
}

/**
 * One parameter, or those that the schema of a whole query string names as its properties; one of JSON is a single parameter without a name.
 * Source: OpenAPI 3.2, 4.12.3.
 */
function parametersAt(at: Located, references: References): readonly Parameter[] {
  if (asObject(at.value).in !== 'querystring') return [readParameter(at, references)].filter((one) => one !== null);
  const media = readContent(member(at, 'content'), references)[0];
  if (media !== undefined && isJson(media.mediaType)) {
    const { mediaType: contentType, schema, examples } = media;
    const required = asObject(at.value).required === true;
    return [{ name: '', in: 'query', required, schema, style: 'form', explode: false, contentType, examples }];
  }
  const schema = media?.mediaType === URL_ENCODED ? media.schema : null;
  const found = schema === null ? null : references.resolve(schema.value, schema.pointer);
  if (found === null) return [];
  const required = asArray(asObject(found.value).required);
  return Object.entries(asObject(asObject(found.value).properties)).map(([name, value]) => {
    const own = { value, pointer: member(member(found, 'properties'), name).pointer };
    const examples = examplesOf({ value: {}, pointer: own.pointer }, own, references);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      schema: own,
      style: 'form',
      explode: true,
      examples,
    };
  });
}

/** Styles whose lists are exploded where nothing is said. */
const EXPLODED = ['form', 'cookie'];

function readParameter(at: Located, references: References): Parameter | null {
  const raw = asObject(at.value);
  const { name, in: place } = raw;
  if (typeof name !== 'string' || typeof place !== 'string' || !PLACES.includes(place)) return null;
  if (place === 'header' && IGNORED_HEADERS.includes(name.toLowerCase())) return null;
  const content = readContent(member(at, 'content'), references)[0];
  const schema = content === undefined ? handleAt(at) : content.schema;
  const prose = asString(raw.description);
  const style = asString(raw.style) ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return {
    name,
    in: place as Parameter['in'],
    required: raw.required === true || place === 'path',
    schema,
    style,
    explode: typeof raw.explode === 'boolean' ? raw.explode : EXPLODED.includes(style),
    ...(content === undefined ? {} : { contentType: content.mediaType }),
    examples: content?.examples ?? examplesOf(at, schema, references),
    ...(prose === null ? {} : { prose }),
  };
}

/** Null for an operation without a request body; `dangling` when its reference leads nowhere. */
function readRequestBody(at: Located, references: References): RequestBody | 'dangling' | null {
  if (!isObject(at.value)) return null;
  const found = references.resolve(at.value, at.pointer);
  if (found === null) return 'dangling';
  const raw = asObject(found.value);
  return { required: raw.required === true, content: readContent(member(found, 'content'), references).map(asList) };
}

/**
 * A body of JSON texts that is described item by item is a list of at least one, and an example that is a text the list that it spells,
 * or its only item. Source: OpenAPI 3.2, 4.14.3.
 */
function asList(media: MediaType): MediaType {
  const { mediaType, schema, itemSchema, examples } = media;
  if (!isJsonSequence(mediaType)) return media;
  const read = examples.flatMap((example) => (typeof example === 'string' ? spelt(mediaType, example) : [example]));
  if (itemSchema === undefined || schema !== null) return { ...media, examples: read };
  const list = { type: 'array', minItems: 1, items: itemSchema.value };
  return { ...media, schema: { pointer: itemSchema.pointer, value: list }, examples: read };
}

function spelt(mediaType: string, text: string): readonly unknown[] {
  const items = itemsOf(mediaType, text, { isCut: false }) ?? [];
  const values = items.flatMap((item) => (item.ok ? [item.value] : []));
  if (items.length === 0 || values.length < items.length) return [text];
  return [values, ...(values.length === 1 ? values : [])];
}

/** A response whose reference leads nowhere is declared with any media type, so that nothing is blamed for it but the description. */
function readResponses(at: Located, references: References): DeclaredResponse[] {
  return Object.entries(asObject(at.value))
    .filter(([status]) => /^([1-5]\d\d|[1-5]XX|default)$/i.test(status))
    .map(([name, raw]) => {
      const status = name === 'default' ? name : name.toUpperCase();
      const found = references.resolve(raw, member(at, name).pointer);
      if (found === null) return { status, content: [ANY_MEDIA_TYPE], headers: [] };
      return {
        status,
        content: readContent(member(found, 'content'), references),
        headers: readHeaders(member(found, 'headers'), references),
        ...readLinks(member(found, 'links'), references),
      };
    });
}

function readLinks(at: Located, references: References): Pick<DeclaredResponse, 'links'> {
  const links = Object.entries(asObject(at.value)).flatMap(([name, raw]): Link[] => {
    const link = asObject(references.resolve(raw, member(at, name).pointer)?.value);
    const reference = asString(link.operationRef);
    const pointer = reference?.startsWith('#') ? pointerOfFragment(reference.slice(1)) : null;
    const operationId = asString(link.operationId);
    if (operationId === null && pointer === null) return [];
    return [{ operationId, pointer, parameters: asObject(link.parameters) }];
  });
  return links.length === 0 ? {} : { links };
}

function readHeaders(at: Located, references: References): DeclaredHeader[] {
  return Object.entries(asObject(at.value)).flatMap(([name, raw]) => {
    const found = references.resolve(raw, member(at, name).pointer);
    if (found === null || name.toLowerCase() === 'content-type') return [];
    const content = readContent(member(found, 'content'), references)[0];
    const required = asObject(found.value).required === true;
    const { style } = asObject(found.value);
    if (content === undefined)
      return [{ name, required, schema: handleAt(found), ...(typeof style === 'string' ? { style } : {}) }];
    return [{ name, required, schema: content.schema, contentType: content.mediaType }];
  });
}

function readContent(at: Located, references: References): MediaType[] {
  return Object.entries(asObject(at.value)).map(([name, raw]) => {
    const place = member(at, name).pointer;
    const media = references.resolve(raw, place) ?? { value: {}, pointer: place };
    const items = handleAt(media, 'itemSchema');
    const schema = handleAt(media);
    const mediaType = essence(name);
    const encoding = readEncoding(member(media, 'encoding').value);
    const examples = examplesOf(media, schema, references);
    const [, parameters] = /(;.*)$/s.exec(name) ?? [];
    return {
      mediaType,
      ...(parameters === undefined ? {} : { parameters }),
      schema,
      ...(items === null ? {} : { itemSchema: items }),
      examples,
      ...encoding,
    };
  });
}

function readEncoding(raw: unknown): Pick<MediaType, 'encoding'> {
  const stated = Object.entries(asObject(raw)).map(([name, value]) => {
    const { style, explode, contentType } = asObject(value);
    return [
      name,
      {
        ...(typeof style === 'string' ? { style } : {}),
        ...(typeof explode === 'boolean' ? { explode } : {}),
        ...(typeof contentType === 'string' ? { contentType } : {}),
      },
    ] as const;
  });
  return stated.length === 0 ? {} : { encoding: Object.fromEntries(stated) };
}

function handleAt(owner: Located, field = 'schema'): SchemaHandle | null {
  const { value, pointer } = member(owner, field);
  return isObject(value) || typeof value === 'boolean' ? { pointer, value } : null;
}

/** `example`, `examples` and the schema's own, in that order. */
function examplesOf(owner: Located, schema: SchemaHandle | null, references: References): readonly unknown[] {
  const raw = asObject(owner.value);
  const own = 'example' in raw ? [raw.example] : [];
  const named = Object.values(asObject(raw.examples)).flatMap((example) => {
    const found = asObject(references.resolve(example, '')?.value);
    const field = ['value', 'dataValue'].find((name) => name in found);
    return field === undefined ? [] : [found[field]];
  });
  const described = asObject(schema === null ? null : references.resolve(schema.value, schema.pointer)?.value);
  const schemas = [
    ...('example' in described ? [described.example] : []),
    ...(Array.isArray(described.examples) ? described.examples : []),
  ];
  return [...own, ...named, ...schemas];
}
