// Keeps a run's results on the disk while it goes on: report.json and the names of the performed experiments.
import type { Report } from '../../contract/report.ts';
import { FileUnwritable } from '../../disk/whole-file.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { removeEarlier, writeCheckpoint } from '../../reporters/files.ts';
import type { Kept } from '../conform/interrupt.ts';
import type { Job } from '../conform/prepare.ts';
import { say } from './say.ts';

export class CheckpointFile {
  readonly #folder: string;
  readonly #keep: (kept: Kept) => void;
  /** One after the other: the last one is the latest. */
  #writing: Promise<void>;
  #hasFailed = false;

  /** `keep` is told what is on the disk each time. */
  constructor({ outDir }: Pick<Job, 'outDir'>, keep: (kept: Kept) => void) {
    this.#folder = outDir;
    this.#keep = keep;
    this.#writing = removeEarlier(outDir);
  }

  /**
   * Resolves when the report is on the disk, or is found not to fit there: that is said once, and the run goes on.
   * `performed` is null for a run that cannot be resumed.
   */
  write(report: Report, performed: ReadonlySet<string> | null): Promise<void> {
    // A copy: experiments that are performed from now on are not in this report.
    const done = performed === null ? null : new Set(performed);
    this.#writing = this.#writing.then(() => this.#written(report, done));
    return this.#writing;
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  async #written(report: Report, performed: ReadonlySet<string> | null): Promise<void> {
    try {
      const path = await writeCheckpoint(report, performed, this.#folder);
      this.#keep({ path, code: exitCode(report) });
    } catch (error) {
      if (!(error instanceof FileUnwritable)) throw error;
      if (!this.#hasFailed) say(`assay: ${error.message}; the run goes on\n`);
      this.#hasFailed = true;
    }
  }
}
