// A Swagger 2.0 document as the OpenAPI 3.0 document that says the same. The conversion is a library's. What the library
// would read otherwise than the specification means is written out first: references to parameters, responses and path
// items give way to what they name, parameters of a path stand with each of its operations, media types are stated.
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import {
  appended,
  asArray,
  asObject,
  isObject,
  type JsonObject,
  pointerOfFragment,
  referenceTo,
  valueAt,
} from '../json.ts';
import { MULTIPART, URL_ENCODED } from '../model/media-types.ts';
import { METHODS, walk } from '../rules/document-grammar.ts';
import { ATTACHED } from './files.ts';

const FORMS: readonly unknown[] = [URL_ENCODED, MULTIPART];
const PLACES: readonly unknown[] = ['query', 'header', 'path', 'formData', 'body'];
const MAX_REFERENCES_IN_A_CHAIN = 100;

/** A new document; `document` stays as it is. A schema that is referred to elsewhere than in the definitions is one, named by its pointer. */
export function fromSwagger(document: JsonObject): JsonObject {
  const root = structuredClone(document);
  const { parameters: _, responses: __, paths, produces, [ATTACHED]: ___, ...rest } = root;
  const items = Object.entries(asObject(paths)).map(([path, item]) => [path, pathItem(root, item)]);
  const own: JsonObject = { ...rest, produces: typesIn(produces) ?? ['*/*'], paths: Object.fromEntries(items) };
  const definitions = { ...asObject(rest.definitions), ...Object.fromEntries(schemasElsewhere(own, root)) };
  const schemes = Object.entries(asObject(rest.securityDefinitions)).filter(([, scheme]) => isObject(scheme));
  const securityDefinitions = Object.fromEntries(schemes);
  const upgraded = asObject(upgradeFromTwoToThree({ ...own, swagger: '2.0', definitions, securityDefinitions }));
  for (const [path, item] of Object.entries(asObject(upgraded.paths))) {
    stateRequiredForms(asObject(item));
    const stated = asObject(asObject(own.paths)[path]);
    for (const method of METHODS) stateLists(asObject(asObject(item)[method]), asObject(stated[method]));
  }
  return upgraded;
}

/** A form with a field that must be there must be there itself, which the library does not say. */
function stateRequiredForms(item: JsonObject): void {
  for (const method of METHODS) {
    const body = asObject(asObject(item[method]).requestBody);
    const forms = Object.entries(asObject(body.content)).filter(([type]) => FORMS.includes(type));
    const isNeeded = forms.some(([, form]) => asArray(asObject(asObject(form).schema).required).length > 0);
    if (isNeeded) body.required = true;
  }
}

/** How lists are written by their collection format: OpenAPI knows tabs nowhere, the others at fewer places. */
const LISTS: Readonly<Record<string, JsonObject>> = {
  csv: { explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

/** The library states how lists are written for few places, and in forms not that commas are the default. */
function stateLists(upgraded: JsonObject, stated: JsonObject): void {
  const form = asObject(asObject(asObject(upgraded.requestBody).content)[URL_ENCODED]);
  for (const one of asArray(stated.parameters).map(asObject)) {
    const written = listOf(one);
    if (one.in === 'formData' && written !== null)
      form.encoding = { ...asObject(form.encoding), [String(one.name)]: written };
    const isSame = ({ name, in: place }: JsonObject): boolean => name === one.name && place === one.in;
    Object.assign(asArray(upgraded.parameters).map(asObject).find(isSame) ?? {}, written);
  }
  for (const [status, response] of Object.entries(asObject(stated.responses))) {
    const { headers } = asObject(asObject(upgraded.responses)[status]);
    for (const [name, one] of Object.entries(asObject(asObject(response).headers)))
      Object.assign(asObject(asObject(headers)[name]), listOf(asObject(one)));
  }
}

/** Null for what is no list. */
function listOf({ type, collectionFormat = 'csv' }: JsonObject): JsonObject | null {
  return type === 'array' ? (LISTS[String(collectionFormat)] ?? null) : null;
}

/**
 * Schemas in further files, answers and parameters by their pointers, those that they refer to included: they have other places in the new
 * document, and the references lead to them as definitions. Tools that bundle a description write such references.
 */
function schemasElsewhere(own: JsonObject, root: JsonObject): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const seen = new Set<object>();
  const visit = (node: JsonObject): void => {
    const pointer = pointerOf(node);
    if (pointer === null || pointer.startsWith('/definitions/')) return;
    const schema = structuredClone(valueAt(root, pointer));
    if (schema === undefined) return;
    node.$ref = referenceTo(appended('/definitions', pointer));
    if (found.has(pointer)) return;
    found.set(pointer, schema);
    walk(schema, 'schema', pointer, seen, visit);
  };
  walk(own, 'document', '', seen, visit);
  return found;
}

/** Its operations alone: the library would take any other field for one. */
function pathItem(root: JsonObject, raw: unknown): JsonObject {
  const { $ref: _, ...siblings } = asObject(raw);
  const item = { ...siblings, ...asObject(named(root, raw)) };
  const operations = METHODS.filter((method) => isObject(item[method])).map((method) => [
    method,
    operation(root, asObject(item[method]), asArray(item.parameters)),
  ]);
  return Object.fromEntries(operations);
}

function operation(root: JsonObject, raw: JsonObject, shared: readonly unknown[]): JsonObject {
  const stated = [...shared, ...asArray(raw.parameters)].map((one) => asObject(named(root, one)));
  const parameters = new Map(
    stated
      .filter((one) => typeof one.name === 'string' && PLACES.includes(one.in))
      .map((one) => [`${one.in} ${one.name}`, one]),
  );
  const responses = Object.entries(asObject(raw.responses)).map(([status, one]) => [status, response(root, one)]);
  return {
    ...raw,
    parameters: [...parameters.values()],
    produces: typesIn(raw.produces) ?? typesIn(root.produces) ?? ['*/*'],
    consumes: consumed(raw.consumes ?? root.consumes, [...parameters.values()]),
    responses: Object.fromEntries(responses),
  };
}

/** Media types as a list states them; null where none are stated. */
function typesIn(stated: unknown): readonly string[] | null {
  const types = asArray(stated).filter((one): one is string => typeof one === 'string');
  return types.length > 0 ? types : null;
}

/** Media types of an operation's request. A form is sent as one, whatever is stated for all operations. */
function consumed(stated: unknown, parameters: readonly JsonObject[]): readonly unknown[] {
  const fields = parameters.filter((one) => one.in === 'formData');
  const types = typesIn(stated) ?? [];
  if (fields.length === 0) return types.length > 0 ? types : ['application/json'];
  if (fields.some(({ type }) => type === 'file')) return [MULTIPART];
  const forms = types.filter((type) => FORMS.includes(type));
  return forms.length > 0 ? forms : FORMS;
}

/** Without its examples: for them the library would leave out media types that have none. */
function response(root: JsonObject, raw: unknown): JsonObject {
  const { examples: _, ...rest } = asObject(named(root, raw));
  return rest;
}

/** A copy of what stands here, or of what the reference here leads to; the reference itself where it leads nowhere. */
function named(root: JsonObject, raw: unknown): unknown {
  let found = raw;
  for (let length = 0; length < MAX_REFERENCES_IN_A_CHAIN; length += 1) {
    const pointer = isObject(found) ? pointerOf(found) : null;
    if (pointer === null) return structuredClone(found);
    found = valueAt(root, pointer);
  }
  return raw;
}

function pointerOf({ $ref }: JsonObject): string | null {
  return typeof $ref === 'string' && $ref.startsWith('#') ? pointerOfFragment($ref.slice(1)) : null;
}
