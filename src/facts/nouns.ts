// Brings the nouns of paths, parameters and schemas to one form, so that names of things can be compared.

import { uriDecoded } from '../exchange/decoded.ts';
import { oncePer } from '../exchange/once-per.ts';
import { isObject, normal } from '../openapi/json.ts';
import type { Description, SchemaHandle } from '../openapi/model/operation.ts';
import { trimmed } from './paths.ts';

const VERSION = /^(v\d+(\.\d+)?|api|rest)$/i;
/** An area of an API, in whose paths things stand that have nothing else in common. */
const AREA = /^(admin|management|internal|public|private)$/i;
/** Parts of a schema's name beside the noun. */
const AFFIXES = new Set(
  'response request dto read out output schema model resource item summary detail details list collection page paged paginated full base public info get create created new simple minimal basic api object data entity record result results view update updated'.split(
    ' ',
  ),
);
const MAX_DEPTH = 4;

export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(noun)) return noun;
  if (/(ches|shes|xes|sses)$/.test(noun)) return noun.slice(0, -2);
  return noun.endsWith('s') ? noun.slice(0, -1) : noun;
}

/** The noun of what a parameter or property names: "product" for productId. */
export function nounOf(parameter: string): string {
  return singular(normal(parameter).replace(/(uu)?id$/, ''));
}

/** Noun of the collection at the path, as parameters call it: /v1/products → product. */
export function nounAt(path: string): string {
  return singular(lastNoun(path));
}

const PAYMENTS = ['payment', 'transaction', 'charge'];

/** Words of the path's last segment in the singular; those of payments where it names one. */
export function nounsOf(path: string): readonly string[] {
  const words = path.slice(path.lastIndexOf('/') + 1).split(/[^a-zA-Z]+/);
  const nouns = words.map((word) => singular(normal(word))).filter((word) => word !== '');
  return nouns.some((word) => PAYMENTS.includes(word)) ? [...new Set([...nouns, ...PAYMENTS])] : nouns;
}

/** The last segment of a path, a trailing slash aside. */
export function lastNoun(path: string): string {
  const at = trimmed(path);
  return normal(at.slice(at.lastIndexOf('/') + 1));
}

/** The member that a parameter asks for beside the noun: "name" for flow_name; empty where it says none, or takes the id as well (id_or_name). */
export function memberOf(parameter: string): string {
  return /.(?<!idor)(name|slug|key|code|number|uuid|handle|sku|email|login)$/.exec(normal(parameter))?.[1] ?? '';
}

/** Nouns of what the parameter of a path template may name, likeliest first: its own, then those of the segments before it. */
export function nounsBefore(template: string, parameter: string): readonly string[] {
  const before = template.slice(0, template.indexOf(`{${parameter}}`)).split('/');
  const constant = before.filter((segment) => segment !== '' && !segment.includes('{') && !VERSION.test(segment));
  const segments = constant.filter((segment, index) => index === constant.length - 1 || !AREA.test(segment));
  const member = memberOf(parameter);
  const own = normal(parameter);
  const stem = member === '' ? '' : singular(own.slice(0, own.length - member.length));
  const nouns = [nounOf(parameter), stem, ...segments.toReversed().map((segment) => singular(normal(segment)))];
  return [...new Set(nouns)].filter((noun) => noun !== '');
}

/** Nouns of what a schema describes, by the names of its components: of itself, of its items, of the lists that it wraps. */
export function schemaNouns(description: Description, schema: SchemaHandle | null): readonly string[] {
  return schema === null || !isObject(schema.value) ? [] : nounsIn(schema.value, description);
}

const nounsIn = oncePer((schema: object, description: Description): readonly string[] => {
  const found = new Set<string>();
  collectNouns(description, schema, 0, found);
  return [...found];
});

function collectNouns(description: Description, schema: unknown, depth: number, found: Set<string>): void {
  if (!isObject(schema) || depth > MAX_DEPTH) return;
  const name = typeof schema.$ref === 'string' ? componentName(schema.$ref) : '';
  if (name !== '') found.add(name);
  const shape = description.deref(schema);
  if (!isObject(shape)) return;
  const parts = [shape.items, ...[shape.allOf, shape.anyOf, shape.oneOf].flat()];
  for (const part of parts) collectNouns(description, part, depth + 1, found);
  if (name !== '' && depth > 0) return;
  for (const items of itemsOfLists(description, shape))
    collectNouns(description, items, name === '' ? depth + 1 : MAX_DEPTH, found);
}

/** Schemas of the items of lists among the members. */
function itemsOfLists(description: Description, { properties }: Record<string, unknown>): readonly unknown[] {
  const members = Object.values(isObject(properties) ? properties : {}).map((member) => description.deref(member));
  return members.flatMap((member) => (isObject(member) && member.type === 'array' ? [member.items] : []));
}

function componentName(reference: string): string {
  const last =
    uriDecoded(reference.slice(reference.lastIndexOf('/') + 1))
      .split('.')
      .at(-1) ?? '';
  const words = last.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const kept = words
    .map((word) => word.toLowerCase())
    .filter((word) => !AFFIXES.has(word) && !/^(v\d*|\d+)$/.test(word));
  return singular(kept.join(''));
}
