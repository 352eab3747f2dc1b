// How a run is watched at the terminal: a line that tells how far it is, and with --verbose a line for each request.
import { systemClock } from '../../clock/system.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { sentLine, showProgress } from '../../reporters/terminal/progress.ts';
import type { RunFlags } from './options.ts';
import { say } from './say.ts';

/** What a run tells, and the end of telling it. */
export interface Watch {
  readonly onProgress: (progress: Progress) => void;
  /** Set with --verbose. */
  readonly onExchange?: (exchange: Exchange) => void;
  stop(): void;
}

/** Watches one run on stderr, as the flags ask for it. */
export function watchRun({ quiet = false, verbose = false }: Pick<RunFlags, 'quiet'> & { verbose?: boolean }): Watch {
  const display = showProgress({ clock: systemClock, stream: process.stderr, quiet, plain: verbose });
  const told = verbose ? { onExchange: (exchange: Exchange) => say(`${sentLine(exchange)}\n`) } : {};
  return { onProgress: (progress) => display.update(progress), ...told, stop: () => display.stop() };
}
