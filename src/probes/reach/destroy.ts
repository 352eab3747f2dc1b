// What comes last: DELETE of an object made for the purpose, then of everything that this run created.
import type { Exchange } from '../../exchange/exchange.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import type { Course } from '../probe.ts';
import { drawFor, ordinaryCredential, type Reached, type World } from '../world.ts';
import { createdId } from './depth.ts';
import { candidatePathValues, collectionTemplate, parameterNames } from './path-values.ts';
import { fillPath, firstRecipe, planOf, type Recipe } from './recipe.ts';

/** Reaches a DELETE: creates its victim where the description offers a create, else takes what path values are known. */
export function* reachDelete(
  world: World,
  description: Description,
  operation: Operation,
  creator: Reached | null,
  serial: string,
  arrived: (reached: Reached) => void,
  missing: (parameter: string) => void,
): Course {
  const values = creator === null ? null : yield* makeVictim(world, operation, creator, serial);
  const { candidates, unknown } =
    values === null ? candidatePathValues(world, description, operation) : { candidates: [values], unknown: null };
  const [first] = candidates;
  if (first === undefined) {
    missing(unknown ?? 'id');
    return [];
  }
  const recipe = firstRecipe(
    description,
    operation,
    first,
    ordinaryCredential(world, operation),
    drawFor(world, serial),
  );
  const { last } = yield planOf(recipe, 'last/delete', drawFor(world, serial));
  const succeeded = (last.response?.status ?? 599) < 400;
  if (succeeded) forget(world, recipe);
  arrived({
    operation,
    description,
    recipe,
    proof: succeeded ? last : null,
    firstStatus: last.response?.status ?? null,
  });
  return [];
}

/** Creates an object for the operation to destroy; null where that fails. Returns the path values that name it. */
export function* makeVictim(
  world: World,
  operation: Operation,
  creator: Reached,
  serial: string,
): Generator<ReturnType<typeof planOf>, Readonly<Record<string, string>> | null, { last: Exchange }> {
  const parameter = parameterNames(operation.path).at(-1);
  if (parameter === undefined) return null;
  const { last } = yield planOf(creator.recipe, 'last/victim', drawFor(world, `v${serial}`), {
    needed: 'experiment',
  });
  if ((last.response?.status ?? 599) >= 300) return null;
  const collection = fillPath(collectionTemplate(operation.path, parameter), creator.recipe.pathValues);
  const id = createdId(last, parameter, collection);
  // What a list showed before was not made now, whatever the answer says: a sign-in answers with a user, too.
  if (id === null || world.knowledge.isShown(id, collection)) return null;
  return { ...creator.recipe.pathValues, [parameter]: id };
}

function forget(world: World, recipe: Recipe): void {
  const last = parameterNames(recipe.operation.path).at(-1);
  const value = last === undefined ? undefined : recipe.pathValues[last];
  if (last === undefined || value === undefined) return;
  world.knowledge.forget(fillPath(collectionTemplate(recipe.operation.path, last), recipe.pathValues), value);
}
