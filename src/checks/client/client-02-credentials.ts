// CLIENT-02: a client whose token is refused does not send that token again for the same thing.
//
// CLIENT-02 (must): 401 and 403 are not retried with the same token.
import { codeOf } from '../../contract/code.ts';
import { header } from '../../exchange/body.ts';
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

export function judgeCredentials(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs.filter(({ scenario: { trouble } }) => trouble?.status === 401 || trouble?.status === 403).map(judgeRun);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const reason = notMet(run);
  if (reason !== null) return untold(run, reason);
  const retries = troubledCalls(run).flatMap((one) => one.retries);
  const same = retries.find(
    ({ before, again }) => header(before.headers, 'authorization') === header(again.headers, 'authorization'),
  );
  if (same !== undefined) {
    const { before, again } = same;
    const status = String(before.answer.status);
    const breach = {
      ...{ weight: 'breach' as const, code: codeOf('CLIENT-02', 'retried', status) },
      cause: `${status} is retried with the same token`,
      message: `${named(run)}: the same ${before.method} came ${retries.length + 1} times with one token, expected once`,
      ...{ expected: `no further request with this token after ${status}`, actual: `${retries.length + 1} requests` },
    };
    return broken(run, [breach], [before, again]);
  }
  return isCutShort(run) ? untold(run, 'the run was stopped before the client had ended') : held(run);
}
