// Errors that are thrown where nothing waits for them, as a run meets them: an error of the harness like any other.
import type { Absence } from '../../grading/rows.ts';
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

/** The result of the work; `failed` is set where something of Assay failed meanwhile, so that there is no verdict. */
export async function soundly<T>(
  strays: StrayErrors | undefined,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly failed: Absence | null }> {
  let failure: string | null = null;
  const release = strays?.((error) => {
    failure ??= error instanceof Error ? error.name : typeof error;
  });
  try {
    const result = await work();
    if (failure === null) return { result, failed: null };
    return { result, failed: { reasonCode: 'harness-error', reason: `Assay itself failed: ${failure}` } };
  } finally {
    release?.();
  }
}
