// Which DELETE of the descriptions takes away what an operation made, and where it has to be sent.
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { encodeSegment, fillPath, parameterNames, trimmed, valuesOf } from '../../facts/paths.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { creatorFor, isItemOf, makesByName } from './chains.ts';
import { nestedMaker } from './path-values.ts';

/** A DELETE, and the concrete path that it takes for one object. */
export interface Undoing {
  readonly deleter: Described;
  readonly path: string;
}

/** The concrete path of an object of a collection. */
export function pathIn(collection: string, id: string): string {
  return `${trimmed(collection)}/${encodeSegment(id)}`;
}

/** The operation that deletes the object at a concrete path; null where none does. */
export function deleterAt(catalogue: Catalogue, path: string): Described | null {
  return operationAt(catalogue, 'DELETE', path);
}

/** The operation that reads the object at a concrete path; null where none does. */
export function readerAt(catalogue: Catalogue, path: string): Described | null {
  return operationAt(catalogue, 'GET', path);
}

/** With or without a slash at the end of the path. */
function operationAt(catalogue: Catalogue, method: string, path: string): Described | null {
  return catalogue.match(method, path) ?? catalogue.match(method, `${path}/`);
}

const deleters = new WeakMap<Catalogue, ReadonlyMap<Operation, Described>>();

/** DELETEs by the operation that makes what they take: sought once, however often it is asked. */
function deletersOf(catalogue: Catalogue): ReadonlyMap<Operation, Described> {
  let known = deleters.get(catalogue);
  if (known === undefined) {
    const pairs = catalogue.operations
      .filter(({ operation }) => operation.method === 'DELETE')
      .flatMap((one) => {
        const creator = creatorFor(one, catalogue.operations, { byNoun: true });
        return creator === null ? [] : [[creator.operation, one] as const];
      });
    known = new Map(pairs.toReversed());
    deleters.set(catalogue, known);
  }
  return known;
}

/** Tells whether single items are described of the collection to which the operation adds. */
export function hasItems(catalogue: Catalogue, operation: Operation): boolean {
  const item = pathIn(fillPath(operation.path, {}), 'x');
  if (['GET', 'DELETE'].some((method) => catalogue.match(method, item) !== null)) return true;
  return catalogue.operations.some(
    ({ operation: other }) => (other.method === 'GET' || other.method === 'DELETE') && isItemOf(other, operation),
  );
}

/** Tells whether the descriptions show a DELETE for what the operation makes, as far as they tell without an answer. */
export function isUndoable(catalogue: Catalogue, operation: Operation): boolean {
  const sample = fillPath(operation.path, {});
  if (deleterAt(catalogue, pathIn(sample, 'x')) !== null || deletersOf(catalogue).has(operation)) return true;
  const described = catalogue.operation(operation.key, operation.service);
  return described !== null && makesByName(operation, described.description) && deleterAt(catalogue, sample) !== null;
}

/**
 * How to delete what the answer to a create tells of: at the path that Location names, below the collection, or by the
 * DELETE of what the operation makes elsewhere (POST /dishes, DELETE /dish/{id}; POST /signup, DELETE /users/{id}). null where nothing
 * is described. Elsewhere, but for a path in the singular, only a 201 and what shows `nonce`, which nothing but this run sends: a sign-in answers with a user, too. Not asked of what is made
 * among its like (POST /menus/{menuId}/dishes, DELETE /dishes/{dishId}).
 */
export function undoingOf(
  catalogue: Catalogue,
  { plan, request, response }: Exchange,
  id: string | null,
  nonce: string,
): Undoing | null {
  const located = response?.status === 201 ? locationOf(header(response.headers, 'location'), request.url) : null;
  const atLocation = located === null || isWithin(plan.path, located) ? null : deleterAt(catalogue, located);
  if (located !== null && atLocation !== null) return { deleter: atLocation, path: located };
  if (id === null) return null;
  const below = pathIn(plan.path, id);
  const deleter = deleterAt(catalogue, below);
  if (deleter !== null) return { deleter, path: below };
  return undoingElsewhere(catalogue, { plan, response }, id, nonce);
}

function undoingElsewhere(
  catalogue: Catalogue,
  { plan, response }: Pick<Exchange, 'plan' | 'response'>,
  id: string,
  nonce: string,
): Undoing | null {
  const maker = plan.operation === null ? null : catalogue.operation(plan.operation, plan.service);
  const deleter = maker === null ? undefined : deletersOf(catalogue).get(maker.operation);
  if (maker === null || deleter === undefined || response === null) return null;
  const isBeside = isItemOf(deleter.operation, maker.operation);
  if (!isBeside && response.status !== 201) return null;
  const makesSuch = isBeside || nestedMaker(deleter.description, deleter.operation) === maker.operation;
  if (!makesSuch && !response.body.toLowerCase().includes(nonce.toLowerCase())) return null;
  const target = parameterNames(deleter.operation.path).at(-1) ?? '';
  const values = { ...valuesOf(maker.operation.path, plan.path), [target]: id };
  return { deleter, path: fillPath(deleter.operation.path, values) };
}

/** Tells whether the path is the other or lies below it: an object that is called there was there before. */
function isWithin(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`);
}

/**
 * The path that Location names, without query and slash at its end; null for none, and for another host: what stands there
 * under this path is not what this host made.
 */
function locationOf(location: string | null, requested: string): string | null {
  if (location === null || !/^\/|^https?:/i.test(location) || !URL.canParse(location, requested)) return null;
  const { host, pathname } = new URL(location, requested);
  return host === new URL(requested).host ? trimmed(pathname) : null;
}
