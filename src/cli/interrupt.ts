// Ctrl-C: the first asks the run to stop and write what it has, the second ends at once.

import type { Timer } from '../clock/clock.ts';
import { systemClock } from '../clock/system.ts';
import { EXIT } from './failure.ts';

/** A run that was asked to stop has this long to write its report. */
const GRACE_MS = 5000;

export interface Interruption {
  readonly signal: AbortSignal;
  /** Gives the signals back; a pending deadline is dropped. */
  dispose(): void;
}

/** Listens for SIGINT and SIGTERM until disposed of. `tell` gets one sentence at each. */
export function interruptible(tell: (text: string) => void): Interruption {
  const controller = new AbortController();
  let deadline: Timer | undefined;
  const onSignal = () => {
    if (controller.signal.aborted) {
      tell('assay: ended without a report\n');
      process.exit(EXIT.noVerdict);
    }
    tell('assay: interrupted, the report is being written; once more ends at once\n');
    controller.abort();
    deadline = systemClock.after(GRACE_MS - 200, () => {
      tell(`assay: no report within ${GRACE_MS / 1000} s of the interruption\n`);
      process.exit(EXIT.noVerdict);
    });
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    dispose() {
      deadline?.cancel();
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}
