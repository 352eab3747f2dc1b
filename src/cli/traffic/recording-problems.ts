// Collects the faults of recordings, so that one look tells many, and tells them as wrong usage.
import { UsageError } from '../../config/errors.ts';

const MOST_PROBLEMS = 20;

export class RecordingProblems {
  readonly #found: string[] = [];

  add(problem: string): void {
    this.#found.push(problem);
    if (this.#found.length >= MOST_PROBLEMS) this.throwIfAny();
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw unreadableRecording(this.#found.join('\n  '));
  }
}

export function unreadableRecording(what: string): UsageError {
  const hint =
    'a HAR 1.2 file, or a JSON object a line ({"method","url","status","headers","body"}); docs/traffic.md tells more';
  return new UsageError('ASSAY_RECORDING_UNREADABLE', what, hint);
}
