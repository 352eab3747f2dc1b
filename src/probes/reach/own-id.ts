// The id of the thing itself in the body of a write: many servers refuse a body that names another thing than the path does, and some
// would move the thing.
import type { PlannedBody } from '../../exchange/exchange.ts';
import { memberOf } from '../../facts/nouns.ts';
import { endsWithParameter, parameterNames } from '../../facts/paths.ts';
import type { Wrapper } from '../../facts/wrapper.ts';
import { isObject, type JsonObject, normal } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';

/** A thing, as the path of a call names it. */
export interface Named {
  readonly id: string;
  /** The parameter of its path; null: none is described. */
  readonly parameter: string | null;
}

/** The thing that a change is for; null for any other call. */
export function changedThing({ method, path }: Operation, pathValues: Readonly<Record<string, string>>): Named | null {
  const parameter = parameterNames(path).at(-1);
  const id = parameter === undefined ? undefined : pathValues[parameter];
  if (parameter === undefined || id === undefined || (method !== 'PUT' && method !== 'PATCH')) return null;
  return endsWithParameter(path, parameter) ? { id, parameter } : null;
}

/** The body under the id of the thing, where it has a place for one: beside its members, or beside what wraps them. */
export function withOwnId(body: JsonObject, thing: Named, [outer, ...inner]: Wrapper = []): JsonObject {
  const names = [...(thing.parameter === null ? [] : [normal(thing.parameter), memberOf(thing.parameter)]), 'id'];
  const own = names.flatMap((name) => Object.keys(body).find((one) => name !== '' && normal(one) === name) ?? [])[0];
  const named = own === undefined ? body : { ...body, [own]: idAs(body[own], thing.id) };
  const below = outer === undefined ? undefined : body[outer];
  return outer === undefined || !isObject(below) ? named : { ...named, [outer]: withOwnId(below, thing, inner) };
}

/** The same of the body that a request sends; one that is no JSON object stays as it is. */
export function bodyNaming(body: PlannedBody, thing: Named, wrapper: Wrapper): PlannedBody {
  if (body.kind !== 'json' || !isObject(body.value)) return body;
  return { ...body, value: withOwnId(body.value, thing, wrapper) };
}

/** The id in the form that the member has: a number stays one, and what is neither that nor a text stays as it is. */
function idAs(drawn: unknown, id: string): unknown {
  if (typeof drawn === 'string') return id;
  return typeof drawn === 'number' && /^\d{1,15}$/.test(id) ? Number(id) : drawn;
}
