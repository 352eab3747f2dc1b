// CLIENT-04: a client that is not told how long to wait waits by itself, longer each time. Each wait is judged by how short it
// is; how long they are is judged by all together, or by one that is long in every scenario, because a busy machine makes single
// ones late.
//
// CLIENT-04 (must): Without Retry-After: 1000 ms doubling per attempt, capped at 30000 ms, plus 0–250 ms jitter.
import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import type { ClientTerms, Terms } from '../../contract/terms.ts';
import { type ClientRun, type Retry, shortestWaits } from '../../exchange/client-run.ts';
import { isThrottling } from './client-03-throttled.ts';
import {
  broken,
  held,
  inSeconds,
  judgeEach,
  misdeed,
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

export function judgeBackoff(runs: readonly ClientRun[], { clients: figures }: Terms): readonly ScenarioJudgement[] {
  if (figures === null) return [];
  const judged = judgeEach(
    runs,
    ({ trouble }) => isThrottling(trouble?.status ?? null) && trouble?.wait === null,
    (run) => judgeRun(run, figures),
  );
  const all = judged.map(({ run }) => retriesOf(run)).filter(({ length }) => length > 0);
  const stalledMs = Math.max(0, ...judged.map(({ run }) => run.stalledMs));
  const isLong = shortestWaits(all).some(
    (ms, n) => ms > longestWaitMs(n, figures) * LATE_SHARE + LATE_WAIT_MS + stalledMs,
  );
  if (!isLong || all.length < LEAST_SCENARIOS) return judged;
  return judged.map((one) => (one.judgement.kind === 'holds' ? late(one.run, figures) : one));
}

/** The retries of the request that was retried most. */
function retriesOf(run: ClientRun): readonly Retry[] {
  const [most = []] = troubledCalls(run)
    .map((one) => one.retries)
    .toSorted((left, right) => right.length - left.length);
  return most;
}

function longestWaitMs(n: number, figures: ClientTerms): number {
  return lawfulWaitMs(n, figures) + figures.jitterMs;
}

/** The n-th wait that the law asks for, jitter aside; n counts from 0. ms. */
function lawfulWaitMs(n: number, { base429Ms, capMs }: ClientTerms): number {
  return Math.min(base429Ms * 2 ** n, capMs);
}

function judgeRun(run: ClientRun, figures: ClientTerms): ScenarioJudgement {
  const retries = retriesOf(run);
  const early = retries.findIndex(({ gapMs }, n) => gapMs < lawfulWaitMs(n, figures) - TIMER_MS);
  const shown = retries[early];
  if (shown !== undefined) return broken(run, [tooEarly(shown, early, run, figures)], [shown.before, shown.again]);
  const sumMs = retries.reduce((sum, { gapMs }) => sum + gapMs, 0);
  if (sumMs > longestOf(retries, figures) * LATE_SHARE + LATE_MS + run.stalledMs) return late(run, figures);
  if (retries.length < LEAST_WAITS)
    return untold(run, `it was retried ${retries.length === 0 ? 'never' : 'once'}, which shows no doubling`);
  return held(run, retries.length);
}

function longestOf(retries: readonly Retry[], figures: ClientTerms): number {
  return retries.reduce((sum, _retry, n) => sum + longestWaitMs(n, figures), 0);
}

function late(run: ClientRun, figures: ClientTerms): ScenarioJudgement {
  const retries = retriesOf(run);
  return broken(run, [tooLate(retries, figures, run)], retries.map(({ again }) => again).slice(-2));
}

function tooEarly({ gapMs }: Retry, n: number, run: ClientRun, figures: ClientTerms): Breach {
  const least = lawfulWaitMs(n, figures);
  const { base429Ms, jitterMs } = figures;
  const wait = n === 0 ? 'first' : 'later';
  const cause =
    n === 0
      ? `the first wait without Retry-After is below ${base429Ms} ms`
      : 'the waits without Retry-After do not double';
  const [due, gap] = [inSeconds(least), inSeconds(gapMs)];
  const what = `wait ${n + 1} took ${gap}, expected ${due} and 0 to ${jitterMs} ms more`;
  return misdeed(run, [codeOf('CLIENT-04', 'early', wait), cause], what, `at least ${due}`, gap);
}

function tooLate(retries: readonly Retry[], figures: ClientTerms, run: ClientRun): Breach {
  const longestMs = longestOf(retries, figures);
  const lawful = [0, 1, 2, 3].map((n) => String(lawfulWaitMs(n, figures) / 1000));
  const waits = retries.map(({ gapMs }) => inSeconds(gapMs)).join(', ');
  const cause = `the waits without Retry-After are far longer than ${figures.base429Ms} ms doubling`;
  const what = `the waits took ${waits}, expected ${inSeconds(longestMs)} in all at most`;
  const expected = `about ${lawful.slice(0, -1).join(', ')} and ${lawful.at(-1)} s`;
  return misdeed(run, [codeOf('CLIENT-04', 'late'), cause], what, expected, waits);
}
