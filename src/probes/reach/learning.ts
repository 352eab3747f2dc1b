// What a rejected request teaches about an operation: which members the target wants beyond its description.

import { envelopeOf, topField } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { bodyType, type Fullness } from '../../generate/bodies.ts';
import { preferredValue } from '../../generate/preferred.ts';
import { isObject } from '../../generate/schema-shape.ts';
import { drawFor, type World } from '../world.ts';
import { type Recipe, recipeBody } from './recipe.ts';
import { referencesOf } from './references.ts';

/** So many fields of one rejection are learned from, and names no longer than this. */
const MOST_FIELDS = 50;
const LONGEST_NAME = 100;

const REFERENCE = /^(.+?)(_id|Id)$/;

/** The recipe changed by what a 400 or 422 names as missing or wrong; null when the answer teaches nothing. */
export function learnFrom(world: World, recipe: Recipe, rejection: Exchange): Recipe | null {
  const status = rejection.response?.status;
  if (world.contract === 'openapi') return otherwiseFull(world, recipe, status ?? 0);
  if ((status !== 400 && status !== 422) || recipe.operation.requestBody === null) return null;
  const fields = (envelopeOf(rejection)?.fields ?? []).slice(0, MOST_FIELDS).map(topField).filter(isName);
  const body = recipeBody(recipe, drawFor(world, 'learn'));
  if (!isObject(body)) return null;
  const additions: Record<string, unknown> = { ...recipe.additions };
  for (const field of new Set(fields)) {
    const next = nextValue(world, field, body[field], Object.hasOwn(body, field));
    if (next !== undefined) additions[field] = next;
  }
  const changed = JSON.stringify(additions) !== JSON.stringify(recipe.additions);
  return changed ? { ...recipe, additions } : otherwiseFull(world, recipe, status);
}

function isName(field: string): boolean {
  return field !== '' && field.length <= LONGEST_NAME && field !== '__proto__';
}

/** Answers that no other body would change. */
const NOT_ABOUT_THE_BODY = [401, 403, 405, 406, 415, 429, 501, 503];

/** With only what is required, then, where an example was tried first, with everything; null when nothing is left to try. */
function otherwiseFull(world: World, recipe: Recipe, status: number): Recipe | null {
  const media = bodyType(recipe.operation);
  if (media === null || status < 400 || NOT_ABOUT_THE_BODY.includes(status)) return null;
  const filled = (fullness: Fullness): Recipe => {
    const bare = { ...recipe, fullness, additions: {} };
    return { ...bare, additions: referencesOf(world, bare) };
  };
  if (recipe.fullness === 'example') return filled('required');
  return recipe.fullness === 'required' && media.examples.length > 0 ? filled('full') : null;
}

/** A first guess for a member that is missing; another type for one that was guessed wrongly. */
function nextValue(world: World, field: string, tried: unknown, present: boolean): unknown {
  const known = REFERENCE.test(field) ? world.knowledge.idsByNoun(field)[0]?.value : undefined;
  const guess = known ?? preferredValue(field, {}, drawFor(world, 'learn').nonce) ?? 'assay';
  if (!present) return guess;
  if (tried === guess) return /amount|price|quantity|count|total|number/i.test(field) ? 100 : 1;
  return undefined;
}
