// Carries out calls once they are authenticated and valid: resources are found, made, changed, listed.

import { conflict, PROBLEMS, refusal, throttled } from '../envelope.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { FixedWindow, type Limit } from '../limits/limiter.ts';
import { exampleOf } from '../schema/example.ts';
import { branches, flatten } from '../schema/flatten.ts';
import { represent, shown } from '../schema/represent.ts';
import type { Role } from '../schema/role.ts';
import type { Collection, Collections, Item } from './collections.ts';
import { fillEnvelope, pageOf } from './paging.ts';
import { concrete } from './paths.ts';
import type { Resource } from './resource.ts';

type Of<K extends Role['kind']> = Extract<Role, { kind: K }>;

const SETTINGS_PAGE = 'https://dashboard.commerce.example/stores/{storeId}/domains/settings';

export class Actions {
  private readonly collections: Collections;
  private readonly docsUrl: string;
  private readonly exports: FixedWindow;
  private readonly exported = new Set<string>();
  private readonly singles = new Map<string, Item>();
  private performed = 0;

  constructor(collections: Collections, docsUrl: string, exportLimit: Limit) {
    this.collections = collections;
    this.docsUrl = docsUrl;
    this.exports = new FixedWindow(exportLimit);
  }

  /** Does what the call asks and answers; unknown ids in the path are refused first. */
  perform(call: Call, route: Route): Answer {
    const { role } = route;
    const parents: Record<string, string> = {};
    for (const { resource, param } of role.ancestors) {
      const id = call.params[param] ?? '';
      if (this.at(resource, call, parents).get(id) === undefined) return this.unknown(call);
      parents[param] = id;
    }
    switch (role.kind) {
      case 'list':
        return this.list(call, route, role, this.at(role.resource, call, parents));
      case 'create':
        return this.create(call, route, role, this.at(role.resource, call, parents));
      case 'item':
        return this.item(call, route, role, this.at(role.resource, call, parents));
      case 'single':
        return this.single(call, route);
      case 'export':
        return this.export(call, route);
      case 'redirect':
        return this.success(call, route, undefined, { location: concrete(SETTINGS_PAGE, call.params) });
      case 'action':
        return this.action(call, route);
    }
  }

  /** The collection that the call's own operation works on; null when it works on none. */
  collectionOf(call: Call): Collection | null {
    const role = call.route?.role;
    if (role === undefined || !('resource' in role)) return null;
    const parents = Object.fromEntries(role.ancestors.map(({ param }) => [param, call.params[param] ?? '']));
    return this.at(role.resource, call, parents);
  }

  private at(resource: Resource, call: Call, parents: Readonly<Record<string, string>>): Collection {
    return this.collections.at(resource, call.key?.account ?? 'everyone', concrete(resource.template, call.params), {
      ...parents,
    });
  }

  private unknown(call: Call): Answer {
    return refusal(call, PROBLEMS.notFound, this.docsUrl);
  }

  private list(call: Call, route: Route, role: Of<'list'>, collection: Collection): Answer {
    const all = collection.all();
    const page = pageOf(call.query, role.paging);
    const slice = role.paging === 'none' ? all : all.slice(page.offset, page.offset + page.limit);
    const { operation } = route;
    const data = slice.map((item) => represent(role.resource, item, role.shape.items, operation.key));
    if (role.shape.member === null) return this.success(call, route, data);
    const envelope = asObject(exampleOf(operation.document, role.success.schema, operation.key));
    const counted = fillEnvelope(
      envelope,
      role.paging === 'none' ? { limit: Math.max(1, all.length), offset: 0, page: 1 } : page,
      all.length,
    );
    return this.success(call, route, { ...counted, [role.shape.member]: data });
  }

  private create(call: Call, route: Route, role: Of<'create'>, collection: Collection): Answer {
    const fields = fieldsOf(call, route);
    const unique = route.operation.unique;
    const taken = collection.clash(unique, fields, null);
    if (taken !== null) return refusal(call, conflict(taken), this.docsUrl);
    const item = collection.create(fields);
    collection.claim(unique, item);
    // Where the answer tells no id, a client knows what it made by the name that it gave.
    if (!tellsId(route, role) && typeof fields.name === 'string') collection.call(item, fields.name);
    return this.success(call, route, this.body(route, role, item), { location: `${call.path}/${item.id}` });
  }

  private item(call: Call, route: Route, role: Of<'item'>, collection: Collection): Answer {
    const item = collection.get(call.params[role.resource.param ?? ''] ?? '');
    if (item === undefined) return this.unknown(call);
    if (role.verb === 'delete') {
      const last = this.body(route, role, item);
      collection.delete(item.id);
      return this.success(call, route, last);
    }
    if (role.verb !== 'read') {
      const fields = role.verb === 'amend' ? { ...item.fields, ...fieldsOf(call, route) } : fieldsOf(call, route);
      const taken = collection.clash(route.operation.unique, fields, item.id);
      if (taken !== null) return refusal(call, conflict(taken), this.docsUrl);
      collection.change(item, fields);
      collection.claim(route.operation.unique, item);
    }
    return this.success(call, route, this.body(route, role, item));
  }

  private single(call: Call, route: Route): Answer {
    const { operation, role } = route;
    const name = `${call.key?.account ?? 'everyone'} ${concrete(operation.path, call.params)}`;
    const item = this.singles.get(name) ?? { id: '', seed: name, parents: {}, fields: {}, shown: new Map() };
    this.singles.set(name, item);
    if (operation.method !== 'GET' && operation.method !== 'HEAD') {
      item.fields = operation.method === 'PATCH' ? { ...item.fields, ...fieldsOf(call, route) } : fieldsOf(call, route);
      item.shown.clear();
    }
    if (!item.shown.has(operation.key)) {
      item.shown.set(operation.key, shown(operation.document, role.success.schema, name, [{}, item.fields]));
    }
    return this.success(call, route, item.shown.get(operation.key));
  }

  private action(call: Call, route: Route): Answer {
    const { operation, role } = route;
    const given = role.success.examples[0];
    const seed = `${operation.key} ${++this.performed}`;
    const body = given ?? shown(operation.document, role.success.schema, seed, [{}, fieldsOf(call, route)]);
    return this.success(call, route, body);
  }

  /** Exports are throttled per user; an export request named in the body must be one that this user made. */
  private export(call: Call, route: Route): Answer {
    const account = call.key?.account ?? 'everyone';
    const grant = this.exports.take(account, call.receivedAt);
    if (!grant.granted)
      return refusal(call, throttled('too_many_export_requests', grant.retryAfterSeconds), this.docsUrl);
    const named = asObject(call.body).exportRequestId;
    if (named !== undefined && named !== null && !this.exported.has(`${account} ${String(named)}`))
      return this.unknown(call);
    const answer = this.action(call, route);
    const made = asObject(answer.body).exportRequestId ?? asObject(answer.body).id;
    if (made !== undefined) this.exported.add(`${account} ${String(made)}`);
    return answer;
  }

  private body(route: Route, role: { readonly resource: Resource }, item: Item): unknown {
    const { success } = route.role;
    if (success.mediaType === null) return undefined;
    return represent(role.resource, item, success.schema, route.operation.key);
  }

  /** The declared success with this body; declared headers are filled in, `own` ones only where they are declared. */
  private success(call: Call, route: Route, body: unknown, own: Readonly<Record<string, string>> = {}): Answer {
    const { success, kind } = route.role;
    const headers: Record<string, string> =
      kind === 'redirect' && own.location !== undefined ? { location: own.location } : {};
    for (const [name, header] of success.response?.headers ?? []) {
      if (name === 'content-type' || name === 'retry-after' || name.startsWith('x-ratelimit-')) continue;
      headers[name] =
        own[name] ?? String(exampleOf(route.operation.document, header.schema, `${call.requestId} ${name}`));
    }
    if (success.mediaType === null) return { status: success.status, headers, body: undefined };
    headers['content-type'] = success.mediaType;
    const json = /[/+]json$/.test(success.mediaType);
    return {
      status: success.status,
      headers,
      body,
      ...(json ? {} : { text: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
  }
}

/** Tells whether the answer to a creation describes what is made: one that has no members, or no body, tells no id. */
function tellsId({ operation }: Route, { success }: Of<'create'>): boolean {
  const { root } = operation.document;
  const isDescribed = (flat: JsonObject): boolean => Object.keys(asObject(flat.properties)).length > 0;
  return success.mediaType !== null && branches(root, flatten(root, success.schema)).some(isDescribed);
}

/** The members of the body that its schema mentions; all where it mentions none, or leaves further ones open. */
function fieldsOf({ body }: Call, { operation }: Route): JsonObject {
  if (!isObject(body)) return {};
  const { root } = operation.document;
  const schemas = [...(operation.body?.content.values() ?? [])];
  const flats = schemas.flatMap((schema) => branches(root, flatten(root, schema)));
  const names = new Set(flats.flatMap((flat) => Object.keys(asObject(flat.properties))));
  const isOpen = flats.some(({ additionalProperties: more }) => more === true || isObject(more));
  if (names.size === 0 || isOpen) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
}
