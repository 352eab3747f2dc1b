// The descriptions as the platform serves them: operations with their schemas raw, references kept.
import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { parse } from 'yaml';
import { REGISTER_OPERATION } from '../facts.ts';
import { asArray, asObject, dereference, isObject, type JsonObject } from '../json.ts';

export interface ServedDocument {
  readonly service: string;
  readonly dialect: '3.0' | '3.1';
  readonly root: JsonObject;
}

export interface ServedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly explode: boolean;
}

export interface ServedBody {
  readonly required: boolean;
  /** Media type in lower case, without parameters → schema. */
  readonly content: ReadonlyMap<string, unknown>;
}

export interface ServedResponse {
  /** "200", "2XX" or "default". */
  readonly status: string;
  readonly content: readonly {
    readonly mediaType: string;
    readonly schema: unknown;
    readonly examples: readonly unknown[];
  }[];
  readonly headers: ReadonlyMap<string, { readonly required: boolean; readonly schema: unknown }>;
}

export interface ServedOperation {
  readonly document: ServedDocument;
  /** Method and full path template: "POST /api/v1/stores". */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ServedParameter[];
  readonly body: ServedBody | null;
  readonly responses: readonly ServedResponse[];
  /** True when no token is demanded. */
  readonly public: boolean;
  /** Members whose values no two resources share: the email of a registration, and what `x-unique` names. */
  readonly unique: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The document of a description file; references to other files are bundled in. */
export async function readDocument(service: string, file: string): Promise<ServedDocument> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file}: no file that can be read (${error.code})`);
  });
  let root: unknown;
  try {
    root = file.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true });
    const elsewhere = /\$ref["']?\s*:\s*["']?[^#"'\s{]/.test(text);
    if (elsewhere) root = await SwaggerParser.bundle(file, { resolve: { http: false } });
  } catch (error) {
    throw new Error(`${file}: cannot be read as a description: ${(error as Error).message}`);
  }
  if (!isObject(root) || !/^3\./.test(String(root.openapi))) throw new Error(`${file}: no OpenAPI 3 description`);
  return documentOf(service, root);
}

/** A parsed description as a served document. */
export function documentOf(service: string, root: JsonObject): ServedDocument {
  return { service, dialect: String(root.openapi).startsWith('3.0') ? '3.0' : '3.1', root };
}

/** The document's operations, in its own order. */
export function operationsOf(document: ServedDocument): ServedOperation[] {
  const { root } = document;
  const base = basePath(root);
  const operations: ServedOperation[] = [];
  for (const [template, rawItem] of Object.entries(asObject(root.paths))) {
    const item = asObject(dereference(root, rawItem));
    for (const method of METHODS) {
      if (isObject(item[method])) operations.push(operation(document, method, base + template, item, item[method]));
    }
  }
  return operations;
}

function basePath(root: JsonObject): string {
  const url = asObject(asArray(root.servers)[0]).url;
  if (typeof url !== 'string') return '';
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/+$/, '');
}

function operation(
  document: ServedDocument,
  method: string,
  path: string,
  item: JsonObject,
  raw: JsonObject,
): ServedOperation {
  const { root } = document;
  const security = asArray(raw.security ?? root.security);
  const key = `${method.toUpperCase()} ${path}`;
  return {
    document,
    key,
    method: method.toUpperCase(),
    path,
    parameters: parameters(root, item, raw),
    body: requestBody(root, raw.requestBody),
    responses: Object.entries(asObject(raw.responses)).map(([status, value]) => response(root, status, value)),
    public: security.length === 0 || security.some((alternative) => Object.keys(asObject(alternative)).length === 0),
    unique:
      key === REGISTER_OPERATION ? ['email'] : asArray(raw['x-unique']).filter((name) => typeof name === 'string'),
  };
}

function parameters(root: JsonObject, item: JsonObject, raw: JsonObject): ServedParameter[] {
  const found = new Map<string, ServedParameter>();
  for (const value of [...asArray(item.parameters), ...asArray(raw.parameters)]) {
    const one = asObject(dereference(root, value));
    if (typeof one.name !== 'string' || typeof one.in !== 'string') continue;
    const schema = one.schema ?? asObject(Object.values(asObject(one.content))[0]).schema ?? true;
    const explode = typeof one.explode === 'boolean' ? one.explode : one.in === 'query';
    found.set(`${one.in} ${one.name}`, {
      name: one.name,
      in: one.in,
      required: one.required === true,
      schema,
      explode,
    });
  }
  return [...found.values()];
}

function requestBody(root: JsonObject, raw: unknown): ServedBody | null {
  const body = dereference(root, raw);
  if (!isObject(body)) return null;
  const content = new Map<string, unknown>();
  for (const [type, media] of Object.entries(asObject(body.content)))
    content.set(bare(type), asObject(media).schema ?? true);
  return { required: body.required === true, content };
}

function response(root: JsonObject, status: string, raw: unknown): ServedResponse {
  const value = asObject(dereference(root, raw));
  const headers = new Map<string, { required: boolean; schema: unknown }>();
  for (const [name, header] of Object.entries(asObject(value.headers))) {
    const one = asObject(dereference(root, header));
    headers.set(name.toLowerCase(), { required: one.required === true, schema: one.schema ?? true });
  }
  const content = Object.entries(asObject(value.content)).map(([type, raw]) => {
    const media = asObject(raw);
    const named = Object.values(asObject(media.examples)).map((entry) => asObject(dereference(root, entry)).value);
    const examples = [...('example' in media ? [media.example] : []), ...named].filter((one) => one !== undefined);
    return { mediaType: bare(type), schema: media.schema ?? true, examples };
  });
  return { status, content, headers };
}

/** A media type in lower case, without its parameters. */
export function bare(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
