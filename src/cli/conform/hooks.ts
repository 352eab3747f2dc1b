// Hooks of the user's own around a run: they prepare data before anything is sent, and tidy up when all is over.
import type { Clock } from '../../clock/clock.ts';
import type { Config } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import { NoVerdict } from '../process/failure.ts';

/** What a hook is told before the run. */
export interface RunAhead {
  readonly baseUrl: string;
  readonly environment: string;
  /** Id of the run; its reports stand in `folder`. */
  readonly runId: string;
  readonly folder: string;
}

/** Code around a run. It may be asynchronous; what it throws ends the command with exit 3. */
export interface OwnHook {
  /** Told where it fails. */
  readonly name: string;
  /** Before anything is sent. Where it throws nothing is sent at all. */
  beforeRun?(run: RunAhead): void | Promise<void>;
  /** When the report is written, also that of an interrupted run. */
  afterRun?(report: Report, run: RunAhead): void | Promise<void>;
}

/** A hook and the file that brings it, as the user names it. */
export interface BroughtHook {
  readonly hook: OwnHook;
  readonly file: string;
}

/** Longest time of a hook. ms. */
const MAX_HOOK_MS = 300_000;

/** The run as hooks are told of it. */
export function runAhead(
  { target }: Pick<Config, 'target'>,
  { runId }: { readonly runId: string | null },
  folder: string,
): RunAhead {
  return { baseUrl: target.baseUrl, environment: target.environment, runId: runId ?? '', folder };
}

/** Performs `beforeRun` of each, in order. Throws NoVerdict where one fails: the target is not as the user wants it. */
export async function beforeRun(hooks: readonly BroughtHook[], run: RunAhead, clock: Clock): Promise<void> {
  for (const { hook, file } of hooks) {
    const failure = await failureOf(() => hook.beforeRun?.(run), clock);
    if (failure === null) continue;
    throw new NoVerdict(
      `the hook ${hook.name} of ${file} failed before the run: ${failure}`,
      'nothing was sent; mend the hook, or leave it out',
    );
  }
}

/** Performs `afterRun` of each, in the opposite order; a sentence for each that fails. */
export async function afterRun(
  hooks: readonly BroughtHook[],
  report: Report,
  run: RunAhead,
  clock: Clock,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { hook, file } of hooks.toReversed()) {
    const failure = await failureOf(() => hook.afterRun?.(structuredClone(report), run), clock);
    if (failure !== null) failures.push(`the hook ${hook.name} of ${file} failed after the run: ${failure}`);
  }
  return failures;
}

/** Why the work failed, or did not end; null where it is done. */
async function failureOf(work: () => void | Promise<void>, clock: Clock): Promise<string | null> {
  const isOver = new AbortController();
  const late = clock.sleep(MAX_HOOK_MS, isOver.signal).then(() => {
    if (!isOver.signal.aborted) throw new Error(`it does not end within ${MAX_HOOK_MS / 60_000} minutes`);
  });
  late.catch(() => {});
  try {
    await Promise.race([(async () => work())(), late]);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
  } finally {
    isOver.abort();
  }
}
