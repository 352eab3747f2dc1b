// Resources: what the path templates of one service's operations name, and where their ids come from.
import { REGISTER_OPERATION } from '../facts.ts';
import { asObject } from '../json.ts';
import { flatten } from '../schema/flatten.ts';
import type { ServedDocument, ServedOperation } from '../schema/served.ts';
import { listShape, successOf } from '../schema/success.ts';
import { collectionOf, parametersOf, shapeOf, snakeCase } from './paths.ts';

export interface Resource {
  /** Path template of the collection. */
  readonly template: string;
  /** Path parameter that holds an item's id; null when no path leads to an item. */
  readonly param: string | null;
  /** Member of an item's body that holds its id. */
  readonly idMember: string;
  /** Schema that ids follow. */
  readonly idSchema: unknown;
  readonly document: ServedDocument;
  /** Items there from the start. */
  readonly seeds: number;
  /** False when ids come from nowhere but the configuration's fixtures. */
  readonly discoverable: boolean;
  /** One collection for all accounts (registrations). */
  readonly shared: boolean;
}

export type Paging = 'offset' | 'page' | 'limit' | 'none';

const SEEDED_ITEMS = 3;
const SEEDED_PAGED_ITEMS = 57;

export class Resources {
  private readonly made = new Map<string, Resource>();
  /** Operations at a path, and those at the item path below it, by the path's shape. */
  private readonly at: Map<string, ServedOperation[]>;
  private readonly below: Map<string, ServedOperation[]>;
  /** Schema of the parameter that follows a path, by the path's shape. */
  private readonly following = new Map<string, { name: string; schema: unknown; document: ServedDocument }>();

  constructor(operations: readonly ServedOperation[]) {
    this.at = Map.groupBy(operations, ({ path }) => shapeOf(path));
    this.below = Map.groupBy(operations, ({ path }) => shapeOf(collectionOf(path) ?? ''));
    for (const { path, parameters, document } of operations) {
      for (const { name, collection } of parametersOf(path)) {
        if (this.following.has(shapeOf(collection))) continue;
        const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? true;
        this.following.set(shapeOf(collection), { name, schema, document });
      }
    }
  }

  /** All resources that some path leads to. */
  all(): readonly Resource[] {
    for (const shape of this.following.keys()) if (!this.isChoice(shape)) this.under(shape);
    return [...this.made.values()];
  }

  /** A path whose items can be listed or reached. */
  isCollection(path: string): boolean {
    const shape = shapeOf(path);
    return this.below.has(shape) || (this.at.get(shape) ?? []).some((one) => one.method === 'GET' && isList(one));
  }

  /** True for a parameter with an enum: it chooses among values and names no resource. */
  isChoice(collection: string): boolean {
    const next = this.following.get(shapeOf(collection));
    return next !== undefined && 'enum' in flatten(next.document.root, next.schema);
  }

  /** The resource whose collection stands at the path template. */
  under(template: string): Resource {
    const shape = shapeOf(template);
    const made = this.made.get(shape) ?? this.describe(template);
    this.made.set(shape, made);
    return made;
  }

  private describe(template: string): Resource {
    const shape = shapeOf(template);
    const at = this.at.get(shape) ?? [];
    const next = this.following.get(shape);
    const document = at[0]?.document ?? next?.document;
    if (document === undefined) throw new Error(`no operation leads to ${template}`);
    const lists = at.filter(
      (one) =>
        one.method === 'GET' && listShape(one, successOf(one, { creates: false }).schema, { likely: true }) !== null,
    );
    const bodies = [
      ...(this.below.get(shape) ?? [])
        .filter((one) => one.method === 'GET')
        .map((one) => successOf(one, { creates: false }).schema),
      ...lists.map((one) => listShape(one, successOf(one, { creates: false }).schema, { likely: true })?.items),
      ...at.filter((one) => one.method === 'POST').map((one) => successOf(one, { creates: true }).schema),
    ];
    const id = idMemberOf(document.root, bodies, next?.name ?? null);
    const register = at.some((one) => one.key === REGISTER_OPERATION);
    const paged = lists.some((one) => pagingOf(one) !== 'none');
    return {
      template,
      param: next?.name ?? null,
      idMember: id?.name ?? 'id',
      idSchema: { allOf: [next?.schema ?? true, id?.schema ?? true] },
      document,
      seeds: register ? 0 : paged ? SEEDED_PAGED_ITEMS : SEEDED_ITEMS,
      discoverable: id !== null && (lists.length > 0 || at.some((one) => one.method === 'POST')),
      shared: register,
    };
  }
}

function isList(operation: ServedOperation): boolean {
  return (
    listShape(operation, successOf(operation, { creates: false }).schema, {
      likely: pagingOf(operation) !== 'none',
    }) !== null
  );
}

/** Which member of an item holds its id; "id" of an open schema; null when no member looks like one. */
function idMemberOf(
  root: unknown,
  bodies: readonly unknown[],
  param: string | null,
): { name: string; schema: unknown } | null {
  const tail = param === null ? '' : (snakeCase(param).split('_').at(-1) ?? '');
  const own = param === null ? [] : [param, snakeCase(param), tail];
  const names = ['id', ...own, 'uuid', 'code', 'key', 'slug', 'handle'];
  for (const body of bodies) {
    const properties = asObject(flatten(root, body).properties);
    if (Object.keys(properties).length === 0) return { name: 'id', schema: true };
    const name = names.find((one) => one !== '' && one in properties);
    if (name !== undefined) return { name, schema: properties[name] };
  }
  return null;
}

/** How the operation's query pages. */
export function pagingOf(operation: ServedOperation): Paging {
  const names = new Set(operation.parameters.filter((one) => one.in === 'query').map((one) => one.name));
  if (!names.has('limit')) return names.has('page') ? 'page' : 'none';
  return names.has('offset') ? 'offset' : names.has('page') ? 'page' : 'limit';
}
