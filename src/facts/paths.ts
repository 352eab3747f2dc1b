// Reads concrete paths by their templates, and fills templates with values.
import { uriDecoded, uriEncoded } from '../exchange/decoded.ts';

/** Names of the template's parameters, left to right. */
export function parameterNames(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}

/** The template's part before the parameter, without trailing slash: the collection that it picks from. */
export function collectionTemplate(template: string, parameter: string): string {
  const before = template.slice(0, template.indexOf(`{${parameter}}`));
  return before.replace(/(?<=[^/])\('?$/.test(before) ? /\('?$/ : /\/[^/]*$/, '');
}

/** Tells whether the template ends with the parameter, behind a slash or, as OData has it, in brackets: /books/{id}, /books({id}). */
export function endsWithParameter(template: string, parameter: string): boolean {
  const ends = [`{${parameter}}`, `({${parameter}})`, `('{${parameter}}')`];
  return ends.some((end) => trimmed(template).endsWith(end));
}

/** The concrete path of a template. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => encodeSegment(values[name] ?? name));
}

/** Percent-encodes one path segment. */
export function encodeSegment(value: string): string {
  return uriEncoded(value);
}

/** Values of the template's parameters in a concrete path of as many segments; whether either ends with a slash makes no difference. */
export function valuesOf(template: string, path: string): Readonly<Record<string, string>> {
  const names = parameterNames(template);
  const pattern = trimmed(template)
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{[^}]+\}/g, '([^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(trimmed(path)) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, uriDecoded(found[index + 1] ?? '')]));
}

/** A path that names one thing in brackets: /Books(7), /Books('a7'). */
const IN_BRACKETS = /^(.*\/[\w.]+)\('?([^()'/]+)'?\)$/;

/** The path of the collection, and the id, of what a concrete path names at its end. */
export function partedPath(path: string): [collection: string, id: string] {
  const at = trimmed(path);
  const [, of, key] = IN_BRACKETS.exec(at) ?? [];
  if (of !== undefined && key !== undefined) return [of, uriDecoded(key)];
  const cut = at.lastIndexOf('/');
  return [at.slice(0, Math.max(cut, 0)), uriDecoded(at.slice(cut + 1))];
}

/** Tells whether something is true of a concrete path, or of one that it lies below. */
export function isOrLiesBelow(path: string, isIt: (path: string) => boolean): boolean {
  return path.split('/').some((_, end, segments) => isIt(segments.slice(0, end + 1).join('/')));
}

/** Without the slash that some frameworks end paths with. */
export function trimmed(path: string): string {
  return path.replace(/\/$/, '');
}
