// Learns from refusals which input an operation takes: what a refusal lists, misses, does not know or bounds becomes a schema beside that
// of the description, and the next request is drawn from both. It is remembered for the operation: all of the run's calls profit.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { addressesOf } from '../../facts/items.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { type Hint, hintsOf } from '../../facts/refusal-hints.ts';
import { refusalSentence } from '../../facts/refusal-sentence.ts';
import { bodyType, drawnBody } from '../../generate/bodies.ts';
import { markIn } from '../../generate/preferred.ts';
import { namedMembers } from '../../generate/schema/form.ts';
import { Schemas } from '../../generate/schema/schemas.ts';
import { exercisedBy } from '../../generate/targets/exercised.ts';
import { inputsOf } from '../../generate/targets/operation-inputs.ts';
import { parameterKey } from '../../generate/targets/sent.ts';
import { targetKey } from '../../generate/targets/target.ts';
import { isObject, type JsonObject, normal, valueBelow } from '../../openapi/json.ts';
import type { Description, Operation, Parameter } from '../../openapi/model/operation.ts';
import { drawFor, type World } from '../world.ts';
import { itemsRepeated, memberRepeated, namesBlamed, timesToCome, valuesMentioned } from './hints-by-values.ts';
import type { Knowledge } from './knowledge.ts';
import { firstRecipe, type Learned, NOTHING_LEARNED, planOf, type Recipe, recipeBody } from './recipe.ts';
import { queryReferencesOf, referencesOf } from './references.ts';

type Known = Pick<World, 'knowledge'>;

/** Answers that speak of the input. */
const OF_INPUT = [400, 409, 422];
const MAX_NESTED_LEVELS = 3;
/** Draws in which a branch or listed value is looked for that no request had. */
const MAX_DRAWS = 12;

interface Memory {
  learned: Learned;
  /** The last variation that was drawn. */
  variation: number;
}

const memories = oncePer((_: Knowledge) =>
  oncePer((_operation: Operation): Memory => ({ learned: NOTHING_LEARNED, variation: 0 })),
);

function memoryOf({ knowledge }: Known, operation: Operation): Memory {
  return memories(knowledge)(operation);
}

/** Everything that refusals of this run have taught of the operation's input. */
export function learnedOf(world: Known, operation: Operation): Learned {
  return memoryOf(world, operation).learned;
}

/** The recipe as the refusal demands it; null where it demands nothing that is new and that the description admits. */
export function asDemanded(world: World, recipe: Recipe, rejection: Exchange): Recipe | null {
  const before = recipe.learned ?? NOTHING_LEARNED;
  if (wantsBody(recipe, rejection)) return remembering(world, recipe, { ...before, emptyBody: true });
  if (!OF_INPUT.includes(rejection.response?.status ?? 0)) return null;
  const isThere = isThereAlready(rejection);
  const sent = rejection.plan.body;
  const body = sent.kind === 'json' ? sent.value : recipeBody(recipe, drawFor(world, 'learn'));
  let learned = isThere ? withFreshNames(world, recipe, before, rejection) : before;
  const sources = [
    () => timesToCome(body, rejection),
    () => [...hintsOf(rejection), ...itemsRepeated(body, rejection)],
    () => valuesMentioned(recipe, body, rejection),
    () => (isThere ? [] : memberRepeated(body, rejection)),
    () => (isThere ? [] : namesBlamed(body, rejection)),
  ];
  for (const hints of sources) if (learned === before) learned = withHints(world, recipe, before, hints());
  return learned === before ? null : remembering(world, recipe, learned);
}

/** Tells whether the answer refuses the media type of a request for which the description has no body. */
function wantsBody({ operation, learned }: Recipe, { response }: Exchange): boolean {
  const hasNone = operation.requestBody === null && !isSafe(operation.method);
  return hasNone && response?.status === 415 && learned?.emptyBody !== true;
}

/**
 * The recipe without the texts of its body that a 404 repeats: what they name is not there, and need not be named. Null for none,
 * and where it repeats a name that this run made up.
 */
export function withoutMissed(world: World, recipe: Recipe, rejection: Exchange): Recipe | null {
  const { body } = rejection.plan;
  if (rejection.response?.status !== 404 || body.kind !== 'json') return null;
  const before = recipe.learned ?? NOTHING_LEARNED;
  if (markIn(rejection.response.body, world.nonce) !== null) return null;
  const hints = [...itemsRepeated(body.value, rejection), ...memberRepeated(body.value, rejection)];
  const learned = withHints(world, recipe, before, hints);
  return learned === before ? null : remembering(world, recipe, learned);
}

/** The recipe with other values for the members of the body, which must not be sent as they are; null for none. */
export function withoutValues(world: World, recipe: Recipe, { body }: RequestPlan): Recipe | null {
  const before = recipe.learned ?? NOTHING_LEARNED;
  const sent = Object.entries(body.kind === 'json' && isObject(body.value) ? body.value : {});
  const hints = sent.map(([name, value]): Hint => {
    const schema = Array.isArray(value) ? { items: { not: { enum: value } } } : { not: { enum: [value] } };
    return { part: 'body', path: [name], demand: { kind: 'fits', schema }, sentence: '' };
  });
  const learned = withHints(world, recipe, before, hints);
  return learned === before ? null : remembering(world, recipe, learned);
}

function withHints(world: World, recipe: Recipe, before: Learned, hints: readonly Hint[]): Learned {
  return hints.reduce((learned, hint) => withHint(world, { ...recipe, learned }, hint) ?? learned, before);
}

function remembering(world: World, recipe: Recipe, learned: Learned): Recipe {
  memoryOf(world, recipe.operation).learned = { ...learned, body: { ...learned.body, variation: 0 } };
  return withLearned(world, recipe, learned);
}

/** The recipe with a branch or listed value that no request had so far, where a refusal does not say what it wants; null for none. */
export function otherAlternative(world: World, recipe: Recipe, { response }: Exchange): Recipe | null {
  const { description, operation, learned = NOTHING_LEARNED } = recipe;
  if (!OF_INPUT.includes(response?.status ?? 0) || bodyType(operation) === null) return null;
  const inputs = inputsOf(description, operation);
  const varied = (variation: number): Recipe => ({
    ...recipe,
    fullness: 'required',
    additions: {},
    learned: { ...learned, body: { ...learned.body, variation } },
  });
  const chosenIn = (one: Recipe): readonly string[] =>
    exercisedBy(inputs, planOf(one, 'reach', drawFor(world, 'learn')))
      .targets.filter(({ at, kind }) => at.startsWith('/body') && /^(branch|enum value)/.test(kind))
      .map(targetKey);
  const memory = memoryOf(world, operation);
  const seen = new Set(chosenIn(recipe));
  for (let variation = 1; variation <= memory.variation; variation += 1)
    for (const key of chosenIn(varied(variation))) seen.add(key);
  for (let draws = 0; draws < MAX_DRAWS && memory.variation < MAX_DRAWS; draws += 1) {
    memory.variation += 1;
    const other = varied(memory.variation);
    if (chosenIn(other).some((key) => !seen.has(key))) return other;
  }
  return null;
}

const THERE_ALREADY = /already (?:exists?|taken|in use|registered|present)|must be unique|duplicate/i;

/** Tells whether the answer says that something of this name is there. */
function isThereAlready({ response, plan }: Exchange): boolean {
  return plan.method === 'POST' && (response?.status === 409 || THERE_ALREADY.test(response?.body ?? ''));
}

/** The same with the members that name the thing to be made anew: an example of the description can be made once. */
function withFreshNames(world: World, recipe: Recipe, learned: Learned, rejection: Exchange): Learned {
  const from = drawFor(world, 'learn');
  const body = recipeBody(recipe, from);
  if (!isObject(body)) return learned;
  const named = new Set(addressesOf(body, '', lastNoun(recipe.operation.path)).map(({ member }) => member));
  // "Its title exists already": a thing may be known by what no name tells.
  const spoken = new Set((refusalSentence(rejection) ?? '').split(/[^\w-]+/).map(normal));
  const isFixedText = ([name, value]: readonly [string, unknown]): boolean =>
    typeof value === 'string' &&
    (named.has(normal(name)) || spoken.has(normal(name))) &&
    markIn(value, world.nonce) === null;
  const fresh = Object.entries(body)
    .filter(isFixedText)
    .map(([name]) => name)
    .filter((name) => !learned.fresh.includes(name));
  return fresh.length === 0 ? learned : { ...learned, fresh: [...learned.fresh, ...fresh] };
}

function withLearned(world: World, recipe: Recipe, learned: Learned): Recipe {
  const { description, operation, pathValues, credential } = recipe;
  const again = firstRecipe(description, operation, pathValues, credential, drawFor(world, 'learn'), learned);
  const isOfParameters = learned.parameters !== (recipe.learned ?? NOTHING_LEARNED).parameters;
  const { query, headers } = isOfParameters ? { ...again, query: queryReferencesOf(world, again) } : recipe;
  const next = { ...recipe, query, headers, pathValues: again.pathValues, learned };
  return { ...next, additions: { ...referencesOf(world, next), ...recipe.additions } };
}

/** The same with what the hint teaches; null where it names no place of the input, says nothing new, or cannot be met. */
function withHint(world: World, recipe: Recipe, hint: Hint): Learned | null {
  const isOfBody = hint.part === null || hint.part === 'body';
  return (isOfBody ? inBody(world, recipe, hint) : null) ?? (hint.part === 'body' ? null : inParameter(recipe, hint));
}

function inBody(world: World, recipe: Recipe, hint: Hint): Learned | null {
  const { description, operation, learned = NOTHING_LEARNED } = recipe;
  const place = bodyPath(world, recipe, hint);
  if (place === null || place.length === 0) return null;
  const whole = recipeBody(recipe, drawFor(world, 'learn'));
  const path = [...place, ...memberBlamed(valueBelow(whole, place), hint)];
  const current = valueBelow(whole, path);
  const { body } = learned;
  const known = body.schemas.map((schema) => JSON.stringify(schema));
  const wished = [hint.demand, ...otherThan(hint.demand, current)]
    .map((demand) => schemaAt(path, demand))
    .find((schema) => !known.includes(JSON.stringify(schema)));
  if (wished === undefined) return null;
  const next = { ...body, schemas: [...body.schemas, wished] };
  const from = drawFor(world, 'learn');
  if (drawnBody(description, operation, recipe.fullness, from, next)?.ok !== true) return null;
  const isListed = hint.demand.kind === 'fits' && hint.demand.schema.enum !== undefined;
  const members = isListed ? [...learned.members, path[0] ?? ''] : learned.members;
  return { ...learned, body: next, members };
}

/** The member of an object whose text the sentence repeats first, where it lists values: these are for no object. */
function memberBlamed(object: unknown, { demand, sentence }: Hint): readonly string[] {
  if (!isObject(object) || demand.kind !== 'fits' || demand.schema.enum === undefined) return [];
  const [first] = Object.entries(object)
    .map(([name, value]) => ({ name, at: typeof value === 'string' && value !== '' ? sentence.indexOf(value) : -1 }))
    .filter(({ at }) => at >= 0)
    .toSorted((left, right) => left.at - right.at);
  return first === undefined ? [] : [first.name];
}

/** The same demand without the value that was sent: of several that are listed, another may be taken. */
function otherThan(demand: Hint['demand'], current: unknown): readonly Hint['demand'][] {
  const isListed = demand.kind === 'fits' && Array.isArray(demand.schema.enum);
  if (!isListed || current === undefined) return [];
  return [{ kind: 'fits', schema: { ...demand.schema, not: { enum: [current] } } }];
}

/** A schema of the whole body that puts the demand at the path. */
function schemaAt(path: readonly string[], demand: Hint['demand']): JsonObject {
  const [name = '', ...rest] = path;
  if (/^\d+$/.test(name)) return { items: rest.length === 0 ? own(demand) : schemaAt(rest, demand) };
  if (rest.length > 0) return { properties: { [name]: schemaAt(rest, demand) }, required: [name] };
  if (demand.kind === 'missing') return { required: [name] };
  return { properties: { [name]: own(demand) } };
}

function own(demand: Hint['demand']): JsonObject {
  return demand.kind === 'fits' ? demand.schema : demand.kind === 'unknown' ? (false as unknown as JsonObject) : {};
}

function inParameter({ operation, learned = NOTHING_LEARNED }: Recipe, hint: Hint): Learned | null {
  const parameter = parameterOf(operation, hint);
  const { demand } = hint;
  if (parameter === null || demand.kind === 'unknown') return null;
  if (parameter.in === 'path') return inPath(operation, learned, parameter, demand);
  const key = parameterKey(parameter);
  const known = learned.parameters[key];
  const schema = demand.kind === 'fits' ? demand.schema : null;
  const isNew =
    known === undefined || (schema !== null && known.every((one) => JSON.stringify(one) !== JSON.stringify(schema)));
  if (!isNew) return null;
  const schemas = [...(known ?? []), ...(schema === null ? [] : [schema])];
  return { ...learned, parameters: { ...learned.parameters, [key]: schemas } };
}

/** One of the listed values in the path of what changes no thing that it names. */
function inPath(
  { method, path }: Operation,
  learned: Learned,
  { name }: Parameter,
  demand: Hint['demand'],
): Learned | null {
  const listed = demand.kind === 'fits' && Array.isArray(demand.schema.enum) ? demand.schema.enum : [];
  const isEnd = path.endsWith(`{${name}}`);
  const value = listed.find((one) => typeof one === 'string' && one !== learned.path[name]);
  if (typeof value !== 'string' || learned.path[name] !== undefined) return null;
  return isSafe(method) || (method === 'POST' && isEnd)
    ? { ...learned, path: { ...learned.path, [name]: value } }
    : null;
}

function parameterOf({ parameters }: Operation, { part, path, sentence }: Hint): Parameter | null {
  const open = parameters.filter((one) => part === null || one.in === part);
  const [name] = path;
  if (name !== undefined) return open.find((one) => normal(one.name) === normal(name)) ?? null;
  const mentioned = mentionedIn(
    sentence,
    open.map((one) => one.name),
  );
  return open.find((one) => one.name === mentioned) ?? null;
}

/** Names that are ordinary words as well. */
const ORDINARY =
  /^(value|field|type|name|key|id|input|data|is|in|to|of|a|request|query|body|format|string|number|text)$/i;

/** The name that the sentence mentions first: quoted, else one that is no ordinary word, else any. */
function mentionedIn(sentence: string, names: readonly string[]): string | null {
  const at = (pattern: (name: string) => RegExp, of: readonly string[]): string | null => {
    const found = of
      .map((name) => ({ name, index: sentence.search(pattern(name.replaceAll(/[^\w]/g, '\\$&'))) }))
      .filter(({ index }) => index >= 0)
      .toSorted((left, right) => left.index - right.index || right.name.length - left.name.length);
    return found[0]?.name ?? null;
  };
  const quoted = at((name) => new RegExp(`["'\`‘“]${name}["'\`’”]`, 'i'), names);
  const word = (name: string): RegExp => new RegExp(`(?<![\\w.-])${name}(?![\\w-])`, 'i');
  return (
    quoted ??
    at(
      word,
      names.filter((name) => !ORDINARY.test(name)),
    ) ??
    at(word, names)
  );
}

/** The described place of the body that the hint names; null where there is none. */
function bodyPath(world: World, recipe: Recipe, { path, demand, sentence }: Hint): readonly string[] | null {
  const { description, operation } = recipe;
  const schema = bodyType(operation)?.schema;
  if (schema == null) return null;
  const sent = recipeBody(recipe, drawFor(world, 'learn'));
  if (path.length === 0) {
    const named = mentionedIn(sentence, namesIn(description, [schema.value], sent));
    return named === null ? null : [named];
  }
  for (let start = 0; start < path.length; start += 1) {
    const found = resolved(description, [schema.value], sent, path.slice(start));
    if (found !== null) return found;
  }
  const last = path.at(-1) ?? '';
  const nested = nestedPath(description, [schema.value], sent, last, MAX_NESTED_LEVELS);
  if (nested !== null) return nested;
  // A member that is asked for beyond the description has a name at least, and stands in one that is known.
  const above = path.length === 1 ? [] : resolved(description, [schema.value], sent, path.slice(0, -1));
  const isName = demand.kind === 'missing' && /^[A-Za-z_][\w-]*$/.test(last);
  return isName && above !== null ? [...above, last] : null;
}

/** The path in the names of the description, letters and digits alone compared; null where it leads nowhere. */
function resolved(
  description: Description,
  schemas: readonly unknown[],
  sent: unknown,
  path: readonly string[],
): readonly string[] | null {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  if (/^\d+$/.test(first) && Array.isArray(sent)) {
    const below = resolved(description, itemsOf(description, schemas), sent[0], rest);
    return below === null ? null : ['0', ...below];
  }
  const names = namesIn(description, schemas, sent);
  const name = names.find((one) => one === first) ?? names.find((one) => normal(one) === normal(first));
  if (name === undefined) return null;
  const below = resolved(
    description,
    memberSchemasOf(description, schemas, name),
    isObject(sent) ? sent[name] : undefined,
    rest,
  );
  return below === null ? null : [name, ...below];
}

/** Where a member of this name is described or was sent, the outermost first. */
function nestedPath(
  description: Description,
  schemas: readonly unknown[],
  sent: unknown,
  name: string,
  levels: number,
): readonly string[] | null {
  if (levels === 0) return null;
  const inner = Array.isArray(sent)
    ? [['0', itemsOf(description, schemas), sent[0]] as const]
    : Object.entries(isObject(sent) ? sent : {}).map(
        ([member, value]) => [member, memberSchemasOf(description, schemas, member), value] as const,
      );
  for (const [member, below, value] of inner) {
    const found =
      resolved(description, below, value, [name]) ?? nestedPath(description, below, value, name, levels - 1);
    if (found !== null) return [member, ...found];
  }
  return null;
}

function formsOf(description: Description, schemas: readonly unknown[]) {
  const all = Schemas.of(description);
  return { all, forms: all.forms(all.all(schemas)).forms };
}

function namesIn(description: Description, schemas: readonly unknown[], sent: unknown): readonly string[] {
  const described = formsOf(description, schemas).forms.flatMap(namedMembers);
  return [...new Set([...Object.keys(isObject(sent) ? sent : {}), ...described])];
}

function memberSchemasOf(description: Description, schemas: readonly unknown[], name: string): readonly unknown[] {
  const { all, forms } = formsOf(description, schemas);
  const form = forms.find((one) => namedMembers(one).includes(name)) ?? forms[0];
  return form === undefined ? [] : all.member(form, name).schemas;
}

function itemsOf(description: Description, schemas: readonly unknown[]): readonly unknown[] {
  const { forms } = formsOf(description, schemas);
  return forms.flatMap(({ items }) => items.flatMap(({ rest }) => (rest === undefined ? [] : [rest]))).slice(0, 1);
}
