// One key's window spent by many senders at once and watched as it comes back: conformance's own drain, on limits of any size
// that the generator can spend within a window.
import type { PlanKey } from '../../checks/rate/rate-08-plan-order.ts';
import type { RateReading } from '../../checks/rate/reading.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Outcome } from '../../probes/probe.ts';
import { oneOfEachKind } from '../../probes/rate/asking.ts';
import type { DrainTools } from '../../probes/rate/drain.ts';
import { drained, statedLimits } from '../../probes/rate/drain-probe.ts';
import type { Caller } from '../caller/caller.ts';
import { askerOf, flooded, type LimitBench, onTarget } from './bench.ts';

/** Calls that show how fast calls can be sent. */
const SAMPLE_CALLS = 400;
const MOST_OPERATIONS = 3;
const JUDGED = ['RATE-03', 'RATE-04', 'RATE-06', 'RATE-07', 'RATE-10'] as const;

/** The outcomes of draining the key once. `lane` names its record. */
export async function drainedKey(bench: LimitBench, { name: key }: PlanKey, lane: string): Promise<readonly Outcome[]> {
  const { book, reads, priced, world } = bench;
  const caller = bench.callerOf(lane);
  const ask = askerOf(caller);
  const timing = { now: () => caller.now(), sleep: (ms: number) => caller.sleep(ms) };
  const stated = await statedLimits(ask, reads[0], world, timing);
  const spare = stated.find(({ name }) => name === key);
  if (spare === undefined) {
    const why = `key ${key} is not answered with a readable X-RateLimit-Limit`;
    return JUDGED.map((clause) => onTarget(clause, cannotTell('precondition', why)));
  }
  const { clock } = book.seriesOf(key);
  const [main, ...more] = reads.slice(0, MOST_OPERATIONS);
  const tools: DrainTools = {
    ...{ ask, timing, clock, key },
    operations: [main ?? reads[0], ...more],
    others: oneOfEachKind(priced, reads[0]).filter(({ operation }) => !book.isUncounted(operation.key)),
    flood: (calls) => floodWithin(caller, key, bench, calls, spare.reading),
  };
  return drained(tools, book, stated, spare);
}

/** Calls at once, unless a window cannot be spent so fast: then those that showed it. */
async function floodWithin(
  caller: Caller,
  key: string,
  { reads, mostCalls, book }: LimitBench,
  calls: number,
  stated: RateReading,
): Promise<readonly RateReading[]> {
  if (calls <= SAMPLE_CALLS) return flooded(caller, key, reads[0], calls);
  const sample = await flooded(caller, key, reads[0], SAMPLE_CALLS);
  const [first, last] = [sample[0], sample.at(-1)];
  if (first === undefined || last === undefined || sample.some(({ status }) => status === 429)) return sample;
  const { clock, windows } = book.seriesOf(key);
  const perMs = sample.length / Math.max(1, last.answeredAt - first.sentAt);
  const windowMs = (windows.facts(false).windowSeconds ?? 0) * 1000;
  const toResetMs = Math.max(windowMs, (clock.resetOf(stated)?.latest ?? 0) - caller.now());
  const limit = stated.limit ?? 0;
  const isTooLarge = limit > mostCalls || (stated.reset !== null && limit / perMs > toResetMs);
  return isTooLarge ? sample : [...sample, ...(await flooded(caller, key, reads[0], calls - SAMPLE_CALLS))];
}
