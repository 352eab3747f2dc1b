// `run` for programs: what `assay conform` does, with a report as its result. What sends is imported when it is called, so
// that a configuration may import this package at no cost.

import { systemClock } from '../../clock/system.ts';
import type { Shard } from '../../config/config.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Report } from '../../contract/report.ts';
import type { RunEvents } from '../../run/perform/events.ts';
import type { AssayConfig } from './define-config.ts';

export interface RunRequest {
  /** A configuration, or the path of its file; absent: assay.config.* of the working directory. */
  readonly config?: AssayConfig | string;
  /** Judges the embedded reference platform instead, started for this run. */
  readonly embedded?: true;
  /** Address of the target; wins over `target.baseUrl`. */
  readonly baseUrl?: string;
  /** Only these services, globs over operations, clauses; absent: all. */
  readonly services?: readonly string[];
  readonly operations?: readonly string[];
  readonly clauses?: readonly string[];
  /** The same seed gives the same requests; 1 where absent. */
  readonly seed?: number;
  /** The run's nonce: letters, digits and "-"; absent: a fresh one. */
  readonly runId?: string;
  /** Most requests, longest duration, most requests in flight. */
  readonly budget?: number;
  readonly timeLimitSeconds?: number;
  readonly concurrency?: number;
  readonly shard?: Shard;
  /** Only operations that are described otherwise than at this revision of git. */
  readonly changedSince?: string;
  /** Folder that all reports are written to, those of the configuration's own reporters among them; absent: none is written. */
  readonly out?: string;
  /** File of the waivers, and an earlier run to compare with, as the command takes them. */
  readonly waivers?: string;
  readonly baseline?: string;
  readonly failOn?: 'new' | 'any';
  /** The baseline accepts violations of security clauses, too. */
  readonly allowSecurity?: true;
  /** Ends the run where it stands: its report is `partial`, and without a verdict unless something was violated. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Judges a target and resolves with the report; `verdict` is "pass", "fail" or "none". Rejects with UsageError before
 * anything was sent for whatever is wrong with configuration, descriptions or filters, and with NoVerdict where the
 * report, or one of the configuration's own, cannot be written.
 */
export async function run(request: RunRequest = {}): Promise<Report> {
  const [{ prepareJob }, { embeddedOnRequest }, { decided, runJob }, { conform }, { newRunId }, { mustBeTold }] =
    await Promise.all([
      import('./prepare.ts'),
      import('./embedded.ts'),
      import('./run-job.ts'),
      import('../../run/perform/conform.ts'),
      import('./run-id.ts'),
      import('../process/failure.ts'),
    ]);
  const { config = null, baseUrl = null, out, signal = new AbortController().signal, onProgress = () => {} } = request;
  const listen = (events: RunEvents): void => events.on('progress', ({ progress }) => onProgress(progress));
  const options = { ...optionsOf(request), runId: request.runId ?? newRunId() };
  const { env } = process;
  const since = request.changedSince === undefined ? {} : { changedSince: request.changedSince };
  const embedded = embeddedOnRequest('run', request);
  const given = { config, baseUrl, embedded, options, gate: request, ...since };
  const job = await prepareJob({ ...given, writes: out !== undefined, env, cwd: process.cwd() });
  if (out !== undefined) {
    const outcome = await runJob(job, { stop: signal, listen });
    mustBeTold(outcome);
    return outcome.report;
  }
  try {
    const { descriptions, extensions, redactor } = job;
    const { checks } = extensions;
    return await decided(
      job,
      await conform({
        config: job.config,
        options: job.options,
        descriptions,
        checks,
        clock: systemClock,
        redactor,
        listen,
        stop: signal,
      }),
      null,
    );
  } finally {
    await job.end();
  }
}

function optionsOf(request: RunRequest) {
  const { concurrency, shard } = request;
  return {
    out: request.out ?? null,
    services: request.services ?? [],
    operations: request.operations ?? [],
    clauses: request.clauses ?? [],
    seed: request.seed ?? 1,
    budget: request.budget ?? null,
    timeLimitSeconds: request.timeLimitSeconds ?? null,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(shard === undefined ? {} : { shard }),
  };
}
