// Bodies of resources: an example of the declared schema, with the item's id and what requests said of it laid over.

import { asObject, isObject, type JsonObject } from '../json.ts';
import type { Item } from '../store/collections.ts';
import { idInBody } from '../store/ids.ts';
import { snakeCase } from '../store/paths.ts';
import type { Resource } from '../store/resource.ts';
import { firstThatFits, judgeOf } from './compile.ts';
import { exampleOf } from './example.ts';
import { branches, flatten, typesOf } from './flatten.ts';
import type { ServedDocument } from './served.ts';

/** The item's body under the schema, valid by it; made once per item, state and `view` (a name for the schema). */
export function represent(resource: Resource, item: Item, schema: unknown, view: string): unknown {
  const known = item.shown.get(view);
  if (known !== undefined) return known;
  const id = { [resource.idMember]: idInBody(resource, item.id) };
  const own = resource.param === null ? {} : named({ [resource.param]: item.id });
  const body = shown(resource.document, schema, item.seed, [{ ...named(item.parents), ...own, ...id }, item.fields]);
  item.shown.set(view, body);
  return body;
}

/**
 * An example of the schema with the layers' members laid over it, later layers last: members that the schema describes
 * (every member under an open one), leaving out whatever would make the body invalid.
 */
export function shown(document: ServedDocument, schema: unknown, seed: string, layers: readonly JsonObject[]): unknown {
  const judge = judgeOf(document, schema, 'response');
  const drawn = exampleOf(document, schema, seed);
  const others = branches(document.root, flatten(document.root, schema)).slice(
    layers.some(hasMembers) ? 0 : Number.MAX_SAFE_INTEGER,
  );
  for (const make of [() => drawn, ...others.map((one) => () => exampleOf(document, one, seed))]) {
    let body = make();
    layers.forEach((layer, at) => {
      body = overlaid(document, schema, body, layer, at === 0);
    });
    if (judge(body).length === 0) return body;
  }
  return memberByMember(document, schema, drawn, layers);
}

function hasMembers(layer: JsonObject): boolean {
  return Object.keys(layer).length > 0;
}

function memberByMember(
  document: ServedDocument,
  schema: unknown,
  base: unknown,
  layers: readonly JsonObject[],
): unknown {
  const judge = judgeOf(document, schema, 'response');
  let body = base;
  layers.forEach((layer, at) => {
    for (const [member, value] of Object.entries(layer)) {
      const next = overlaid(document, schema, body, { [member]: value }, at === 0);
      if (judge(next).length === 0) body = next;
    }
  });
  return body;
}

/** `trusted` members are the platform's own and may be readOnly. */
function overlaid(
  document: ServedDocument,
  schema: unknown,
  base: unknown,
  layer: JsonObject,
  trusted: boolean,
): unknown {
  const flat = branchFor(document, schema, base);
  if (!isObject(base) || (typesOf(flat).length > 0 && !typesOf(flat).includes('object'))) return base;
  const properties = asObject(flat.properties);
  const isOpen = Object.keys(properties).length === 0 && flat.additionalProperties !== false;
  const taken = Object.entries(layer).filter(([member]) => {
    if (!Object.hasOwn(properties, member)) return isOpen && (!trusted || member === 'id') && member !== '__proto__';
    const { readOnly, writeOnly } = flatten(document.root, properties[member]);
    return writeOnly !== true && (readOnly !== true || trusted);
  });
  const laid = taken.map(([member, value]) => {
    if (!Object.hasOwn(properties, member)) return [member, value];
    const inner = flatten(document.root, properties[member]);
    const under = isObject(value) && isObject(base[member]) && isObject(inner.properties) ? value : null;
    return [
      member,
      under === null ? withoutSecrets(document, inner, value) : overlaid(document, inner, base[member], under, trusted),
    ];
  });
  return { ...base, ...Object.fromEntries(laid) };
}

function branchFor(document: ServedDocument, schema: unknown, value: unknown): JsonObject {
  const alternatives = branches(document.root, flatten(document.root, schema));
  const [only = {}, ...others] = alternatives;
  if (others.length === 0) return only;
  return firstThatFits(document, alternatives, value) ?? only;
}

/** The value without members that the schema, or any alternative of it, marks writeOnly; at any depth. */
function withoutSecrets(document: ServedDocument, schema: unknown, value: unknown): unknown {
  const { root } = document;
  const flats = branches(root, flatten(root, schema));
  if (Array.isArray(value))
    return value.map((item) => withoutSecrets(document, flats.find((flat) => 'items' in flat)?.items ?? true, item));
  if (!isObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const described = flats
      .map((flat) => asObject(flat.properties))
      .filter((properties) => Object.hasOwn(properties, name));
    if (described.some((properties) => flatten(root, properties[name]).writeOnly === true)) continue;
    kept.push([name, withoutSecrets(document, described[0]?.[name] ?? true, inner)]);
  }
  return Object.fromEntries(kept);
}

function named(ids: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(ids).flatMap(([name, id]) => [
      [name, id],
      [snakeCase(name), id],
    ]),
  );
}
