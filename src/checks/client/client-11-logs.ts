// CLIENT-11: a client's logs are read by many. They hold neither its credential nor what may be an end user's data.
//
// CLIENT-11 (must): The token and the message of errors appear in no log that the client writes. Tolerance: stdout,
//   stderr and files in its working folder.
import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import type { ClientRun, Leak } from '../../exchange/client-run.ts';
import { broken, held, idleReason, misdeed, type ScenarioJudgement, untold } from './scenario-judgement.ts';

const WORDS: Readonly<Record<Leak['of'], string>> = { token: 'the token', message: 'error.message' };

export function judgeLogs(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs.map((run) => {
    if (run.leaks.length > 0)
      return broken(
        run,
        run.leaks.map((leak) => breachOf(leak, run)),
        run.requests.slice(-1),
      );
    const reason = idleReason(run);
    return reason === null ? held(run) : untold(run, reason);
  });
}

function breachOf({ of, where }: Leak, run: ClientRun): Breach {
  const place = where === 'stdout' || where === 'stderr' ? where : 'a file';
  const kind = [codeOf('CLIENT-11', `${of}-in`, place), `${WORDS[of]} appears in ${place}`] as const;
  const [expected, actual] = [`${WORDS[of]} in no output and no file`, `in ${where}`];
  return misdeed(run, kind, `${WORDS[of]} appears ${actual}, expected nowhere`, expected, actual);
}
