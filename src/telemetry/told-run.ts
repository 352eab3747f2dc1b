// The run as telemetry is told of it, and the interface of whoever listens.
import type { Clock } from '../clock/clock.ts';
import type { Progress } from '../contract/progress.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface Telemetry {
  /** Tells what the run does now. */
  onProgress(progress: Pick<Progress, 'phase'>): void;
  onExchange(exchange: Exchange): void;
  /** Sends what is left, for a few seconds at most. Never rejects, and changes nothing of the report. */
  end(report: Report): Promise<void>;
}

/** The run that is told of. */
export interface ToldRun {
  /** OTEL_* as OpenTelemetry's specification names them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly id: string;
  readonly version: string;
  readonly clock: Clock;
  /** The text without any secret. */
  readonly conceal: (text: string) => string;
  /** Told at most once, one sentence. */
  readonly warn: (sentence: string) => void;
}
