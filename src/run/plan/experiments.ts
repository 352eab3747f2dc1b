// Which experiments a run performs, once its operations are reached: their order is the order of the operations.

import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Pieces } from '../../clock/pieces.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { trimmed } from '../../facts/paths.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { isolatedDeleteExperiment, openDeleteExperiment } from '../../probes/auth/accounts.ts';
import { registeredEmailExperiment } from '../../probes/auth/registered-email.ts';
import { acceptedKeys, requirementExperiments } from '../../probes/auth/requirements.ts';
import { operationExperiments, type Turns } from '../../probes/catalogue-of-probes.ts';
import type { Experiment } from '../../probes/probe.ts';
import { creatorFor, makerFor } from '../../probes/reach/chains.ts';
import type { Beside } from '../../probes/reach/valid-inputs.ts';
import { deletedExperiment } from '../../probes/requests/deleted.ts';
import { placeExperiments } from '../../probes/requests/platform-places.ts';
import { mutates, type Reached, requiresToken, type World } from '../../probes/world.ts';
import type { HarnessErrors } from '../books/harness-errors.ts';
import { spotKey } from './clause-target.ts';
import { lookedAt } from './depth.ts';
import { placesOf } from './places.ts';
import { prepareOperation } from './preparation.ts';

/** Every experiment that is wanted for its clauses, but first calls and repetition; each clause that could be looked at has one in the lean pass. */
export async function allExperiments(
  world: World,
  catalogue: Catalogue,
  reached: readonly Reached[],
  wants: (clauses: readonly string[]) => boolean,
  errors: HarnessErrors,
  turn: Clock['turn'],
  held: (own: readonly Experiment[]) => readonly Experiment[] = (own) => own,
  answered: readonly Exchange[] = [],
): Promise<readonly Experiment[]> {
  const firsts = firstOfServices(reached);
  // Whatever else is reached, an operation has the same turn: the same variants are tried on it.
  const turns = turnsOf(catalogue);
  const readerOf = readers(reached);
  const besideOf = besides(reached, (creator) => world.lasts(creator.operation));
  const proven = new Map(reached.filter(({ proof }) => proof !== null).map((one) => [one.operation, one]));
  const accepted = acceptedKeys(reached);
  const registering = world.terms.registration?.operation;
  const registration = [...proven.values()].find(({ operation }) => operation.key === registering) ?? null;
  const ofOne = function* (one: Reached): Pieces<readonly Experiment[]> {
    const making = makerFor(one, reached, { isOpen: world.contract === 'openapi' });
    // Only what was called with success makes anything.
    const creator = making === null ? null : (proven.get(making.operation) ?? null);
    const ofRequirements = requirementExperiments(world, one, accepted);
    const besideOthers = [
      registeredEmailExperiment(world, one, registration),
      isolatedDeleteExperiment(world, one, creator),
      openDeleteExperiment(world, one, creator),
      deletedExperiment(world, one, creator, readerOf(one)),
    ];
    const all = [
      ...(yield* operationExperiments(
        world,
        catalogue,
        one,
        turns.get(one.operation) ?? { turn: 0, turnAlike: 0 },
        { firstOfService: firsts.has(one) },
        besideOf(one),
      )),
      ...ofRequirements,
      ...besideOthers.filter((experiment) => experiment !== null),
    ];
    return held(all.filter(({ clauses }) => wants(clauses)));
  };
  const own: Experiment[] = [];
  for (const one of reached) {
    await prepareOperation(one.description, one.operation, turn);
    const work = { clauses: [], where: `the choice of experiments on ${one.operation.key}` };
    own.push(...(await errors.attemptInTurns(work, one.proof, [], ofOne(one), turn)));
    await turn();
  }
  const places = placeExperiments(world, placesOf(world, catalogue), answered);
  return withEveryClauseLean([...places.filter(({ clauses }) => wants(clauses)), ...own]);
}

function turnsOf({ operations }: Catalogue): ReadonlyMap<Operation, Turns> {
  const all = operations.map(({ operation }) => operation);
  const alike = [...Map.groupBy(all, (operation) => jsonBodyType(operation) !== null).values()];
  const amongAlike = new Map(alike.flatMap((own) => own.map((operation, index) => [operation, index] as const)));
  return new Map(all.map((operation, turn) => [operation, { turn, turnAlike: amongAlike.get(operation) ?? 0 }]));
}

/**
 * The experiments of one operation that `heldTo` looks at once those of all operations are known, and few more: which
 * of them come into the lean pass is not known yet.
 */
export function heldEarly(most: number, own: readonly Experiment[]): readonly Experiment[] {
  const lean = withEveryClauseLean(own);
  const held = new Set(lookedAt(most, lean));
  return own.filter((_, index) => held.has(lean[index] as Experiment));
}

/** One reading operation of each service that takes a token: best one without ids, which every shard calls. */
function firstOfServices(reached: readonly Reached[]): ReadonlySet<Reached> {
  const asked = reached.filter(
    ({ operation, proof }) => proof !== null && !mutates(operation) && requiresToken(operation),
  );
  const services = [...Map.groupBy(asked, ({ operation }) => operation.service).values()];
  return new Set(services.flatMap((own) => own.find(({ operation }) => !operation.path.includes('{')) ?? own[0] ?? []));
}

/** Finds the operation, where it was called with success, that reads what the path of another one names. */
function readers(all: readonly Reached[]): (of: Reached) => Reached | null {
  const reading = all.filter(({ proof, operation }) => proof !== null && operation.method === 'GET');
  const placeOf = ({ operation: { service, path } }: Reached): string => `${service} ${path}`;
  const byPlace = new Map(reading.toReversed().map((one) => [placeOf(one), one]));
  return (one) => byPlace.get(placeOf(one)) ?? null;
}

/** Finds what reads what a write has changed, and what makes the things that an action is done to, where they do not stay. */
export function besides(all: readonly Reached[], stays: (creator: Reached) => boolean): (of: Reached) => Beside {
  const readerOf = readers(all);
  return (one) => {
    const { method } = one.operation;
    if (method === 'PUT' || method === 'PATCH') return { reader: readerOf(one), maker: null };
    const thing = method === 'POST' ? thingOf(one, all) : null;
    const making = thing === null ? null : creatorFor(thing, all, { byNoun: false });
    const maker = all.find(({ operation, proof }) => proof !== null && operation === making?.operation);
    return maker === undefined || stays(maker) ? { reader: null, maker: null } : { reader: thing, maker };
  };
}

/** The operation that reads the thing to which an action is done; null for one that adds to a collection. */
function thingOf({ operation }: Reached, all: readonly Reached[]): Reached | null {
  const path = trimmed(operation.path);
  const item = path.slice(0, path.lastIndexOf('/'));
  const isCollection = all.some(
    ({ operation: other }) =>
      other.service === operation.service &&
      ((other.method === 'GET' && other.path === operation.path) || other.path.startsWith(`${path}/{`)),
  );
  if (isCollection || !item.endsWith('}')) return null;
  return (
    all.find(
      ({ operation: other, proof }) =>
        proof !== null && other.method === 'GET' && other.service === operation.service && other.path === item,
    ) ?? null
  );
}

/** Judged on every answer, or on every operation's first. */
const JUDGED_ANYWAY = new Set([...EXCHANGE_CHECKS.map(({ clause }) => clause), 'AUTH-05']);

/** A clause whose experiments on an operation all lie in depth gets its first one there into the lean pass. */
export function withEveryClauseLean(experiments: readonly Experiment[]): readonly Experiment[] {
  const placesOf = (experiment: Experiment): readonly string[] =>
    experiment.clauses.map((clause) => (JUDGED_ANYWAY.has(clause) ? clause : `${clause} ${spotKey(experiment)}`));
  const lean = new Set(experiments.filter(({ stage }) => stage === 'lean').flatMap(placesOf));
  return experiments.map((experiment) => {
    const places = placesOf(experiment);
    if (experiment.stage !== 'depth' || places.every((place) => lean.has(place))) return experiment;
    for (const place of places) lean.add(place);
    return { ...experiment, stage: 'lean' as const };
  });
}
