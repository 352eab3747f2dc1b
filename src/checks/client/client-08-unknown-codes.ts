// CLIENT-08: an error that a client does not know is treated as others of its status are. It is compared with the run in which
// the same status came with a type and code that the client can know: what differs, the unknown code has caused.
//
// CLIENT-08 (must): Clients switch on the code of errors: an unknown type or code does not break them.
import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import type { ClientRun } from '../../exchange/client-run.ts';
import { broken, held, misdeed, notMet, type ScenarioJudgement, troubledCalls, untold } from './scenario-judgement.ts';

export function judgeUnknownCodes(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs
    .filter(({ scenario }) => scenario.trouble?.isUnknown === true)
    .map((run) => judgeRun(run, twinOf(run, runs)));
}

/** The run that differs in the type and code alone. */
function twinOf({ scenario: { task, trouble } }: ClientRun, runs: readonly ClientRun[]): ClientRun | null {
  const twin = runs.find(
    ({ scenario: other }) =>
      other.task === task &&
      other.trouble !== null &&
      other.trouble.isUnknown === undefined &&
      other.trouble.status === trouble?.status &&
      other.trouble.times === trouble.times &&
      other.trouble.wait?.form === trouble.wait?.form,
  );
  return twin ?? null;
}

function judgeRun(run: ClientRun, twin: ClientRun | null): ScenarioJudgement {
  const reason = notMet(run) ?? (twin === null ? 'there is no run to compare it with' : notMet(twin));
  if (reason !== null || twin === null) return untold(run, reason ?? '');
  if (twin.ending !== 'exited')
    return untold(run, `with a known code the client did not end by itself either: ${twin.ended}`);
  if (run.ending === 'stopped' || run.ending === 'flooded') return untold(run, run.ended);
  const kind = differenceOf(run, twin);
  return kind === null ? held(run) : broken(run, [breachOf(kind, run)], run.requests.slice(-2));
}

const WORDS = {
  killed: 'ends the client by a signal',
  hangs: 'makes the client hang',
  uncaught: 'ends the client by an exception that nobody catches',
  'not-retried': 'keeps the client from a retry',
  retried: 'makes the client retry',
} as const;

function differenceOf(run: ClientRun, twin: ClientRun): keyof typeof WORDS | null {
  if (run.ending === 'signal') return 'killed';
  if (run.ending === 'limit') return 'hangs';
  const [again, twinAgain] = [run, twin].map((one) => troubledCalls(one).some(({ retries }) => retries.length > 0));
  if (again !== twinAgain) return again ? 'retried' : 'not-retried';
  return run.isUncaught && !twin.isUncaught ? 'uncaught' : null;
}

function breachOf(kind: keyof typeof WORDS, run: ClientRun): Breach {
  const status = run.scenario.trouble?.status;
  const known = 'with a type and code that it can know it behaves otherwise';
  const told = [codeOf('CLIENT-08', kind, `${status}`), `an unknown error code ${WORDS[kind]}`] as const;
  const expected = `what the client does at ${status} with a known code`;
  return misdeed(run, told, `it ${WORDS[kind]} (${run.ended}); ${known}`, expected, WORDS[kind]);
}
