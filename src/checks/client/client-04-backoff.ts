// CLIENT-04: a client that is not told how long to wait waits by itself, longer each time. Each wait is judged by how short it
// is; how long they are is judged by all together, or by one that is long in every scenario, because a busy machine makes single
// ones late.
//
// CLIENT-04 (must): Without Retry-After: 1000 ms doubling per attempt, capped at 30000 ms, plus 0–250 ms jitter.
import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import { RETRY } from '../../contract/platform.ts';
import { type ClientRun, type Retry, shortestWaits } from '../../exchange/client-run.ts';
import { isThrottling } from './client-03-throttled.ts';
import {
  broken,
  held,
  inSeconds,
  named,
  notMet,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

/** Timers may fire a little before their time. ms. */
const TIMER_MS = 50;
/** The waits together may take half as long again as the law's longest ones, and so much more. ms. */
const LATE_SHARE = 1.5;
const LATE_MS = 3000;
/** One wait shows no doubling. */
const LEAST_WAITS = 2;

/** One wait that is long in so many scenarios is no chance. */
const LEAST_SCENARIOS = 2;
const LATE_WAIT_MS = 1000;

export function judgeBackoff(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  const judged = runs
    .filter(({ scenario: { trouble } }) => isThrottling(trouble?.status ?? null) && trouble?.wait === null)
    .map(judgeRun);
  const all = judged.map(({ run }) => retriesOf(run)).filter(({ length }) => length > 0);
  const stalledMs = Math.max(0, ...judged.map(({ run }) => run.stalledMs));
  const isLong = shortestWaits(all).some((ms, n) => ms > longestWaitMs(n) * LATE_SHARE + LATE_WAIT_MS + stalledMs);
  if (!isLong || all.length < LEAST_SCENARIOS) return judged;
  return judged.map((one) => (one.judgement.kind === 'holds' ? late(one.run) : one));
}

/** The retries of the request that was retried most. */
function retriesOf(run: ClientRun): readonly Retry[] {
  const [most = []] = troubledCalls(run)
    .map((one) => one.retries)
    .toSorted((left, right) => right.length - left.length);
  return most;
}

function longestWaitMs(n: number): number {
  return lawfulWaitMs(n) + RETRY.jitterMs;
}

/** The n-th wait that the law asks for, jitter aside; n counts from 0. ms. */
export function lawfulWaitMs(n: number): number {
  return Math.min(RETRY.throttledBaseMs * 2 ** n, RETRY.throttledCapMs);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const reason = notMet(run);
  if (reason !== null) return untold(run, reason);
  const retries = retriesOf(run);
  const early = retries.findIndex(({ gapMs }, n) => gapMs < lawfulWaitMs(n) - TIMER_MS);
  const shown = retries[early];
  if (shown !== undefined) return broken(run, [tooEarly(shown, early, run)], [shown.before, shown.again]);
  const sumMs = retries.reduce((sum, { gapMs }) => sum + gapMs, 0);
  if (sumMs > longestOf(retries) * LATE_SHARE + LATE_MS + run.stalledMs) return late(run);
  if (retries.length < LEAST_WAITS)
    return untold(run, `it was retried ${retries.length === 0 ? 'never' : 'once'}, which shows no doubling`);
  return held(run, retries.length);
}

function longestOf(retries: readonly Retry[]): number {
  return retries.reduce((sum, _retry, n) => sum + longestWaitMs(n), 0);
}

function late(run: ClientRun): ScenarioJudgement {
  const retries = retriesOf(run);
  return broken(run, [tooLate(retries, longestOf(retries), run)], retries.map(({ again }) => again).slice(-2));
}

function tooEarly({ gapMs }: Retry, n: number, run: ClientRun): Breach {
  const least = lawfulWaitMs(n);
  const wait = n === 0 ? 'first' : 'later';
  return {
    ...{ weight: 'breach', code: codeOf('CLIENT-04', 'early', wait) },
    cause:
      n === 0 ? 'the first wait without Retry-After is below 1000 ms' : 'the waits without Retry-After do not double',
    message: `${named(run)}: wait ${n + 1} took ${inSeconds(gapMs)}, expected ${inSeconds(least)} and 0 to 250 ms more`,
    ...{ expected: `at least ${inSeconds(least)}`, actual: inSeconds(gapMs) },
  };
}

function tooLate(retries: readonly Retry[], longestMs: number, run: ClientRun): Breach {
  const waits = retries.map(({ gapMs }) => inSeconds(gapMs)).join(', ');
  return {
    ...{ weight: 'breach', code: codeOf('CLIENT-04', 'late') },
    cause: 'the waits without Retry-After are far longer than 1000 ms doubling',
    message: `${named(run)}: the waits took ${waits}, expected ${inSeconds(longestMs)} in all at most`,
    ...{ expected: 'about 1, 2, 4 and 8 s', actual: waits },
  };
}
