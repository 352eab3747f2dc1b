// Which places a run asks for beside the operations: paths of no description, and those that the contract calls internal.
import { operationMatcher } from '../../contract/operation-glob.ts';
import { encodeSegment } from '../../facts/paths.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { placementsOf } from '../../probes/auth/security.ts';
import type { Places } from '../../probes/requests/platform-places.ts';
import { requiresToken, type World } from '../../probes/world.ts';

/** Names that stand below internal paths as a rule. */
const CUSTOMARY = ['health', 'status', 'metrics', 'config', 'users', 'admin', 'stats', 'jobs'];
/** Maximum number of resources that are looked for below internal paths, and of those below which an unknown path is. */
const MAX_RESOURCES = 8;

/** The places of this run. */
export function placesOf(world: World, catalogue: Catalogue): Places {
  const isCommerce = world.contract === 'commerce';
  const prefix = world.terms.versions.prefix ?? commonPrefix(catalogue);
  const resources = resourcesBelow(prefix, catalogue);
  const unknown = [
    `${prefix}/assay-${world.nonce}`,
    ...(isCommerce ? internalBelow(prefix, world) : []),
    ...(isCommerce ? resources : resources.slice(0, MAX_RESOURCES)).flatMap((root) => unknownBelow(world, root)),
  ].filter((path) => catalogue.pathKnown(path).length === 0);
  const internal = internalPaths(world);
  const next = nextVersion(prefix, world);
  if (isCommerce) return { unknown, internal, next };
  const guessed = guessedInternal(world, [...namesIn(prefix, resources), ...CUSTOMARY], catalogue);
  const all = [...new Set([...guessed, ...internal])];
  return { unknown, internal: all, next, placements: placementsFor(world, catalogue) };
}

/** The prefix that all paths have in common, short of a resource. */
function commonPrefix({ operations }: Catalogue): string {
  const paths = operations.map(({ operation }) => operation.path.split('/').slice(1, -1));
  const [first = []] = paths;
  const isShared = (name: string, at: number): boolean =>
    !name.includes('{') && paths.every((path) => path[at] === name);
  const end = first.findIndex((name, at) => !isShared(name, at));
  const shared = first.slice(0, end === -1 ? first.length : end);
  const isServed = operations.some(({ operation }) => operation.path === `/${shared.join('/')}`);
  return (isServed ? shared.slice(0, -1) : shared).map((name) => `/${name}`).join('');
}

/** The collections at the top: "/v1/orders". */
function resourcesBelow(prefix: string, { operations }: Catalogue): readonly string[] {
  const roots = operations.flatMap(({ operation: { path } }) => {
    if (!path.startsWith(`${prefix}/`)) return [];
    const [name = ''] = path.slice(prefix.length + 1).split('/');
    return name === '' || name.includes('{') ? [] : [`${prefix}/${name}`];
  });
  return [...new Set(roots)];
}

function namesIn(prefix: string, resources: readonly string[]): readonly string[] {
  return resources.slice(0, MAX_RESOURCES).map((root) => root.slice(prefix.length + 1));
}

function unknownBelow({ knowledge, nonce }: World, root: string): readonly string[] {
  const [known] = knowledge.idsAt(root, '');
  const deep = `${root}/assay/unknown/${nonce}/path`;
  return known === undefined ? [deep] : [deep, `${root}/${encodeSegment(known.value)}/assay-${nonce}`];
}

/** The first of the internal paths as it would stand below the prefix of the public ones. */
function internalBelow(prefix: string, { terms: { internal } }: World): readonly string[] {
  const [first] = internal.filter((path) => !/[{*]/.test(path));
  const above = prefix.slice(0, prefix.lastIndexOf('/'));
  return first?.startsWith(`${above}/`) === true ? [prefix + first.slice(above.length)] : [];
}

/** Where the version after the one that the contract names would stand, and the first documented resource there. */
function nextVersion(prefix: string, { terms: { services } }: World): readonly string[] {
  const next = prefix.replace(/\d+$/, (version) => String(Number(version) + 1));
  const documented = Object.values(services).flatMap((one) => one.documented.map(({ operation }) => operation));
  const [, path = ''] = documented[0]?.split(' ') ?? [];
  const resource = path.startsWith(`${prefix}/`) ? [next + path.slice(prefix.length)] : [];
  return next === prefix ? [] : [next, ...resource];
}

/** The internal paths that the contract names, and a nonsense path for each of its globs. */
function internalPaths(world: World): readonly string[] {
  const { internal } = world.terms;
  const named = internal.filter((path) => !path.includes('*')).map((path) => filled(world, path));
  return [...named, ...globsIn(internal).map((glob) => glob.replaceAll('*', `assay-${world.nonce}`))];
}

/** Paths that a description has and the contract calls internal, and what may stand there. */
function guessedInternal(
  { terms: { internal } }: World,
  names: readonly string[],
  { operations }: Catalogue,
): readonly string[] {
  if (internal.length === 0) return [];
  const isInternal = operationMatcher(internal);
  const described = operations.flatMap(({ operation: { key, path } }) =>
    isInternal(key) && !path.includes('{') ? [path] : [],
  );
  return [...described, ...globsIn(internal).flatMap((glob) => names.map((name) => glob.replaceAll('*', name)))];
}

function globsIn(internal: readonly string[]): readonly string[] {
  return internal.filter((glob) => glob.includes('*'));
}

/** The path with an id for each of its parameters. */
function filled({ fixtures, knowledge, terms }: World, path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => {
    const collection = `${terms.versions.prefix ?? ''}/${name.replace(/Id$/, 's')}`;
    const [known] = knowledge.idsAt(collection, name);
    return encodeSegment(fixtures[name] ?? known?.value ?? `${name.replace(/Id$/, '')}_1`);
  });
}

function placementsFor({ keys }: World, { operations }: Catalogue): Places['placements'] {
  const guarded = operations.find(({ operation }) => requiresToken(operation));
  return guarded === undefined ? [] : placementsOf(guarded.description, guarded.operation, keys);
}
