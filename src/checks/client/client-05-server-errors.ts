// CLIENT-05: a client whose request the platform could not serve tries again with growing waits, and gives up. The source does
// not say by how much they grow, nor that such a request has to be sent again. Whether they grow, and where they start, is
// judged by the shortest waits of all scenarios, because a busy machine makes single ones late.
//
// CLIENT-05 (must): Other 5xx: exponential backoff from 250 ms, at most 4 attempts.

import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { ClientTerms, Terms } from '../../contract/terms.ts';
import { type ClientRun, type Retry, shortestWaits } from '../../exchange/client-run.ts';
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
/** Minimum number of waits, and the maximum ratio of the longest to the shortest, for waits that do not grow. */
const LEAST_WAITS = 3;
const SAME_SHARE = 1.25;
/** A first wait may take half as long again as the longest lawful one, and so much more. ms. */
const LATE_SHARE = 1.5;
const LATE_MS = 1000;
/** In so many scenarios they look alike: lateness by chance does not. */
const LEAST_SCENARIOS = 2;

export function judgeServerErrors(
  runs: readonly ClientRun[],
  { clients: figures }: Terms,
): readonly ScenarioJudgement[] {
  if (figures === null) return [];
  const judged = judgeEach(
    runs,
    ({ trouble }) => trouble?.times === null && isServerError(trouble.status),
    (run) => judgeRun(run, figures),
  );
  const series = judged.map(({ run }) => retriesOf(run)).filter(({ length }) => length > 0);
  if (series.length < LEAST_SCENARIOS) return judged;
  const waits = shortestWaits(series);
  const stalledMs = Math.max(...judged.map(({ run }) => run.stalledMs));
  const longestFirstMs = figures.base5xxMs + figures.jitterMs;
  const isLate = (waits[0] ?? 0) > longestFirstMs * LATE_SHARE + LATE_MS + stalledMs;
  const isConstant =
    waits.length >= LEAST_WAITS && isSame(waits) && isNotLateness(waits, series.flat(), longestFirstMs);
  if (!isLate && !isConstant) return judged;
  return judged.map((one) => (one.judgement.kind === 'holds' ? misspaced(one.run, isLate, figures) : one));
}

/** Tells whether none of the waits is much longer than another. */
function isSame(waits: readonly number[]): boolean {
  return Math.max(...waits) <= Math.min(...waits) * SAME_SHARE;
}

/**
 * Tells whether waits that look the same do not merely look so because the first of growing ones came late: the last is
 * no longer than a first one may be, which lateness does not make it; or all of all scenarios are the same, as no
 * lateness is.
 */
function isNotLateness(shortest: readonly number[], all: readonly Retry[], longestFirstMs: number): boolean {
  return Math.max(...shortest) <= longestFirstMs * SAME_SHARE || isSame(all.map(({ gapMs }) => gapMs));
}

function isServerError(status: number | null): boolean {
  return status !== null && status >= 500 && status !== 503;
}

function retriesOf(run: ClientRun): readonly Retry[] {
  return troubledCalls(run).flatMap(({ retries }) => retries);
}

function judgeRun(run: ClientRun, { maxRetries, base5xxMs }: ClientTerms): ScenarioJudgement {
  const retries = retriesOf(run);
  const early = retries.find(({ gapMs }) => gapMs < base5xxMs - TIMER_MS);
  if (early !== undefined) return broken(run, [tooEarly(early, base5xxMs, run)], [early.before, early.again]);
  const [longest = []] = troubledCalls(run)
    .map(({ call }) => call)
    .toSorted((left, right) => right.length - left.length);
  if (longest.length > maxRetries) return broken(run, [tooMany(longest.length, maxRetries, run)], longest.slice(-2));
  return retries.length === 0 ? untold(run, 'it was not retried, which shows no backoff') : held(run, retries.length);
}

function tooEarly({ gapMs }: Retry, base5xxMs: number, run: ClientRun): Breach {
  const kind = [codeOf('CLIENT-05', 'early'), `a 5xx is retried after less than ${base5xxMs} ms`] as const;
  const what = `a retry came after ${inSeconds(gapMs)}, expected ${base5xxMs} ms at least`;
  return misdeed(run, kind, what, `a wait of ${base5xxMs} ms at least`, inSeconds(gapMs));
}

function tooMany(count: number, most: number, run: ClientRun): Breach {
  const kind = [codeOf('CLIENT-05', 'too-many'), `a 5xx is tried more than ${most} times`] as const;
  const actual = plural(count, 'request');
  return misdeed(run, kind, `${actual} came, expected ${most} at most`, `at most ${plural(most, 'attempt')}`, actual);
}

function misspaced(run: ClientRun, isLate: boolean, { base5xxMs }: ClientTerms): ScenarioJudgement {
  const retries = retriesOf(run);
  if (retries.length === 0) return held(run);
  const waits = retries.map(({ gapMs }) => inSeconds(gapMs)).join(', ');
  const [kind, cause, expected] = isLate
    ? ['late', `the waits after a 5xx start far above ${base5xxMs} ms`, `the first after ${base5xxMs} ms`]
    : ['constant', 'the waits after a 5xx do not grow', 'each longer than the one before'];
  const what = `the waits took ${waits}, expected ${expected}`;
  const told = misdeed(run, [codeOf('CLIENT-05', kind), cause], what, `waits that grow from ${base5xxMs} ms`, waits);
  return broken(run, [told], retries.map(({ again }) => again).slice(-2));
}
