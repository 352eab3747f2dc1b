// A command's run told by OpenTelemetry beside its display, where the environment names somebody who takes it. The SDK is
// loaded then only.
import { systemClock } from '../../clock/system.ts';
import { VERSION } from '../../contract/package-root.ts';
import type { Report } from '../../contract/report.ts';
import type { Telemetry, ToldRun } from '../../telemetry/told-run.ts';
import type { Job } from '../conform/prepare.ts';
import type { Watch } from './watch.ts';

/** An exporter of a run's events, which ends with the run's report. */
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
    listen(events) {
      watch.listen(events);
      events.on('progress', ({ progress }) => telemetry.onProgress(progress));
      events.on('exchange', ({ exchange }) => telemetry.onExchange(exchange));
    },
    stop: () => watch.stop(),
    told: (report) => telemetry.end(report),
  };
}

/**
 * null where OTEL_EXPORTER_OTLP_ENDPOINT is not set, or OTEL_SDK_DISABLED is. OTLP is spoken over HTTP alone, in JSON: where
 * OTEL_EXPORTER_OTLP_PROTOCOL asks for gRPC the endpoint is one that would not understand it, and the run says so.
 */
export async function startTelemetry(run: ToldRun): Promise<Telemetry | null> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '',
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol = '',
    OTEL_SDK_DISABLED: disabled = '',
  } = run.env;
  if (endpoint.trim() === '' || disabled.toLowerCase() === 'true') return null;
  if (!URL.canParse(endpoint)) {
    run.warn('OTEL_EXPORTER_OTLP_ENDPOINT is no URL: nothing is exported; name one such as http://127.0.0.1:4318');
    return null;
  }
  if (protocol.trim().toLowerCase() === 'grpc') {
    run.warn(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and Assay speaks OTLP over HTTP: nothing is exported; set it to http/json, and name the port of the collector that takes HTTP, such as http://127.0.0.1:4318',
    );
    return null;
  }
  const { exportRun } = await import('../../telemetry/export.ts');
  return exportRun(run);
}
