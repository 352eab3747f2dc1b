// Earlier runs with the same operations and clauses on the same target: how they ended, and what comes and goes.
import type { Report } from '../../contract/report.ts';
import { cut } from '../text.ts';
import { number } from '../words.ts';

const RUNS = 30;
const FLAKY = 50;
const TEXT_CHARS = 300;

/** Null where this run is the first that is known. */
export function historyView({ history }: Report) {
  if (history === undefined || history.runs.length < 2) return null;
  return {
    runs: history.runs.slice(-RUNS).map((run) => ({
      id: run.id,
      when: `${run.startedAt.slice(0, 10)} ${run.startedAt.slice(11, 16)}`,
      verdict: run.verdict,
      partial: run.partial,
      violations: run.violations,
      advisories: run.advisories,
      requests: number(run.requests),
      operationsTested: number(run.operationsTested),
      p50: rounded(run.p50Ms),
      p99: rounded(run.p99Ms),
    })),
    flaky: history.flaky.slice(0, FLAKY).map((one) => ({
      clause: one.clause,
      cause: cut(one.cause, TEXT_CHARS),
      operation: cut(one.operation ?? one.service ?? 'the target as a whole', TEXT_CHARS),
      seen: `${number(one.seen)} of ${number(one.judged)} runs`,
    })),
    left: Math.max(0, history.flaky.length - FLAKY),
  };
}

function rounded(ms: number | null | undefined): number | null {
  return ms == null ? null : Number(ms.toPrecision(2));
}
