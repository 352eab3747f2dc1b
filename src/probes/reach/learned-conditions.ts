// Learns from refusals which conditions an operation takes, for all calls of the run that are made without its recipe.

import type { Exchange } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once-per.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Answered } from '../probe.ts';
import type { World } from '../world.ts';
import type { Knowledge } from './knowledge.ts';
import { type Conditions, otherwiseConditional } from './preconditions.ts';
import type { Recipe } from './recipe.ts';

type Known = Pick<World, 'knowledge'>;

/** The conditions that were tried last in each run. */
const learned = oncePer((_: Knowledge) => new Map<Operation, Conditions>());

/**
 * The recipe with what tells the state of the thing, where a write may have been refused for want of that; null where nothing is left
 * to try.
 */
export function inKnownState({ knowledge }: Known, recipe: Recipe, rejection: Exchange): Recipe | null {
  const { query, headers, asRead = [] } = recipe;
  const conditions = otherwiseConditional(recipe.description, recipe.operation, { query, headers, asRead }, rejection);
  if (conditions === null) return null;
  learned(knowledge).set(recipe.operation, conditions);
  return { ...recipe, ...conditions };
}

/** The recipe with the conditions that the operation turned out to take in this run. */
export function asLearned({ knowledge }: Known, recipe: Recipe): Recipe {
  return { ...recipe, ...learned(knowledge).get(recipe.operation) };
}

/** The answer to the call that the recipe makes; it is made once more, as learned, where the state of the thing was wanted. */
export async function answeredInKnownState(
  known: Known,
  recipe: Recipe,
  call: () => Promise<Answered>,
): Promise<Exchange> {
  const { last } = await call();
  return inKnownState(known, recipe, last) === null ? last : (await call()).last;
}
