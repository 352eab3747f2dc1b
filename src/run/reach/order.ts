// In which order operations are reached: lists before creates, creates before what they make, parents before children; and what
// must be called before an operation can be.
import type { ContractName } from '../../contract/contract.ts';
import type { Companions } from '../../contract/report.ts';
import { isSafe } from '../../exchange/methods.ts';
import { nounAt, nounOf } from '../../facts/nouns.ts';
import { wordAtEnd } from '../../facts/path-words.ts';
import { collectionTemplate, parameterNames } from '../../facts/paths.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
import { firstRecipe, recipeBody } from '../../probes/reach/recipe.ts';
import { nounsReferred } from '../../probes/reach/references.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';
import { isOfCaller, listedDeeds, takesAway, withoutSigns } from './sweeps.ts';

/** Operations after which the key, or the account, may be gone: reached last of all. */
const ENDS_SESSION = new RegExp(
  [
    'log[-_]?o(ut|ff)|sign[-_]?(out|off)|revoke|deactivate|invalidate',
    '(close|delete|terminate|remove)[-_/]?account|account[-_/]?(closure|deletion|delete|close|terminate)',
    '(?<![a-z])(end|close|destroy|expire|terminate|kill)[-_/]?(all[-_/]?|my[-_/]?|current[-_/]?)?(session|token)',
    '(session|token)s?[-_/](current[-_/]?)?(end|close|destroy|expire|terminate|kill)',
  ].join('|'),
  'i',
);
const METHOD_ORDER: Readonly<Record<string, number>> = {
  GET: 0,
  HEAD: 0,
  OPTIONS: 0,
  POST: 1,
  PUT: 2,
  PATCH: 2,
  DELETE: 3,
};

/** Calling one of these, on no object in particular, may end the target itself: never called. */
const ENDS_TARGET =
  /\/(shut[-_]?down|power[-_]?off|reboot|restart|halt|kill|exit|quit|terminate|factory[-_]?reset)$|^(\/[^/]+)?\/stop$/i;

/** An operation id that says so, too: a GET of such a path may ask for no more than how it stands. */
const SAYS_ENDS_TARGET =
  /^(api[-_]?)?(shut-?_?down|power-?_?off|reboot|restart|halt|kill|exit|quit|terminate|factory-?_?reset)(?!.*(status|state|schedule|history|log))/i;

/** One of these, on no object in particular, may close the target for the rest of the run: called last, too. */
const CLOSES = /\/(maintenance([-_]?mode)?|read-?only|lock(-?down)?|suspend|disable|freeze|pause|offline|stand-?by)$/i;

/** One of these, on no object in particular, may give the caller a new token or password in place of the one that is sent. */
const RENEWS = new RegExp(
  [
    '/(reset|rotate|regenerate|recreate|renew|roll|change)[-_/]?(my|own|user|api|access|auth)?[-_/]?(token|key|secret|credential|password)s?$',
    '/(my|own|user|api|access|auth)?[-_]?(token|key|secret|credential|password)s?[-_/](reset|rotate|regenerate|recreate|renew|roll|change)$',
  ].join('|'),
  'i',
);

/** One of these says how callers may sign in. */
const SIGN_IN_SETTINGS =
  /[-_/](jwt|auth|authentication|sso|saml|ldap|oidc|oauth2?|login|session|token|password|security)[-_/](settings?|config|configuration|policy|policies|preferences)$/i;

/** Words of a path that leave no doubt; a GET of /password/reset or /trash/restore may only show a form. */
const REMOVES = /^(delete|destroy|erase|remove|purge|wipe|flush|truncate)$/;

/** reach order within a lane. */
export function inReachOrder(operations: readonly Described[]): readonly Described[] {
  return operations.toSorted((left, right) => weight(left) - weight(right));
}

function weight({ operation }: Described): number {
  const depth = parameterNames(operation.path).length;
  const endsInParameter = operation.path.endsWith('}');
  const isList = operation.method === 'GET' && !endsInParameter;
  return (
    depth * 10 +
    (isList ? 0 : 1 + (METHOD_ORDER[operation.method] ?? 2)) +
    (operation.method === 'POST' && endsInParameter ? 1 : 0)
  );
}

/** Names what belongs together, and is called one after another, by the service and the path or key of an operation. */
export type LaneNaming = (service: string | null, path: string) => string;

/** This platform's lanes: the first segment after the version. */
export const resourceLane: LaneNaming = (service, path) => {
  const [first = ''] = path.replace(/^([A-Z]+ )?\/api(\/v\d+)?\//, '').split('/');
  return `${service} ${first}`;
};

/** The lane of an operation of this platform. */
export function laneOf({ operation: { service, path } }: Described): string {
  return resourceLane(service, path);
}

/** Lanes of any description: the first segment that not all paths of the service share. */
export function lanesOf(operations: readonly Described[]): LaneNaming {
  const shared = new Map<string | null, number>();
  for (const [service, own] of Map.groupBy(operations, ({ operation }) => operation.service)) {
    shared.set(service, sharedSegments(own.map(({ operation }) => operation.path.split('/'))));
  }
  return (service, path) => {
    const segments = path.replace(/^[A-Z]+ /, '').split('/');
    return `${service} ${segments[Math.min(shared.get(service) ?? 1, segments.length - 1)]}`;
  };
}

/** How many leading segments all paths have in common. */
function sharedSegments(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths;
  const differs = first.findIndex((segment, index) => paths.some((path) => path[index] !== segment));
  return differs < 0 ? first.length - 1 : differs;
}

function endsTarget(described: Described): string | null {
  const { method, path, operationId } = described.operation;
  if (parameterNames(path).length > 0) return null;
  const mayEnd = !isSafe(method) || SAYS_ENDS_TARGET.test(operationId ?? '');
  if (mayEnd && ENDS_TARGET.test(withoutSigns(path)))
    return 'its name says that it ends the target, so it is never called';
  const deed = listedDeeds(described).find((one) => ENDS_TARGET.test(`/${one}`));
  return deed === undefined ? null : `it may be told to ${deed}, which ends the target, so it is never called`;
}

/** Why it is not called at all: with success it would end the target, or take away what it is to read; null for all others. */
export function neverCalled(described: Described): string | null {
  const { method, path } = described.operation;
  const { deed, word = '' } = wordAtEnd(path) ?? {};
  const mayTake = deed === 'removes' || (deed === 'empties' && REMOVES.test(word));
  if (isSafe(method) && mayTake) return `its path says that this ${method} takes something away, so it is never called`;
  return endsTarget(described);
}

/** Tells whether calling it with success may take away what other operations are tested with. */
function wipes(described: Described): boolean {
  const { method, path } = described.operation;
  if (isSafe(method)) return false;
  // All of something may be gone, even below one object: called last, like deletes of whole collections.
  if (wordAtEnd(path)?.deed === 'empties' || takesAway(described)) return true;
  if (parameterNames(path).length > 0) return false;
  return locksOut(described) !== null || CLOSES.test(withoutSigns(path));
}

/** Why it is never called as somebody who may: a success could lock out the caller, whom nothing then lets back in; null for all others. */
export function locksOut({ operation: { method, path } }: Described): string | null {
  if (isSafe(method) || parameterNames(path).length > 0) return null;
  const isConcerned = [RENEWS, SIGN_IN_SETTINGS].some((pattern) => pattern.test(withoutSigns(path)));
  return isConcerned ? 'its path says that it changes how callers sign in: strangers alone are sent there' : null;
}

/** Tells whether it is called once, when nothing else is left to do. */
export function comesLast(described: Described, contract: ContractName): boolean {
  return endsSession(described) || (contract === 'openapi' && wipes(described));
}

/** Those that come last, in groups: each may take away from the later ones what they need, at the end the key itself. */
export function inEndingOrder(ending: readonly Described[]): readonly (readonly Described[])[] {
  return [false, true].map((ends) => ending.filter((described) => endsSession(described) === ends));
}

/** Tells whether calling it with success may end the session of the key. */
export function endsSession({ operation }: Described): boolean {
  if (operation.method === 'DELETE' && isOfCaller(operation)) return true;
  return ENDS_SESSION.test(operation.path) || ENDS_SESSION.test(operation.operationId ?? '');
}

// Finds the operations that must be called before another can be: those that list or create the ids in its path and
// body, and those that these need in turn.

/** Maximum number of collections that share a noun with a parameter and are read. */
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

/** The operations that list or create at the path. */
function at(catalogue: Catalogue, path: string): readonly Described[] {
  return catalogue.operations.filter(
    ({ operation }) => operation.path === path && (operation.method === 'GET' || operation.method === 'POST'),
  );
}

/** The operations that list or create things of that noun, those that need the fewest ids first. */
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
