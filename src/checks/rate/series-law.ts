// A law over the answers of one key: fed with each in the order answered, asked at the end.
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { RateReading } from '../../limiters/reading.ts';

/** One judgement, on one operation or on the target as a whole. The fields are those that a probe's outcome has. */
export interface RateConclusion {
  readonly clause: string;
  readonly service: string | null;
  readonly operation: string | null;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
  /** True for a breach by calls that did not come back: others may have taken them. Absent: not. */
  readonly isOfReturn?: true;
}

export interface SeriesLaw {
  /** The key's history holds the answer already. */
  add(reading: RateReading): void;
  conclude(): readonly RateConclusion[];
}

/** A judgement on the target as a whole, by these answers. */
export function onTarget(clause: string, judgement: Judgement, readings: readonly RateReading[] = []): RateConclusion {
  const evidence = readings.map(({ exchange }) => exchange);
  return { clause, service: null, operation: null, judgement, evidence };
}

/** A breach on the target as a whole. */
export function blaming(clause: string, breach: Breach, ...readings: readonly RateReading[]): RateConclusion {
  return onTarget(clause, breached([breach]), readings);
}

/** A breach that is about the operation of the last of these answers. */
export function blamingLast(clause: string, breach: Breach, ...readings: readonly RateReading[]): RateConclusion {
  const { service = null, operation = null } = readings.at(-1)?.exchange.plan ?? {};
  return { ...blaming(clause, breach, ...readings), service, operation };
}

/** Nothing was seen that decides it. */
export function untold(clause: string, reason: string): RateConclusion {
  return onTarget(clause, cannotTell('precondition', reason));
}

/** A breach by calls that did not come back; without one, that they did as told so many times. */
export function ofReturn(clause: string, breach: RateConclusion | null, times: number): readonly RateConclusion[] {
  if (breach !== null) return [{ ...breach, isOfReturn: true }];
  return times === 0 ? [] : [onTarget(clause, holds(times))];
}
