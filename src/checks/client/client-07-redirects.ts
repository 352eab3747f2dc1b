// CLIENT-07: a redirect leads to a page for browsers, and a program does not go there by itself.
//
// CLIENT-07 (must): A 302 is not followed by a server-to-server client.
import { codeOf } from '../../contract/code.ts';
import { header } from '../../exchange/body.ts';
import type { ClientRun } from '../../exchange/client-run.ts';
import { broken, held, isCutShort, named, notMet, type ScenarioJudgement, untold } from './scenario-judgement.ts';

export function judgeRedirects(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs.filter(({ scenario: { trouble } }) => trouble?.status === 302).map(judgeRun);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const reason = notMet(run);
  if (reason !== null) return untold(run, reason);
  const redirects = run.requests.filter(({ answer }) => answer.isTrouble);
  const [redirect] = redirects;
  const location = header(redirect?.answer.headers ?? [], 'location') ?? '';
  const followed = run.requests.find(({ path }) => path.split('?', 1)[0] === location);
  if (redirect === undefined || followed === undefined)
    return isCutShort(run) ? untold(run, 'the run was stopped before the client had ended') : held(run);
  const breach = {
    ...{
      weight: 'breach' as const,
      code: codeOf('CLIENT-07', 'followed', redirect.method),
      cause: 'a 302 is followed',
    },
    message: `${named(run)}: ${followed.method} ${location} came, expected no request there`,
    ...{ expected: 'no request to the Location of a 302', actual: `${followed.method} ${location}` },
  };
  return broken(run, [breach], [redirect, followed]);
}
