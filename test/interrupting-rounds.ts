// One round of interrupting: a command, a way to end it and a moment, all drawn from a text, and what was wrong afterwards.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Ended,
  type Ground,
  newGround,
  passingIn,
  reportIn,
  runAssay,
  type Started,
  startAssay,
} from './interrupting.ts';
import { PATIENCE_MS } from './programme.ts';
import { sampleReport } from './support/reporters/sample-report.ts';

type Ending =
  | 'SIGINT'
  | 'SIGTERM'
  | 'SIGHUP'
  | 'SIGINT twice'
  | 'SIGKILL'
  | 'SIGSTOP for 3 s, then SIGINT'
  | 'no reader';

const ENDINGS: readonly Ending[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT twice'] as const),
  // What cannot be caught leaves the most.
  ...(['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGSTOP for 3 s, then SIGINT', 'no reader'] as const),
];

interface Tried {
  readonly args: readonly string[];
  readonly needsK6: boolean;
  /** Moments are drawn within this time. ms. */
  readonly withinMs: number;
  /** The run's folder, where it has one. */
  readonly out: string | null;
}

const LOADS = ['ratelimit', 'ceiling', 'isolation', 'exports', 'capacity', 'soak', 'spike', 'pressure'];
const TRIED: readonly Tried[] = [
  ...[8000, 12_000, 16_000].map((withinMs) => conform(withinMs)),
  conform(15_000, '--time-limit', '6'),
  ...LOADS.map((suite) => ({
    args: ['load', suite, '--embedded', '--out', 'out'],
    needsK6: true,
    withinMs: 20_000,
    out: 'out',
  })),
  { args: ['certify', '--embedded', '--out', 'out'], needsK6: true, withinMs: 60_000, out: 'out' },
  { args: ['report', 'stored', '--out', 'out'], needsK6: false, withinMs: 2500, out: 'out' },
  { args: ['platform', '--port', '0'], needsK6: false, withinMs: 4000, out: null },
  { args: ['webhooks', '--embedded', '--out', 'out'], needsK6: false, withinMs: 8000, out: 'out' },
  { args: ['init', '--base-url', 'http://127.0.0.1:1'], needsK6: false, withinMs: 1500, out: null },
  { args: ['doctor', '--base-url', 'HANGING'], needsK6: false, withinMs: 4000, out: null },
];

function conform(withinMs: number, ...more: readonly string[]): Tried {
  return { args: ['conform', '--embedded', '--out', 'out', ...more], needsK6: false, withinMs, out: 'out' };
}

export interface Round {
  readonly what: string;
  readonly complaints: readonly string[];
}

/** Performs the round that the text stands for. `only`: a part of the command's line. */
export async function randomRound(
  text: string,
  { withK6, only }: { readonly withK6: boolean; readonly only: string },
): Promise<Round> {
  const draw = drawsOf(text);
  const possible = TRIED.filter(({ args, needsK6 }) => (withK6 || !needsK6) && args.join(' ').includes(only));
  const tried = one(possible, draw());
  const ending = one(ENDINGS, draw());
  const afterMs = Math.round(draw() * tried.withinMs);
  const ground = newGround();
  const hanging = await hangingServer();
  try {
    store(ground);
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const started = startAssay(
      ground,
      tried.args.map((word) => word.replace('HANGING', url)),
    );
    const what = `${tried.args.join(' ')}, ${ending} after ${afterMs} ms`;
    await sleep(afterMs);
    const ended = await endedBy(ending, started);
    if (ended === null) return { what, complaints: ['it does not end', ...(await killed(started))] };
    return { what, complaints: await complaintsAbout(ground, tried, ending, started, ended) };
  } finally {
    hanging.closeAllConnections();
    hanging.close();
    ground.remove();
  }
}

/** How the command ended; null where it did not. */
async function endedBy(ending: Ending, started: Started): Promise<Ended | null> {
  const { child, ended } = started;
  if (ending === 'no reader') {
    child.stdout?.destroy();
    child.stderr?.destroy();
    await sleep(2000);
    child.kill('SIGINT');
  } else if (ending === 'SIGINT twice') {
    child.kill('SIGINT');
    await sleep(800);
    child.kill('SIGINT');
  } else if (ending === 'SIGSTOP for 3 s, then SIGINT') {
    child.kill('SIGSTOP');
    await sleep(3000);
    child.kill('SIGCONT');
    await sleep(500);
    child.kill('SIGINT');
  } else child.kill(ending);
  return Promise.race([ended, sleep(PATIENCE_MS, null, { ref: false })]);
}

async function killed(started: Started): Promise<readonly string[]> {
  started.child.kill('SIGKILL');
  return (await started.left()).map((pid) => `process ${pid} is left`);
}

async function complaintsAbout(
  ground: Ground,
  tried: Tried,
  ending: Ending,
  started: Started,
  ended: Ended,
): Promise<readonly string[]> {
  const left = await started.left();
  const isKilled = ending === 'SIGKILL' && ended.signal === 'SIGKILL';
  // What a killed command could not remove, the next one in the same folders does.
  if (isKilled) await runAssay(ground, nextOf(tried));
  const tmp = readdirSync(ground.tmp);
  const passing = passingIn(ground.cwd);
  return [
    ...left.map((pid) => `process ${pid} is left`),
    ...(tmp.length > 0 ? [`${tmp.join(', ')} left among the temporary files`] : []),
    ...(passing.length > 0 ? [`${passing.join(', ')} left`] : []),
    ...(isKilled ? [] : codeComplaints(tried, ground, started, ended)),
    ...reportComplaints(join(ground.cwd, 'out')),
    ...historyComplaints(join(ground.cwd, 'reports', 'history.db')),
  ];
}

/** The same command, as short as can be. */
function nextOf({ args }: Tried): readonly string[] {
  if (args[0] === 'load') return [...args, '--time-limit', '2'];
  if (args[0] === 'certify' || args[0] === 'conform')
    return ['conform', '--embedded', '--out', 'out', '--budget', '30'];
  if (args[0] === 'platform') return ['conform', '--embedded', '--budget', '30'];
  return args[0] === 'init' ? [...args, '--force'] : args;
}

function codeComplaints(
  { args, out }: Tried,
  ground: Ground,
  started: Started,
  { code, signal }: Ended,
): readonly string[] {
  // Node itself was still starting.
  if (code === null && started.stderr() === '' && (out === null || !existsSync(join(ground.cwd, out)))) return [];
  if (code === null) return [`it ends by ${signal}`];
  if (code > 3) return [`it ends with ${code}`];
  if (/\n\s+at .*:\d+:\d+/.test(started.stderr())) return [`it shows a stack: ${started.stderr().slice(-300)}`];
  if (/internal error|a defect of assay/.test(started.stderr())) return [started.stderr().slice(-300)];
  if (out === null || args[0] === 'report') return [];
  if (!existsSync(join(ground.cwd, out, 'report.json')))
    return started.stderr().includes('assay: ') || code === 3 ? [] : [`there is neither a report nor a line: ${code}`];
  const { verdict } = reportIn(join(ground.cwd, out));
  const expected = { pass: 0, fail: 1, none: 3 }[verdict];
  // A certificate has a verdict of its own: whatever is partial is not certified.
  const isAgreed = code === expected || (args[0] === 'certify' && code === 3);
  return isAgreed ? [] : [`it ends with ${code}, and its report says ${verdict}`];
}

function reportComplaints(out: string): readonly string[] {
  if (!existsSync(join(out, 'report.json'))) return [];
  try {
    reportIn(out);
    return globSync('evidence/*', { cwd: out }).filter((name) => !name.endsWith('.html'));
  } catch (error) {
    return [(error as Error).message];
  }
}

function historyComplaints(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file);
  try {
    const rows = database.prepare('PRAGMA integrity_check').all();
    return rows.map((row) => String(row.integrity_check)).filter((word) => word !== 'ok');
  } finally {
    database.close();
  }
}

/** A run to render again. */
function store({ cwd }: Ground): void {
  mkdirSync(join(cwd, 'stored'));
  writeFileSync(join(cwd, 'stored', 'report.json'), JSON.stringify(sampleReport()));
}

async function hangingServer(): Promise<Server> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Numbers in [0, 1), always the same for the same text. */
function drawsOf(text: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${text} ${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

function one<T>(from: readonly T[], draw: number): T {
  const chosen = from[Math.floor(draw * from.length)];
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
}
