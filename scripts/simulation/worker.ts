// A thread that judges one case after the other and tells what came of it: of `npm run simulate`, and of a test that holds real
// runs against simulated ones.
import { parentPort } from 'node:worker_threads';
import type { Report } from '../../src/contract/report.ts';
import { CASES, clausesOfFamily, judgeCase } from '../../src/simulation/cases.ts';
import { WORLDS, type WorldName } from '../../src/simulation/worlds.ts';

export interface Task {
  readonly id: string;
  readonly world: WorldName;
  readonly seed: number;
  readonly whole: boolean;
  /** Whether only the clauses of the case's family are judged. */
  readonly family: boolean;
}

export interface Judged extends Task {
  readonly clause: string | null;
  readonly missed: boolean;
  /** What the report says of the clause; null: the case has none. */
  readonly status: string | null;
  readonly falseAlarms: readonly string[];
  /** Clauses with a violation, in the order of the report. */
  readonly blamed: readonly string[];
  readonly verdict: Report['verdict'];
  readonly requests: number;
  /** Processor time, s. */
  readonly seconds: number;
  /** What went wrong in the harness itself; null: nothing. */
  readonly error: string | null;
}

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await judged(task));
});

async function judged(task: Task): Promise<Judged> {
  const one = CASES.find(({ id }) => id === task.id);
  if (one === undefined) throw new Error(`there is no case ${task.id}`);
  const before = process.threadCpuUsage();
  const told = { ...task, clause: one.clause };
  const seconds = (): number => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1e6;
  };
  try {
    const { world, seed, whole } = task;
    const clauses = task.family ? clausesOfFamily(one) : [];
    const { report, missed, falseAlarms } = await judgeCase(one, {
      ...{ world: WORLDS[world], seed, whole, clauses },
    });
    const blamed = report.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id);
    const status = report.clauses.find(({ id }) => id === one.clause)?.status ?? null;
    const found = { missed, status, falseAlarms, blamed, verdict: report.verdict };
    return { ...told, ...found, requests: report.counts.requests, seconds: seconds(), error: null };
  } catch (error) {
    const text = (error as Error).stack ?? String(error);
    const found = { missed: true, status: null, falseAlarms: [], blamed: [], verdict: 'none' as const };
    return { ...told, ...found, requests: 0, seconds: seconds(), error: text };
  }
}
