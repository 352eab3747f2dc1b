// Hooks of the user's own around a run: they prepare data before anything is sent, and tidy up when all is over.
import type { AnsweredCall, Call } from '../../client/call-hooks.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Config } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import { NoVerdict } from '../process/failure.ts';

export type { AnsweredCall, Call };

/** The facts that a hook is told before the run. */
export interface RunAhead {
  readonly baseUrl: string;
  readonly environment: string;
  /** Id of the run; its reports stand in `folder`. */
  readonly runId: string;
  readonly folder: string;
}

/** Headers that a hook gives a request. Reports never show their values. */
export interface GivenHeaders {
  readonly headers: Readonly<Record<string, string>>;
}

/** Code around a run and its requests. It may be asynchronous; what it throws ends the command with exit 3. */
export interface OwnHook {
  /** Told where it fails. */
  readonly name: string;
  /** Before anything is sent. Where it throws nothing is sent at all. */
  beforeRun?(run: RunAhead): void | Promise<void>;
  /** When the report is written, also that of an interrupted run. */
  afterRun?(report: Report, run: RunAhead): void | Promise<void>;
  /** The operations that `beforeCall` and `afterCall` are for, as a glob; absent: every request, whatever it is sent to. */
  readonly operation?: string;
  /** Before each request, a repeated one too. What it throws ends the run. */
  beforeCall?(call: Call, run: RunAhead): GivenHeaders | undefined | Promise<GivenHeaders | undefined>;
  /** After each answer, or where none came. What it throws ends the run. */
  afterCall?(call: AnsweredCall, run: RunAhead): void | Promise<void>;
}

/** A hook and the file that brings it, as the user names it. */
export interface BroughtHook {
  readonly hook: OwnHook;
  readonly file: string;
}

/** Longest time of a hook around the run. ms. */
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

/** Why the work failed, or did not end in time; null where it is done. */
export async function failureOf(work: () => unknown, clock: Clock, mostMs = MAX_HOOK_MS): Promise<string | null> {
  const isOver = new AbortController();
  const late = clock.sleep(mostMs, isOver.signal).then(() => {
    if (!isOver.signal.aborted) throw new Error(`it does not end within ${mostMs / 1000} s`);
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
