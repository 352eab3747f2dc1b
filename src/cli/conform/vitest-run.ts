// A run for plain `vitest --project conformance`: configured by ASSAY_CONFIG or assay.config.*, else, at a
// terminal, against the embedded platform.

import { systemClock } from '../../clock/system.ts';
import { showProgress } from '../../reporters/terminal/progress.ts';
import { mustBeTold, tellFailure } from '../process/failure.ts';
import { DEFAULT_SEED } from '../process/options.ts';
import { embeddedUse, isWatched } from './embedded.ts';
import { prepareJob } from './prepare.ts';
import { newRunId } from './run-id.ts';
import { runJob } from './run-job.ts';

/** Judges the target by these clauses (none: all) and resolves with the path of report.json. Throws an Error without a stack when there is none. */
export async function conformForVitest(clauses: readonly string[], stop: AbortSignal): Promise<string> {
  const display = showProgress({ clock: systemClock, stream: process.stderr, quiet: false });
  try {
    const job = await prepareJob({
      config: process.env.ASSAY_CONFIG ?? null,
      baseUrl: null,
      embedded: embeddedUse({}, process.env, { isTerminal: isWatched() }),
      options: {
        out: null,
        services: [],
        operations: [],
        clauses,
        seed: DEFAULT_SEED,
        runId: newRunId(),
        budget: null,
        timeLimitSeconds: null,
      },
      env: process.env,
      cwd: process.cwd(),
    });
    const outcome = await runJob(job, {
      stop,
      listen: (events) => events.on('progress', ({ progress }) => display.update(progress)),
    });
    mustBeTold(outcome);
    return outcome.paths.json ?? '';
  } catch (error) {
    throw withoutStack(error);
  } finally {
    display.stop();
  }
}

/** vitest shows an error's stack; what a user did wrong has no place in our sources. */
function withoutStack(error: unknown): Error {
  let text = '';
  tellFailure(
    error,
    (part) => {
      text += part;
    },
    process.env,
  );
  const told = new Error(text.trim());
  told.stack = told.message;
  return told;
}
