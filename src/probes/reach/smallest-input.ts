// The smallest input that the description admits: every parameter and member is there, and each is empty, false or at its minimum; and
// null for each member that may be null. Servers fail there that are only ever sent what is filled in. The passive checks judge: a refusal may have reasons of business, a
// failure may not.
import { jsonText } from '../../exchange/body.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames } from '../../facts/paths.ts';
import { bodyType } from '../../generate/bodies.ts';
import { markIn } from '../../generate/preferred.ts';
import { BODY, type Candidate } from '../../generate/targets/candidates.ts';
import { choose, type InputValues } from '../../generate/targets/choice.ts';
import { isVariable } from '../../generate/targets/operation-inputs.ts';
import { appended, valueAt } from '../../openapi/json.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { IN_VAIN } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { unknownValue } from '../requests/harmless.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { note } from './noting.ts';
import { planOf } from './recipe.ts';
import {
  answered,
  Failures,
  isRefused,
  isServed,
  locksNothing,
  planWith,
  staysEachTime,
  variedInput,
} from './valid-inputs.ts';

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
  const isOfOne = mutates(operation) && operation.method !== 'POST' && !operation.path.includes('{');
  if (proof === null && isOfOne) return null;
  return {
    probe: PROBE,
    ...turnOf(reached),
    clauses: ['SCH-06', 'REQ-09'],
    ...spotOf(operation),
    cost: bodyType(operation) === null ? 1 : 3,
    run: () => course(world, reached),
  };
}

/**
 * A crash is what a person repairs first, and one request may show it: it comes before what is looked at once in every resource. A POST may
 * make what stays, of which few are allowed: it comes after the laws, which have to make something.
 */
function turnOf({ operation, proof }: Reached): Pick<Experiment, 'stage' | 'rank'> {
  if (operation.method === 'POST') return { stage: 'depth', rank: 0 };
  return { stage: 'lean', rank: proof === null ? 2 : 0.5 };
}

function* course(world: World, reached: Reached): Course {
  const { operation, recipe, proof } = reached;
  const open = variedInput(world, reached);
  const { candidates: all, base } = open;
  // Its mark shows that this run has made a thing, and finds it where the answer is lost or a failure.
  const candidates = operation.method === 'POST' ? all.filter((one) => !bearsMark(world, base, one)) : all;
  const asked = askedFor(world, reached);
  const turns: (readonly Candidate[])[] = [candidates.filter(({ target }) => SMALL.has(target.kind))];
  const failures = new Failures();
  let isChanged = false;
  for (let turn = 0; turn < turns.length; turn += 1) {
    const label = `smallest ${turn}`;
    const chosen = choose({ ...open, candidates: turns[turn] ?? [] }, drawFor(world, label));
    if (chosen === null) continue;
    const { values } = chosen;
    const planned = (again: string): RequestPlan => ({
      ...planWith(world, asked, { values, base }, PROBE, `${label}${again}`),
      ...(asked === reached ? {} : IN_VAIN),
    });
    const last = yield* answered(world, asked, planned, failures);
    isChanged ||= isServed(last);
    if (isServed(last)) note(world, asked.recipe, last);
    if (turn === 0) turns.push(...turnsAfter(chosen.candidates, candidates, isRefused(last)));
  }
  // A changed object is left as the run found or made it.
  if (isChanged && proof !== null && mutates(operation) && operation.method !== 'POST')
    yield planOf(recipe, `${PROBE}/restored`, drawFor(world, 'smallest'));
  return failures.outcomes;
}

/** Tells whether the candidate takes the place of what shows whose the thing is. */
function bearsMark({ nonce }: World, base: InputValues, { root, path }: Candidate): boolean {
  const value = root === BODY && path.length > 0 ? valueAt(base.get(root), appended('', ...path)) : undefined;
  return value !== undefined && markIn(jsonText(value), nonce) !== null;
}

/** The operation on what is not there, where no call was served: nothing could put back what it changes. */
function askedFor(world: World, reached: Reached): Reached {
  const { operation, recipe, proof } = reached;
  const last = parameterNames(operation.path).at(-1);
  if (proof !== null || last === undefined) return reached;
  const pathValues = { ...recipe.pathValues, [last]: unknownValue(world, reached, last) };
  return { ...reached, recipe: { ...recipe, pathValues } };
}

/** Candidates of the requests after the first: its halves where it was refused; small items of lists and other branches; nulls. */
function turnsAfter(
  first: readonly Candidate[],
  all: readonly Candidate[],
  isFirstRefused: boolean,
): readonly (readonly Candidate[])[] {
  const middle = Math.ceil(first.length / 2);
  const halves = isFirstRefused && middle > 1 ? [first.slice(0, middle), first.slice(middle)] : [];
  const inBody = all.filter(({ root }) => root === BODY);
  // An empty list has no item that could be small, and one branch nothing of another.
  const further = inBody.filter((one) => SMALL.has(one.target.kind) && !first.includes(one));
  return [...halves, further, inBody.filter(({ target }) => target.kind === 'null')];
}
