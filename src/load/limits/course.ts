// A course of calls driven through a caller: what it asks is sent under one key, what is answered is handed back as it looks
// at it.

import { isAdmitted, type RateReading, readingOf } from '../../checks/rate/reading.ts';
import type { TargetClock } from '../../checks/rate/reset-clock.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Caller } from '../caller/caller.ts';
import type { Observed } from '../limiter/observed.ts';
import type { Part } from '../limiter/trace.ts';

/** Runs the course to its end; resolves with what it came to. `clock`: of the key's series. */
export async function driven<T>(caller: Caller, key: string, clock: TargetClock, course: Part<T>): Promise<T> {
  let step = course.next();
  while (step.done !== true) {
    const { calls, refusals } = step.value;
    const exchanges = await caller.call(
      calls.map((call) => ({ ...call, key })),
      refusals !== null,
    );
    step = course.next(exchanges.map((exchange) => observed(exchange, clock)));
  }
  return step.value;
}

function observed(exchange: Exchange, clock: TargetClock): Observed {
  const { plan, sentAt, durationMs } = exchange;
  const reading = readingOf(exchange);
  const moment = reading === null ? null : clock.resetOf(reading);
  return {
    operation: plan.operation ?? plan.path,
    sentMs: sentAt,
    answeredMs: sentAt + durationMs,
    outcome: outcomeOf(reading),
    limit: reading?.limit ?? null,
    remaining: reading?.remaining ?? null,
    reset: moment === null ? null : { earliestMs: moment.earliest, latestMs: moment.latest },
    retryAfterMs: reading?.retryAfterMs ?? null,
  };
}

function outcomeOf(reading: RateReading | null): Observed['outcome'] {
  if (reading?.status === 429) return 'refused';
  return reading !== null && isAdmitted(reading) ? 'admitted' : 'lost';
}
