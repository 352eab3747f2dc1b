// Performs the trials of planted defects once a run has ended: by experiments that were never performed, and in time that does not
// pass. Nothing is sent.
import type { Timing } from '../../clock/clock.ts';
import type { Conversation, Experiment } from '../../probes/probe.ts';
import type { Reached } from '../../probes/world.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { spotKey } from '../plan/clause-target.ts';
import { keyExperiments, lifeCourses, listLooks } from '../plan/law-experiments.ts';
import { limitExperiments } from '../plan/limit-experiments.ts';

/** The trials may take so long, of the time that the run took, and at least so many ms. */
const MOST_SHARE = 0.2;
const LEAST_MS = 5000;

/** Without a pause as long as this nobody could stop the trials. ms. */
const LONGEST_BREATH_MS = 100;

/**
 * Tries the planted defects on the experiments of the run, until the stop. Never throws. `durationMs`: of the run.
 */
export async function tryExperiments(state: StageState, durationMs: number, stop: AbortSignal): Promise<void> {
  const { sensing, reaching, clock } = state;
  if (sensing === null) return;
  const reached = reachedInOrder(state);
  const until = clock.now() + Math.max(LEAST_MS, MOST_SHARE * durationMs);
  let breathedMs = clock.now();
  const makers = new Map<string, Maker | null>();
  await sensing.perform({
    anew(experiment) {
      const aside: StageState = { ...state, world: { ...state.world, timing: standingTime(clock.now()) } };
      const name = nameOf(experiment);
      const made = (maker: Maker) => maker(aside, reached).find((one) => nameOf(one) === name);
      const known = makers.has(name) ? makers.get(name) : (MAKERS.find((maker) => made(maker) !== undefined) ?? null);
      makers.set(name, known ?? null);
      return (known == null ? undefined : made(known)) ?? experiment;
    },
    proof: (spot) => reaching.reached.get(spotKey(spot))?.proof ?? null,
    async halted() {
      if (clock.now() - breathedMs >= LONGEST_BREATH_MS) {
        await clock.sleep(1, stop);
        breathedMs = clock.now();
      }
      if (stop.aborted) return { reason: 'interrupted', detail: 'the trials were interrupted' };
      if (clock.now() < until) return null;
      return { reason: 'time-limit', detail: 'the trials took a fifth of the time of the run' };
    },
  });
}

type Maker = (state: StageState, reached: readonly Reached[]) => readonly (Experiment | Conversation)[];

/** What makes the experiments that keep something in mind. */
const MAKERS: readonly Maker[] = [
  listLooks,
  keyExperiments,
  lifeCourses,
  (state) => limitExperiments(state, state.world.timing),
];

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
