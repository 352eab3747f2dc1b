// When a key was at its ceiling, by its own answers: what others were answered then is held against what they were answered
// while it rested. What they were answered while the limit was being spent is neither. Pure.
import { isAdmitted, type RateReading } from '../../checks/rate/reading.ts';

/** One time of pressure on a key. Epoch ms. */
export interface Pressure {
  readonly beganMs: number;
  readonly endedMs: number;
  /** From the first refusal to the last; null where the key was not refused. */
  readonly atCeiling: { readonly fromMs: number; readonly untilMs: number } | null;
  /** When calls were admitted. */
  readonly admittedMs: readonly number[];
  readonly refused: number;
}

/** Null without an answer. `readings`: of the pressed key, one time of pressure. */
export function pressureOf(readings: readonly RateReading[]): Pressure | null {
  if (readings.length === 0) return null;
  const refused = readings.filter(({ status }) => status === 429);
  const first = Math.min(...refused.map(({ answeredAt }) => answeredAt));
  const last = Math.max(...refused.map(({ answeredAt }) => answeredAt));
  return {
    beganMs: Math.min(...readings.map(({ sentAt }) => sentAt)),
    endedMs: Math.max(...readings.map(({ answeredAt }) => answeredAt)),
    atCeiling: refused.length === 0 ? null : { fromMs: first, untilMs: last },
    admittedMs: readings.filter(isAdmitted).map(({ sentAt }) => sentAt),
    refused: refused.length,
  };
}

/** What another key was answered: at rest, one list for each rest, and under pressure, one for each time. In the order sent. */
export interface Stretches {
  readonly rests: readonly (readonly RateReading[])[];
  readonly pressed: readonly (readonly RateReading[])[];
}

export function stretchesOf(readings: readonly RateReading[], pressures: readonly Pressure[]): Stretches {
  const inOrder = readings.toSorted((left, right) => left.sentAt - right.sentAt);
  const edges = [Number.NEGATIVE_INFINITY, ...pressures.map(({ endedMs }) => endedMs)];
  const ends = [...pressures.map(({ beganMs }) => beganMs), Number.POSITIVE_INFINITY];
  return {
    rests: edges.map((fromMs, at) => inOrder.filter((one) => one.sentAt > fromMs && one.answeredAt < (ends[at] ?? 0))),
    pressed: pressures.map(({ atCeiling }) =>
      atCeiling === null
        ? []
        : inOrder.filter(({ sentAt }) => sentAt >= atCeiling.fromMs && sentAt <= atCeiling.untilMs),
    ),
  };
}
