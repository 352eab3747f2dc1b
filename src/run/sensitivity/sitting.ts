// Performs the trials of planted defects once a run has ended: by experiments that were never performed, and in time that does not
// pass. Nothing is sent.
import type { Timing } from '../../clock/clock.ts';
import type { Conversation, Experiment } from '../../probes/probe.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { spotKey } from '../plan/clause-target.ts';
import { keyExperiments, lifeCourses, listLooks } from '../plan/law-experiments.ts';

/** The trials may take so long, of the time that the run took, and at least so many ms. */
const MOST_SHARE = 0.2;
const LEAST_MS = 5000;

/** Tries the planted defects on the experiments of the run. Never throws. `durationMs`: of the run. */
export async function tryExperiments(state: StageState, durationMs: number): Promise<void> {
  const { sensing, reaching, clock } = state;
  if (sensing === null) return;
  const reached = reachedInOrder(state);
  const until = clock.now() + Math.max(LEAST_MS, MOST_SHARE * durationMs);
  await sensing.perform({
    anew(experiment) {
      const aside: StageState = { ...state, world: { ...state.world, timing: standingTime(clock.now()) } };
      const laws = [...listLooks(aside, reached), ...keyExperiments(aside, reached), ...lifeCourses(aside, reached)];
      return laws.find((one) => nameOf(one) === nameOf(experiment)) ?? experiment;
    },
    proof: (spot) => reaching.reached.get(spotKey(spot))?.proof ?? null,
    hasTime: () => clock.now() < until,
  });
}

function nameOf({ stage, rank, service, operation, probe, clauses }: Experiment | Conversation): string {
  return JSON.stringify([stage, rank, service, operation, probe, clauses]);
}

/** Time in which whoever waits has waited at once. */
function standingTime(startMs: number): Timing {
  let now = startMs;
  return {
    now: () => now,
    sleep: (delayMs) => {
      now += delayMs;
      return Promise.resolve();
    },
  };
}
