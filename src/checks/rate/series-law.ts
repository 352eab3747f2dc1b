// A law over the answers of one key: fed with each in the order answered, asked at the end.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { RateReading } from '../../limiters/reading.ts';

/** A judgement of a limit, with the answers that it rests on. */
export interface Judged {
  readonly judgement: Judgement;
  readonly readings: readonly RateReading[];
}

/** The same, on a clause. */
export interface Concluded extends Judged {
  readonly clause: string;
  /** True where it is about the operation of the last of these answers. */
  readonly isNamed?: boolean;
}

export interface SeriesLaw {
  /** The key's history holds the answer already. */
  add(reading: RateReading): void;
  conclude(): readonly Concluded[];
}

export const OTHERS_TOOK = 'another client uses the key, too, or seems to: it may have taken what came back';

/** A breach that is about the operation of the last of these answers. */
export function blaming(clause: string, breach: Breach, ...readings: readonly RateReading[]): Concluded {
  return { clause, judgement: breached([breach]), readings, isNamed: true };
}

/** Nothing was seen that decides it. */
export function untold(reason: string): Judged {
  return { judgement: cannotTell('precondition', reason), readings: [] };
}
