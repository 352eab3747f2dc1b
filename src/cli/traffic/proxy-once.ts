// One `assay proxy`: prepared, forwarding until its end, judged beside, written down, and turned into an exit code.
import { networkOf } from '../../client/reach.ts';
import { systemClock } from '../../clock/system.ts';
import type { Report } from '../../contract/report.ts';
import type { KeptBody } from '../../proxy/kept-bytes.ts';
import { MAX_REQUEST_BYTES, type OwnAnswers, type Passed, startProxy, type TargetProxy } from '../../proxy/proxy.ts';
import { StopSwitch } from '../../run/perform/opening.ts';
import { noteStrayErrors } from '../../run/perform/stray-errors.ts';
import { JudgingQueue } from '../../run/traffic/judging-queue.ts';
import { type Cut, trafficReport } from '../../run/traffic/report.ts';
import type { Seen, SeenAnswer } from '../../run/traffic/seen.ts';
import { TrafficJudge } from '../../run/traffic/traffic-judge.ts';
import { embeddedOnRequest } from '../conform/embedded.ts';
import { type Interruption, interruptible, SYSTEM } from '../conform/interrupt.ts';
import { type Job, prepareJob } from '../conform/prepare.ts';
import { listeningAt } from '../process/listening.ts';
import { addressIn } from './address.ts';
import { type ProxyFlags, trafficOptions } from './options.ts';
import { toldReport } from './told-report.ts';

/** Exit code of the run. Throws UsageError where the port cannot be opened, NoVerdict where no report can be written. */
export async function proxyOnce(flags: ProxyFlags): Promise<number> {
  const baseUrl = flags.target === undefined ? null : addressIn('--target', flags.target);
  const job = await prepareJob({
    ...{ config: flags.config ?? null, baseUrl, options: trafficOptions(flags), gate: flags },
    ...{ embedded: embeddedOnRequest('proxy', flags), env: process.env, cwd: process.cwd() },
  });
  const interruption = interruptible((text) => process.stderr.write(text), SYSTEM, 'ended');
  try {
    return await toldReport(job, await judged(job, flags, interruption), flags);
  } finally {
    interruption.dispose();
    await job.end();
  }
}

async function judged(job: Job, flags: ProxyFlags, { signal, strays }: Interruption): Promise<Report> {
  const clock = systemClock;
  const { config, options, descriptions, extensions, redactor } = job;
  const { checks } = extensions;
  const judge = new TrafficJudge({
    config,
    options,
    descriptions,
    checks,
    redactor,
    clock,
    bases: [],
    seesTokens: true,
  });
  const queue = new JudgingQueue(judge, clock);
  const release = noteStrayErrors(strays, judge.books.errors);
  const stop = new StopSwitch(signal, options.timeLimitSeconds, clock);
  const startedAtMs = clock.now();
  try {
    const proxy = await listening(job, flags, queue);
    announce(proxy, job, flags);
    // Whoever ends it by hand says that all has passed through.
    const cut = await ended(flags.seconds, stop, signal);
    await proxy.close();
    await queue.emptied();
    const runId = options.runId ?? `run-${startedAtMs.toString(36)}`;
    const facts = { runId, startedAtMs, endedAtMs: clock.now(), cut, notes: notesOn(proxy.own) };
    return trafficReport(judge, { command: 'proxy', ...facts });
  } finally {
    release();
    stop.dispose();
    judge.close();
  }
}

/** Throws UsageError where the port cannot be opened. */
function listening({ config }: Job, { host, port }: ProxyFlags, queue: JudgingQueue): Promise<TargetProxy> {
  const target = config.target.baseUrl;
  let count = 0;
  const onPassed = (passed: Passed): void => {
    count += 1;
    queue.add({ seen: seenOf(passed, `request ${count}`), release: () => passed.release() });
  };
  return listeningAt({ host, port }, 'the proxy cannot listen', () =>
    startProxy({ host, port, target, network: networkOf(config)(target), clock: systemClock, onPassed }),
  );
}

function announce({ baseUrl }: TargetProxy, { config }: Job, { quiet = false, seconds }: ProxyFlags): void {
  process.stdout.write(`${JSON.stringify({ baseUrl })}\n`);
  const end = seconds === undefined ? 'until Ctrl-C' : `for ${seconds} s`;
  if (!quiet) process.stderr.write(`assay: forwarding from ${baseUrl} to ${config.target.baseUrl} ${end}\n`);
}

/** Resolves at the end: null where it is the one that the user wanted. */
async function ended(seconds: number | undefined, stop: StopSwitch, signal: AbortSignal): Promise<Cut | null> {
  const aborted = new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve();
    else stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const timeIsUp = new AbortController();
  const waits = seconds === undefined ? aborted : systemClock.sleep(seconds * 1000, timeIsUp.signal);
  // A pending sleep keeps the process alive; without one the server does.
  await Promise.race([aborted, waits]);
  timeIsUp.abort();
  const isLimit = stop.signal.aborted && !signal.aborted;
  return isLimit ? { reasonCode: 'time-limit', reason: 'the time limit was reached', isBroken: false } : null;
}

function seenOf({ method, url, requestHeaders, requestBody, answer, ...times }: Passed, place: string): Seen {
  const { bytes, isWhole } = requestBody;
  const body = isWhole
    ? bytes.length === 0
      ? ({ kind: 'none' } as const)
      : ({ kind: 'text', text: bytes.toString('utf8'), isExact: true } as const)
    : ({ kind: 'unrecorded' } as const);
  const { sentAt, durationMs, waitedMs } = times;
  return {
    place,
    request: { method, url, headers: requestHeaders, isComplete: true, body },
    answer: answer === null ? 'has no answer' : { ...answer, body: contentOf(answer.body) },
    times: { sentAt, durationMs, waitedMs },
  };
}

function contentOf({ bytes, isWhole }: KeptBody): SeenAnswer['body'] {
  return { content: bytes, isWhole };
}

function notesOn({ unreachable, tooLarge, refused }: OwnAnswers): readonly string[] {
  return [
    ...(unreachable === 0 ? [] : [`${unreachable} answered 502 by the proxy, for the target gave no answer`]),
    ...(tooLarge === 0 ? [] : [`${tooLarge} refused with a body above ${MAX_REQUEST_BYTES} bytes`]),
    ...(refused === 0 ? [] : [`${refused} refused: WebSockets, tunnels, or requests to other hosts`]),
  ];
}
