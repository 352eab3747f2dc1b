// One `assay check`: prepared, read, judged, written down, summed up, and turned into an exit code.
import { systemClock } from '../../clock/system.ts';
import { RunEnded } from '../../run/perform/interruption.ts';
import { StopSwitch } from '../../run/perform/opening.ts';
import { noteStrayErrors } from '../../run/perform/stray-errors.ts';
import { type Cut, trafficReport } from '../../run/traffic/report.ts';
import { TrafficJudge } from '../../run/traffic/traffic-judge.ts';
import { type Interruption, interruptible } from '../conform/interrupt.ts';
import { type Job, prepareJob } from '../conform/prepare.ts';
import { addressIn } from './address.ts';
import { type CheckFlags, trafficOptions } from './options.ts';
import { RecordingProblems } from './recording-problems.ts';
import { type Recording, readRecording, recordingsOf } from './recordings.ts';
import { toldReport } from './told-report.ts';

/** Exit code of the run. Throws UsageError where a file is no recording, NoVerdict where no report can be written. */
export async function checkOnce(files: readonly string[], flags: CheckFlags): Promise<number> {
  const bases = flags.baseUrl.map((text) => addressIn('--base-url', text));
  const recordings = await recordingsOf(files);
  const job = await prepareJob({
    ...{ config: flags.config ?? null, baseUrl: bases[0] ?? null, options: trafficOptions(flags), gate: flags },
    ...{ embedded: { kind: 'refused', because: 'assay check needs to know its target' }, env: process.env },
    cwd: process.cwd(),
  });
  const interruption = interruptible((text) => process.stderr.write(text));
  try {
    return await toldReport(job, await judged(job, recordings, bases.slice(1), interruption), flags);
  } finally {
    interruption.dispose();
    await job.end();
  }
}

async function judged(
  { config, options, descriptions, extensions, redactor }: Job,
  recordings: readonly Recording[],
  bases: readonly string[],
  { signal, strays }: Interruption,
): Promise<ReturnType<typeof trafficReport>> {
  const clock = systemClock;
  const startedAtMs = clock.now();
  const { checks } = extensions;
  const judge = new TrafficJudge({ config, options, descriptions, checks, redactor, clock, bases, seesTokens: false });
  const stop = new StopSwitch(signal, options.timeLimitSeconds, clock);
  const release = noteStrayErrors(strays, judge.books.errors);
  try {
    const cutFiles = await readAll(recordings, judge, stop.signal);
    const cut = stop.signal.aborted ? cutBy(stop) : cutFileOf(cutFiles);
    const runId = options.runId ?? `run-${startedAtMs.toString(36)}`;
    return trafficReport(judge, { command: 'check', runId, startedAtMs, endedAtMs: clock.now(), cut, notes: [] });
  } finally {
    release();
    stop.dispose();
    judge.close();
  }
}

/** Names of the recordings that end too early. Throws one UsageError for what is wrong in them. */
async function readAll(
  recordings: readonly Recording[],
  judge: TrafficJudge,
  stop: AbortSignal,
): Promise<readonly string[]> {
  const problems = new RecordingProblems();
  const cut: string[] = [];
  for (const recording of recordings) {
    judge.beginFile();
    const { name } = recording;
    if (!(await readRecording(recording, { name, problems, stop, onSeen: (seen) => judge.observe(seen) })))
      cut.push(name);
  }
  problems.throwIfAny();
  return cut;
}

/** Why a run that was stopped ended. */
function cutBy(stop: StopSwitch): Cut {
  const ended = stop.explain(new RunEnded('interrupted', 'the run was interrupted'));
  return { ...ended, isBroken: ended.reasonCode !== 'time-limit' };
}

/** Clauses that nothing showed are not tested: nobody knows what a recording that ends too early would have shown. */
function cutFileOf(names: readonly string[]): Cut | null {
  if (names.length === 0) return null;
  const reason = `${names.join(', ')} ${names.length === 1 ? 'ends' : 'end'} too early: what was there was judged`;
  return { reasonCode: 'interrupted', reason, isBroken: true };
}
