// How much of this machine others take, where the target is on it, too: what is slow beside them is not the target's doing.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { isLoopback } from '../../config/http-url.ts';

/** Time of all cores since the machine began, in a unit of its own. */
export interface CpuTimes {
  readonly total: number;
  readonly idle: number;
  /** Taken by other machines on the same host; 0 where this system does not tell. */
  readonly stolen: number;
  /** CPU time of this process. ms. */
  readonly ownMs: number;
  /** When it was looked at, by a clock that is never set. ms. */
  readonly atMs: number;
}

/** The times of this moment. */
export function cpuTimesNow(monotonicMs: number): CpuTimes {
  const { user, system } = process.cpuUsage();
  const own = { ownMs: (user + system) / 1000, atMs: monotonicMs };
  const told = linuxTimes();
  if (told !== null) return { ...told, ...own };
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  const total = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
  return { total, idle, stolen: 0, ...own };
}

/** From the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. Null where there is none. */
function linuxTimes(): Pick<CpuTimes, 'total' | 'idle' | 'stolen'> | null {
  try {
    const fields = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number);
    const total = fields.reduce((sum, field) => sum + field, 0);
    const [idle = Number.NaN, waiting = 0, stolen = 0] = [fields[3], fields[4], fields[7]];
    return Number.isFinite(total + idle) && total > 0 ? { total, idle: idle + waiting, stolen } : null;
  } catch {
    // Only Linux has the file; elsewhere the figure is missing.
    return null;
  }
}

/**
 * Share that others than this process took of the cores that a process of this machine may use: 0 where as many were idle. Null
 * where no time had passed. `cores`: of the machine, and those that may be used: less in a container.
 */
export function othersShare(
  before: CpuTimes,
  after: CpuTimes,
  cores = { all: cpus().length, usable: availableParallelism() },
): number | null {
  const total = after.total - before.total;
  const lastedMs = after.atMs - before.atMs;
  if (total <= 0 || lastedMs <= 0) return null;
  const own = (after.ownMs - before.ownMs) / lastedMs;
  const idle = (cores.all * (after.idle - before.idle)) / total;
  return Math.min(1, Math.max(0, (cores.usable - own - idle) / cores.usable));
}

/** Share of all cores that was stolen in between; null where no time had passed. */
export function stolenShare(before: CpuTimes, after: CpuTimes): number | null {
  const total = after.total - before.total;
  return total <= 0 ? null : (after.stolen - before.stolen) / total;
}

/** Tells whether the address is of this machine. */
export function isHere(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}
