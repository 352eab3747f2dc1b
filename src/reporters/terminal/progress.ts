// How far a run is: one line that redraws itself on a terminal, a plain line every few seconds elsewhere (CI), nothing when
// quiet; and a line for each request, for people who ask for it with --verbose.

import { SingleBar } from 'cli-progress';
import type { Clock } from '../../clock/clock.ts';
import { number, plural } from '../../contract/numbers.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { cut, terminalText } from '../text.ts';

export interface ProgressDisplay {
  /** Shows the state; cheap enough to be called after every request. */
  update(progress: Progress): void;
  /** Leaves the terminal as it was; nothing is shown afterwards. */
  stop(): void;
}

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly quiet: boolean;
  /** Set: lines of others stand between, so that no line redraws itself. */
  readonly plain?: boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const PLAIN_EVERY_MS = 5000;
const REDRAWS_PER_SECOND = 8;
const PLAIN_COLUMNS = 160;
const MIN_LINE_COLUMNS = 20;
/** The bar and what stands around it. */
const BAR_COLUMNS = 25;

/** The display that suits the stream. */
export function showProgress({ stream, quiet, plain = false, clock }: ProgressOptions): ProgressDisplay {
  if (quiet) return { update: () => {}, stop: () => {} };
  return stream.isTTY && !plain ? bar(stream) : plainLines(stream, clock);
}

function bar(stream: ProgressOptions['stream']): ProgressDisplay {
  const drawn = new SingleBar({
    stream,
    format: '{phase} [{bar}] {line}',
    barsize: 20,
    fps: REDRAWS_PER_SECOND,
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
    gracefulExit: false,
  });
  let started = false;
  let stopped = false;
  const stop = (): void => {
    if (started && !stopped) drawn.stop();
    stopped = true;
    process.off('exit', stop);
  };
  return {
    update(progress) {
      if (stopped) return;
      // A process that ends at once leaves the terminal with a cursor, too.
      if (!started) process.once('exit', stop);
      const shown = { phase: terminalText(progress.phase), line: progressLine(progress, wide(stream, progress.phase)) };
      const { done, of } = shareOf(progress);
      if (!started) drawn.start(of, done, shown);
      started = true;
      drawn.setTotal(of);
      drawn.update(done, shown);
    },
    stop,
  };
}

function plainLines(stream: NodeJS.WritableStream, clock: Pick<Clock, 'monotonic'>): ProgressDisplay {
  let shownAt = -Infinity;
  let phase = '';
  let stopped = false;
  return {
    update(progress) {
      const at = clock.monotonic();
      if (stopped || (progress.phase === phase && at - shownAt < PLAIN_EVERY_MS)) return;
      shownAt = at;
      phase = progress.phase;
      stream.write(`${terminalText(phase)}: ${progressLine(progress)}\n`);
    },
    stop() {
      stopped = true;
    },
  };
}

/** How far the bar is drawn: by the work of the phase, or by operations while that is not known. */
function shareOf({ work, operations, operationsTested }: Progress): { readonly done: number; readonly of: number } {
  if (work === undefined) return { done: operationsTested, of: Math.max(operations, 1) };
  return { done: work.done, of: Math.max(work.planned, 1) };
}

/** Columns that the line may take beside phase and bar. */
function wide({ columns }: ProgressOptions['stream'], phase: string): number {
  return Math.max(MIN_LINE_COLUMNS, (columns ?? PLAIN_COLUMNS) - phase.length - BAR_COLUMNS);
}

/**
 * "12/40 operations, 310/960 requests, 155/s, 2 violations, 8 s left"; what is waited for comes first. What is
 * looked for least is left out where the columns do not hold all.
 */
export function progressLine(progress: Progress, columns = PLAIN_COLUMNS): string {
  const { operations, operationsTested, requests, requestsPerSecond, violations, secondsLeft, work, waiting } =
    progress;
  const planned = work?.unit === 'requests' ? requests + work.planned - work.done : requests;
  const sent = planned > requests ? `${number(requests)}/${plural(planned, 'request')}` : plural(requests, 'request');
  const left = secondsLeft === null ? [] : [`${duration(secondsLeft)} left${leftOf(work)}`];
  const rate = `${number(Math.round(requestsPerSecond))}/s`;
  const activity = waiting === undefined ? [] : [waitingWords(waiting)];
  const tested = `${operationsTested}/${plural(operations, 'operation')}`;
  const found = plural(violations, 'violation');
  const forms = [
    [...activity, tested, sent, rate, found, ...left],
    [...activity, sent, rate, found, ...left],
    [...activity, sent, found, ...left],
    [...activity, found, ...left],
    [...(activity.length === 0 ? [found] : activity), ...left],
  ].map((parts) => parts.join(', '));
  return forms.find((form) => form.length <= columns) ?? forms.at(-1) ?? '';
}

/** The part of the run whose end the time left tells; empty for the whole. */
function leftOf(work: Progress['work']): string {
  if (work === undefined || work.isWholeRun === true) return '';
  return work.unit === 'seconds' ? ' of this step' : ' of this stage';
}

function waitingWords({ seconds, what, key }: NonNullable<Progress['waiting']>): string {
  const how = `waiting ${duration(seconds)}`;
  if (what === 'limit')
    return `${how} for the limit of ${key === null ? 'requests without a key' : terminalText(key)} to reset`;
  return what === 'again' ? `${how} to send a request again that failed` : `${how} before the next look`;
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const MAX_TARGET_CHARS = 120;

/** `ex-12 GET /v1/stores?limit=5 → 200 in 12 ms (std-1, pagination/walk)`: what was sent, as it is recorded. */
export function sentLine({ id, plan, request, attempt, response, failure, durationMs }: Exchange): string {
  const target = cut(`${request.path}${request.query === '' ? '' : `?${request.query}`}`, MAX_TARGET_CHARS);
  const answer = response === null ? `no answer: ${failure?.message ?? 'unknown'}` : String(response.status);
  const { kind } = plan.credential;
  const credential = kind === 'key' ? plan.credential.name : kind === 'none' ? 'no token' : `${kind} token`;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return terminalText(
    `${id} ${request.method} ${target} → ${answer} in ${Math.round(durationMs)} ms (${credential}, ${plan.probe}${again})`,
  );
}
