// Keeps requests from what somebody else has made: an answer may name it as this run's, and whoever plans by that answer is misled;
// and a call that names nothing reaches whatever is there.
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { subjectOf, takesAwayOne } from '../../facts/path-words.ts';
import { fillPath, isOrLiesBelow, parameterNames, trimmed, valuesOf } from '../../facts/paths.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { markIn } from '../../generate/preferred.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { NotSent } from '../../probes/probe.ts';
import { isActedOn } from '../../probes/reach/path-values.ts';
import { idsNamedBy, wordCallOf } from '../../probes/reach/word-calls.ts';
import type { World } from '../../probes/world.ts';
import { describedBy } from '../books/answers.ts';
import type { Creations } from '../books/creations.ts';
import { type Sweep, sweepOf } from '../reach/sweeps.ts';
import type { Consent } from './consent.ts';

/** The list of a collection, walked whole. */
export interface Sight {
  /** The operation that lists it. */
  readonly lister: string;
  /** How many of the things that it shows this run did not make. */
  readonly foreign: number;
  /** Tells whether one of these may bear the text. */
  readonly shows: (text: string) => boolean;
}

interface Surroundings {
  readonly catalogue: Catalogue;
  readonly creations: Pick<Creations, 'isOthers' | 'isOurs' | 'removedBy'>;
  readonly world: Pick<World, 'contract' | 'environment' | 'fixtures' | 'knowledge' | 'nonce'>;
  /** Reads what is this run's by the word of its create alone. */
  readonly prove: (path: string) => Promise<void>;
  /** Looks at what the collection at the path holds; null where no list shows it. */
  readonly look: (path: string) => Promise<Sight | null>;
  /** Tells whether what stands at the path was read, and can be put back. */
  readonly knows: (path: string) => boolean;
}

/** Consent that may have to be looked for. */
export interface SparingConsent extends Pick<Consent, 'isPayment'> {
  forbidding(plan: RequestPlan): NotSent | null | Promise<NotSent | null>;
}

/** The same consent, which forbids besides what would change or delete what is not this run's. */
export function sparing(consent: Consent, around: Surroundings): SparingConsent {
  /** Why sweeps of what others made are not sent, by operation, place and names: once is enough. */
  const spared = new Map<string, NotSent>();
  const sweeping = async (plan: RequestPlan): Promise<NotSent | null> => {
    const described = describedBy(around.catalogue, plan);
    if (described === null) return null;
    const names = namesIn(plan, described);
    const call = `${plan.service} ${plan.operation} ${plan.path} ${JSON.stringify(names)}`;
    const found = spared.get(call) ?? (await othersSweptBy({ plan, described, names }, consent, around));
    if (found !== null) spared.set(call, found);
    return found;
  };
  return {
    isPayment: (operation) => consent.isPayment(operation),
    forbidding: async (plan) =>
      consent.forbidding(plan) ?? (await othersHarmedBy(plan, around)) ?? (await sweeping(plan)),
  };
}

async function othersHarmedBy(plan: RequestPlan, around: Surroundings): Promise<NotSent | null> {
  if (isSafe(plan.method)) return null;
  const { catalogue, creations, world, prove } = around;
  const acted = actedOnBy(plan, catalogue);
  const paths = acted === null ? creations.removedBy(plan) : [acted.path];
  for (const path of paths) await prove(path);
  const path = paths.find((one) => creations.isOthers(one));
  if (path === undefined || (acted !== null && mayChange(plan, acted, world))) return null;
  return new NotSent('precondition', `${path} is not this run's, and is left alone`);
}

/** A call of an operation, and what it takes away by its names: null for each member that is none, null where it names nothing. */
interface NamingPlan {
  readonly plan: RequestPlan;
  readonly described: Described;
  readonly names: readonly unknown[] | null;
}

/** Strangers are to be refused: whoever serves one is told. A call that undoes names its thing. */
async function othersSweptBy(naming: NamingPlan, consent: Consent, around: Surroundings): Promise<NotSent | null> {
  const { plan, described } = naming;
  const { world } = around;
  const isSent = isSafe(plan.method) || plan.undoes === true || plan.intent === 'unauthenticated';
  if (isSent || world.contract !== 'openapi' || namesItsOwn(naming, world)) return null;
  const sweep = sweepOf(described);
  if (sweep === null || consent.isNamedOrdinary(described.operation)) return null;
  const why = await othersSeen(naming, sweep, around);
  if (why === null) return null;
  const { key } = described.operation;
  return new NotSent('precondition', `${why}; mutations: { operations: { "${key}": ordinary } } allows it`);
}

/** Tells whether the call names each thing that it takes away, and none that a list has shown of others. */
function namesItsOwn({ plan, described, names }: NamingPlan, { knowledge, nonce }: Surroundings['world']): boolean {
  const areIds = wordCallOf(described) !== null;
  const isFree = (id: string): boolean =>
    knowledge.isCreated(id) || !knowledge.isShown(id, plan.path, Number.POSITIVE_INFINITY);
  const isOwn = (name: unknown): boolean =>
    typeof name === 'string' && (areIds ? isFree(name) : markIn(name, nonce) !== null);
  return names?.every(isOwn) ?? false;
}

/** A member by which things are called. */
const CALLED_BY =
  /^(user|file|display)?_?(names?|slugs?|titles?|codes?|skus?|keys?|labels?|tags?|emails?|urls?|paths?|handles?)$/i;

/** Ids or names of the things that the plan takes away, and null for each member that is none; null where it takes nothing away so. */
function namesIn(plan: RequestPlan, described: Described): readonly unknown[] | null {
  const call = wordCallOf(described);
  const members = Object.entries(sentMembers({ plan }));
  const called = members.flatMap(([name, value]) => (CALLED_BY.test(name) ? [value].flat() : [null]));
  const names = call === null ? called : idsNamedBy(call, plan);
  // Where no id is left, a server may take all.
  const isNaming = call !== null || subjectOf(described.operation.path).word?.deed === 'removes';
  return isNaming && names.length > 0 ? names : null;
}

/** Nothing that a server may read as a pattern. */
const PLAIN = /^[a-z0-9][a-z0-9 @._-]{4,}$/i;

/** Why the call is not sent: what it would reach that is not this run's; null where it is all this run's. */
async function othersSeen(
  { plan, described, names }: NamingPlan,
  { collection, isWhole }: Sweep,
  { creations, look, knows }: Surroundings,
): Promise<string | null> {
  if (isWhole === true)
    return knows(plan.path) ? null : 'no read has shown what it takes the place of, so it could not be put back';
  const at = collection === null ? null : fillPath(collection, valuesOf(described.operation.path, plan.path));
  if (at !== null && isOrLiesBelow(at, (path) => creations.isOurs(path))) return null;
  const sight = at === null ? null : await look(at);
  if (sight === null) return 'no list shows all that it takes away or changes, so nobody can tell whose it is';
  const { lister, foreign, shows } = sight;
  const isNobodys = (name: unknown): boolean => typeof name === 'string' && PLAIN.test(name) && !shows(name);
  if (foreign === 0 || names?.every(isNobodys) === true) return null;
  return `it may reach all that is there, and ${lister} shows ${foreign} ${foreign === 1 ? 'thing' : 'things'} that this run did not make`;
}

/** The thing that a success changes or deletes. */
interface ActedOn {
  readonly path: string;
  /** The parameter that names it. */
  readonly name: string;
  readonly operation: Operation;
}

function actedOnBy(plan: RequestPlan, catalogue: Catalogue): ActedOn | null {
  const described = describedBy(catalogue, plan);
  const name = parameterNames(described?.operation.path ?? '').at(-1);
  if (described === null || name === undefined) return null;
  const { operation, description } = described;
  if (!isActedOn(description, operation, name)) return null;
  const depth = operation.path.split('/').findLastIndex((segment) => segment.includes(`{${name}}`));
  const segments = trimmed(plan.path).split('/');
  return { path: segments.slice(0, depth + 1).join('/'), name, operation };
}

/** Tells whether it is changed only: back to what it was, where nobody else lives, or as the user has named it. */
function mayChange(
  { method, path, undoes }: RequestPlan,
  { name, operation }: ActedOn,
  { environment, fixtures }: Surroundings['world'],
): boolean {
  if (takesAwayOne(operation)) return false;
  const isChosen = Object.values(fixtures).includes(valuesOf(operation.path, path)[name] ?? '');
  return (
    (undoes === true && method !== 'POST') ||
    environment === 'local' ||
    isChosen ||
    operation.fixed?.parameters[name] !== undefined
  );
}
