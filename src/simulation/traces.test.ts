// Traces change nothing: the same run without them sends and judges the same.
import { describe, expect, it } from 'vitest';
import type { Report } from '../contract/report.ts';
import { traceIn } from '../exchange/trace-context.ts';
import { FAULTS } from '../platform/faults/all.ts';
import { smallModel } from './cases.ts';
import { type Simulation, simulate } from './simulate.ts';
import { WORLDS } from './worlds.ts';

async function run(changes: Partial<Simulation> = {}): Promise<Report> {
  const options = { budget: 120 };
  return simulate({ documents: await smallModel(), deviations: [], world: WORLDS.calm, seed: 7, options, ...changes });
}

const TRACEPARENT = /(?: -H '?traceparent: [^ ]*|traceparent)/i;

/** The report without what tells of traces. */
function untraced(report: Report): Report {
  return {
    ...report,
    findings: report.findings.map(({ traceIds: _, ...finding }) => ({
      ...finding,
      curl: finding.curl?.replace(TRACEPARENT, '') ?? null,
    })),
    exchanges: report.exchanges.map(({ traceId: _, request, ...exchange }) => ({
      ...exchange,
      request: { ...request, headers: request.headers.filter(([name]) => !TRACEPARENT.test(name)) },
    })),
  };
}

const deviations = FAULTS.filter(({ id }) => ['err-04-status-differs', 'req-01-400'].includes(id));

describe('a run whose requests name traces', () => {
  it('is but for them the run whose requests name none', async () => {
    const traced = await run({ deviations });
    const plain = await run({ deviations, trace: 'none' });
    expect(plain.exchanges.filter(({ traceId }) => traceId !== undefined)).toEqual([]);
    expect(untraced(traced)).toEqual(plain);
  });

  it('tells the trace of each exchange, and with each finding those of its evidence', async () => {
    const { findings, exchanges } = await run({ deviations });
    const traceOf = new Map(exchanges.map(({ id, traceId }) => [id, traceId]));
    expect(new Set(traceOf.values()).size).toBe(exchanges.length);
    expect(findings.length).toBeGreaterThan(0);
    for (const { request, traceId } of exchanges) expect(traceIn(request.headers)?.traceId).toBe(traceId);
    for (const finding of findings.filter((one) => one.exchanges.length > 0))
      expect(finding.traceIds).toEqual(finding.exchanges.map((id) => traceOf.get(id)));
  });
});
