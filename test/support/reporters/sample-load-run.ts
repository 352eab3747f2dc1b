// A made-up spike as `report.json` tells it: a peak with some errors, and the run before it. A target may have its say in any text.
import type { CapacityStep, LoadPart, LoadRow, LoadStep } from '../../../src/contract/load-part.ts';
import type { Report } from '../../../src/contract/report.ts';
import { HOSTILE, sampleReport } from './sample-report.ts';

const [BASE, PEAK, SECONDS] = [20, 120, 5];

/** `errors`: how many requests of the peak were answered 503. */
export function sampleLoadRun(errors = 12): Report {
  const sample = sampleReport();
  const { since: _since, history: _history, ...own } = sample;
  const isWhole = errors === 0;
  return {
    ...own,
    verdict: 'pass',
    run: { ...sample.run, partial: false },
    counts: { ...sample.counts, violations: 0 },
    clauses: sample.clauses.map((row) =>
      row.violations === 0 ? row : { ...row, violations: 0, status: 'pass' as const },
    ),
    findings: sample.findings.filter(({ kind }) => kind !== 'violation'),
    load: {
      suite: 'spike',
      plans: [],
      spike: {
        heldBy: null,
        objectives: { p99Ms: 300, errorRate: 0.01 },
        generator: null,
        before: figures('spike.before', BASE, 0),
        peak: figures('spike.peak', PEAK, errors),
        shares: {
          ...{ succeeded: 1 - errors / (PEAK * SECONDS), serverErrors: errors / (PEAK * SECONDS), limited: 0 },
          ...{ refused: 0, unanswered: 0, dropped: 0 },
        },
        afterSeconds: 15,
        recovery: { least: 0, best: 1, most: 1 },
        requests: 1000,
      },
      series: [
        {
          ...{ suite: 'spike', lane: 'spike', everySeconds: 1 },
          rows: Array.from({ length: 25 }, (_, at) => row(at, errors)),
          steps: [
            step('spike.before', BASE, 0, SECONDS, 0),
            step('spike.peak', PEAK, SECONDS, 2 * SECONDS, errors),
            ...Array.from({ length: 3 * SECONDS }, (_, at) =>
              step(`spike.after.${at + 1}`, BASE, 2 * SECONDS + at, 2 * SECONDS + at + 1, 0),
            ),
          ],
        },
      ],
      operations: [
        {
          during: 'the peak, 120 requests/s',
          rows: [
            operation('GET /api/v1/stores', 400, 7.84, isWhole ? {} : { 'HTTP 503': errors - 1, [HOSTILE]: 1 }),
            operation(`GET ${HOSTILE}`, 200, null, {}),
          ],
        },
        { during: 'the whole run', rows: [operation('GET /api/v1/stores', 1000, 6.1, {})] },
      ],
      conformance: { steps: [{ step: 'spike.peak', answers: 100, violations: {} }], brokenAt: null },
      since: {
        ...{ run: '20250227-101500-a1b2', startedAt: '2025-02-27T10:15:00.000Z', verdict: 'pass', differs: null },
        result: `Spike 20 → 120 requests/s: all succeeded, p99 5.2 ms ${HOSTILE}`,
        figures: [
          { figure: 'p50', unit: 'ms', ...was(2.1, 2.2), noise: true },
          { figure: 'p99', unit: 'ms', ...was(5.2, 7.84), noise: false },
          { figure: 'errors', unit: 'share', ...was(0, errors / 600), noise: isWhole },
        ],
      },
    } satisfies LoadPart,
  };
}

function was(before: number, now: number) {
  const known = (value: number) => ({ value, least: value, most: value });
  return { before: known(before), now: known(now) };
}

function figures(name: string, rps: number, errors: number): CapacityStep {
  const answers = rps * SECONDS;
  return {
    ...{ step: name, rps, seconds: SECONDS, answers, p50Ms: 2.2, p95Ms: 6, p99Ms: 7.84, errorRate: errors / answers },
    ...{ limitedRate: 0, dropped: 0, lateP99Ms: 1, generatorCpu: 0.1, decision: 'met', why: 'met' },
  };
}

function row(atSeconds: number, errors: number): LoadRow {
  const isPeak = atSeconds >= SECONDS && atSeconds < 2 * SECONDS;
  const serverErrors = isPeak ? Math.round(errors / SECONDS) : 0;
  const requests = isPeak ? PEAK : BASE;
  return { atSeconds, requests, p50Ms: 2.2, p99Ms: isPeak ? 7.8 : 4, serverErrors, ...NONE };
}

const NONE = { unanswered: 0, otherErrors: 0, limited: 0 };

function step(name: string, rps: number, fromSeconds: number, toSeconds: number, errors: number): LoadStep {
  const requests = rps * (toSeconds - fromSeconds);
  const latency = { 8: Math.round(requests * 0.6), 12: Math.round(requests * 0.37), 24: Math.round(requests * 0.03) };
  const kinds: LoadStep['errors'] = errors === 0 ? {} : { 'HTTP 503': errors };
  return {
    step: name,
    label: `${rps} requests/s`,
    rps,
    fromSeconds,
    toSeconds,
    requests,
    limited: 0,
    errors: kinds,
    latency,
  };
}

function operation(name: string, requests: number, p99Ms: number | null, errors: LoadStep['errors']) {
  return { operation: name, requests, limited: 0, errors, p50Ms: 2.2, p95Ms: 5.9, p99Ms };
}
