// How many recorded exchanges `assay check` judges in a second on one core, against reading the same file alone.
// Prints one JSON line; exits 1 when the rate is below the goal.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { RecordingProblems } from '../src/cli/traffic/recording-problems.ts';
import { readRecording } from '../src/cli/traffic/recordings.ts';
import { systemClock } from '../src/clock/system.ts';
import { loadConfig } from '../src/config/load.ts';
import { createRedactor } from '../src/exchange/redaction.ts';
import { startPlatform } from '../src/platform/start.ts';
import { trafficReport } from '../src/run/traffic/report.ts';
import type { Seen } from '../src/run/traffic/seen.ts';
import { TrafficJudge } from '../src/run/traffic/traffic-judge.ts';
import { optionsWith } from '../test/support/run/test-config.ts';
import { chromeEntry, harOf } from '../test/traffic/recorded.ts';

const GOAL_PER_SECOND = 2000;
const ENTRIES = 3000;
const ROUNDS = 3;
const PATHS = [
  'stores',
  'products?limit=3',
  'customers?limit=10',
  'orders?limit=10',
  'auth/profile',
  'auth/activity/logs',
  'nowhere',
];

const platform = await startPlatform();
const config = await loadConfig({ file: platform.config, baseUrl: null, env: process.env, cwd: process.cwd() });
if (config === null) throw new Error('the platform offers no configuration');
const descriptions = await loadDescriptions(config);
const authorization = `Bearer ${config.keys[0]?.token}`;
const answers = await Promise.all(
  PATHS.map(async (path) => {
    const answer = await fetch(`${platform.baseUrl}/api/v1/${path}`, { headers: { authorization } });
    return {
      path: `/api/v1/${path}`,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    };
  }),
);
await platform.stop();
const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
const file = join(folder, 'a.har');
const entries = Array.from({ length: ENTRIES }, (_, index) => {
  const { path, body, ...answer } = answers[index % answers.length] as (typeof answers)[number];
  // Every error has an id of its own.
  const own = body.replace(/req_\w+/, `req_${index}`);
  return chromeEntry(
    { ...answer, url: `${platform.baseUrl}${path}`, body: own, requestHeaders: { authorization } },
    index,
  );
});
await writeFile(file, harOf(entries));

async function perSecond(onSeen: (seen: Seen) => void): Promise<number> {
  const begun = process.cpuUsage();
  const reading = { name: 'a.har', problems: new RecordingProblems(), stop: new AbortController().signal, onSeen };
  await readRecording({ file, name: 'a.har' }, reading);
  // Processor time, so that what else the machine does counts for nothing.
  const { user, system } = process.cpuUsage(begun);
  return (ENTRIES * 1e6) / (user + system);
}

async function judgedPerSecond(): Promise<number> {
  const given = { options: optionsWith(), descriptions, checks: [], redactor: createRedactor(), clock: systemClock };
  const judge = new TrafficJudge({
    ...given,
    config: config as NonNullable<typeof config>,
    bases: [],
    seesTokens: false,
  });
  const rate = await perSecond((seen) => judge.observe(seen));
  const report = trafficReport(judge, {
    ...{ command: 'check', runId: 'bench', startedAtMs: 0, endedAtMs: 1, cut: null, notes: [] },
  });
  judge.close();
  if (judge.judged !== ENTRIES || report.counts.checksOnAnswers === 0)
    throw new Error(`${judge.judged} judged: ${report.verdict}`);
  return rate;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const rounds: { read: number; judged: number }[] = [];
await judgedPerSecond();
for (let round = 0; round < ROUNDS; round += 1)
  rounds.push({ read: await perSecond(() => {}), judged: await judgedPerSecond() });
const bytes = (await stat(file)).size;
const bodies = answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length;
await rm(folder, { recursive: true });
const [read, judged] = [median(rounds.map((one) => one.read)), median(rounds.map((one) => one.judged))];
const told = { bench: 'check', readPerSecond: Math.round(read), judgedPerSecond: Math.round(judged) };
const ratio = Number(median(rounds.map((one) => one.judged / one.read)).toFixed(2));
const sizes = { bodyBytes: Math.round(bodies), entryBytes: Math.round(bytes / ENTRIES) };
process.stdout.write(`${JSON.stringify({ ...told, ratio, ...sizes, goalPerSecond: GOAL_PER_SECOND })}\n`);
if (judged < GOAL_PER_SECOND) process.exitCode = 1;
