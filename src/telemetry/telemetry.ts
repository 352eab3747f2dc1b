// A run as OpenTelemetry traces and metrics, where the environment names somebody who takes them. The SDK is loaded then only.
import type { Telemetry, ToldRun } from './told-run.ts';

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
  const { exportRun } = await import('./export.ts');
  return exportRun(run);
}
