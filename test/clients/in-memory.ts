// Scenarios in memory and in virtual time: the script of each is asked directly, and the client is a function.
import { type SimulatedClock, simulatedClock } from '../../src/clock/simulated.ts';
import type { Config } from '../../src/config/config.ts';
import type { Report } from '../../src/contract/report.ts';
import type { ClientEnding } from '../../src/exchange/client-run.ts';
import { STAND_IN } from '../../src/platform/client/stand-in.ts';
import type { CommandOptions, CommandRun } from '../../src/receiver/client/command.ts';
import { LeakSearch } from '../../src/receiver/client/leaks.ts';
import { Recording } from '../../src/receiver/client/recording.ts';
import type { PlayingWorld } from '../../src/run/clients/playing.ts';
import { runClients } from '../../src/run/clients/run-clients.ts';
import { configWith, optionsWith } from '../support/run/test-config.ts';
import { Client, type Conduct, type Given, Killed, RIGHT, Uncaught } from './conduct.ts';

interface JudgedOptions {
  readonly clauses?: readonly string[];
  readonly lagMs?: () => number;
  readonly name?: string | null;
  readonly timeLimitSeconds?: number | null;
  readonly secrets?: Config['secrets'];
  /** The contract that says how clients wait; absent: the platform's own. */
  readonly stated?: Config['stated'];
}

/** The report on a client that behaves so. */
export async function judged(
  change: Partial<Conduct> = {},
  { clauses = [], lagMs = () => 0, name = null, timeLimitSeconds = null, secrets = [], ...stated }: JudgedOptions = {},
): Promise<Report> {
  const clock = simulatedClock();
  const world = worldOf({ ...RIGHT, ...change }, clock, lagMs);
  return await clock.drive(
    runClients({
      ...{
        config: configWith({ secrets, ...stated }),
        options: optionsWith({ clauses, timeLimitSeconds }),
        checks: [],
        clock,
        world,
        standIn: STAND_IN,
      },
      ...{ client: { command: ['client'], env: {}, folder: '/', name }, stop: new AbortController().signal },
    }),
  );
}

/** `lagMs`: how much later than sent a request arrives, drawn anew for each. */
function worldOf(conduct: Conduct, clock: SimulatedClock, lagMs: () => number): PlayingWorld {
  const recordings = new Map<string, Recording>();
  const leaks = new Map<string, LeakSearch>();
  return {
    async open(options) {
      const recording = new Recording(options);
      const baseUrl = `http://memory/${recordings.size}`;
      recordings.set(baseUrl, recording);
      return {
        baseUrl,
        requests: () => recording.requests,
        isFull: () => recording.isFull,
        refused: () => recording.refused,
        close: async () => {},
      };
    },
    run: (options) => {
      const recording = recordings.get(options.env.ASSAY_BASE_URL ?? '');
      if (recording === undefined) throw new Error('no scenario is open there');
      const file = new LeakSearch(options.sought);
      leaks.set(options.folder, file);
      return runInMemory(conduct, { options, recording, file, clock, lagMs });
    },
    folder: async () => ({ path: `/memory/${leaks.size}-${recordings.size}`, remove: async () => {} }),
    leaks: async (folder) => [...(leaks.get(folder)?.found ?? [])].map((of) => ({ of, where: 'client.log' })),
  };
}

interface InMemory {
  readonly options: CommandOptions;
  readonly recording: Recording;
  readonly file: LeakSearch;
  readonly clock: SimulatedClock;
  readonly lagMs: () => number;
}

async function runInMemory(
  conduct: Conduct,
  { options, recording, file, clock, lagMs }: InMemory,
): Promise<CommandRun> {
  const [out, err] = [new LeakSearch(options.sought), new LeakSearch(options.sought)];
  const printed = new Map<string, number>();
  const ids = new Set(options.ids);
  let errors = '';
  const given: Given = {
    ...{ clock, token: options.env.ASSAY_TOKEN ?? '', task: options.env.ASSAY_TASK ?? '' },
    storeId: options.env.ASSAY_STORE_ID ?? '',
    send: async (method, url, headers, body) => {
      await clock.sleep(1 + lagMs());
      return recording.receive({ method, url, headers: Object.entries(headers), body: Buffer.from(body) });
    },
    print: (line) => {
      out.push(Buffer.from(line));
      if (ids.has(line)) printed.set(line, (printed.get(line) ?? 0) + 1);
    },
    log: (line) => err.push(Buffer.from(line)),
    write: (line) => file.push(Buffer.from(line)),
  };
  const ends = new AbortController();
  const limit = ending(clock.sleep(options.limitMs, ends.signal), 'limit');
  const enough = new Promise<ClientEnding>((resolve) =>
    options.enough.addEventListener('abort', () => resolve('enough'), { once: true }),
  );
  let exitCode: number | null = null;
  const performed = new Client(given, conduct).perform().then(
    (code): ClientEnding => {
      exitCode = code;
      return 'exited';
    },
    (error): ClientEnding => {
      if (error instanceof Killed) return 'signal';
      if (!(error instanceof Uncaught)) throw error;
      errors = 'Error: no such code\n\nNode.js v24.0.0\n';
      exitCode = 1;
      return 'exited';
    },
  );
  const how = await Promise.race([performed, limit, enough]);
  ends.abort();
  const found = [
    ...[...out.found].map((of) => ({ of, where: 'stdout' })),
    ...[...err.found].map((of) => ({ of, where: 'stderr' })),
  ];
  return { ending: how, ended: `it ended with ${exitCode}`, exitCode, errors, printed, leaks: found, leftBehind: 0 };
}

async function ending(work: Promise<void>, how: ClientEnding): Promise<ClientEnding> {
  await work;
  return how;
}
