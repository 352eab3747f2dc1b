// Which of its declared responses an operation gives when all is well.

import { asObject, type JsonObject } from '../json.ts';
import { branches, flatten, typesOf } from './flatten.ts';
import type { ServedOperation, ServedResponse } from './served.ts';

export interface Success {
  readonly status: number;
  readonly response: ServedResponse | null;
  /** Media type of the body; null for no body. */
  readonly mediaType: string | null;
  readonly schema: unknown;
  readonly examples: readonly unknown[];
}

/** The success response: the lowest 2xx (201 before 200 for what creates), else a redirect, else `default`, else a bare 200. */
export function successOf(operation: ServedOperation, { creates }: { readonly creates: boolean }): Success {
  const { responses } = operation;
  const explicit = responses
    .filter(({ status }) => /^2\d\d$/.test(status))
    .sort((a, b) => a.status.localeCompare(b.status));
  const found =
    (creates ? explicit.find(({ status }) => status === '201') : undefined) ??
    explicit[0] ??
    responses.find(({ status }) => /^2XX$/i.test(status)) ??
    responses.find(({ status }) => /^3\d\d$/.test(status)) ??
    responses.find(({ status }) => status === 'default') ??
    null;
  const status = found !== null && /^\d{3}$/.test(found.status) ? Number(found.status) : creates ? 201 : 200;
  const media = found?.content.find(({ mediaType }) => /[/+]json$/.test(mediaType)) ?? found?.content[0];
  const bodiless = media === undefined || status === 204;
  return {
    status,
    response: found,
    mediaType: bodiless ? null : media.mediaType,
    schema: media?.schema ?? true,
    examples: media?.examples ?? [],
  };
}

/** Where a list stands in a body: the body itself, or a member of an envelope. */
export interface ListShape {
  /** null: the body is the array. */
  readonly member: string | null;
  readonly items: unknown;
}

const LIST_MEMBERS = ['data', 'items', 'results'];

/** How the body holds a list; null when it holds none. An open schema holds an array when `likely`. */
export function listShape(
  operation: ServedOperation,
  schema: unknown,
  { likely }: { readonly likely: boolean },
): ListShape | null {
  const { root } = operation.document;
  const flat = flatten(root, schema);
  const alternatives = branches(root, flat);
  const array = alternatives.find((one) => typesOf(one)[0] === 'array');
  if (array !== undefined) return { member: null, items: array.items ?? true };
  for (const one of alternatives) {
    const member = listMember(root, asObject(one.properties));
    if (member !== null) return { member, items: flatten(root, asObject(one.properties)[member]).items ?? true };
  }
  return likely && isOpen(flat) ? { member: null, items: true } : null;
}

function listMember(root: unknown, properties: JsonObject): string | null {
  const arrays = Object.keys(properties).filter((name) => typesOf(flatten(root, properties[name]))[0] === 'array');
  // An order has a total as well: of an envelope it is a count.
  const isCount = (name: string) => /^(integer|number)$/.test(typesOf(flatten(root, properties[name]))[0] ?? '');
  const paged = ['total', 'page', 'total_pages', 'totalPages'].some((name) => name in properties && isCount(name));
  return (
    LIST_MEMBERS.find((name) => arrays.includes(name)) ?? (paged && arrays.length === 1 ? (arrays[0] ?? null) : null)
  );
}

/** True for a schema that says nothing of the value's form. */
export function isOpen(flat: JsonObject): boolean {
  return typesOf(flat).length === 0 && !['oneOf', 'anyOf', 'enum', 'const'].some((keyword) => keyword in flat);
}
