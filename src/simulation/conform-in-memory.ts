// One conformance run over simulated sockets, on the clock of their route: its time passes as soon as nothing is left to do.
import type { SimulatedClock } from '../clock/simulated.ts';
import type { Report } from '../contract/report.ts';
import { conform } from '../run/perform/conform.ts';
import type { RunInput } from '../run/perform/opening.ts';
import { chanceOf } from './chance.ts';
import { type Route, SimulatedSocket } from './socket.ts';

export interface InMemoryRun extends Omit<RunInput, 'clock' | 'open' | 'random' | 'stop'> {
  readonly route: Route & { readonly clock: SimulatedClock };
  /** A run that takes longer is stopped, as by a signal; ms of the simulated clock. */
  readonly longestMs: number;
  /** Ends the run before. */
  readonly stop: AbortSignal | undefined;
}

/** Performs the run to its end. Rejects for defects of the harness, as `conform` does. */
export function conformInMemory({ route, longestMs, stop, ...input }: InMemoryRun): Promise<Report> {
  const { clock } = route;
  const ending = new AbortController();
  clock.after(longestMs, () => ending.abort());
  const run = conform({
    ...input,
    clock,
    open: () => new SimulatedSocket(route),
    random: chanceOf(input.options.seed, 'jitter').next,
    stop: stop === undefined ? ending.signal : AbortSignal.any([stop, ending.signal]),
  });
  return clock.drive(run);
}
