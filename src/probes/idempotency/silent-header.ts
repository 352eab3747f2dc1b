// IDEM-06: a mutating operation that does not declare the header takes it silently. A call that fails with it is made
// without it twice, and with it twice again, before anything is said.
import { judgeSilent } from '../../checks/idem/idem-06-silent-header.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { createdId } from '../reach/depth.ts';
import { collectionTemplate, parameterNames } from '../reach/path-values.ts';
import { fillPath, planOf } from '../reach/recipe.ts';
import { variedPlan } from '../reach/valid-inputs.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { keyOf, takesKey, withKey } from './keys.ts';

const PROBE = 'idempotency/silent';
/** Of the rounds of valid input that plain calls leave out. Without a budget others send the first. */
const [FIRST_ROUND, SECOND_ROUND] = [0, 1];
/** Faults of the catalogue that the header and the first round show. */
const SHOWN_VARIED = 6;

/** The experiment on one proven mutating operation; null for others. `creator` makes what a DELETE deletes. */
export function silentExperiment(world: World, reached: Reached, creator: Reached | null): Experiment | null {
  const { operation, proof } = reached;
  if (!mutates(operation) || takesKey(operation) || proof === null) return null;
  if (operation.method === 'DELETE' && creator === null) return null;
  const takesVaried = world.isBrief === true && operation.method !== 'DELETE';
  return {
    probe: PROBE,
    stage: 'lean',
    rank: 88,
    clauses: ['IDEM-06'],
    ...(takesVaried ? { shows: SHOWN_VARIED } : {}),
    service: operation.service,
    operation: operation.key,
    cost: operation.method === 'DELETE' || (takesVaried && restores(operation)) ? 2 : 1,
    repeatable: false,
    run: () => course(world, reached, creator),
  };
}

/** In an order in which an operation that fails every other or every third time is not blamed: it does so once without the header, or succeeds once with it. */
const WITH_HEADER = [true, false, false, true, true] as const;

function* course(world: World, reached: Reached, creator: Reached | null): Course {
  const keyed: Exchange[] = [];
  const plain: Exchange[] = [];
  const { service, key: operation } = reached.operation;
  const told = () => [outcome('IDEM-06', { service, operation }, judgeSilent(keyed, plain), [...plain, ...keyed])];
  const varied = variedPlan(world, reached, world.isBrief === true ? FIRST_ROUND : SECOND_ROUND, PROBE);
  if (varied !== null) {
    const key = keyOf(reached.operation, world.nonce, `${operation} silent varied`);
    const { last } = yield { ...varied, headers: withKey(varied.headers, key) };
    // Where it fails its input may be to blame, and it tells nothing of the header.
    if (judgeSilent([last], []).kind === 'holds') {
      keyed.push(last);
      if (restores(reached.operation)) yield planOf(reached.recipe, `${PROBE}/restored`, drawFor(world, PROBE));
      return told();
    }
  }
  for (const [turn, withHeader] of WITH_HEADER.entries()) {
    const plan = yield* planFor(world, reached, creator, turn);
    if (plan === null) break;
    const key = keyOf(reached.operation, world.nonce, `${reached.operation.key} silent ${turn}`);
    const { last } = yield { ...plan, headers: withKey(plan.headers, withHeader ? key : null) };
    (withHeader ? keyed : plain).push(last);
    if (judgeSilent(keyed, plain).kind === 'holds') break;
    if ((last.response?.status ?? 599) >= 400 && !withHeader) break;
  }
  return told();
}

/** Whether what a varied call changes is changed back: it is left as the run found or made it. */
function restores({ method }: Operation): boolean {
  return method === 'PUT' || method === 'PATCH';
}

/** The recipe's call with a body of its own; of a DELETE, on an object made for it. Null where none could be made. */
function* planFor(
  world: World,
  reached: Reached,
  creator: Reached | null,
  turn: number,
): Generator<RequestPlan, RequestPlan | null, { last: Exchange }> {
  const { operation, recipe } = reached;
  const from = drawFor(world, `silent ${operation.key} ${turn}`);
  if (operation.method !== 'DELETE') return planOf(recipe, PROBE, from);
  const parameter = parameterNames(operation.path).at(-1);
  if (creator === null || parameter === undefined) return null;
  const { last } = yield planOf(creator.recipe, PROBE, from, { needed: 'experiment' });
  const collection = fillPath(collectionTemplate(operation.path, parameter), creator.recipe.pathValues);
  const id = (last.response?.status ?? 599) < 300 ? createdId(last, parameter, collection) : null;
  if (id === null) return null;
  return planOf({ ...recipe, pathValues: { ...creator.recipe.pathValues, [parameter]: id } }, PROBE, from);
}
