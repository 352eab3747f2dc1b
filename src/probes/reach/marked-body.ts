// Bodies that differ from every other of the run, and carry a mark by which a list shows what they made.

import { jsonText } from '../../exchange/body.ts';
import type { PlannedBody } from '../../exchange/exchange.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { type Nonce, preferredValue, uniqueTexts } from '../../generate/preferred.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { changedBelow, isObject } from '../../openapi/json.ts';
import { fixesMember } from '../../openapi/model/fixed-input.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { recipeBody } from './recipe.ts';

/** A body and what tells it from others. */
export interface MarkedBody {
  readonly body: PlannedBody | null;
  /** Text that no other body holds, of this run or another, in lower case; null where the body has no place for it. */
  readonly mark: string | null;
  /** True where no other body of the run is equal. */
  readonly distinct: boolean;
}

const NAMES = /^(.*_)?(name|title|slug|handle|email|username|sku|subdomain|domain|reference|external_reference)$/i;
const AMOUNTS = /amount|price|total|sum|quantity|value/i;
const NO_AMOUNT = /(^|_)id$|Id$|version|year|port/;
const SPREAD = 997;

/** The recipe's body; `turn` is a number that no other body of the run is made with. */
export function markedBody(world: World, reached: Reached, label: string, turn: number): MarkedBody {
  const from = drawFor(world, label);
  const drawn = recipeBody(reached.recipe, from);
  const media = bodyType(reached.operation);
  if (!isObject(drawn) || media === null) return { ...plainBody(world, reached, label), distinct: false };
  const { description } = reached;
  const fits = (value: unknown): boolean =>
    isValid(description, media.schema, value) || !isValid(description, media.schema, drawn);
  const named = renamed(drawn, shapeOf(description, media.schema?.value ?? true), reached, from.nonce, fits);
  const made = hasMark(named, from.nonce)
    ? named
    : (lettered(named, reached, from.nonce, fits) ??
      counted(named, turn, reached, from.nonce, fits) ??
      referenced(named, from.nonce, fits));
  const value = made ?? named;
  return {
    body: encodedBody(description, media, value),
    mark: markIn(value, from.nonce),
    distinct: made !== null,
  };
}

/** The recipe's body as it is. */
export function plainBody(world: World, reached: Reached, label: string): MarkedBody {
  const { nonce } = drawFor(world, label);
  const value = recipeBody(reached.recipe, drawFor(world, label));
  const mark = markIn(value, nonce);
  const media = bodyType(reached.operation);
  const body = value === undefined || media === null ? null : encodedBody(reached.description, media, value);
  return { body, mark, distinct: mark !== null };
}

/** Tells whether the value (an item of a list, say) holds the mark. */
export function holdsMark(value: unknown, mark: string): boolean {
  return jsonText(value).toLowerCase().includes(mark);
}

function hasMark(value: unknown, nonce: Nonce): boolean {
  return markIn(value, nonce) !== null;
}

/** The text of the body by which a list may show it: the serial alone would be that of the same body in every other run. */
function markIn(value: unknown, nonce: Nonce): string | null {
  return uniqueTexts(nonce).find((text) => holdsMark(value, text)) ?? null;
}

/** Names and the like made new wherever they are not: examples and learned values are the same in every body. */
function renamed(
  value: Record<string, unknown>,
  shape: SchemaObject,
  reached: Reached,
  nonce: Nonce,
  fits: (value: unknown) => boolean,
): Record<string, unknown> {
  const properties = isObject(shape.properties) ? shape.properties : {};
  let result = value;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string' || hasMark(member, nonce) || fixesMember(reached.operation, name)) continue;
    if (!NAMES.test(snakeCase(name)) && !member.includes(nonce.run)) continue;
    const candidate = preferredValue(name, shapeOf(reached.description, properties[name] ?? true), nonce);
    if (typeof candidate !== 'string' || !hasMark(candidate, nonce)) continue;
    const changed = { ...result, [name]: candidate };
    if (fits(changed)) result = changed;
  }
  return result;
}

/** Names of texts that a server looks up, or knows a few of. */
const LOOKED_UP =
  /(^|_)(ids?|ref|type|kind|status|state|method|currency|country|language|locale|timezone|unit|role|plan|category|color|size|token|version|date|time|at|on|url|uri|phone)$/i;
/** Bodies hold what is described of a thing some levels down: JSON:API at the third. */
const MOST_LEVELS = 3;

/** A text that is free to be anything made one that no other body holds; null where there is none. */
function lettered(
  value: Record<string, unknown>,
  { operation }: Reached,
  nonce: Nonce,
  fits: (value: unknown) => boolean,
): Record<string, unknown> | null {
  for (const path of textsIn(value)) {
    const [top = '', name = ''] = [path[0], path.at(-1)];
    if (LOOKED_UP.test(snakeCase(name)) || fixesMember(operation, top)) continue;
    const candidates = uniqueTexts(nonce).map((text) => changedBelow(value, path, () => `assay ${text}`));
    const made = candidates.filter(isObject).find(fits);
    if (made !== undefined) return made;
  }
  return null;
}

/** Where texts stand in the body, the outermost first. */
function textsIn(value: Record<string, unknown>, above: readonly string[] = []): readonly (readonly string[])[] {
  const members = Object.entries(value).map(([name, member]) => ({ path: [...above, name], member }));
  const own = members.filter(({ member }) => typeof member === 'string').map(({ path }) => path);
  const inner = members.flatMap(({ path, member }) =>
    isObject(member) && path.length < MOST_LEVELS ? textsIn(member, path) : [],
  );
  return [...own, ...inner];
}

/** An amount that no other body of the run has. */
function counted(
  value: Record<string, unknown>,
  turn: number,
  { operation }: Reached,
  nonce: Nonce,
  fits: (value: unknown) => boolean,
): Record<string, unknown> | null {
  const numbers = Object.entries(value).filter(
    ([name, member]) => typeof member === 'number' && !NO_AMOUNT.test(name) && !fixesMember(operation, name),
  );
  const [name, member] = numbers.find(([candidate]) => AMOUNTS.test(candidate)) ?? numbers[0] ?? [];
  if (name === undefined || typeof member !== 'number') return null;
  const step = (Number.parseInt(nonce.run.replaceAll(/[^a-z0-9]/gi, '').slice(-6), 36) % SPREAD) + turn + 1;
  const candidates = [member + step, member - step, turn + 1].map((number) => ({ ...value, [name]: number }));
  return candidates.find((candidate) => Number(candidate[name]) > 0 && fits(candidate)) ?? null;
}

/** One member more, where the schema is open. */
function referenced(
  value: Record<string, unknown>,
  nonce: Nonce,
  fits: (value: unknown) => boolean,
): Record<string, unknown> | null {
  if ('reference' in value) return null;
  const candidate = { ...value, reference: `assay-${nonce.run}-${nonce.serial}` };
  return fits(candidate) ? candidate : null;
}

function snakeCase(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2');
}
