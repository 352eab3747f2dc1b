// Work during which something of Assay itself may fail where nothing waits for it.
import type { Absence } from '../../grading/rows.ts';
import type { StrayErrors } from './stray-errors.ts';

/** What came of the work; `failed` is set where something of Assay failed meanwhile, so that there is no verdict. */
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
