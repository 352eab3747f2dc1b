// Valid bodies beside the one that the target was seen to serve. Each has a member, an item or a branch of a union that the served
// body lacks, so that input can be spoiled there, too.

import { withSecondItems } from '../../generate/second-items.ts';
import { isIndex, type Spoiler } from '../../generate/spoiled-place.ts';
import { type Candidate as Spoilable, spoilerCandidates } from '../../generate/spoilers.ts';
import { BODY, candidatesOf } from '../../generate/targets/candidates.ts';
import { choose, hasRoom, isTaken, supportsOf } from '../../generate/targets/choice.ts';
import { inputsOf } from '../../generate/targets/operation-inputs.ts';
import type { SchemaHandle } from '../../openapi/model/operation.ts';
import { recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** A spoiler of a body that the target was not seen to serve, with that body. */
export interface Unproven {
  readonly candidate: Spoilable;
  readonly unspoiled: unknown;
  /** Whether its other members are those of the served body, so that other values of the recipe may stand in their place. */
  readonly isAlike: boolean;
}

/** Bodies of one operation beside the served one. */
const MOST_BODIES = 40;

/**
 * Spoilers of places that the served body does not have. Each keyword is broken once at each place; what `known` holds is not
 * broken again.
 */
export function unprovenSpoilers(
  world: World,
  reached: Reached,
  schema: SchemaHandle,
  served: unknown,
  known: readonly Spoiler[],
): readonly Unproven[] {
  const seen = new Set(known.map(brokenBy));
  return furtherBodies(world, reached, served).flatMap(({ body, path }) =>
    spoilerCandidates(reached.description, schema, body, path).flatMap((candidate) => {
      const key = brokenBy(candidate.spoiler);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ candidate, unspoiled: body, isAlike: path.length > 0 }];
    }),
  );
}

export interface InItems {
  /** Of the spoilers of the served body those that are sent in it: in each list the first of each kind, and all outside of lists. */
  readonly own: readonly Spoilable[];
  /** The others in lists, each in an item that has another one before it. */
  readonly later: readonly Unproven[];
}

/**
 * Has most spoilers of list items in a second item: whoever checks it checks the first one, too, and not the other way round. `other`: a body
 * like the served one, with other texts.
 */
export function inSecondItems(
  { description }: Reached,
  schema: SchemaHandle,
  { served, other }: { readonly served: unknown; readonly other: unknown },
  own: readonly Spoilable[],
): InItems {
  if (!own.some(({ spoiler }) => spoiler.path.some(isIndex))) return { own, later: [] };
  const longer = withSecondItems(description, schema, served, other);
  const later = spoilerCandidates(description, schema, longer, [], 'last').filter(({ spoiler: { path } }) =>
    path.some((token) => isIndex(token) && token !== '0'),
  );
  const moved = new Set(later.map(({ spoiler }) => anywhere(spoiler)));
  const seen = new Set<string>();
  const isFirst = ({ path, kind }: Spoiler): boolean => {
    const list = `${kind} ${path.slice(0, path.findLastIndex(isIndex)).join('/')}`;
    const isNew = !seen.has(list);
    seen.add(list);
    return isNew;
  };
  return {
    own: own.filter(({ spoiler }) => !spoiler.path.some(isIndex) || isFirst(spoiler) || !moved.has(anywhere(spoiler))),
    later: later.map((candidate) => ({ candidate, unspoiled: longer, isAlike: true })),
  };
}

/** What a spoiler breaks, in whichever item. */
function anywhere({ path, kind, what }: Spoiler): string {
  const place = path.map((token) => (isIndex(token) ? '*' : token)).join('/');
  return `${kind} ${place} ${what.slice(path.join('.').length)}`;
}

/** What a spoiler breaks, and where. */
function brokenBy({ pointer, kind, what }: Spoiler): string {
  if (kind === 'constraint') return `${pointer} ${what}`;
  return `${pointer} ${kind === 'missing' ? 'required' : 'type'}`;
}

interface FurtherBody {
  readonly body: unknown;
  /** The tokens of the place that the served body lacks. */
  readonly path: readonly string[];
}

/** The bodies, each made from the served one or from one made before it, the outer places before the inner. */
function furtherBodies(
  world: World,
  { description, operation, recipe }: Reached,
  served: unknown,
): readonly FurtherBody[] {
  const inputs = inputsOf(description, operation);
  const draw = drawFor(world, 'spoil');
  const full = recipeBody({ ...recipe, fullness: 'full' }, draw);
  const candidates = candidatesOf(inputs).filter(({ root }) => root === BODY);
  const supports = supportsOf(candidates);
  const bodies: FurtherBody[] = [{ body: served, path: [] }];
  for (const candidate of candidates) {
    if (bodies.length > MOST_BODIES) break;
    if (candidate.target.kind !== 'present' && !candidate.isBranch) continue;
    const known = bodies.map(({ body }) => new Map([[BODY, body]]));
    if (known.some((values) => isTaken(values, candidate))) continue;
    // A body that differs little from the served one is the likeliest to be served itself.
    for (const values of [...known, new Map([[BODY, full]])]) {
      const found = hasRoom(values, candidate) ? choose(inputs, values, [candidate], draw, supports) : null;
      if (found === null) continue;
      bodies.push({ body: found.values.get(BODY), path: candidate.path });
      break;
    }
  }
  return bodies.slice(1);
}
