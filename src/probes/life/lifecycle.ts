// Finds the operations that make, show, list, change and delete one kind of resource, and plans calls on one of them.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { madeObject } from '../../facts/created.ts';
import type { Item } from '../../facts/item-history.ts';
import { chosenName, itemPath, type Kind, ROLES, type Role } from '../../facts/kind.ts';
import { collectionTemplate, parameterNames, trimmed, valuesOf } from '../../facts/paths.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { isItemOf, makerFor } from '../reach/chains.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** The operations on one kind of resource, by what they do to it; null: none is described, or reached. */
type Cycle<T> = { readonly creator: T } & Readonly<Record<Exclude<Role, 'creator'>, T | null>>;
export type Lifecycle = Cycle<Reached>;

/** The probe of all requests that follow a life. */
export const PROBE = 'life/course';

/** The operations of the kind, as facts know them. */
export function kindOf(cycle: Cycle<Described>): Kind {
  const { description } = cycle.creator;
  const operations = ROLES.map((role) => [role, cycle[role]?.operation ?? null] as const);
  return { description, ...(Object.fromEntries(operations) as Omit<Kind, 'description'>) };
}

/** The kinds of resources that the operations make, in the order of the operations that make them. */
export function lifecyclesOf({ contract }: World, reached: readonly Reached[]): readonly Lifecycle[] {
  const all = lifecyclesAmong(reached, { byNoun: contract === 'openapi' }, ({ proof }) => proof !== null);
  return all.map(({ lister, ...cycle }) => {
    const isElsewhere = trimmed(lister?.operation.path ?? '') === trimmed(cycle.creator.operation.path);
    // Where things are made that have their own place elsewhere, it is the list of the one below which they are.
    const { pathValues } = cycle.creator.recipe;
    return {
      ...cycle,
      lister: lister !== null && isElsewhere ? { ...lister, recipe: { ...lister.recipe, pathValues } } : lister,
    };
  });
}

/**
 * The same of operations that others call. `byNoun`: what is made is found by its name, too, and may be made under a name that its sender
 * chooses, where it can be deleted. `isUsable`: whether a list can be read.
 */
export function lifecyclesAmong<T extends Described>(
  all: readonly T[],
  { byNoun }: { readonly byNoun: boolean },
  isUsable: (one: T) => boolean,
): readonly Cycle<T>[] {
  const items = all.filter(({ operation: { method } }) => /^(GET|PATCH|PUT|DELETE)$/.test(method));
  const byCreator = Map.groupBy(items, (one) => makerFor(one, all, { isOpen: byNoun }));
  return all.flatMap((creator) => {
    const own = byCreator.get(creator);
    const cycle = own === undefined ? null : cycleOf(creator, own, all.filter(isUsable));
    return cycle === null || (cycle.remover === null && chosenName(kindOf(cycle)) !== null) ? [] : [cycle];
  });
}

function cycleOf<T extends Described>(creator: T, items: readonly T[], usable: readonly T[]): Cycle<T> {
  const { near = [], far = [] } = Object.groupBy(items, ({ operation }) =>
    isItemOf(operation, creator.operation) ? 'near' : 'far',
  );
  // A reading elsewhere that bears its name may be of something that few of them have.
  const ordered = [...near, ...far.filter((one) => one.operation.method !== 'GET' || usable.includes(one))];
  const by = (method: string): T | null => ordered.find(({ operation }) => operation.method === method) ?? null;
  const path = ordered[0]?.operation.path ?? '';
  const listerAt = (place: string): T | null =>
    usable.find(
      ({ operation: { method, service, path: own } }) =>
        method === 'GET' && service === creator.operation.service && trimmed(own) === trimmed(place),
    ) ?? null;
  const [reader, amender, replacer, remover] = [by('GET'), by('PATCH'), by('PUT'), by('DELETE')];
  const listed =
    listerAt(collectionTemplate(path, parameterNames(path).at(-1) ?? '')) ?? listerAt(creator.operation.path);
  // The path of a create that names what it makes shows that one thing.
  const lister = listed === reader ? null : listed;
  return { creator, reader, lister, amender, replacer, remover };
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

/** Tells whether things are made below an item of the first kind: they go with it. */
export function carries(cycle: Lifecycle, all: readonly Lifecycle[]): boolean {
  const { creator } = cycle;
  const item = itemPath(kindOf(cycle)) ?? creator.operation.path;
  return all.some(
    ({ creator: { operation } }) =>
      operation.service === creator.operation.service && operation.path.startsWith(`${trimmed(item)}/`),
  );
}

/** The operation's call on the item, or on another one of its collection. */
export function planAt(
  world: World,
  { operation, recipe }: Reached,
  { id, collection, facts: [made] }: Pick<Item, 'id' | 'collection' | 'facts'>,
  change: Partial<RequestPlan> = {},
): RequestPlan {
  const name = parameterNames(operation.path).at(-1) ?? '';
  const above = valuesOf(collectionTemplate(operation.path, name), collection);
  const object = made === undefined ? {} : madeObject(made.exchange);
  const address = world.knowledge.addressOf(operation, name, object, id);
  const pathValues = { ...recipe.pathValues, ...above, [name]: address };
  return planOf({ ...recipe, pathValues }, PROBE, drawFor(world, `life ${operation.key}`), change);
}
