// How much of the machine a process takes: a generator that is busy measures itself.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const EVERY_MS = 200;

/** Watches a process; `seconds` is its CPU time when last seen, null where this system does not tell. */
export function watchCpu(pid: number | undefined): { seconds(): number | null; end(): void } {
  let seen: number | null = null;
  const look = (): void => {
    seen = pid === undefined ? null : (cpuSeconds(pid) ?? seen);
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return { seconds: () => seen, end: () => clearInterval(timer) };
}

let ticksPerSecond: number | null = null;

/** From Linux's /proc: user and system time in ticks are the fields after the name, which may hold anything. */
function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
    const seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    return Number.isFinite(seconds) ? seconds : null;
  } catch {
    return null;
  }
}
