// What the phases of a run took: where it waits, processor time is far below time.
import type { Progress } from '../src/contract/progress.ts';

interface Phase {
  readonly name: string;
  readonly requestsBefore: number;
  readonly startedAt: number;
  readonly cpuBefore: NodeJS.CpuUsage;
}

/** Told of progress, it writes one line for each phase that ended. */
export class Phases {
  #phase = begun('descriptions', 0);
  #requests = 0;

  tell({ phase, requests }: Progress): void {
    this.#requests = requests;
    if (phase !== this.#phase.name) this.next(phase);
  }

  /** Ends the present phase; null: the last one. */
  next(name: string | null): void {
    const { name: ended, requestsBefore, startedAt, cpuBefore } = this.#phase;
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const columns = [
      `  ${ended.padEnd(12)}`,
      `${this.#requests - requestsBefore} requests`.padStart(15),
      `${seconds.toFixed(2)} s`.padStart(10),
      `cpu ${((user + system) / 1e6).toFixed(2)} s`.padStart(13),
    ];
    console.log(columns.join(' '));
    this.#phase = begun(name ?? '', this.#requests);
  }
}

function begun(name: string, requestsBefore: number): Phase {
  return { name, requestsBefore, startedAt: performance.now(), cpuBefore: process.cpuUsage() };
}
