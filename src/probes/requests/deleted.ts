// REQ-02 after a DELETE, by a description alone: what was made, read and deleted is served no more.

import { judgeDeleted } from '../../checks/req/status-classes.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { makeVictim } from '../reach/destroy.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** Number of looks, and time between them: a deleted object may be served for as long as LIFE grants any write, 5 s. */
const [LOOKS, APART_MS] = [6, 1_000];

/** `creator` and `reader`: the operations, both called with success, that make and that show what `reached` deletes. */
export function deletedExperiment(
  world: World,
  reached: Reached,
  creator: Reached | null,
  reader: Reached | null,
): Experiment | null {
  const { operation, proof } = reached;
  if (world.contract !== 'openapi' || operation.method !== 'DELETE' || proof === null) return null;
  if (creator === null || reader === null) return null;
  const [make, read] = [creator, reader];
  const probe = 'request/deleted';
  const declares404 = reader.operation.responses.some(({ status }) => status === '404' || status === '410');
  function* run(): Course {
    const pathValues = yield* makeVictim(world, operation, make, 'deleted');
    if (pathValues === null) return [];
    const reading = planOf({ ...read.recipe, pathValues }, probe, drawFor(world, 'deleted'));
    const { last: before } = yield reading;
    const { last: deletion } = yield planOf({ ...reached.recipe, pathValues }, probe, drawFor(world, 'deleted'));
    let { last: after } = yield reading;
    for (let look = 1; look < LOOKS && after.response?.status === 200; look += 1)
      ({ last: after } = yield { ...reading, afterMs: APART_MS });
    return [
      outcome('REQ-02', operationSpot, judgeDeleted({ before, deletion, after }, { declares404 }), [
        before,
        deletion,
        after,
      ]),
    ];
  }
  const operationSpot = spotOf(operation);
  return { probe, stage: 'lean', rank: 70, clauses: ['REQ-02'], ...operationSpot, cost: 4, run };
}
