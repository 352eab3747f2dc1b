// RATE-07 under pressure: another key's answers just before the pressed key's limit was spent and just after, as the drain
// of conformance compares them. The other key went on calling: what its own calls took is taken off. Pure.
import type { Beside } from '../../checks/rate/drained-window.ts';
import { isAdmitted, type RateReading } from '../../checks/rate/reading.ts';
import type { Pressure } from './stretches.ts';

export interface Neighbour {
  /** Calls of the pressed key that were admitted in between. */
  readonly spent: number;
  readonly beside: Beside;
}

/** In so short a time no window is likely to end. ms. */
const TAIL_MS = 1000;

/** Null where the key was not answered before and after. `readings`: of the other key, `cost` units a call of its own. */
export function neighbourOf(readings: readonly RateReading[], cost: number, pressure: Pressure): Neighbour | null {
  const inOrder = readings.toSorted((left, right) => left.sentAt - right.sentAt);
  const { beganMs, endedMs, atCeiling, admittedMs } = pressure;
  // A limit that was not reached was spent all the time: then its end is looked at, which rest follows.
  const [fromMs, spentMs] =
    atCeiling === null ? [Math.max(beganMs, endedMs - TAIL_MS), endedMs] : [beganMs, atCeiling.fromMs];
  const before = inOrder.findLast(({ answeredAt }) => answeredAt < fromMs);
  const during = inOrder.filter(({ sentAt }) => sentAt > fromMs && sentAt <= endedMs);
  const after = during.find(({ status }) => status === 429) ?? inOrder.find(({ sentAt }) => sentAt > spentMs);
  if (before === undefined || after === undefined) return null;
  const between = (from: RateReading, to: RateReading): number =>
    cost * inOrder.filter((one) => one.sentAt > from.sentAt && one.sentAt < to.sentAt && isAdmitted(one)).length;
  const isRefused = after.status === 429;
  const freed = isRefused ? (inOrder.find((one) => one.sentAt > endedMs && isAdmitted(one)) ?? null) : null;
  const from = isRefused ? freed : after;
  const rested = from === null ? null : restedAfter(inOrder, from, after.sentAt - before.sentAt);
  return {
    spent: admittedMs.filter((ms) => ms > before.answeredAt && ms < after.sentAt).length,
    beside: {
      ...{ key: before.key, before, after, freed, rested },
      refused: isRefused ? during.filter(({ sentAt }) => sentAt > after.answeredAt) : [],
      own: {
        meanwhile: between(before, after),
        resting: from === null || rested === null ? 0 : between(from, rested),
      },
    },
  };
}

/** The first answer as long after, or the last there is. */
function restedAfter(inOrder: readonly RateReading[], from: RateReading, afterMs: number): RateReading | null {
  const later = inOrder.filter(({ sentAt }) => sentAt > from.answeredAt);
  return later.find(({ sentAt }) => sentAt >= from.sentAt + afterMs) ?? later.at(-1) ?? null;
}
