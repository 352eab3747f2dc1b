// References in bodies and queries: members that name what exists on the target. By an id (customer_id, productIds), by another member
// of what they name (product_sku, couponCode), within an object or list of its noun (customer: { id }), and, where only a
// description tells, by the noun alone (customer: "…").

import { isSafe } from '../../exchange/methods.ts';
import { nounAt, singular } from '../../facts/nouns.ts';
import { subjectOf } from '../../facts/path-words.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { admits } from '../../generate/identifiers.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { isObject, isScalar, normal } from '../../openapi/json.ts';
import { fixesParameter } from '../../openapi/model/fixed-input.ts';
import type { Description, Operation, Parameter } from '../../openapi/model/operation.ts';
import { drawFor, type World } from '../world.ts';
import type { KnownId } from './knowledge.ts';
import { type Recipe, recipeBody } from './recipe.ts';

const REFERENCE =
  /^(.+?)(?:_(id|uuid|guid|sku|slug|code|handle|number|key)|(I[dD]|Uuid|UUID|Guid|S[kK][uU]|Slug|Code|Handle|Number|Key))s?$/;
/** Members by which objects are addressed, within an object that is named after what they are. */
const ADDRESS = /^(id|uuid|guid|sku|slug|code|handle|number|key)$/i;

/** The objects that a member may refer to. */
interface Referred {
  /** Likeliest first: "billingaddress", "address". */
  readonly nouns: readonly string[];
  /** The member's name, of one: what the object may call it as well. */
  readonly parameter: string;
  readonly kind: 'id' | 'member' | 'noun';
}

/** References in the body, or in the objects of its list, that can point to something which exists on the target, and that the schema admits. */
export function referencesOf(world: World, recipe: Recipe): Readonly<Record<string, unknown>> {
  const whole = recipeBody(recipe, drawFor(world, 'refs'));
  const body = Array.isArray(whole) ? whole[0] : whole;
  if (!isObject(body)) return {};
  const { description, operation } = recipe;
  const schema = bodyType(operation)?.schema ?? null;
  const fits = (one: object): boolean => isValid(description, schema, Array.isArray(whole) ? [one] : one);
  const isSound = fits(body);
  const about = aboutOf(world, operation.path);
  const found = Object.entries(body).flatMap(([name, value]) => {
    const filled = filledIn(world, about, name, value, '');
    return filled === undefined ? [] : [[name, filled] as const];
  });
  return Object.fromEntries(found.filter(([name, value]) => !isSound || fits({ ...body, [name]: value })));
}

/** The query with what its parameters refer to; those whose values the description tells stay, and those that are fixed. */
export function queryReferencesOf(world: World, { description, operation, query }: Recipe): Recipe['query'] {
  if (world.contract !== 'openapi') return query;
  return query.map((pair) => {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === pair[0]);
    const isOpen =
      parameter !== undefined && !fixesParameter(operation, parameter.name) && !isTold(description, parameter);
    const known = isOpen ? referenceOf(world, description, operation, parameter) : null;
    return known === null ? pair : ([pair[0], known] as const);
  });
}

/**
 * The address of a known thing that the parameter of a query refers to; null for none that it admits. What changes something may do so
 * to all that is in the thing: it names what this run made.
 */
export function referenceOf(
  world: World,
  description: Description,
  { method }: Operation,
  parameter: Parameter,
): string | null {
  const referred = referredBy(world, parameter.name, '');
  const all = referred === null ? [] : knownOf(world, referred);
  const known = isSafe(method) ? all : all.filter(({ own }) => own);
  return known.map(({ value }) => value).find((value) => admits(description, parameter, value)) ?? null;
}

function isTold(description: Description, { schema, examples }: Parameter): boolean {
  const { enum: listed, example, default: usual } = schema === null ? {} : shapeOf(description, schema.value);
  return examples.length > 0 || [listed, example, usual].some((told) => told !== undefined);
}

/** Nouns of what the body's members refer to, wherever they stand. */
export function nounsReferred(world: World, body: unknown, parent = ''): readonly string[] {
  if (Array.isArray(body)) return body.flatMap((item) => nounsReferred(world, item, parent));
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => [
    ...(isScalar(Array.isArray(value) ? value[0] : value) ? (referredBy(world, name, parent)?.nouns ?? []) : []),
    ...nounsReferred(world, value, name),
  ]);
}

/** The things that the body of an operation is about, by the operation's path. */
interface About {
  /** The noun of what it makes or changes; null where its path says by a word that it does neither. */
  readonly own: string | null;
  /** The noun of the things that are there with which it does something; null: its path does not say so. */
  readonly acted: string | null;
  /** True where these may change or go away: none but the run's own are named. */
  readonly changes: boolean;
}

function aboutOf({ contract }: World, path: string): About {
  const { collection, isOfOne, word } = subjectOf(path);
  const noun = nounAt(collection);
  if (word === null || word.deed === 'makes') return { own: noun, acted: null, changes: false };
  // Within something else things are removed before all others are called.
  const isNamed = isOfOne || (word.deed === 'removes' && /\{/.test(path));
  const isActing = contract === 'openapi' && !isNamed;
  return { own: null, acted: isActing ? noun : null, changes: word.deed !== 'shows' };
}

/** The things with which the operation does something, where the member names these: by their noun, or as an address does. */
function actedOn({ acted }: About, name: string, parent: string): Referred | null {
  const parameter = name.split(/[_-]/).map(singular).join('');
  const rest = normal(parameter).replace(acted ?? '', '');
  const isNamed = normal(parameter) === acted || /^(name|id|uuid|slug|key)$/.test(rest);
  return acted !== null && acted !== '' && parent === '' && isNamed
    ? { nouns: [acted], parameter, kind: 'member' }
    : null;
}

/** The member with all that it refers to filled in; undefined: it refers to nothing that is known. */
function filledIn(world: World, about: About, name: string, value: unknown, parent: string): unknown {
  if (isObject(value)) return withReferences(world, about, value, name);
  if (Array.isArray(value) && value.some(isObject)) {
    const items = value.map((item) => (isObject(item) ? withReferences(world, about, item, name) : undefined));
    return items.some(isObject) ? items.map((item, index) => item ?? value[index]) : undefined;
  }
  const [sample] = Array.isArray(value) ? value : [value];
  const onIt = isScalar(sample) ? actedOn(about, name, parent) : null;
  const referred = onIt ?? (isScalar(sample) ? referredBy(world, name, parent) : null);
  // A member that is called by the object's own noun names the object itself: a new one needs a new one.
  if (referred === null || (onIt === null && referred.nouns[0] === about.own)) return undefined;
  const usable = knownOf(world, referred).filter(({ own }) => own || onIt === null || !about.changes);
  const known = usable.flatMap(({ value: id }) => ofKind(id, sample));
  if (known.length === 0) return undefined;
  return Array.isArray(value) ? [...new Set(known)].slice(0, value.length) : known[0];
}

/** The object with its references; undefined where it has none that is known. */
function withReferences(
  world: World,
  about: About,
  value: Record<string, unknown>,
  parent: string,
): Record<string, unknown> | undefined {
  const filled = Object.entries(value).flatMap(([name, member]) => {
    const found = filledIn(world, about, name, member, parent);
    return found === undefined ? [] : [[name, found] as const];
  });
  return filled.length === 0 ? undefined : { ...value, ...Object.fromEntries(filled) };
}

function referredBy({ contract }: World, name: string, parent: string): Referred | null {
  const [, stem, snake, camel] = REFERENCE.exec(name) ?? [];
  if (stem !== undefined) {
    const kind = /^(u?uid|guid|id)$/i.test(snake ?? camel ?? '') ? 'id' : 'member';
    return { nouns: nounsIn(stem), parameter: name.replace(/s$/, ''), kind };
  }
  if (ADDRESS.test(name)) return parent === '' ? null : { nouns: nounsIn(parent), parameter: name, kind: 'member' };
  return contract === 'openapi' ? { nouns: nounsIn(name).slice(0, 1), parameter: '', kind: 'noun' } : null;
}

/** The whole of a name as one noun, then its last word. */
function nounsIn(name: string): readonly string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return [...new Set([normal(name), normal(words.at(-1) ?? '')].map(singular))].filter((noun) => noun !== '');
}

function knownOf({ knowledge }: World, { nouns, parameter, kind }: Referred): readonly KnownId[] {
  return kind === 'id' ? knowledge.idsByNouns(nouns, parameter) : knowledge.idsInCollections(nouns, parameter);
}

/** The id as a value of the sample's type; none where it must be a number, and is none or one that would be rounded. */
function ofKind(id: string, sample: string | number): readonly (string | number)[] {
  if (typeof sample === 'string') return [id];
  return Number.isFinite(Number(id)) && !isRounded(id) ? [Number(id)] : [];
}

function isRounded(id: string): boolean {
  return /^-?\d+$/.test(id) && !Number.isSafeInteger(Number(id));
}
