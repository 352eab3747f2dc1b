// Path values for requests that must be refused: should the target serve them after all, nothing that exists is harmed.

import { collectionTemplate, fillPath, parameterNames } from '../../facts/paths.ts';
import { type UnknownId, unknownId } from '../../generate/identifiers.ts';
import { pathParameter } from '../reach/path-values.ts';
import { mutates, type Reached, type World } from '../world.ts';

/** Known ids for reading; for PUT, PATCH and DELETE the last parameter names nothing. */
export function harmlessValues(world: World, reached: Reached): Readonly<Record<string, string>> {
  const { operation, recipe } = reached;
  const last = parameterNames(operation.path).at(-1);
  if (!mutates(operation) || operation.method === 'POST' || last === undefined) return recipe.pathValues;
  return { ...recipe.pathValues, [last]: unknownValue(world, reached, last) };
}

/** An id that names nothing, in the likeness of the recipe's. */
export function unknownValue(world: World, reached: Reached, name: string): string {
  return unknownIdFor(world, reached, name).value;
}

/** The ids by parameter and seed: a refused one is asked for again and again. */
const drawn = new WeakMap<Reached, Map<string, UnknownId>>();

/** The same, with whether the target could call it malformed; `apart` tells one from the next. */
export function unknownIdFor(world: World, reached: Reached, name: string, apart = ''): UnknownId {
  const known = drawn.get(reached) ?? new Map<string, UnknownId>();
  drawn.set(reached, known);
  const key = `${world.seed} ${name}${apart}`;
  const id = known.get(key) ?? drawUnknownId(world, reached, name, apart);
  known.set(key, id);
  return id;
}

/** A name of its own for something that the operation makes under the name which its sender chooses; `serial` tells one from the next. */
export function ownNameFor(world: World, creator: Reached, name: string, serial: string): string {
  return unknownIdFor(world, { ...creator, proof: null }, name, `${world.nonce}${serial}`).value;
}

function drawUnknownId(world: World, reached: Reached, name: string, apart: string): UnknownId {
  const { operation, description, recipe } = reached;
  const parameter = pathParameter(operation, name) ?? { schema: null };
  const known = reached.proof === null ? null : (recipe.pathValues[name] ?? null);
  const collection = fillPath(collectionTemplate(operation.path, name), recipe.pathValues);
  const isTaken = (id: string): boolean => world.knowledge.idsAt(collection, name).some(({ value }) => value === id);
  return unknownId(description, parameter, known, world.seed, `${operation.key} ${name}${apart}`, isTaken);
}
