// The operations of a bundled document, whether or not all of it obeys OpenAPI's rules.
import { asArray, asObject, asString, isObject, type JsonObject } from '../json.ts';
import { type Located, member, type References } from '../read/references.ts';
import type { Operation, SecurityScheme } from './operation.ts';
import { readParameters, readRequestBody, readResponses } from './parameters.ts';
import { basePath } from './servers.ts';
import { obstacle } from './unsupported.ts';

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const PLACES_OF_KEYS = ['header', 'query', 'cookie'] as const;

export interface ReadingOptions {
  readonly service: string;
  /** Whether any reference leads nowhere. */
  readonly dangling: boolean;
  /** What stands before a path, given the path of its servers. */
  readonly rebase: (serverPath: string) => string;
}

/** What can be understood; shapes that cannot are left out. */
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

function itemOperations(path: string, item: Located, reading: Reading): Operation[] {
  return METHODS.flatMap((method) => {
    const at = member(item, method);
    if (!isObject(at.value)) return [];
    // OpenAPI has no references here, but descriptions do.
    const found = reading.references.resolve(at.value, at.pointer);
    const operation = readOperation(method.toUpperCase(), path, found ?? { ...at, value: {} }, item, reading);
    return [found === null ? { ...operation, unsupported: 'the reference in its place does not resolve' } : operation];
  });
}

function readOperation(method: string, template: string, at: Located, item: Located, reading: Reading): Operation {
  const { references } = reading;
  const raw = asObject(at.value);
  const servers = raw.servers ?? asObject(item.value).servers ?? references.document.servers;
  const path = reading.rebase(basePath(servers)) + template;
  const parameters = readParameters([member(item, 'parameters'), member(at, 'parameters')], references);
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
    unsupported: obstacle({ parameters, requestBody }, reading.dangling ? references : null),
  };
}

function readSecurity(security: unknown): string[][] {
  return asArray(security)
    .filter(isObject)
    .map((alternative) => Object.keys(alternative));
}

/** What components.securitySchemes names. */
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
