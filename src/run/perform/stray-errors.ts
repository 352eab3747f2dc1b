// Errors that are thrown where nothing waits for them, as a run meets them: an error of the harness like any other.
import type { HarnessErrors } from '../books/harness-errors.ts';

/** From now on tells every such error, until the returned function is called. */
export type StrayErrors = (note: (error: unknown) => void) => () => void;

/** Notes them until the returned function is called. `strays` absent: nobody tells them. */
export function noteStrayErrors(strays: StrayErrors | undefined, errors: HarnessErrors): () => void {
  const note = (error: unknown): void => {
    try {
      errors.note({ clauses: [], where: 'something that nothing waited for' }, error, null);
    } catch {
      // It ends the run, and is told to whoever waits for the run.
    }
  };
  return strays?.(note) ?? (() => {});
}
