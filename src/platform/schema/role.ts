// Reads off an operation's path and its success response how it acts on the stored resources.
import { EXPORT_OPERATION, REGISTER_OPERATION } from '../facts.ts';
import { collectionOf, parametersOf, shapeOf } from '../store/paths.ts';
import { type Paging, pagingOf, type Resource, type Resources } from '../store/resource.ts';
import { flatten, typesOf } from './flatten.ts';
import type { ServedOperation } from './served.ts';
import { type ListShape, listShape, type Success, successOf } from './success.ts';

export interface Ancestor {
  readonly resource: Resource;
  readonly param: string;
}

interface Acts {
  readonly success: Success;
  /** Items that the path names and that must exist, outermost first; the operation's own item left out. */
  readonly ancestors: readonly Ancestor[];
}

export type Role = Acts &
  (
    | { readonly kind: 'list'; readonly resource: Resource; readonly shape: ListShape; readonly paging: Paging }
    | { readonly kind: 'create'; readonly resource: Resource }
    | { readonly kind: 'item'; readonly verb: ItemVerb; readonly resource: Resource }
    | { readonly kind: 'single' | 'action' | 'export' | 'redirect' }
  );

type ItemVerb = 'read' | 'replace' | 'amend' | 'delete';
const ITEM_VERBS: Readonly<Record<string, ItemVerb>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'amend',
  DELETE: 'delete',
};

/** The operation's role among the resources of its service. */
export function roleOf(operation: ServedOperation, resources: Resources): Role {
  const { method, path } = operation;
  const ancestors = parametersOf(path)
    .filter(({ collection }) => !resources.isChoice(collection))
    .map(({ name, collection }) => ({ resource: resources.under(collection), param: name }));
  const creates = method === 'POST' && isCreation(operation, resources);
  const success = successOf(operation, { creates });
  const acts = { success, ancestors };
  if (success.status >= 300) return { kind: 'redirect', ...acts };
  if (operation.key === EXPORT_OPERATION) return { kind: 'export', ...acts };
  if (creates) return { kind: 'create', ...acts, resource: resources.under(path) };
  const shape =
    method === 'GET' ? listShape(operation, success.schema, { likely: resources.isCollection(path) }) : null;
  if (shape !== null)
    return { kind: 'list', ...acts, shape, paging: pagingOf(operation), resource: resources.under(path) };
  const own = ancestors.at(-1);
  const verb = ITEM_VERBS[method];
  const collection = collectionOf(path);
  if (
    own !== undefined &&
    verb !== undefined &&
    collection !== null &&
    shapeOf(own.resource.template) === shapeOf(collection)
  ) {
    return { kind: 'item', verb, success, ancestors: ancestors.slice(0, -1), resource: own.resource };
  }
  return { kind: method === 'POST' ? 'action' : 'single', ...acts };
}

/** A POST to a collection that answers one object creates an item. */
function isCreation(operation: ServedOperation, resources: Resources): boolean {
  if (operation.key === REGISTER_OPERATION) return true;
  const success = successOf(operation, { creates: true });
  const types = typesOf(flatten(operation.document.root, success.schema));
  const answersObject = success.mediaType !== null && (types.length === 0 || types.includes('object'));
  return answersObject && resources.isCollection(operation.path);
}
