// One `assay plan`: the run is prepared as `assay conform` prepares it, rehearsed in memory, and told. With --ask the
// target tells its limits first.

import { rateState, resetDelayMs } from '../../client/rate-headers.ts';
import { systemClock, timeLimit } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { invalidOption } from '../../config/errors.ts';
import type { RateTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { limitIn } from '../../platform/arguments.ts';
import type { Limit } from '../../platform/limits/limiter.ts';
import { type AskedTarget, planInJson, planInText } from '../../reporters/terminal/plan.ts';
import { firstLook } from '../../run/perform/first-look.ts';
import { RunEnded } from '../../run/perform/interruption.ts';
import { type Rehearsal, rehearse } from '../../simulation/rehearsal.ts';
import { asker, describedIn } from '../described/described-config.ts';
import { EXIT, NoVerdict } from '../process/failure.ts';
import { type RunFlags, runOptions } from '../process/options.ts';
import { embeddedOnRequest } from './embedded.ts';
import { interruptibly } from './interrupt.ts';
import { type Job, prepareJob, requestOf } from './prepare.ts';
import { preparedWithin } from './prepare-within.ts';

export interface PlanFlags extends RunFlags {
  readonly limit: readonly string[];
  readonly ask?: boolean;
}

/** Exit code. Throws UsageError for wrong options, configuration or descriptions, NoVerdict where the run cannot be rehearsed, or the target that is asked is not there. */
export async function planOnce(flags: PlanFlags): Promise<number> {
  const stated = Object.fromEntries(flags.limit.map(limitArgument));
  return interruptibly(async (interruption) => {
    const preparing = prepareJob({
      ...requestOf(flags),
      described: describedIn(flags),
      confirm: asker(flags),
      embedded: embeddedOnRequest('plan', flags),
      options: runOptions(flags),
      ...(flags.profile === undefined ? {} : { profile: flags.profile }),
      writes: false,
    });
    const within = { stop: interruption.signal, limitSeconds: flags.timeLimit ?? null, clock: systemClock };
    const job = await preparedWithin(preparing, within, (late) => late.end());
    try {
      const asked = flags.ask === true ? await askTarget(job, interruption.signal) : null;
      const limits = { ...asked?.limits, ...configuredLimits(job), ...stated };
      const rehearsal = await rehearsed(job, limits, interruption.signal);
      const told = { config: job.config, limits, rehearsal, asked, bounds: job.options };
      if (flags.json === true) process.stdout.write(`${JSON.stringify(planInJson(told))}\n`);
      else process.stdout.write(`${planInText(told)}\n`);
      return EXIT.pass;
    } finally {
      await job.end();
    }
  });
}

function limitArgument(text: string): [plan: string, limit: Limit] {
  const read = limitIn(text);
  if (read !== null) return read;
  throw invalidOption(`--limit: "${text}" is no limit of a plan`, '--limit standard=100/60');
}

/** Those of `expect.plans` that state both calls and window. */
function configuredLimits({ config }: Job): Readonly<Record<string, Limit>> {
  return Object.fromEntries(
    Object.entries(config.expect.plans).flatMap(([plan, { limit, windowSeconds }]) =>
      limit === undefined || windowSeconds === undefined ? [] : [[plan, { calls: limit, seconds: windowSeconds }]],
    ),
  );
}

/** Whoever asks for a plan does not wait longer; of what is rehearsed by then the plan tells. */
const LONGEST_REHEARSAL_MS = 20_000;

async function rehearsed(
  { config, options, descriptions }: Job,
  limits: Readonly<Record<string, Limit>>,
  stop: AbortSignal,
): Promise<Rehearsal> {
  const inTime = timeLimit(LONGEST_REHEARSAL_MS);
  const either = AbortSignal.any([stop, inTime]);
  const rehearsal = await rehearse({ config, options, descriptions, limits, startMs: systemClock.now(), stop: either });
  const { run, verdict, counts } = rehearsal.report;
  if (inTime.aborted && !stop.aborted && counts.requests > 0) return { ...rehearsal, isCut: true };
  if (counts.requests > 0 && (verdict !== 'none' || !run.broken)) return rehearsal;
  throw new NoVerdict(
    `the run could not be rehearsed: ${run.note ?? 'nothing was called'}`,
    '`assay specs` shows what the descriptions hold; `assay conform --budget 100` takes a first look at the target',
  );
}

/** Sends the smoke stage. Throws NoVerdict where the target does not answer, or is not the right one. */
async function askTarget(job: Job, stop: AbortSignal): Promise<AskedTarget> {
  const { config, options, descriptions, redactor } = job;
  try {
    return askedOf(await firstLook({ config, options, descriptions, redactor, clock: systemClock, stop }), config);
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    throw new NoVerdict(error.message, '`assay doctor` tells where the way to the target ends');
  }
}

/** The target that a plan is made for: the limits and the refusals of the keys, as the exchanges show them. Pure. */
export function askedOf(
  exchanges: readonly Exchange[],
  {
    keys,
    stated,
  }: Pick<Config, 'stated'> & { readonly keys: readonly { readonly name: string; readonly plan: string }[] },
): AskedTarget {
  const limits = new Map<string, Limit>();
  const refused: { key: string; status: number | null }[] = [];
  for (const { name, plan } of keys) {
    const own = exchanges.filter(({ plan: { credential } }) => credential.kind === 'key' && credential.name === name);
    const successes = own.filter(({ response }) => response !== null && response.status < 300);
    if (own.length > 0 && successes.length === 0)
      refused.push({ key: name, status: own.at(-1)?.response?.status ?? null });
    for (const limit of successes.flatMap((exchange) => limitOf(exchange, stated.terms.rateLimits) ?? [])) {
      const known = limits.get(plan);
      if (known === undefined || limit.calls < known.calls || limit.seconds > known.seconds) limits.set(plan, limit);
    }
  }
  return { requests: exchanges.length, limits: Object.fromEntries(limits), refused };
}

/** As the headers of the answer state it; null where they do not. */
function limitOf({ response, sentAt, durationMs }: Exchange, terms: RateTerms | null): Limit | null {
  const stated = response && rateState(response.headers, terms);
  const delayMs = stated && resetDelayMs(stated.reset, stated.date, sentAt + durationMs);
  if (stated === null || delayMs === null || delayMs <= 0) return null;
  return { calls: Math.floor(stated.limit), seconds: Math.ceil(delayMs / 1000) };
}
