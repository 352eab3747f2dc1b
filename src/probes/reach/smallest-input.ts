// The smallest input that the description admits: every parameter and member is there, and each is empty, false or at its minimum; and
// null for each member that may be null. Servers fail there that are only ever sent what is filled in. The passive checks judge: a refusal may have reasons of business, a
// failure may not.
import { bodyType } from '../../generate/bodies.ts';
import { BODY, type Candidate } from '../../generate/targets/candidates.ts';
import { choose } from '../../generate/targets/choice.ts';
import { isVariable } from '../../generate/targets/operation-inputs.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import type { Course, Experiment } from '../probe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { note } from './noting.ts';
import { planOf } from './recipe.ts';
import { isRefused, isServed, locksNothing, planWith, staysEachTime, variedInput } from './valid-inputs.ts';

const PROBE = 'request/smallest';
/** Kinds of targets that make a place as small as it may be; "present" makes room for them. */
const SMALL = new Set(['present', 'empty', 'false', 'minimum', 'minimum length', 'minimum items']);

/**
 * One request, and where that is refused its halves: something else in it may fail. Also of an operation that was never called with
 * success, for many answer what they are asked before they look whether the thing is there.
 */
export function smallestInputExperiment(world: World, reached: Reached): Experiment | null {
  const { operation, proof } = reached;
  const hasInput = operation.parameters.some(isVariable) || bodyType(operation) !== null;
  if (world.contract !== 'openapi' || !hasInput || !locksNothing(operation)) return null;
  if (staysEachTime(world, reached) || world.isPayment(operation)) return null;
  return {
    probe: PROBE,
    stage: 'lean',
    // A crash is what a person repairs first, and one request may show it: it comes before what is looked at once in every resource.
    rank: proof === null ? 2 : 0.5,
    clauses: ['SCH-06'],
    ...spotOf(operation),
    cost: bodyType(operation) === null ? 1 : 3,
    run: () => course(world, reached),
  };
}

function* course(world: World, reached: Reached): Course {
  const { operation, recipe, proof } = reached;
  const { inputs, candidates, base, supports } = variedInput(world, reached);
  const small = candidates.filter(({ target }) => SMALL.has(target.kind));
  // Where nothing is known the path has an id that names nothing.
  const unknown =
    proof === null && operation.path.includes('{') ? ({ intent: 'invalid', makes: 'nothing' } as const) : {};
  const turns: (readonly Candidate[])[] = [small];
  let isChanged = false;
  for (let turn = 0; turn < turns.length; turn += 1) {
    const label = `smallest ${turn}`;
    const chosen = choose(inputs, base, turns[turn] ?? [], drawFor(world, label), supports);
    if (chosen === null) continue;
    const plan = planWith(world, reached, { values: chosen.values, base }, PROBE, label);
    const { last } = yield { ...plan, ...unknown };
    isChanged ||= isServed(last);
    if (isServed(last)) note(world, recipe, last);
    if (turn > 0) continue;
    const middle = Math.ceil(chosen.candidates.length / 2);
    if (isRefused(last) && middle > 1) turns.push(chosen.candidates.slice(0, middle), chosen.candidates.slice(middle));
    const inBody = candidates.filter(({ root }) => root === BODY);
    // An empty list has no item that could be small, and one branch nothing of another.
    turns.push(inBody.filter((one) => small.includes(one) && !chosen.candidates.includes(one)));
    turns.push(inBody.filter(({ target }) => target.kind === 'null'));
  }
  // A changed object is left as the run found or made it.
  if (isChanged && mutates(operation) && operation.method !== 'POST')
    yield planOf(recipe, `${PROBE}/restored`, drawFor(world, 'smallest'));
  return [];
}
