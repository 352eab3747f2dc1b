// CLIENT-07: a redirect leads to a page for browsers, and a program does not go there by itself.
//
// CLIENT-07 (must): A 302 is not followed by a server-to-server client.
import { codeOf } from '../../contract/code.ts';
import { header } from '../../exchange/body.ts';
import type { ClientRun } from '../../exchange/client-run.ts';
import { broken, heldToEnd, judgeEach, misdeed, type ScenarioJudgement } from './scenario-judgement.ts';

export function judgeRedirects(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return judgeEach(runs, ({ trouble }) => trouble?.status === 302, judgeRun);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const redirects = run.requests.filter(({ answer }) => answer.isTrouble);
  const [redirect] = redirects;
  const location = header(redirect?.answer.headers ?? [], 'location') ?? '';
  const followed = run.requests.find(({ path }) => path.split('?', 1)[0] === location);
  if (redirect === undefined || followed === undefined) return heldToEnd(run);
  const kind = [codeOf('CLIENT-07', 'followed', redirect.method), 'a 302 is followed'] as const;
  const [expected, actual] = ['no request to the Location of a 302', `${followed.method} ${location}`];
  const told = misdeed(run, kind, `${actual} came, expected no request there`, expected, actual);
  return broken(run, [told], [redirect, followed]);
}
