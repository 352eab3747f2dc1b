// What another process takes: wall and processor time, peak memory. Read from /proc, so on Linux alone; elsewhere processor
// time and memory are not known and told as NaN.
import { readFileSync } from 'node:fs';

const EVERY_MS = 20;
/** Linux counts processor time in hundredths of a second, whatever its clock (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

export interface Consumed {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Watches the process; the function that is returned, called once it has ended, tells what it took. */
export function consumption(pid: number): () => Consumed {
  const startedAt = performance.now();
  let [cpuSeconds, peakMegabytes] = [Number.NaN, Number.NaN];
  const look = (): void => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name, which may hold blanks, come the fields from the third: the 14th and 15th are user and system time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      peakMegabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? peakMegabytes * 1024) / 1024;
    } catch {
      // It has ended, or the machine has no /proc: what was read last stands.
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds, peakMegabytes };
  };
}
