// What must be called before an operation can be: whatever lists or creates the ids in its path and body, and what these
// need in turn.
import type { Companions } from '../../contract/report.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
import { nounAt, nounOf } from '../../probes/reach/nouns.ts';
import { collectionTemplate, parameterNames } from '../../probes/reach/path-values.ts';
import { firstRecipe, recipeBody } from '../../probes/reach/recipe.ts';
import { nounsReferred } from '../../probes/reach/references.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';

/** Of collections that share a noun with a parameter, so many are read. */
const NAMESAKES = 2;

/** The operations, in the catalogue's order, with all that their ids come from. */
export function withProducers(world: World, catalogue: Catalogue, wanted: readonly Described[]): readonly Described[] {
  const found = new Set<Described>();
  const add = (described: Described): void => {
    if (found.has(described)) return;
    found.add(described);
    for (const producer of producersOf(world, catalogue, described)) add(producer);
  };
  for (const described of wanted) add(described);
  return catalogue.operations.filter((described) => found.has(described));
}

function producersOf(world: World, catalogue: Catalogue, described: Described): readonly Described[] {
  const { path } = described.operation;
  const fromPath = parameterNames(path).flatMap((name) => {
    const collection = collectionTemplate(path, name);
    const own = at(catalogue, collection);
    if (own.length > 0) return own;
    // A list may also stand within the object above it.
    const above = at(catalogue, collection.replace(/\/[^/]*$/, '')).filter(
      ({ operation }) => operation.method === 'GET',
    );
    return [...above, ...namesakes(catalogue, nounOf(name))];
  });
  return [...fromPath, ...referredBy(world, described).flatMap((noun) => namesakes(catalogue, noun))];
}

/** What lists or creates at the path. */
function at(catalogue: Catalogue, path: string): readonly Described[] {
  return catalogue.operations.filter(
    ({ operation }) => operation.path === path && (operation.method === 'GET' || operation.method === 'POST'),
  );
}

/** What lists or creates things of that noun, those that need the fewest ids first. */
function namesakes(catalogue: Catalogue, noun: string): readonly Described[] {
  const paths = catalogue.operations
    .map(({ operation }) => operation.path)
    .filter((path) => noun !== '' && !path.endsWith('}') && nounAt(path) === noun)
    .toSorted((left, right) => parameterNames(left).length - parameterNames(right).length);
  return [...new Set(paths)].slice(0, NAMESAKES).flatMap((path) => at(catalogue, path));
}

function referredBy(world: World, { operation, description }: Described): readonly string[] {
  if (operation.requestBody === null || operation.unsupported !== null) return [];
  const credential = ordinaryCredential(world, operation);
  const recipe = firstRecipe(description, operation, {}, credential, drawFor(world, 'refs'));
  return [...new Set(nounsReferred(world, recipeBody(recipe, drawFor(world, 'refs'))))];
}

const READS_ITEM: readonly string[] = ['GET'];
const TOUCHES_ITEM: readonly string[] = ['GET', 'PATCH', 'PUT', 'DELETE'];

/** The operations that such an experiment calls beside the one that it is about. An older report does not say: all that any calls. */
export function companionsOf(
  catalogue: Catalogue,
  companions: Companions | undefined,
  { operation: { service, path } }: Described,
): readonly Described[] {
  if (companions === 'none') return [];
  const same = catalogue.operations.filter(({ operation }) => operation.service === service);
  const siblings = same.filter((other) => other.operation.path === path && /^(GET|POST)$/.test(other.operation.method));
  if (companions === 'siblings') return siblings;
  const methods = companions === 'keyed' ? READS_ITEM : TOUCHES_ITEM;
  const item = same.filter(({ operation }) => methods.includes(operation.method) && isItemOf(operation.path, path));
  return [...siblings, ...item, ...catalogue.operations.filter(({ operation }) => takesKey(operation))];
}

function isItemOf(path: string, collection: string): boolean {
  return path.startsWith(`${collection}/{`) && path.indexOf('/', collection.length + 1) < 0;
}
