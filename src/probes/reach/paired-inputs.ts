// Valid input in pairs of places: each pair of bounds, listed values, nulls, branches and absences stands in one request. What is
// served alone, and fails beside another value, is SCH-06's.

import type { Exchange } from '../../exchange/exchange.ts';
import { pairedOf, pairwise } from '../../generate/targets/pairs.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import type { Course, Experiment } from '../probe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { note } from './noting.ts';
import { planOf } from './recipe.ts';
import { answered, Failures, isServed, mayVary, planWith, staysEachTime, variedInput } from './valid-inputs.ts';

const PROBE = 'depth/pairs';
/** Requests of one operation, and what is expected of most operations, for budgets. */
const [MOST_ROWS, USUAL_ROWS] = [24, 8];
/** Number of refusals from the start on which tell that the target takes no such input, for reasons of its own. */
const MOST_REFUSED = 4;

/** One experiment for an operation that was called with success and leaves nothing behind for good; null where nothing can be paired. */
export function pairedInputExperiment(world: World, reached: Reached): Experiment | null {
  const { operation } = reached;
  if (!mayVary(reached) || staysEachTime(world, reached) || world.isPayment(operation)) return null;
  const paired = pairedOf(variedInput(world, reached).candidates);
  if (new Set(paired.map(({ target }) => target.at)).size < 2) return null;
  return {
    probe: PROBE,
    stage: 'depth',
    // After each value was tried once, and all that is to be refused.
    rank: 70,
    clauses: ['SCH-01', 'SCH-06', 'REQ-09'],
    ...spotOf(operation),
    cost: USUAL_ROWS,
    run: () => pairCourse(world, reached),
  };
}

function* pairCourse(world: World, reached: Reached): Course {
  const open = variedInput(world, reached);
  const [{ base }, paired] = [open, { ...open, candidates: pairedOf(open.candidates) }];
  const from = (round: number) => drawFor(world, `pairs ${round}`);
  let [served, refused, round] = [0, 0, 0];
  const failures = new Failures();
  for (const { values } of pairwise(paired, [base], from)) {
    round += 1;
    const own = `pairs ${round}`;
    const planned = (again: string) => planWith(world, reached, { values, base }, PROBE, `${own}${again}`);
    const last: Exchange = yield* answered(world, reached, planned, failures);
    if (isServed(last)) note(world, reached.recipe, last);
    if (isServed(last)) served += 1;
    else refused += 1;
    if (round >= MOST_ROWS || (served === 0 && refused >= MOST_REFUSED)) break;
    if (staysEachTime(world, reached)) break;
  }
  // A changed object is left as the run found or made it.
  if (served > 0 && mutates(reached.operation) && reached.operation.method !== 'POST')
    yield planOf(reached.recipe, `${PROBE}/restored`, from(0));
  return failures.outcomes;
}
