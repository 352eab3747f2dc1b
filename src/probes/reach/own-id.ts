// The id of the thing itself in the body of a write: many servers refuse a body that names another thing than the path does, and some
// would move the thing.
import { normal } from '../../facts/nouns.ts';
import { parameterNames, trimmed } from '../../facts/paths.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';

/** The body with the id that the path names, where it has a place for one: at its top, or in the resource object of JSON:API. */
export function withOwnId(
  { method, path }: Operation,
  pathValues: Readonly<Record<string, string>>,
  body: JsonObject,
): JsonObject {
  const last = parameterNames(path).at(-1);
  const id = last === undefined ? undefined : pathValues[last];
  const isOfOne = (method === 'PUT' || method === 'PATCH') && trimmed(path).endsWith(`{${last}}`);
  if (last === undefined || id === undefined || !isOfOne) return body;
  const { data } = body;
  if (isObject(data) && 'type' in data && 'id' in data) return { ...body, data: { ...data, ...named(data, 'id', id) } };
  const name = Object.keys(body).find((one) => normal(one) === normal(last)) ?? 'id';
  return name in body ? { ...body, ...named(body, name, id) } : body;
}

/** The member with the id in the form that it has: a number stays one. */
function named(object: JsonObject, name: string, id: string): JsonObject {
  const drawn = object[name];
  if (typeof drawn === 'string') return { [name]: id };
  return typeof drawn === 'number' && /^\d{1,15}$/.test(id) ? { [name]: Number(id) } : {};
}
