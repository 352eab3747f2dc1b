// How far a run is: one line that redraws itself on a terminal, a plain line every few seconds elsewhere (CI), nothing
// when quiet.
import { SingleBar } from 'cli-progress';
import type { Clock } from '../../clock/clock.ts';
import type { Progress } from '../../contract/progress.ts';
import { terminalText } from '../text.ts';
import { plural } from '../words.ts';

export interface ProgressDisplay {
  /** Shows the state; cheap enough to be called after every request. */
  update(progress: Progress): void;
  /** Leaves the terminal as it was; nothing is shown afterwards. */
  stop(): void;
}

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly quiet: boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const PLAIN_EVERY_MS = 5000;
const REDRAWS_PER_SECOND = 8;

/** The display that suits the stream. */
export function showProgress({ stream, quiet, clock }: ProgressOptions): ProgressDisplay {
  if (quiet) return { update: () => {}, stop: () => {} };
  return stream.isTTY ? bar(stream) : plainLines(stream, clock);
}

function bar(stream: NodeJS.WritableStream): ProgressDisplay {
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
      const shown = { phase: terminalText(progress.phase), line: progressLine(progress) };
      if (!started) drawn.start(Math.max(progress.operations, 1), progress.operationsTested, shown);
      started = true;
      drawn.setTotal(Math.max(progress.operations, 1));
      drawn.update(progress.operationsTested, shown);
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

/** "12/40 operations, 310 requests, 155/s, 2 violations, 8 s left". */
export function progressLine(progress: Progress): string {
  const { operations, operationsTested, requests, requestsPerSecond, violations, secondsLeft } = progress;
  const parts = [
    `${operationsTested}/${operations} operations`,
    plural(requests, 'request'),
    `${Math.round(requestsPerSecond)}/s`,
    plural(violations, 'violation'),
  ];
  if (secondsLeft !== null) parts.push(`${duration(secondsLeft)} left`);
  return parts.join(', ');
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
