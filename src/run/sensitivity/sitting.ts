// Performs the trials of planted defects once a run has ended: by experiments that were never performed, and in time that does not
// pass. Nothing is sent.
import { RateBook } from '../../checks/rate/rate-history.ts';
import type { Timing } from '../../clock/clock.ts';
import type { AnyExperiment } from '../../probes/probe.ts';
import type { Reached } from '../../probes/world.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { spotKey } from '../plan/clause-target.ts';
import { keyExperiments, lifeCourses, listLooks, tagCourses } from '../plan/law-experiments.ts';
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
  const { reaching } = state;
  const { sensing } = state.books;
  const { clock } = state.input;
  if (sensing === null) return;
  const reached = reachedInOrder(state);
  const until = clock.now() + Math.max(LEAST_MS, MOST_SHARE * durationMs);
  let breathedMs = clock.now();
  const makers = new Map<string, readonly Maker[]>();
  await sensing.perform({
    anew(experiment) {
      const aside: StageState = { ...state, world: { ...state.world, timing: standingTime(clock.now()) } };
      const name = nameOf(experiment);
      for (const maker of makers.get(name) ?? makersFor(experiment)) {
        const made = maker(aside, reached).find((one) => nameOf(one) === name);
        makers.set(name, made === undefined ? [] : [maker]);
        if (made !== undefined) return made;
      }
      return experiment;
    },
    series: () => new RateBook(state.world.keys, state.world.limited, state.input.config.expect.plans),
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

type Maker = (state: StageState, reached: readonly Reached[]) => readonly AnyExperiment[];

/** Makers of the experiments that keep something in mind, by the family of a clause that they are for. */
const MAKERS: Readonly<Partial<Record<string, Maker>>> = {
  PAG: listLooks,
  IDEM: keyExperiments,
  LIFE: lifeCourses,
  COND: tagCourses,
  RATE: limitExperiments,
};

/** All others are asked of no maker: each makes those of every operation. */
function makersFor({ clauses }: AnyExperiment): readonly Maker[] {
  const families = new Set(clauses.map((id) => id.slice(0, id.indexOf('-'))));
  return [...families].flatMap((family) => MAKERS[family] ?? []);
}

function nameOf({ stage, rank, service, operation, probe, clauses }: AnyExperiment): string {
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
