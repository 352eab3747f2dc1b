// CLIENT-01: a client that is told that its request is wrong does not send the same request again.
//
// CLIENT-01 (must): 400, 404, 409 are not retried.

import { codeOf } from '../../contract/code.ts';
import { plural } from '../../contract/numbers.ts';
import type { ClientRun, Retry } from '../../exchange/client-run.ts';
import {
  broken,
  heldToEnd,
  judgeEach,
  misdeed,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

const REFUSALS: readonly (number | null)[] = [400, 404, 409];

export function judgeRefused(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  const isRefused = ({ trouble }: ClientRun['scenario']): boolean =>
    REFUSALS.includes(trouble?.status ?? null) && trouble?.isUnknown !== true;
  return judgeEach(runs, isRefused, (run) => {
    const same = judgeResent(run, ['CLIENT-01'], ({ before, again }) => before.body.equals(again.body));
    if (same === null && troubledCalls(run).some(({ retries }) => retries.length > 0))
      return untold(run, 'the request came again with another body: whether it was put right cannot be told');
    return same ?? heldToEnd(run);
  });
}

/** The breach that what was refused came again with the same `what` ("token"), or all the same; null for none. */
export function judgeResent(
  run: ClientRun,
  [clause, what]: readonly [clause: string, what?: string],
  isSame: (retry: Retry) => boolean,
): ScenarioJudgement | null {
  const retries = troubledCalls(run).flatMap((one) => one.retries);
  const same = retries.find(isSame);
  if (same === undefined) return null;
  const { before, again } = same;
  const withIt = (which: string): string => (what === undefined ? '' : ` with ${which} ${what}`);
  const [status, count] = [String(before.answer.status), retries.length + 1];
  const kind = [codeOf(clause, 'retried', status), `${status} is retried${withIt('the same')}`] as const;
  const told = `the same ${before.method} came ${count} times${withIt('one')}, expected once`;
  const expected = `no further request${withIt('this')} after ${status}`;
  return broken(run, [misdeed(run, kind, told, expected, plural(count, 'request'))], [before, again]);
}
