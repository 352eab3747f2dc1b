// How a run is watched at the terminal: a line that tells how far it is, and with --verbose a line for each request.
import { systemClock } from '../../clock/system.ts';
import { sentLine, showProgress } from '../../reporters/terminal/progress.ts';
import type { RunEvents } from '../../run/perform/events.ts';
import type { RunFlags } from './options.ts';
import { say } from './say.ts';

/** A listener to a run's events, and the end of listening. */
export interface Watch {
  readonly listen: (events: RunEvents) => void;
  stop(): void;
}

/** Watches one run on stderr, as the flags ask for it. */
export function watchRun({ quiet = false, verbose = false }: Pick<RunFlags, 'quiet'> & { verbose?: boolean }): Watch {
  const display = showProgress({ clock: systemClock, stream: process.stderr, quiet, plain: verbose });
  return {
    listen(events) {
      events.on('progress', ({ progress }) => display.update(progress));
      if (verbose) events.on('exchange', ({ exchange }) => say(`${sentLine(exchange)}\n`));
    },
    stop: () => display.stop(),
  };
}
