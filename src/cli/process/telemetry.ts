// A command's run told by OpenTelemetry beside its display, where the environment asks for it.
import { systemClock } from '../../clock/system.ts';
import { VERSION } from '../../config/package-root.ts';
import type { Report } from '../../contract/report.ts';
import { startTelemetry } from '../../telemetry/telemetry.ts';
import type { Job } from '../conform/prepare.ts';
import type { Watch } from './watch.ts';

/** What tells of a run, and the end of telling it: `report` is what the run came to. */
export interface ToldWatch extends Watch {
  told(report: Report): Promise<void>;
}

/** The watch, told to a collector, too, where OTEL_EXPORTER_OTLP_ENDPOINT names one. */
export async function alsoExported(
  watch: Watch,
  { options, redactor }: Pick<Job, 'options' | 'redactor'>,
): Promise<ToldWatch> {
  const telemetry = await startTelemetry({
    env: process.env,
    id: options.runId ?? '',
    version: VERSION,
    clock: systemClock,
    conceal: (text) => redactor.conceal(text),
    warn: (sentence) => process.stderr.write(`assay: ${redactor.conceal(sentence)}\n`),
  });
  if (telemetry === null) return { ...watch, told: async () => {} };
  return {
    onProgress(progress) {
      watch.onProgress(progress);
      telemetry.onProgress(progress);
    },
    onExchange(exchange) {
      watch.onExchange?.(exchange);
      telemetry.onExchange(exchange);
    },
    stop: () => watch.stop(),
    told: (report) => telemetry.end(report),
  };
}
