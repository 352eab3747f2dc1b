// Reaching operations for load: a target of which nothing succeeds is not up, or not the right one, and is not judged by
// what it answers, as conformance does not.
import type { Described } from '../../openapi/model/catalogue.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { reachAll } from '../reach/reaching.ts';

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
