// A run over real sockets, against a platform that breaks ERR-04, told to a collector.
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { startTelemetry } from '../../src/cli/process/telemetry.ts';
import { systemClock } from '../../src/clock/system.ts';
import type { Report } from '../../src/contract/report.ts';
import { createRedactor } from '../../src/exchange/redaction.ts';
import { FAULTS } from '../../src/platform/faults/all.ts';
import { servePlatform } from '../../src/platform/http/serve.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { OPTIONS } from '../loaded.ts';
import { configOf } from '../networks/judged.ts';
import { reducedDocuments } from '../reduced-documents.ts';

export const RUN_ID = '20260201-080000-77aa01';

export interface TracedRun {
  readonly report: Report;
  readonly warnings: readonly string[];
  /** Tokens of its keys. */
  readonly secrets: readonly string[];
}

/** What the environment says of the collector is taken from this process, as the SDK's exporters do. */
export async function tracedRun(): Promise<TracedRun> {
  const deviations = FAULTS.filter(({ id }) => id === 'err-04-status-differs');
  const limits = { standard: { calls: 100_000, seconds: 60 } };
  const platform = await servePlatform({ documents: await reducedDocuments(), deviations, limits, seed: 1, port: 0 });
  const warnings: string[] = [];
  try {
    const config = await configOf(platform, {});
    const redactor = createRedactor(config.secrets);
    const telemetry = await startTelemetry({
      env: process.env,
      id: RUN_ID,
      version: '0.0.0',
      clock: systemClock,
      conceal: (text) => redactor.conceal(text),
      warn: (sentence) => warnings.push(sentence),
    });
    const report = await conform({
      clock: systemClock,
      config,
      redactor,
      options: { ...OPTIONS, runId: RUN_ID, operations: ['GET /api/v1/stores'], clauses: ['ERR-04', 'AUTH-01'] },
      descriptions: await loadDescriptions(config),
      listen(events) {
        events.on('progress', ({ progress }) => telemetry?.onProgress(progress));
        events.on('exchange', ({ exchange }) => telemetry?.onExchange(exchange));
      },
      stop: new AbortController().signal,
    });
    await telemetry?.end(report);
    return { report, warnings, secrets: config.keys.flatMap(({ token }) => token ?? []) };
  } finally {
    await platform.stop();
  }
}

/** The traces of the violations; there is at least one. */
export function tracesFound({ report }: TracedRun): readonly string[] {
  const violations = report.findings.filter(({ kind }) => kind === 'violation');
  return violations.flatMap(({ traceIds }) => traceIds ?? []);
}
