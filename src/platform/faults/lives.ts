// The operations on one kind of resource, for faults and allowed oddities that show in what becomes of an item.

import { type Hooks, NoSubject, type Surroundings } from '../deviation.ts';
import { PROBLEMS } from '../envelope.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { refusedInstead } from './fault.ts';

/** The operations that make, list, read, change and delete the items of one collection. */
export interface Lives {
  readonly create: Route;
  readonly list: Route;
  readonly read: Route;
  readonly change: Route;
  readonly remove: Route;
}

/** Hooks about the last served kind of resource that has all these operations, is made without a key, and fits. `method`: how `change` changes an item. */
export function onLives(make: (lives: Lives, around: Surroundings) => Hooks, method = 'PATCH') {
  return (around: Surroundings): Hooks => {
    const found = around.routes.flatMap((read) => livesOf(read, around.routes, method) ?? []).at(-1);
    if (found === undefined)
      throw new NoSubject(`the fault needs a resource that is made, listed, read, changed by ${method} and deleted`);
    return make(found, around);
  };
}

function livesOf(read: Route, routes: readonly Route[], method: string): Lives | null {
  if (read.role.kind !== 'item' || read.role.verb !== 'read') return null;
  const { resource } = read.role;
  const of = (kind: string, verb: string): Route | undefined =>
    routes.find(
      ({ role, operation }) =>
        'resource' in role && role.resource === resource && role.kind === kind && operation.method === verb,
    );
  const [create, list, change, remove] = [
    of('create', 'POST'),
    of('list', 'GET'),
    of('item', method),
    of('item', 'DELETE'),
  ];
  const isKeyed = create?.operation.parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key') ?? true;
  if (create === undefined || list === undefined || change === undefined || remove === undefined || isKeyed)
    return null;
  return { create, list, read, change, remove };
}

/** The id that a call's path names; empty for none. */
export function idAt(call: Call): string {
  const role = call.route?.role;
  return role?.kind === 'item' ? (call.params[role.resource.param ?? ''] ?? '') : '';
}

/** The member of an item that holds its id. */
export function idMemberOf({ read }: Lives): string {
  return read.role.kind === 'item' ? read.role.resource.idMember : 'id';
}

/** The id of the item in a body. */
export function idIn(lives: Lives, body: unknown): string {
  return String(asObject(body)[idMemberOf(lives)] ?? '');
}

/** Tells whether the answer is a success of the route. */
export function isServed(call: Call, answer: Answer, route: Route): boolean {
  return call.route === route && answer.status < 300;
}

/** Changes every item that the resource's operations show, in place. */
export function onShown(lives: Lives, change: (item: JsonObject, call: Call) => void) {
  return onShownBy(lives, ['create', 'list', 'read', 'change'], change);
}

/** The same of those operations that are named. */
export function onShownBy(
  lives: Lives,
  names: readonly (keyof Lives)[],
  change: (item: JsonObject, call: Call) => void,
): Required<Pick<Hooks, 'answer'>> {
  const routes = names.map((name) => lives[name]);
  return {
    answer: (call, answer) => {
      if (answer.status >= 300 || !routes.some((route) => route === call.route)) return;
      for (const item of itemsIn(answer.body)) change(asObject(item), call);
    },
  };
}

/** Changes what a reading of an item shows, by how many readings of it there were, this one included. */
export function onReading(lives: Lives, change: (item: JsonObject, count: number, call: Call) => void) {
  const counts = new Map<string, number>();
  return onShownBy(lives, ['read'], (item, call) => {
    const count = (counts.get(idAt(call)) ?? 0) + 1;
    counts.set(idAt(call), count);
    change(item, count, call);
  });
}

/** The hooks, and before them a note of each success of the route: the item that it made, changed or deleted, and the call. */
export function noting(
  lives: Lives,
  route: Route,
  note: (id: string, call: Call) => unknown,
  hooks: Hooks = {},
): Hooks {
  return {
    ...hooks,
    answer: (call, answer) => {
      if (isServed(call, answer, route)) note(idAt(call) || idIn(lives, answer.body), call);
      return hooks.answer?.(call, answer) ?? answer;
    },
  };
}

/** Hooks that know the last success of the named operation on each item. */
export function onNoted(
  name: keyof Lives,
  hooks: (noted: ReadonlyMap<string, Call>, lives: Lives, around: Surroundings) => Hooks,
  method?: string,
) {
  return onLives((lives, around) => {
    const noted = new Map<string, Call>();
    return noting(lives, lives[name], (id, call) => noted.set(id, call), hooks(noted, lives, around));
  }, method);
}

/** Changes the bodies that the named operation takes. */
export function onSent(
  name: keyof Lives,
  change: (body: JsonObject, call: Call, around: Surroundings) => JsonObject,
  method?: string,
) {
  return onLives((lives, around) => sending(lives[name], (body, call) => change(body, call, around)), method);
}

/** Reading what is lost is answered as reading an unknown id. */
export function unreadable(
  lives: Lives,
  around: Surroundings,
  isLost: (id: string, call: Call) => boolean,
): Required<Pick<Hooks, 'answer'>> {
  return {
    answer: (call, answer) =>
      isServed(call, answer, lives.read) && isLost(idAt(call), call)
        ? refusedInstead(call, answer, PROBLEMS.notFound, around)
        : answer,
  };
}

/** Changes the body that the platform takes. */
export function sending(route: Route, change: (body: JsonObject, call: Call) => JsonObject): Hooks {
  return {
    act: (call) => {
      if (call.route === route && isObject(call.body)) call.body = change(call.body, call);
    },
  };
}

/** The items that a body shows: those of a list, or the one. */
export function itemsIn(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const { data } = asObject(body);
  return Array.isArray(data) ? data : [body];
}

/** Lists leave out the items that are hidden, and page and count as if these were not there. */
export function listedUnless(
  lives: Lives,
  around: Surroundings,
  isHidden: (id: string, call: Call) => boolean,
): Required<Pick<Hooks, 'act'>> {
  return {
    act: (call, proceed) => {
      const collection = call.route === lives.list ? around.collectionOf(call) : null;
      return collection === null ? proceed() : collection.hiding(({ id }) => isHidden(id, call), proceed);
    },
  };
}

/** After a delete that was answered a success the item stays, and these operations go on to show it. */
export function keeping(lives: Lives, around: Surroundings, shownBy: readonly ('read' | 'list')[]): Hooks {
  const kept = new Map<string, JsonObject>();
  const isListed = shownBy.includes('list');
  return {
    act: (call, proceed) => {
      const collection = around.collectionOf(call);
      const id = idAt(call);
      const fields = kept.get(id);
      // A member that only readings show is there for as long as it is read.
      if (call.route === lives.read && fields !== undefined && shownBy.includes('read') && !isListed) {
        collection?.put(id, fields);
        const answer = proceed();
        collection?.delete(id);
        return answer;
      }
      const item = call.route === lives.remove ? collection?.get(id) : undefined;
      const answer = proceed();
      if (item !== undefined && answer.status < 300) {
        kept.set(id, item.fields);
        if (isListed) collection?.put(id, item.fields);
      }
      return answer;
    },
    ...unreadable(lives, around, (id) => kept.has(id) && !shownBy.includes('read')),
  };
}
