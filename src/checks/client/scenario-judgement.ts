// Holds the common parts of the judges of clients: a judgement on one scenario, and the reasons why a scenario may tell nothing.
import { UNKNOWN_TASK_EXIT } from '../../contract/client.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import { type ClientRequest, type ClientRun, callsIn, type Retry, retriesIn } from '../../exchange/client-run.ts';

/** One clause on one scenario. */
export interface ScenarioJudgement {
  readonly run: ClientRun;
  readonly judgement: Judgement;
  /** The requests that show it. */
  readonly evidence: readonly ClientRequest[];
}

/** Judges the runs of all scenarios by one clause; scenarios of which the clause does not speak are left out. */
export type ClientJudge = (
  runs: readonly ClientRun[],
  /** The terms of the contract. */
  terms: Terms,
) => readonly ScenarioJudgement[];

/** Retries of what met the trouble of the scenario, request by request for one thing. */
export function troubledCalls(
  run: ClientRun,
): readonly { readonly call: readonly ClientRequest[]; readonly retries: readonly Retry[] }[] {
  return callsIn(run)
    .filter((call) => call.some(({ answer }) => answer.isTrouble))
    .map((call) => ({ call, retries: retriesIn(call).filter(({ before }) => before.answer.isTrouble) }));
}

/** Judges the runs of such scenarios; of one that the client did not meet it is told why. */
export function judgeEach(
  runs: readonly ClientRun[],
  isOf: (scenario: ClientRun['scenario']) => boolean,
  judge: (run: ClientRun) => ScenarioJudgement,
): readonly ScenarioJudgement[] {
  return runs.flatMap((run) => {
    const reason = notMet(run);
    if (!isOf(run.scenario)) return [];
    return reason === null ? judge(run) : untold(run, reason);
  });
}

/** Why nothing can be told of a scenario that the client did not meet; null: it met it. */
export function notMet(run: ClientRun): string | null {
  if (run.requests.some(({ answer }) => answer.isTrouble)) return null;
  return idleReason(run) ?? `no request met the scenario (${run.scenario.title})`;
}

/** Why the run shows nothing at all, in words; null: the command asked for something. */
export function idleReason(run: ClientRun): string | null {
  const { task } = run.scenario;
  if (run.exitCode === UNKNOWN_TASK_EXIT)
    return `the command does not know the task ${task} (exit ${UNKNOWN_TASK_EXIT})`;
  if (run.requests.length === 0) return `the command sent nothing in the task ${task}: ${run.ended}`;
  const known = run.requests.filter(({ operation }) => operation !== null);
  if (known.length === 0) return `the command called no operation of the contract in the task ${task}`;
  const isRefused = known.every(({ answer }) => answer.status === 401 && !answer.isTrouble);
  return isRefused ? `the command did not send its token as Authorization: Bearer in the task ${task}` : null;
}

export function held(run: ClientRun, assertions = 1): ScenarioJudgement {
  return { run, judgement: holds(assertions), evidence: [] };
}

export function untold(run: ClientRun, reason: string): ScenarioJudgement {
  return { run, judgement: cannotTell(isCutShort(run) ? 'interrupted' : 'precondition', reason), evidence: [] };
}

/** A run without a breach: what a client would have done that was stopped is not known. */
export function heldToEnd(run: ClientRun): ScenarioJudgement {
  return isCutShort(run) ? untold(run, 'the run was stopped before the client had ended') : held(run);
}

/** A breach in the scenario, which is named before what was done. */
export function misdeed(
  run: ClientRun,
  kind: readonly [code: string, cause: string],
  what: string,
  expected: string,
  actual: string,
): Breach {
  return toldBreach(kind, `${named(run)}: ${what}`, expected, actual);
}

/** Broken, unless there are no breaches. */
export function broken(
  run: ClientRun,
  breaches: readonly Breach[],
  evidence: readonly ClientRequest[],
): ScenarioJudgement {
  return { run, judgement: breached(breaches), evidence };
}

/** The whole run was stopped while the command was under way: what did not happen says nothing. */
export function isCutShort({ ending }: ClientRun): boolean {
  return ending === 'stopped';
}

/** "2.1 s", "340 ms". */
export function inSeconds(ms: number): string {
  return Math.abs(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** The task and the trouble, as findings name a scenario. */
function named({ scenario }: ClientRun): string {
  return `${scenario.task}, ${scenario.title}`;
}
