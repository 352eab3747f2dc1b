// One run of `assay client`: the platform is played for a client's command, what it did is judged, and reported like any run.
import { CLIENT_JUDGES } from '../../checks/client/judges.ts';
import type { ScenarioJudgement } from '../../checks/client/scenario-judgement.ts';
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { StandIn } from '../../contract/client.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Report } from '../../contract/report.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import type { Absence } from '../../grading/rows.ts';
import { RunEnded } from '../perform/interruption.ts';
import { StopSwitch } from '../perform/opening.ts';
import { type StrayErrors, soundly } from '../perform/stray-errors.ts';
import {
  type ClientCommand,
  type PlayedRun,
  type PlayingWorld,
  playAll,
  REAL_WORLD,
  USUAL_AT_ONCE,
  USUAL_LIMIT_MS,
} from './playing.ts';
import { clientReport } from './report.ts';
import { scenariosFor } from './scenarios.ts';

export interface ClientsInput {
  readonly config: Config;
  readonly options: RunOptions;
  /** The user's own checks: they are left to other commands, and have a row. */
  readonly checks: readonly BroughtCheck[];
  readonly client: ClientCommand;
  /** Answers in the platform's place. */
  readonly standIn: StandIn;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Tells what is thrown where nothing waits for it; absent: it ends the process. */
  readonly strays?: StrayErrors;
  /** How long one scenario may take, in ms; absent: 45 s. */
  readonly limitMs?: number;
  /** Absent: this machine. */
  readonly world?: PlayingWorld;
  /** Told after each scenario. */
  onScenario?(played: number, all: number): void;
}

/** Plays, judges and reports. Rejects only where no port or folder can be had, or for defects of the harness. */
export async function runClients(input: ClientsInput): Promise<Report> {
  const { config, options, client, standIn, clock, limitMs = USUAL_LIMIT_MS, world = REAL_WORLD } = input;
  const startedAtMs = clock.now();
  const stop = new StopSwitch(input.stop, options.timeLimitSeconds, clock);
  const scenarios = scenariosFor(options.clauses);
  const all = scenarios.first.length + scenarios.further.length;
  let played = 0;
  const onRun = (): void => {
    played += 1;
    input.onScenario?.(played, all);
  };
  try {
    const bounds = { world, standIn, limitMs, atOnce: USUAL_AT_ONCE };
    const given = { ...client, env: withoutSecrets(client.env, config) };
    const { result: runs, failed } = await soundly(input.strays, () =>
      playAll(given, scenarios, { clock, stop: stop.signal, ...bounds, onRun }),
    );
    const stopped = stop.signal.aborted ? stop.explain(new RunEnded('interrupted', 'the run was stopped')) : null;
    const judgements = Object.entries(CLIENT_JUDGES).flatMap(([clause, judge]) =>
      judge(runs, config.stated.terms).map((one) => ({
        clause,
        ...one,
        judgement: cutShort(one.judgement, stopped),
      })),
    );
    return clientReport({
      ...{
        config,
        options,
        checks: input.checks,
        client,
        runs,
        judgements,
        redactor: redactorOf(config, runs, judgements),
      },
      ...{ startedAtMs, endedAtMs: clock.now(), ended: failed ?? stopped },
    });
  } finally {
    stop.dispose();
  }
}

/** The judgement; where it could not be made because the run was stopped, with the reason why it was. */
function cutShort(judgement: Judgement, stopped: Absence | null): Judgement {
  const isCut = judgement.kind === 'cannot-tell' && judgement.reasonCode === 'interrupted';
  return isCut && stopped !== null ? cannotTell(stopped.reasonCode, stopped.reason) : judgement;
}

/** Knows the secrets of the configuration, and the tokens of all runs of which something is told. */
function redactorOf({ secrets }: Config, runs: readonly PlayedRun[], judgements: readonly ScenarioJudgement[]) {
  const shown = new Set(judgements.filter(({ judgement }) => judgement.kind === 'breached').map(({ run }) => run));
  const told = runs.filter((run) => shown.has(run) || run.requests.length === 0);
  const own = told.flatMap(({ token, marker }) => [
    { name: 'client token', value: token },
    { name: 'error.message', value: marker },
  ]);
  return createRedactor([...secrets, ...own]);
}

/** The variables that hold no secret of the configuration. */
function withoutSecrets(env: ClientCommand['env'], { secrets }: Config): ClientCommand['env'] {
  const isSecret = (text: string): boolean => secrets.some(({ value }) => value !== '' && text.includes(value));
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && !isSecret(value)));
}
