// The experiments on laws over many calls, pagination and idempotency, that a run is to perform.
import { pagingOf } from '../../openapi/model/paging.ts';
import { conditionalExperiments } from '../../probes/conditional/family.ts';
import { idempotencyExperiments, limitedExperiments } from '../../probes/idempotency/family.ts';
import { lifeExperiments } from '../../probes/life/family.ts';
import { paginationFamily } from '../../probes/pagination/experiments.ts';
import { unstatedLists } from '../../probes/pagination/unstated.ts';
import type { AnyExperiment, Conversation } from '../../probes/probe.ts';
import type { Reached } from '../../probes/world.ts';
import type { StageState } from '../perform/state.ts';

/** On keys, in stages `lean` and `quiet`. */
export function keyExperiments(state: StageState, reached: readonly Reached[]): readonly AnyExperiment[] {
  return idempotencyExperiments(state.world, reached).filter(
    (one) => isWanted(state, one) && (one.clauses.includes(OF_OTHERS) || isClaimed(state, one, 'idempotency')),
  );
}

/** The clause on operations that no law of keys binds. */
const OF_OTHERS = 'IDEM-06';

/** On the life of resources, in stage `quiet`: what others send to a resource meanwhile would show in it. */
export function lifeCourses(state: StageState, reached: readonly Reached[]): readonly Conversation[] {
  return lifeExperiments(state.world, reached).filter((one) => isWanted(state, one));
}

/** On entity tags, in stage `quiet` as well. */
export function tagCourses(state: StageState, reached: readonly Reached[]): readonly Conversation[] {
  return conditionalExperiments(state.world, reached).filter((one) => isWanted(state, one));
}

/** On keys of requests that the limiter refuses. */
export function limitedLaws(state: StageState, reached: readonly Reached[]): readonly Conversation[] {
  return limitedExperiments(state.world, reached).filter(
    (one) => isWanted(state, one) && isClaimed(state, one, 'idempotency'),
  );
}

/** On lists, whatever their depth. */
export function listLooks(state: StageState, reached: readonly Reached[]): readonly Conversation[] {
  const lists = state.scope.selected.filter((one) => pagingOf(one, state.world) !== null);
  return paginationFamily(state.world, reached, lists.length).filter(
    (one) => isWanted(state, one) && isClaimed(state, one, 'pagination'),
  );
}

/** On lists of which no contract speaks: what is seen of them is observed. */
export function unstatedLooks(state: StageState, reached: readonly Reached[]): readonly Conversation[] {
  const unclaimed = reached.filter(({ operation }) => !state.scope.lawful(operation, 'pagination'));
  return unstatedLists(state.world, unclaimed).filter((one) => isWanted(state, one));
}

function isWanted({ scope: { wants, share } }: StageState, one: AnyExperiment): boolean {
  return wants(one.clauses) && share.performs(one);
}

/** Tells whether the law is claimed for the operation that the experiment is about. */
function isClaimed(
  { scope: { catalogue, lawful } }: StageState,
  { operation: key, service }: { readonly operation: string | null; readonly service: string | null },
  law: 'pagination' | 'idempotency',
): boolean {
  const described = catalogue.operation(key, service);
  return described === null || lawful(described.operation, law);
}
