// Why a run ended early, and the errors that carry it up.
import type { ReasonCode } from '../contract/report.ts';

/** Thrown to end the run where it stands: the report is still written, and says why. */
export class RunEnded extends Error {
  readonly reasonCode: ReasonCode;

  constructor(reasonCode: ReasonCode, sentence: string) {
    super(sentence);
    this.reasonCode = reasonCode;
  }
}
