// CLIENT-01: a client that is told that its request is wrong does not send the same request again.
//
// CLIENT-01 (must): 400, 404, 409 are not retried.
import { codeOf } from '../../contract/code.ts';
import type { ClientRun } from '../../exchange/client-run.ts';
import {
  broken,
  held,
  isCutShort,
  named,
  notMet,
  type ScenarioJudgement,
  troubledCalls,
  untold,
} from './scenario-judgement.ts';

const REFUSALS: readonly (number | null)[] = [400, 404, 409];

export function judgeRefused(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs
    .filter(({ scenario: { trouble } }) => REFUSALS.includes(trouble?.status ?? null) && trouble?.isUnknown !== true)
    .map(judgeRun);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const reason = notMet(run);
  if (reason !== null) return untold(run, reason);
  const retries = troubledCalls(run).flatMap((one) => one.retries);
  const same = retries.find(({ before, again }) => before.body.equals(again.body));
  if (same !== undefined) {
    const { before, again } = same;
    const status = String(before.answer.status);
    const breach = {
      ...{ weight: 'breach' as const, code: codeOf('CLIENT-01', 'retried', status), cause: `${status} is retried` },
      message: `${named(run)}: the same ${before.method} came ${retries.length + 1} times, expected once`,
      ...{ expected: `no further request after ${status}`, actual: `${retries.length + 1} requests` },
    };
    return broken(run, [breach], [before, again]);
  }
  if (retries.length > 0)
    return untold(run, 'the request came again with another body: whether it was put right cannot be told');
  return isCutShort(run) ? untold(run, 'the run was stopped before the client had ended') : held(run);
}
