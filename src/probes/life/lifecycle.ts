// Finds the operations that make, show, list, change and delete one kind of resource, and plans calls on one of them.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { createdId, locatedId, madeObject } from '../../facts/created.ts';
import { nounsOf } from '../../facts/identity.ts';
import { collectionTemplate, fillPath, parameterNames, trimmed, valuesOf } from '../../facts/paths.ts';
import { creatorFor } from '../reach/chains.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** The operations on one kind of resource; null: none is described, or reached. */
export interface Lifecycle {
  readonly creator: Reached;
  readonly reader: Reached | null;
  readonly lister: Reached | null;
  readonly amender: Reached | null;
  readonly replacer: Reached | null;
  readonly remover: Reached | null;
}

/** An item with the write that made it, and a reading of it. */
export interface Seen {
  readonly subject: Subject;
  readonly write: Exchange;
  readonly reading: Exchange;
}

/** The kinds of resources that the operations make, in the order of the operations that make them. */
export function lifecyclesOf({ contract }: World, reached: readonly Reached[]): readonly Lifecycle[] {
  const byCreator = new Map<string, Reached[]>();
  for (const one of reached) {
    if (!/^(GET|PATCH|PUT|DELETE)$/.test(one.operation.method)) continue;
    const creator = creatorFor(one, reached, contract === 'openapi');
    if (creator === null) continue;
    const name = nameOf(creator.operation);
    byCreator.set(name, [...(byCreator.get(name) ?? []), one]);
  }
  return reached.flatMap((creator) => {
    const items = creator.operation.method === 'POST' ? byCreator.get(nameOf(creator.operation)) : undefined;
    return items === undefined ? [] : [lifecycleOf(creator, items, reached)];
  });
}

function lifecycleOf(creator: Reached, items: readonly Reached[], reached: readonly Reached[]): Lifecycle {
  const by = (method: string): Reached | null => items.find(({ operation }) => operation.method === method) ?? null;
  const [first] = items;
  const parameter = parameterNames(first?.operation.path ?? '').at(-1) ?? '';
  const collection = trimmed(collectionTemplate(first?.operation.path ?? '', parameter));
  const listerAt = (path: string): Reached | null =>
    reached.find(
      ({ operation, proof }) =>
        operation.method === 'GET' &&
        operation.service === creator.operation.service &&
        trimmed(operation.path) === trimmed(path) &&
        proof !== null,
    ) ?? null;
  const lister = listerAt(collection) ?? beside(creator, listerAt(creator.operation.path));
  const [amender, replacer] = [by('PATCH'), by('PUT')];
  return { creator, reader: by('GET'), lister, amender, replacer, remover: by('DELETE') };
}

/** The list where things are made that have their own place elsewhere (POST /menus/{menuId}/dishes, GET /dishes/{dishId}), of the one below which they are. */
function beside({ recipe: { pathValues } }: Reached, lister: Reached | null): Reached | null {
  return lister === null ? null : { ...lister, recipe: { ...lister.recipe, pathValues } };
}

/** The first kind of things that can be made and read right below an item of this kind; null for none. */
export function rightBelow(cycle: Lifecycle, all: readonly Lifecycle[]): Lifecycle | null {
  const item = trimmed((cycle.reader ?? cycle.remover)?.operation.path ?? '');
  const isBelow = (one: Reached | null, levels: number): boolean =>
    one !== null &&
    one.operation.service === cycle.creator.operation.service &&
    one.operation.path.startsWith(`${item}/`) &&
    trimmed(one.operation.path).slice(item.length).split('/').length - 1 === levels;
  return all.find(({ creator, reader }) => item !== '' && isBelow(creator, 1) && isBelow(reader, 2)) ?? null;
}

/** Whether things are made below an item of the first kind: they go with it. */
export function carries(
  { reader, remover, amender, replacer, creator }: Lifecycle,
  all: readonly Lifecycle[],
): boolean {
  const item = (reader ?? remover ?? amender ?? replacer)?.operation.path ?? creator.operation.path;
  return all.some(
    ({ creator: { operation } }) =>
      operation.service === creator.operation.service && operation.path.startsWith(`${trimmed(item)}/`),
  );
}

function nameOf({ service, key }: Reached['operation']): string {
  return `${service} ${key}`;
}

/** One resource that was made: its id, and the concrete path of its collection. */
export interface Subject {
  readonly id: string;
  readonly collection: string;
  /** What else may address it. Absent: nothing that is known. */
  readonly object?: Record<string, unknown>;
}

/** What a create made, as its answer shows it; null where it shows no id. */
export function subjectOf({ creator, ...items }: Lifecycle, made: Exchange): Subject | null {
  const item = items.reader ?? items.remover ?? items.amender ?? items.replacer;
  if (item === null) return null;
  const parameter = parameterNames(item.operation.path).at(-1) ?? '';
  const template = collectionTemplate(item.operation.path, parameter);
  const isBelow = trimmed(template) === trimmed(creator.operation.path);
  const collection = isBelow ? made.plan.path.replace(/\/$/, '') : fillPath(template, creator.recipe.pathValues);
  const id = createdId(made, parameter, collection) ?? locatedId(made, collection);
  return id === null ? null : { id, collection, object: madeObject(made) };
}

/** The operation's call on the resource. */
export function planAt(
  world: World,
  { operation, recipe }: Reached,
  { id, collection, object = {} }: Subject,
  probe: string,
  change: Partial<RequestPlan> = {},
): RequestPlan {
  const name = parameterNames(operation.path).at(-1) ?? '';
  const above = valuesOf(collectionTemplate(operation.path, name), collection);
  const address = world.knowledge.addressOf(operation, name, object, id);
  const pathValues = { ...recipe.pathValues, ...above, [name]: address };
  return planOf({ ...recipe, pathValues }, probe, drawFor(world, `life ${operation.key}`), change);
}

/** What the resources are called, in the singular. */
export function nounsAt({ collection }: Subject): readonly string[] {
  return nounsOf(collection);
}
