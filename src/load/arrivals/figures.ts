// Sums of a step of arrivals, as it is judged and as it is told. Pure.
import type { CapacityStep } from '../../contract/load-part.ts';
import type { Decision, StepResult } from '../capacity/objectives.ts';
import { percentileMs, type StepSums } from '../capacity/sums.ts';

/** Requests that were due and did not come. A request due at the very border of two parts may count to either. */
export function droppedOf(planned: number, received: number): number {
  return planned - received > 1 ? planned - received : 0;
}

/**
 * Requests of each window that were not sent. k6 numbers what it sends: a request that was dropped leaves the last window short, and
 * makes all later ones late by one interval. How late a window was sent tells what was dropped before it.
 */
export function droppedIn(
  windows: readonly Pick<StepSums, 'received' | 'leastLateMs'>[],
  ratePerSecond: number,
  planned: number,
): readonly number[] {
  const all = droppedOf(
    planned,
    windows.reduce((sum, { received }) => sum + received, 0),
  );
  let known = 0;
  const before = windows.map(({ leastLateMs }) => {
    known = Math.min(all, Math.max(known, Math.round(((leastLateMs ?? 0) * ratePerSecond) / 1000)));
    return known;
  });
  return windows.map((_, at) => (before[at + 1] ?? all) - (at === 0 ? 0 : (before[at] ?? 0)));
}

/** Facts of the generator and the machine during a step. */
export type Conditions = Pick<StepResult, 'generatorCpu' | 'othersCpu' | 'senders' | 'droppedBefore'>;

interface SentPart {
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly dropped?: number;
}

/** The sums of a step as its result. What was due and did not come was dropped; of a part among others `dropped` says it (`droppedIn`). */
export function resultOf(
  { received, errors, limited, durations, queueGrowth, lateP99Ms, wakeP99Ms }: StepSums,
  { ratePerSecond, seconds, dropped: known, ...conditions }: Conditions & SentPart,
): StepResult {
  const planned = known === undefined ? Math.round(ratePerSecond * seconds) : received + known;
  const dropped = known ?? droppedOf(planned, received);
  const shown = { errors, limited, durations, queueGrowth, lateP99Ms, wakeP99Ms };
  return { ratePerSecond, planned, dropped, ...shown, ...conditions };
}

/** The result as the report tells it. */
export function figuresOf(result: StepResult, seconds: number, decision: Decision): CapacityStep {
  const { durations, errors, limited } = result;
  const received = durations.totalCount + limited;
  const share = (count: number): number => (received === 0 ? 0 : count / received);
  return {
    rps: result.ratePerSecond,
    seconds,
    answers: durations.totalCount,
    p50Ms: percentileMs(durations, 50),
    p95Ms: percentileMs(durations, 95),
    p99Ms: percentileMs(durations, 99),
    errorRate: share(errors),
    limitedRate: share(limited),
    dropped: result.dropped,
    lateP99Ms: result.lateP99Ms,
    wakeP99Ms: result.wakeP99Ms ?? null,
    generatorCpu: result.generatorCpu,
    othersCpu: result.othersCpu ?? null,
    decision: decision.kind,
    why: 'why' in decision ? decision.why : decision.kind === 'missed' ? `missed by ${decision.by}` : 'met',
  };
}
