// Who makes what: the operation that creates the object which another operation's last parameter names.

import { oncePer } from '../../exchange/once-per.ts';
import { nounsBefore, schemaNouns, singular } from '../../facts/nouns.ts';
import { collectionTemplate, endsWithParameter, parameterNames, trimmed } from '../../facts/paths.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import { nestedMaker } from './path-values.ts';

/**
 * The POST on the collection that the operation's last parameter picks from, be it named in the singular (POST /dishes for PUT
 * /dish/{id}); failing that, one that makes the same things below something else (POST /menus/{menuId}/dishes for PUT
 * /dishes/{dishId}); failing that (`byNoun`), a POST of the service that needs no other parameters and answers with what the parameter names.
 */
export function creatorFor(
  item: Described,
  all: readonly Described[],
  { byNoun }: { readonly byNoun: boolean },
): Described | null {
  const { path, service } = item.operation;
  const last = parameterNames(path).at(-1);
  if (last === undefined || !endsWithParameter(path, last)) return null;
  const { byPath, bySingular, byService } = postsOf(all);
  const collection = trimmed(collectionTemplate(path, last));
  const near = byPath.get(`${service} ${collection}`) ?? bySingular.get(`${service} ${inSingular(collection)}`);
  if (near !== undefined) return near;
  const posts = byService.get(service) ?? [];
  const maker = nestedMaker(item.operation, item.description);
  const nested = maker === null ? undefined : posts.find(({ operation }) => operation === maker);
  if (nested !== undefined || !byNoun) return nested ?? null;
  const given = parameterNames(path).slice(0, -1);
  const nouns = nounsBefore(path, last);
  return (
    posts.find((post) => {
      const needs = parameterNames(post.operation.path);
      return needs.every((name) => given.includes(name)) && answersWith(post, nouns[0] ?? '');
    }) ?? null
  );
}

/** The operation that makes what the item's last parameter names: as `creatorFor` finds it, else, by a description alone, one that makes it by name. */
export function makerFor(
  item: Described,
  all: readonly Described[],
  { isOpen }: { readonly isOpen: boolean },
): Described | null {
  const creator = creatorFor(item, all, { byNoun: isOpen });
  if (creator !== null || !isOpen) return creator;
  const { path, service } = item.operation;
  const named = all.find(
    ({ operation, description }) =>
      operation.service === service && trimmed(operation.path) === trimmed(path) && makesByName(operation, description),
  );
  return named ?? null;
}

/**
 * Tells whether the operation may make what its last parameter names: a PUT, or a POST to what can be read or deleted
 * at the same path, where it declares 201 or no POST on the collection makes any (`POST /users/{name}`); any other
 * changes what there is.
 */
export function makesByName({ method, path, responses }: Operation, { operations }: Description): boolean {
  const last = parameterNames(path).at(-1);
  if (last === undefined || !endsWithParameter(path, last)) return false;
  if (method !== 'POST') return method === 'PUT';
  const creates = declares201(responses) || !isDescribed(operations, collectionTemplate(path, last), 'POST');
  return creates && isDescribed(operations, path, 'GET', 'DELETE');
}

/** Tells whether things of the kind are made by this PUT alone, under a name that the caller chooses: no POST adds to their collection. */
export function makesAlone(operation: Operation, description: Description): boolean {
  const { method, path, responses } = operation;
  if (method !== 'PUT' || !declares201(responses) || !makesByName(operation, description)) return false;
  const last = parameterNames(path).at(-1) ?? '';
  return !isDescribed(description.operations, collectionTemplate(path, last), 'POST');
}

function declares201(responses: Operation['responses']): boolean {
  return responses.some(({ status }) => status === '201');
}

function isDescribed(operations: readonly Operation[], place: string, ...methods: readonly string[]): boolean {
  return operations.some((other) => methods.includes(other.method) && trimmed(other.path) === trimmed(place));
}

/** The path of a collection with its last word in the singular: one form of /dishes and of /dish/{id}. */
function inSingular(path: string): string {
  const cut = path.lastIndexOf('/') + 1;
  return path.endsWith('}') ? path : `${path.slice(0, cut)}${singular(path.slice(cut))}`;
}

/** Tells whether the item's last parameter picks from the collection, be it named in the singular or in the plural. */
export function isItemOf({ path, service }: Operation, collection: Operation): boolean {
  const last = parameterNames(path).at(-1);
  if (service !== collection.service || last === undefined || !endsWithParameter(path, last)) return false;
  return inSingular(trimmed(collectionTemplate(path, last))) === inSingular(trimmed(collection.path));
}

interface Posts {
  /** Creates by service and path; of equal ones the first. */
  readonly byPath: ReadonlyMap<string, Described>;
  /** The same with the last word of the path in the singular. */
  readonly bySingular: ReadonlyMap<string, Described>;
  readonly byService: ReadonlyMap<string, readonly Described[]>;
}

/** The POSTs: sought once, however many operations ask who creates for them. */
const postsOf = oncePer((all: readonly Described[]): Posts => {
  const creating = all.filter(({ operation }) => operation.method === 'POST');
  const byPlace = (placeOf: (path: string) => string): ReadonlyMap<string, Described> =>
    new Map(
      creating
        .map((one) => [`${one.operation.service} ${placeOf(trimmed(one.operation.path))}`, one] as const)
        .toReversed(),
    );
  return {
    byPath: byPlace((path) => path),
    bySingular: byPlace(inSingular),
    byService: Map.groupBy(creating, ({ operation }) => operation.service),
  };
});

/** Tells whether the success of an operation is described by a schema of that name. */
function answersWith({ operation, description }: Described, noun: string): boolean {
  const declared = declaredResponse(operation, 201) ?? declaredResponse(operation, 200);
  return noun !== '' && schemaNouns(description, declared?.content[0]?.schema ?? null).includes(noun);
}
