// Catches what is thrown where nothing waits for it, in a timer or an event of a socket, say. Node would end the process on
// it, and the report would be lost: a run that goes on notes it instead.
import type { StrayErrors } from '../../run/perform/stray-errors.ts';

export interface Catching {
  /** While nobody listens an error is told, and the process goes on: what is under way then writes the report. */
  readonly listen: StrayErrors;
  dispose(): void;
}

/** Catches until disposed of; whoever catches already goes on doing so alone. `tell` gets one sentence for each error that nobody listens for. */
export function catchStrayErrors(tell: (text: string) => void): Catching {
  if (process.hasUncaughtExceptionCaptureCallback()) return { listen: () => () => {}, dispose() {} };
  let listener: ((error: unknown) => void) | null = null;
  process.setUncaughtExceptionCaptureCallback((error: unknown) => {
    if (listener !== null) return listener(error);
    const { message } = error instanceof Error ? error : { message: String(error) };
    tell(
      `assay: ${message.split('\n', 1)[0]} (a defect of assay, not of the target; the report is written all the same)\n`,
    );
  });
  return {
    listen(note) {
      listener = note;
      return () => {
        listener = null;
      };
    },
    dispose: () => process.setUncaughtExceptionCaptureCallback(null),
  };
}
