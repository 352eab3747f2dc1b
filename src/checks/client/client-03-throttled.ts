// CLIENT-03: a client that is told to wait comes again, not before its time, and not without end. A machine that is busy makes
// it late and never early, so that lateness is not accused.
//
// CLIENT-03 (must): 429 and 503 are retried, at most 4 retries, after Retry-After (seconds or HTTP date). Tolerance: 250 ms
//   early at most. The source's "attempts" may count the first request: a fifth request is an advisory, our own client
//   stops at four.

import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import type { ClientRequest, ClientRun, Retry } from '../../exchange/client-run.ts';
import {
  broken,
  held,
  inSeconds,
  isCutShort,
  judgeEach,
  misdeed,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

/** How much too early a retry may come. ms. */
const EARLY_MS = 250;
/** A client that still runs, and has not come again so long after it might have, does not come again. ms. */
const GIVEN_UP_MS = 20_000;
/** Tasks that only read: a request that changes something need not be sent again, and whether it may be is CLIENT-06's matter. */
const READING = ['read-store', 'walk-logs', 'walk-notifications'];

export function judgeThrottled(runs: readonly ClientRun[], { clients: figures }: Terms): readonly ScenarioJudgement[] {
  if (figures === null) return [];
  const { maxRetries } = figures;
  return judgeEach(
    runs,
    ({ trouble }) => isThrottling(trouble?.status ?? null) && trouble?.isUnknown !== true,
    (run) => judgeRun(run, maxRetries),
  );
}

export function isThrottling(status: number | null): boolean {
  return status === 429 || status === 503;
}

function judgeRun(run: ClientRun, maxRetries: number): ScenarioJudgement {
  const calls = troubledCalls(run);
  const retries = calls.flatMap((one) => one.retries);
  const [early] = retries.filter((retry) => earlyMs(retry, run) > EARLY_MS);
  if (early !== undefined) return broken(run, [tooEarly(early, run)], [early.before, early.again]);
  const longest = calls.map(({ call }) => call).toSorted((left, right) => right.length - left.length)[0] ?? [];
  if (longest.length > maxRetries && run.scenario.trouble?.times === null)
    return broken(run, [tooMany(longest.length, maxRetries, run)], longest.slice(-2));
  const silent = calls.find((one) => one.retries.length === 0);
  if (silent !== undefined) return judgeSilence(run, silent.call);
  return held(run, retries.length);
}

function judgeSilence(run: ClientRun, call: readonly ClientRequest[]): ScenarioJudgement {
  const { task, trouble } = run.scenario;
  if (!READING.includes(task)) return untold(run, 'it was not sent again, which only reading has to be');
  const answeredAt = Math.max(...call.map(({ answer }) => answer.at));
  const dueMs = (trouble?.wait?.seconds ?? 0) * 1000 + GIVEN_UP_MS;
  const hasGivenUp = run.ending === 'exited' || run.ending === 'signal' || run.endedAt - answeredAt >= dueMs;
  if (!hasGivenUp || isCutShort(run)) return untold(run, 'the run ended before the client might have come again');
  return broken(run, [notRetried(run)], call.slice(-1));
}

/** Milliseconds by which the retry came before its time; negative where it did not. */
function earlyMs({ before, again, gapMs }: Retry, { scenario }: ClientRun): number {
  const wait = scenario.trouble?.wait ?? null;
  if (wait === null) return Number.NEGATIVE_INFINITY;
  if (wait.form === 'seconds') return wait.seconds * 1000 - gapMs;
  const until = Date.parse(header(before.answer.headers, 'retry-after') ?? '');
  return until - again.at;
}

function tooEarly(retry: Retry, run: ClientRun): Breach {
  const { status, wait } = run.scenario.trouble ?? {};
  const stated = wait?.form === 'date' ? 'a date' : 'seconds';
  const asked = retry.gapMs + earlyMs(retry, run);
  const [due, gap] = [inSeconds(asked), inSeconds(retry.gapMs)];
  const code = codeOf('CLIENT-03', 'early', `${status}`, wait?.form ?? '');
  const kind = [code, `${status} is retried before Retry-After (${stated})`] as const;
  const expected = `a wait of ${due} (250 ms less at most)`;
  return misdeed(run, kind, `the retry came after ${gap}, expected after ${due}`, expected, gap);
}

function tooMany(count: number, maxRetries: number, run: ClientRun): Breach {
  const isMore = count > maxRetries + 1;
  const [kind, cause, expected] = isMore
    ? [
        'too-many',
        `429 or 503 is retried more than ${maxRetries} times`,
        `at most ${plural(maxRetries + 1, 'request')}`,
      ]
    : [
        'fifth-request',
        `${ORDINALS[maxRetries] ?? 'one more'} request is sent after 429 or 503`,
        `at most ${plural(maxRetries, 'request')}, where "attempts" counts the first one`,
      ];
  const what = `${plural(count, 'request')} came, expected ${plural(maxRetries, 'retry', 'retries')} at most`;
  const told = misdeed(run, [codeOf('CLIENT-03', kind), cause], what, expected, plural(count, 'request'));
  return { ...told, weight: isMore ? 'breach' : 'advisory' };
}

/** The request that is one too many where the first one counts, by how many retries there may be. */
const ORDINALS = ['a first', 'a second', 'a third', 'a fourth', 'a fifth', 'a sixth'];

function notRetried(run: ClientRun): Breach {
  const { status } = run.scenario.trouble ?? {};
  const kind = [codeOf('CLIENT-03', 'not-retried', `${status}`), `${status} is not retried`] as const;
  const expected = 'the request again, once the wait is over';
  return misdeed(run, kind, `no retry came, and ${run.ended}; expected one`, expected, 'one request');
}
