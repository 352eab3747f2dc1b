// Reads values back from the texts that stand for them in a query, path, header, cookie or form, as a receiver may: by the declared
// style, and text by text as what the schema wants. Source: OpenAPI 3.1, 4.8.12.2 (style values) and 4.8.14.4 (forms).

import { parsedJson } from '../exchange/decoded.ts';
import { itemsOf } from '../exchange/sequences.ts';
import { isObject } from '../openapi/json.ts';
import { DELIMITERS } from '../openapi/model/delimiters.ts';
import type { Description, MediaType, Parameter, SchemaHandle } from '../openapi/model/operation.ts';
import { isJson } from '../openapi/model/responses.ts';
import type { Pair } from './parameters.ts';
import { type SchemaObject, shapeOf, typesOf } from './schema-shape.ts';

type Written = Pick<Parameter, 'name' | 'style' | 'explode' | 'contentType'>;

/** Texts of one name, or members below it. */
type Node = readonly string[] | { readonly members: Members };
type Members = ReadonlyMap<string, Node>;

/** The value that the pairs of a query, cookie or form hold under the name; undefined: none. */
export function readPairs(
  description: Description,
  written: Written,
  schema: SchemaHandle | null,
  pairs: readonly Pair[],
): unknown {
  const { name, style, explode, contentType } = written;
  const texts = pairs.flatMap(([given, text]) => (given === name ? [text] : []));
  if (contentType === undefined && style === 'deepObject') {
    const members = deepMembers(name, pairs);
    return members.size === 0 ? texts[0] : readMembers(description, schema, members);
  }
  if (contentType === undefined && explode && texts.length === 0) {
    const members = named(pairs.filter(([given]) => isMemberOf(description, schema, given)));
    return members.size === 0 ? undefined : readMembers(description, schema, members);
  }
  return texts.length === 0 ? undefined : readTexts(description, written, schema, texts);
}

/** The value of a header, or of a path parameter as it stands in its path, decoded. */
export function readText(
  description: Description,
  written: Written & Pick<Parameter, 'schema'>,
  text: string,
): unknown {
  const { style, schema } = written;
  if (style === 'label') return readTexts(description, written, schema, [text.replace(/^\./, '')]);
  if (style !== 'matrix') return readTexts(description, written, schema, [text]);
  const pairs = text
    .split(';')
    .slice(1)
    .map((pair) => pairOf(pair) ?? ([pair, ''] as const));
  return readPairs(description, { ...written, style: 'form' }, schema, pairs);
}

/** The members of a body of pairs. */
export function readForm(
  description: Description,
  { schema, encoding = {} }: MediaType,
  pairs: readonly Pair[],
): unknown {
  const shape = shapeOf(description, schema?.value);
  const values = new Map<string, unknown>();
  let rest = pairs;
  for (const [name, member] of Object.entries(isObject(shape.properties) ? shape.properties : {})) {
    const { style = 'form', explode = style === 'form' } = encoding[name] ?? {};
    const isStyled = encoding[name]?.style !== undefined;
    const own = rest.filter(([given]) => given === name || (style === 'deepObject' && given.startsWith(`${name}[`)));
    const spread = isStyled && explode && style === 'form' && own.length === 0;
    const handle = handleOf(member);
    const taken = spread ? rest.filter(([given]) => isMemberOf(description, handle, given)) : own;
    const value = readPairs(description, { name, style, explode }, handle, taken);
    if (value !== undefined) values.set(name, value);
    rest = rest.filter((pair) => !taken.includes(pair));
  }
  const others = [...named(rest)].map(([name, node]) => [name, readNode(description, null, node)] as const);
  return readAs(description, schema, [
    Object.fromEntries([...values, ...others]),
    Object.fromEntries([...new Map(pairs)].map(([name, text]) => [name, scalarOf(text)])),
  ]);
}

/** A body of JSON texts as their list, as the only one of them, or as the text that it is: whichever the schema admits. */
export function readSequence(description: Description, { mediaType, schema }: MediaType, text: string): unknown {
  const items = (itemsOf(mediaType, text, { isCut: false }) ?? []).map((item) => (item.ok ? item.value : undefined));
  return readAs(description, schema, [items, ...(items.length === 1 ? items : []), text]);
}

function readTexts(
  description: Description,
  written: Written,
  schema: SchemaHandle | null,
  texts: readonly string[],
): unknown {
  const [first = ''] = texts;
  const { style, explode, contentType } = written;
  if (contentType !== undefined)
    return readAs(description, schema, isJson(contentType) ? [parsedJson(first), first] : [first]);
  const delimiter = DELIMITERS[style] ?? (style === 'label' && explode ? '.' : ',');
  const items = texts.length > 1 || (explode && style === 'form') ? texts : first.split(delimiter);
  const ofItems = itemSchema(description, schema);
  const read =
    ofItems === null ? items.map(scalarOf) : items.map((item) => readTexts(description, ITEM, ofItems, [item]));
  const lists = [items, read, first === '' ? [] : items];
  const others = texts.length > 1 ? [...lists, first] : [first, scalarOf(first), ...lists];
  const members = explode ? items.map(pairOf) : alternating(items);
  const object = members.every((pair) => pair !== null) ? [readMembers(description, schema, named(members))] : [];
  return readAs(description, schema, [...others, ...objectIn(first), ...object]);
}

const ITEM: Written = { name: '', style: 'simple', explode: false };

function readMembers(description: Description, schema: SchemaHandle | null, members: Members): unknown {
  const shape = shapeOf(description, schema?.value);
  const properties = isObject(shape.properties) ? shape.properties : {};
  const schemaOf = (name: string): SchemaHandle | null => {
    if (Object.hasOwn(properties, name)) return handleOf(properties[name]);
    return isObject(shape.additionalProperties) ? handleOf(shape.additionalProperties) : null;
  };
  // Brackets within brackets are left undefined: to a receiver of scalars such a name is an unknown one.
  const read = [...members].filter(([name, node]) => !('members' in node) || mayNest(description, schemaOf(name)));
  const by = (reading: (name: string, node: Node) => unknown): unknown =>
    Object.fromEntries(read.map(([name, node]) => [name, reading(name, node)]));
  const isList = members.size > 0 && [...members.keys()].every((name) => /^\d+$/.test(name));
  const items = itemSchema(description, schema);
  const list = isList ? [[...members.values()].map((node) => readNode(description, items, node))] : [];
  return readAs(description, schema, [
    ...alternativesIn(description, shape).map((one) => readMembers(description, one, members)),
    ...list,
    by((name, node) => readNode(description, schemaOf(name), node)),
    by((_, node) => ('members' in node ? readNode(description, null, node) : scalarOf(node[0] ?? ''))),
  ]);
}

/** The alternatives of a union, but for unions within it. */
function alternativesIn(description: Description, { anyOf, oneOf }: SchemaObject): readonly SchemaHandle[] {
  return [anyOf, oneOf]
    .flatMap((all) => (Array.isArray(all) ? all.map(handleOf) : []))
    .filter(({ value }) => !['anyOf', 'oneOf'].some((keyword) => keyword in shapeOf(description, value)));
}

function mayNest(description: Description, schema: SchemaHandle | null): boolean {
  const types = schema === null ? [] : typesOf(shapeOf(description, schema.value));
  return types.length === 0 || types.includes('object') || types.includes('array');
}

function readNode(description: Description, schema: SchemaHandle | null, node: Node): unknown {
  if ('members' in node) return readMembers(description, schema, node.members);
  return readTexts(description, { name: '', style: 'form', explode: true }, schema, node);
}

/** The first candidate that the schema admits; else the first of a type that it admits, else the first. */
function readAs(description: Description, schema: SchemaHandle | null, candidates: readonly unknown[]): unknown {
  if (schema === null) return candidates[0];
  const admitted = candidates.findIndex((candidate) => description.fits(schema, candidate) === true);
  if (admitted >= 0) return candidates[admitted];
  const validator = description.validator(schema, 'request');
  const isOfType = (candidate: unknown): boolean =>
    validator?.(candidate).every(({ pointer, keyword }) => pointer !== '' || keyword !== 'type') === true;
  return candidates[Math.max(0, candidates.findIndex(isOfType))];
}

/** A text as the JSON scalar that it spells. */
function scalarOf(text: string): unknown {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : text;
}

/** The object that a text spells as JSON, where it does. Most texts are no JSON, and to find that out by an error is dear. */
function objectIn(text: string): readonly unknown[] {
  const value = /^\s*\{/.test(text) ? parsedJson(text) : undefined;
  return isObject(value) ? [value] : [];
}

function handleOf(value: unknown): SchemaHandle {
  return { pointer: '', value };
}

function itemSchema(description: Description, schema: SchemaHandle | null): SchemaHandle | null {
  const { items } = shapeOf(description, schema?.value);
  return isObject(items) ? handleOf(items) : null;
}

/** Tells whether an exploded object of the schema may have a member of this name; a map may have any. */
function isMemberOf(description: Description, schema: SchemaHandle | null, name: string): boolean {
  const shape = shapeOf(description, schema?.value);
  if (!typesOf(shape).includes('object')) return false;
  return isObject(shape.properties) ? Object.hasOwn(shape.properties, name) : true;
}

function named(pairs: readonly Pair[]): Members {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return new Map([...byName].map(([name, all]) => [name, all.map(([, text]) => text)]));
}

/** Members whose names stand in brackets after the name, at any depth: `name[a][b]=c`. */
function deepMembers(name: string, pairs: readonly Pair[]): Members {
  const inner = pairs.flatMap(([given, text]): readonly Pair[] => {
    const [, member, rest] = given.startsWith(`${name}[`)
      ? (/^\[([^\]]*)\](.*)$/.exec(given.slice(name.length)) ?? [])
      : [];
    return member === undefined ? [] : [[`${member}${rest}`, text]];
  });
  const names = new Set(inner.map(([given]) => given.replace(/\[.*$/, '')));
  return new Map(
    [...names].map((member): [string, Node] => {
      const members = deepMembers(member, inner);
      const texts = inner.flatMap(([given, text]) => (given === member || given === `${member}[]` ? [text] : []));
      return [member, texts.length > 0 || members.size === 0 ? texts : { members }];
    }),
  );
}

function pairOf(text: string): Pair | null {
  const at = text.indexOf('=');
  return at <= 0 ? null : [text.slice(0, at), text.slice(at + 1)];
}

/** `R,100,G,200` as pairs. */
function alternating(items: readonly string[]): readonly (Pair | null)[] {
  if (items.length % 2 === 1) return [null];
  return items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1] ?? ''] as const] : []));
}
