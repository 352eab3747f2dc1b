// Notes the objects that an answer of the target shows: lists, what was created, and what links hand on.
import { exactBody, header } from '../../exchange/body.ts';
import { answeredMs, type Exchange } from '../../exchange/exchange.ts';
import { locatedId, sentId } from '../../facts/created.ts';
import { createdObject, idOf, isDrawn, isIdValue, itemsOf } from '../../facts/items.ts';
import { lastNoun, schemaNouns } from '../../facts/nouns.ts';
import { collectionTemplate, fillPath, parameterNames, trimmed } from '../../facts/paths.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { isObject, membersOf, valueAt } from '../../openapi/json.ts';
import type { DeclaredResponse, Link } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import type { World } from '../world.ts';
import { keepShown } from './as-shown.ts';
import { makesByName } from './chains.ts';
import type { Recipe } from './recipe.ts';

/** Notes what the answer shows: items of a list, or the created object. */
export function note(world: World, recipe: Recipe, exchange: Exchange): void {
  const status = exchange.response?.status ?? 599;
  if (status >= 300) return;
  const { operation } = recipe;
  const path = fillPath(operation.path, recipe.pathValues);
  const body = exactBody(exchange);
  if (world.contract === 'openapi') noteAny(world, recipe, exchange, path);
  else if (!body.ok) return;
  else if (operation.method === 'GET')
    world.knowledge.noteListed(path, body.value, {
      place: world.listPlace(operation.key),
      answeredMs: answeredMs(exchange),
    });
  else if (operation.method === 'POST') world.knowledge.noteCreated(path, body.value);
}

/** The same where only the description tells what an answer is: searches by POST, objects that a PUT made, ids in Location. */
function noteAny(world: World, recipe: Recipe, exchange: Exchange, path: string): void {
  const { operation, description } = recipe;
  const { knowledge } = world;
  const declared = declaredResponse(operation, exchange.response?.status ?? 0);
  const nouns = schemaNouns(description, declared?.content[0]?.schema ?? null);
  const body = exactBody(exchange);
  const shown = body.ok ? body.value : null;
  const value = operation.method === 'POST' && Array.isArray(shown) ? (createdObject(shown) ?? shown) : shown;
  noteLinks(world, recipe, declared, exchange, value);
  if (operation.method === 'GET') {
    knowledge.noteListed(path, entriesIn(value, recipe, declared), {
      ...{ place: world.listPlace(operation.key), nouns },
      answeredMs: answeredMs(exchange),
    });
    keepShown(world, operation, value);
  }
  const madeByName = makesByName(operation, description) && noteMadeByName(world, recipe, exchange, nouns);
  if (operation.method !== 'POST' || madeByName) return;
  const own = isObject(value) ? idOf(value, '', lastNoun(path)) : null;
  if (own === null && itemsOf(value, lastNoun(path)).some(isObject)) {
    knowledge.noteListed(path, value, { nouns, answeredMs: answeredMs(exchange) });
    return;
  }
  const made = isObject(value) ? createdObject(value) : null;
  const bare = isDrawn(value) ? value : null;
  const id = own ?? bare ?? (made === null ? null : idOf(made, '', lastNoun(path))) ?? locatedId(exchange, path);
  // Where collections count from 1, what is made below a thing may have its number, and says so.
  const isCounted = own !== null && /^\d+$/.test(own) && exchange.response?.status === 201;
  // An object that a list showed before, or that the path names, was found, not made.
  if (id !== null && ((path.split('/').includes(id) && !isCounted) || knowledge.isShown(id, path, exchange.sentAt)))
    return;
  const sent = id === null ? sentIdentity(recipe, exchange) : null;
  if (sent !== null && !knowledge.isShown(sent.id, path, exchange.sentAt))
    knowledge.noteCreated(path, { ...sent.object, ...(isObject(value) ? value : {}) }, nouns);
  else if (isObject(value)) knowledge.noteCreated(path, own === null && id !== null ? { ...made, id } : value, nouns);
  else if (id !== null) knowledge.noteCreated(path, { id }, nouns);
}

/** The list with a name or a number alone as an id; of what is described as a map, and has things below it, those by their keys. */
function entriesIn(value: unknown, recipe: Recipe, declared: DeclaredResponse | null): unknown {
  if (Array.isArray(value)) return value.map((item) => (isIdValue(item) ? { id: item } : item));
  const shape = shapeOf(recipe.description, declared?.content[0]?.schema?.value);
  const isMap = isObject(shape.additionalProperties) && shape.properties === undefined;
  if (!isMap || !isObject(value) || !hasItems(recipe)) return value;
  return membersOf(value).map(([key, member]) => ({ id: key, ...(isObject(member) ? member : {}) }));
}

function hasItems({ description, operation }: Recipe): boolean {
  return description.operations.some(({ path }) => path.startsWith(`${trimmed(operation.path)}/{`));
}

/** The members of the request that name the object, to a collection whose objects are addressed; null where it names none. */
function sentIdentity(
  recipe: Recipe,
  exchange: Exchange,
): { readonly object: Record<string, unknown>; readonly id: string } | null {
  const id = hasItems(recipe) ? sentId(exchange, '', recipe.operation.path) : null;
  return id === null ? null : { object: sentMembers(exchange), id };
}

/** Notes the object made by a success under an id that nothing shows; tells whether there was one. */
function noteMadeByName(
  { knowledge }: World,
  { operation, pathValues }: Recipe,
  { sentAt }: Exchange,
  nouns: readonly string[],
): boolean {
  const path = fillPath(operation.path, pathValues);
  const last = parameterNames(operation.path).at(-1);
  const id = last === undefined ? undefined : pathValues[last];
  if (last === undefined || id === undefined) return false;
  const collection = fillPath(collectionTemplate(operation.path, last), pathValues);
  if (knowledge.isShown(id, collection, sentAt)) return false;
  if (knowledge.idsAt(collection, last).some(({ value }) => value === id)) return false;
  knowledge.noteCreated(path.startsWith(collection) ? collection : path, { [last]: id, id }, nouns);
  return true;
}

function noteLinks(
  { knowledge }: World,
  { description, pathValues }: Recipe,
  declared: DeclaredResponse | null,
  exchange: Exchange,
  value: unknown,
): void {
  for (const link of declared?.links ?? []) {
    const target = description.operations.find(
      ({ operationId, pointer }) => (link.operationId ?? '') === operationId || link.pointer === pointer,
    );
    if (target === undefined) continue;
    for (const [name, expression] of Object.entries(link.parameters)) {
      const meant = meaningOf(expression, exchange, value, pathValues);
      if (meant !== null) knowledge.noteLinked(target.path, name.replace(/^path\./, ''), meant);
    }
  }
}

/**
 * The text that a link gives: an expression as a whole, or with expressions in braces; null where one leads to nothing that can stand in a
 * path. Source: OpenAPI, Link Object.
 */
function meaningOf(expression: Link['parameters'][string], ...answered: Answered): string | null {
  if (typeof expression === 'number') return String(expression);
  if (typeof expression !== 'string') return null;
  const text = expression.startsWith('$') ? `{${expression}}` : expression;
  const parts = text
    .split(/\{(\$[^{}]*)\}/)
    .map((part, index) => (index % 2 === 0 ? part : resolved(part, ...answered)));
  return parts.includes(null) ? null : parts.join('') || null;
}

type Answered = readonly [exchange: Exchange, value: unknown, pathValues: Readonly<Record<string, string>>];

/** The value that one runtime expression leads to. */
function resolved(expression: string, ...[exchange, value, pathValues]: Answered): string | null {
  const [, source = '', rest = ''] =
    /^\$(response\.body|response\.header|request\.body|request\.query|request\.path)[#.]?(.*)$/.exec(expression) ?? [];
  const sources: Readonly<Record<string, () => unknown>> = {
    'response.body': () => valueAt(value, rest),
    'response.header': () => header(exchange.response?.headers ?? [], rest),
    'request.body': () => valueAt(sentMembers(exchange), rest),
    'request.query': () => new URLSearchParams(exchange.plan.query).get(rest),
    'request.path': () => pathValues[rest],
  };
  const meant = sources[source]?.();
  return isIdValue(meant) ? String(meant) : null;
}
