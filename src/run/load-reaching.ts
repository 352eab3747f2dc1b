// Reaching operations for load: a target of which nothing succeeds is not up, or not the right one, and is not judged by
// what it answers, as conformance does not.
import type { Described } from '../openapi/catalogue.ts';
import { reachAll } from './reaching.ts';
import { reachedInOrder, type StageState } from './state.ts';

/** Calls the operations until they succeed; their answers are judged once one of them did. */
export async function reachForLoad(state: StageState, wanted: readonly Described[]): Promise<void> {
  const { session, world, selected, reaching } = state;
  session.hold();
  try {
    await reachAll(session, world, wanted, selected, reaching);
  } finally {
    if (reachedInOrder(state).some(({ proof }) => proof !== null)) session.release();
  }
}
