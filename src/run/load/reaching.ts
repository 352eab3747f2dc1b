// Reaching operations for load: a target of which nothing succeeds is not up, or not the right one, and is not judged by
// what it answers, as conformance does not.
import type { Described } from '../../openapi/model/catalogue.ts';
import type { World } from '../../probes/world.ts';
import { RunEnded } from '../perform/interruption.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { type Reaching, reachAll } from '../reach/reaching.ts';
import { nothingAnswers } from '../smoke/smoke.ts';

/** Calls the operations until they succeed; their answers are judged once one of them did. */
export async function reachForLoad(state: StageState, wanted: readonly Described[]): Promise<void> {
  const { session, books, world, scope, reaching } = state;
  books.answers.hold();
  try {
    await reachAll(session, world, wanted, scope.selected, reaching);
  } finally {
    if (reachedInOrder(state).some(({ proof }) => proof !== null)) books.answers.release();
  }
}

/** Why no operation can be sent as load, from what the first calls came to; `nothing` where there was none to call. */
export function whyNoneServes(
  {
    reaching: { firstAnswers },
    world: { mainKey },
  }: { readonly reaching: Pick<Reaching, 'firstAnswers'>; readonly world: Pick<World, 'mainKey'> },
  nothing: string,
): RunEnded {
  const answers = [...firstAnswers.values()];
  const statuses = [...new Set(answers.flatMap(({ response }) => response?.status ?? []))];
  if (answers.length === 0 || statuses.some((status) => status < 300)) return new RunEnded('precondition', nothing);
  if (statuses.length === 0) return nothingAnswers(answers);
  if (statuses.every((status) => status >= 500))
    return new RunEnded('target-lost', `the target is down: every answer is a failure (${statuses.join(', ')})`);
  if (statuses.every((status) => status === 401 || status === 403))
    return new RunEnded(
      'no-credential',
      mainKey === null
        ? `every operation answers ${statuses.join(' or ')}, and no key is configured (keys)`
        : `key ${mainKey.name} is not accepted; renew its token (keys)`,
    );
  return new RunEnded('target-lost', `no operation that would be sent succeeds: ${statuses.join(', ')} is answered`);
}
