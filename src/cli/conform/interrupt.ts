// An interrupted run: the first Ctrl-C, SIGTERM or SIGHUP asks it to stop and to write what it has. A second one ends it at
// once, and so does a run that hangs. A report that takes long to write is no run that hangs. An error that is thrown where
// nothing waits for it, in a timer say, ends no run: its report would be lost, so it is noted instead.
import { type Clock, LIMIT } from '../../clock/clock.ts';
import { systemClock } from '../../clock/system.ts';
import { piecesWritten } from '../../disk/whole-file.ts';
import type { StrayErrors } from '../../run/perform/stray-errors.ts';
import { EXIT } from '../process/failure.ts';
import { onSignals } from '../process/signals.ts';

/** A terminal and npm both pass one Ctrl-C on: what comes so soon after it is the same one. ms. */
const SAME_PRESS_MS = 500;
const LOOK_MS = 250;
/** A run that was asked to stop and for so long neither computes nor writes hangs. ms. */
const HANG_MS = 4750;

/** The part of a run that stands on the disk by now. */
export interface Kept {
  /** Its report.json. */
  readonly path: string;
  /** The exit code that goes with it. */
  readonly code: number;
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** Remembers what is on the disk: a run that ends at once ends with that. */
  keep(kept: Kept): void;
  /** Tells a run what is thrown where nothing waits for it. */
  readonly strays: StrayErrors;
  /** Gives the signals back; a pending deadline is dropped. */
  dispose(): void;
}

/** The clock and the exit of the process that is ended; tests bring others, which end nothing. */
export interface Ending {
  readonly clock: Clock;
  exit(code: number): void;
}

/** The process that this is. */
export const SYSTEM: Ending = { clock: systemClock, exit: (code) => process.exit(code) };

/** Listens for the signals until disposed of. `tell` gets one sentence at each. `asked`: how the first one is called. */
export function interruptible(
  tell: (text: string) => void,
  { clock, exit }: Ending = SYSTEM,
  asked = 'interrupted',
): Interruption {
  const controller = new AbortController();
  let kept: Kept | null = null;
  let askedAtMs = 0;
  let watch: HangWatch | null = null;
  const endNow = (why: string): void => {
    const left = kept === null ? 'there is no report' : `${kept.path} holds what was found until then`;
    tell(`assay: ${why}; ${left}\n`);
    exit(kept?.code ?? EXIT.noVerdict);
  };
  const strays = catchStrayErrors(tell);
  const release = onSignals(() => {
    if (controller.signal.aborted) {
      if (clock.monotonic() - askedAtMs >= SAME_PRESS_MS) endNow('ended at once');
      return;
    }
    askedAtMs = clock.monotonic();
    tell(`assay: ${asked}, the report is being written; once more ends at once\n`);
    watch = new HangWatch(clock, () => endNow('the run did not stop'));
    controller.abort();
  });
  return {
    signal: controller.signal,
    strays: strays.listen,
    keep(latest) {
      kept = latest;
    },
    dispose() {
      watch?.end();
      release();
      strays.dispose();
    },
  };
}

/** The outcome of work that the signals interrupt; they are given back when it ends. */
export async function interruptibly<T>(work: (interruption: Interruption) => Promise<T>): Promise<T> {
  const interruption = interruptible((text) => process.stderr.write(text));
  try {
    return await work(interruption);
  } finally {
    interruption.dispose();
  }
}

/** Looks several times a second whether anything happens: something is written, or the process is busy computing. */
class HangWatch {
  readonly #clock: Clock;
  readonly #onHang: () => void;
  #timer: { cancel(): void };
  #lookedAtMs: number;
  #written = piecesWritten();
  #idleMs = 0;

  constructor(clock: Clock, onHang: () => void) {
    this.#clock = clock;
    this.#onHang = onHang;
    this.#lookedAtMs = clock.monotonic();
    this.#timer = clock.after(LOOK_MS, () => this.#look(), LIMIT);
  }

  end(): void {
    this.#timer.cancel();
  }

  #look(): void {
    const nowMs = this.#clock.monotonic();
    // Who computes without a pause keeps timers waiting, too.
    const isBusy = nowMs - this.#lookedAtMs > 2 * LOOK_MS || piecesWritten() !== this.#written;
    this.#idleMs = isBusy ? 0 : this.#idleMs + LOOK_MS;
    this.#lookedAtMs = nowMs;
    this.#written = piecesWritten();
    if (this.#idleMs >= HANG_MS) this.#onHang();
    else this.#timer = this.#clock.after(LOOK_MS, () => this.#look(), LIMIT);
  }
}

interface Catching {
  /** While nobody listens an error is told, and the process goes on: what is under way then writes the report. */
  readonly listen: StrayErrors;
  dispose(): void;
}

/** Catches until disposed of; whoever catches already goes on doing so alone. `tell` gets one sentence for each error that nobody listens for. */
function catchStrayErrors(tell: (text: string) => void): Catching {
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
