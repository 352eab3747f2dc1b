// Plays the scenarios for one client: first one of each task, then the others side by side. Each has a server, a token and a
// working folder of its own.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock, Timer } from '../../clock/clock.ts';
import { CLIENT_VARIABLES, type Scenario, type StandIn, UNKNOWN_TASK_EXIT } from '../../contract/client.ts';
import { type TemporaryFolder, temporaryFolder } from '../../disk/passing.ts';
import { askedFor, type ClientRun, type Leak } from '../../exchange/client-run.ts';
import { type CommandOptions, type CommandRun, runCommand } from '../../receiver/client/command.ts';
import { leaksInFiles, type Sought } from '../../receiver/client/leaks.ts';
import { type Play, startPlay } from '../../receiver/client/play.ts';
import type { PlayOptions } from '../../receiver/client/recording.ts';

export interface ClientCommand {
  /** Program and arguments, as given. */
  readonly command: readonly string[];
  /** The environment of the command beside the variables of the task. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the command was given: files that its arguments name are looked for there. */
  readonly folder: string;
  /** The client's name in the configuration; null where it is the only one. */
  readonly name: string | null;
}

/** The machine for a scenario: sockets, processes and folders. Tests bring one in memory. */
export interface PlayingWorld {
  open(options: PlayOptions): Promise<Play>;
  run(options: CommandOptions): Promise<CommandRun>;
  folder(): Promise<TemporaryFolder>;
  leaks(folder: string, sought: Sought): Promise<readonly Leak[]>;
}

export const REAL_WORLD: PlayingWorld = {
  open: startPlay,
  run: runCommand,
  folder: () => temporaryFolder('client'),
  leaks: leaksInFiles,
};

export interface PlayingOptions {
  readonly world: PlayingWorld;
  /** Answers in the platform's place. */
  readonly standIn: StandIn;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** How long one scenario may take. ms. */
  readonly limitMs: number;
  /** Scenarios at once. */
  readonly atOnce: number;
  /** Told after each run of the command. */
  onRun(run: PlayedRun): void;
}

/** A run with what only its reports need. */
export interface PlayedRun extends ClientRun {
  readonly token: string;
  /** Stands in each error.message. */
  readonly marker: string;
  readonly baseUrl: string;
  /** The end of what it wrote to stderr. */
  readonly errors: string;
  /** Requests that were refused unread. */
  readonly refused: number;
  /** Processes that it left behind outside of its process group, and that were ended. */
  readonly leftBehind: number;
}

/** Usual bounds: what a client may need is some 16 s, and 45 s are for one that waits longer than it has to. */
export const USUAL_LIMIT_MS = 45_000;
export const USUAL_AT_ONCE = 12;

/** All runs of the command, in the order of the scenarios. Rejects only where no port or folder can be had. */
export async function playAll(
  client: ClientCommand,
  scenarios: { readonly first: readonly Scenario[]; readonly further: readonly Scenario[] },
  options: PlayingOptions,
): Promise<readonly PlayedRun[]> {
  const play = async (scenario: Scenario): Promise<PlayedRun> => {
    const run = await playOne(client, scenario, options);
    options.onRun(run);
    return run;
  };
  const first = await bounded(scenarios.first, options, play);
  const tasks = new Set(first.filter(isWorthGoingOn).map(({ scenario }) => scenario.task));
  const further = scenarios.further.filter(({ task }) => tasks.has(task));
  return [...first, ...(await bounded(further, options, play))];
}

/** Tells whether the command knows the task, asked for something, and ended by itself where nothing went wrong. */
function isWorthGoingOn({ exitCode, requests, ending }: PlayedRun): boolean {
  return exitCode !== UNKNOWN_TASK_EXIT && requests.length > 0 && ending !== 'limit';
}

async function bounded(
  scenarios: readonly Scenario[],
  { atOnce, stop }: PlayingOptions,
  play: (scenario: Scenario) => Promise<PlayedRun>,
): Promise<readonly PlayedRun[]> {
  const runs: PlayedRun[] = [];
  const waiting = scenarios.entries();
  const lane = async (): Promise<void> => {
    for (const [index, scenario] of waiting) {
      if (stop.aborted) return;
      runs[index] = await play(scenario);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, scenarios.length) }, lane));
  return runs.filter((run) => run !== undefined);
}

/** Number of requests beyond those that the law allows which show all that there is to see. */
const ENOUGH_RETRIES = 8;

async function playOne(client: ClientCommand, scenario: Scenario, options: PlayingOptions): Promise<PlayedRun> {
  const { clock, world, standIn } = options;
  const enough = new AbortController();
  const [token, marker, id] = [newToken(), randomBytes(12).toString('hex'), randomBytes(4).toString('hex')];
  const stock = stockOf(id, scenario);
  const folder = await world.folder();
  const started = await world
    .open({
      ...{ scenario, token, stock, standIn, marker, clock },
      onRequest: () => {
        if (isEnough(started, scenario)) enough.abort();
      },
    })
    .catch(async (error: unknown) => {
      await folder.remove();
      throw error;
    });
  const stalls = new Stalls(clock);
  try {
    const sought = soughtIn(token, marker);
    const env = {
      ...client.env,
      PWD: folder.path,
      [CLIENT_VARIABLES.baseUrl]: started.baseUrl,
      [CLIENT_VARIABLES.token]: token,
      [CLIENT_VARIABLES.task]: scenario.task,
      [CLIENT_VARIABLES.storeId]: stock.storeId,
    };
    const command = client.command.map((argument) => inPlace(argument, client.folder));
    const served = servedIn(scenario, stock);
    const outcome = await world.run({
      ...{ command, folder: folder.path, env, clock, limitMs: options.limitMs, stop: options.stop },
      ...{ enough: enough.signal, sought, ids: served, mark: token },
    });
    const endedAt = clock.now();
    const leaks = [...outcome.leaks, ...(await world.leaks(folder.path, sought))];
    const { ending, ended, exitCode, errors, printed, leftBehind } = outcome;
    return {
      ...{ scenario, requests: started.requests(), ending, ended, exitCode, endedAt, served, printed, leaks },
      ...{ isUncaught: UNCAUGHT.test(errors), stalledMs: stalls.end() },
      ...{ token, marker, baseUrl: started.baseUrl, errors, refused: started.refused(), leftBehind },
    };
  } finally {
    stalls.end();
    await started.close();
    await folder.remove();
  }
}

/** How the error output ends of a program that an exception ended which nobody caught: Node, Python, Go, Ruby, Java, .NET. */
const UNCAUGHT =
  /^Node\.js v\d|^Traceback \(most recent call last\):|^panic: |^Exception in thread "|^Unhandled exception[.:]|^thread '.*' panicked at /im;

function isEnough(play: Play | undefined, { trouble }: Scenario): boolean {
  if (play === undefined) return false;
  if (play.isFull()) return true;
  if (trouble === null || trouble.times !== null) return false;
  const again = Map.groupBy(play.requests(), ({ method, path }) => askedFor(method, path));
  return [...again.values()].some(({ length }) => length > ENOUGH_RETRIES);
}

/** Either half of the token's signature gives it away, and nothing else of it does: the rest is no secret. */
function soughtIn(token: string, marker: string): Sought {
  const signature = token.split('.')[2] ?? token;
  const middle = signature.length / 2;
  return { token: [signature.slice(0, middle), signature.slice(middle)], message: [marker] };
}

/** Shaped like a JWT, as the platform's tokens are, and signed by nobody. */
function newToken(): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { aud: 'client', jti: randomBytes(8).toString('hex') };
  return [part({ alg: 'HS256', typ: 'JWT' }), part(claims), randomBytes(32).toString('base64url')].join('.');
}

/**
 * Two pages or more of any size that can be asked for. A list whose last page is full and one whose last page is not show
 * different mistakes of a walk, so that each list is walked in both ways.
 */
const STOCKS = { plain: { logs: 230, notifications: 300 }, troubled: { logs: 300, notifications: 230 } };

function stockOf(id: string, { trouble }: Scenario) {
  const { logs, notifications } = STOCKS[trouble === null ? 'plain' : 'troubled'];
  const ids = (prefix: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}_${id}_${String(index + 1).padStart(4, '0')}`);
  return { storeId: `store_${id}`, logs: ids('log', logs), notifications: ids('ntf', notifications) };
}

function servedIn({ task }: Scenario, stock: ReturnType<typeof stockOf>): readonly string[] {
  if (task === 'walk-logs') return stock.logs;
  return task === 'walk-notifications' ? stock.notifications : [];
}

/** The command runs in a folder of its own: an argument that names a file beside where it was given still names that file. */
function inPlace(argument: string, folder: string): string {
  if (argument.startsWith('-') || argument === '') return argument;
  const path = resolve(folder, argument);
  const isNamed = argument.includes('/') || argument.includes('.');
  return isNamed && existsSync(path) ? path : argument;
}

const BEAT_MS = 100;

/** Measures how late this process wakes while a client runs: on a machine that is so busy, a client is late, too. */
class Stalls {
  readonly #clock: Clock;
  #lateMs = 0;
  #dueAtMs = 0;
  #timer: Timer;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = this.#next();
  }

  /** Ends the measuring; by how much the beats were late, in all. */
  end(): number {
    this.#timer.cancel();
    return Math.round(this.#lateMs);
  }

  #next(): Timer {
    this.#dueAtMs = this.#clock.monotonic() + BEAT_MS;
    return this.#clock.after(BEAT_MS, () => {
      this.#lateMs += Math.max(0, this.#clock.monotonic() - this.#dueAtMs);
      this.#timer = this.#next();
    });
  }
}
