// CLIENT-02: a client whose token is refused does not send that token again for the same thing.
//
// CLIENT-02 (must): 401 and 403 are not retried with the same token.
import { header } from '../../exchange/body.ts';
import type { ClientRequest, ClientRun } from '../../exchange/client-run.ts';
import { judgeResent } from './client-01-refused.ts';
import { heldToEnd, judgeEach, type ScenarioJudgement } from './scenario-judgement.ts';

export function judgeCredentials(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  const tokenOf = ({ headers }: ClientRequest): string | null => header(headers, 'authorization');
  return judgeEach(
    runs,
    ({ trouble }) => trouble?.status === 401 || trouble?.status === 403,
    (run) =>
      judgeResent(run, ['CLIENT-02', 'token'], ({ before, again }) => tokenOf(before) === tokenOf(again)) ??
      heldToEnd(run),
  );
}
