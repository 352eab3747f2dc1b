// A run as OpenTelemetry traces and metrics, where the environment names somebody who takes them. The SDK is loaded then only.
import type { Telemetry, ToldRun } from './told-run.ts';

/** null where OTEL_EXPORTER_OTLP_ENDPOINT is not set, or OTEL_SDK_DISABLED is. */
export async function startTelemetry(run: ToldRun): Promise<Telemetry | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '', OTEL_SDK_DISABLED: disabled = '' } = run.env;
  if (endpoint.trim() === '' || disabled.toLowerCase() === 'true') return null;
  if (!URL.canParse(endpoint)) {
    run.warn('OTEL_EXPORTER_OTLP_ENDPOINT is no URL: nothing is exported; name one such as http://127.0.0.1:4318');
    return null;
  }
  const { exportRun } = await import('./export.ts');
  return exportRun(run);
}
