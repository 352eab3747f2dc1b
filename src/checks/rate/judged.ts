// A judgement of a limit, with the answers that it rests on.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { RateReading } from '../../limiters/reading.ts';

export interface Judged {
  readonly judgement: Judgement;
  readonly readings: readonly RateReading[];
}

/** Nothing was seen that decides it. */
export function untold(reason: string): Judged {
  return { judgement: cannotTell('precondition', reason), readings: [] };
}
