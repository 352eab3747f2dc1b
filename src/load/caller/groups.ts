// Calls as the groups that a k6 script reads, and how fast they may go. Pure.
import type { CallGroup } from '../k6/requests-plan.ts';
import type { Call } from './caller.ts';

/** The same calls, none sooner than the rate allows. Calls per second. */
export function paced(calls: readonly Call[], perSecond: number): readonly Call[] {
  const everyMs = 1000 / perSecond;
  let freeMs = Number.NEGATIVE_INFINITY;
  return calls.map((call) => {
    const afterMs = Math.max(call.afterMs, freeMs);
    freeMs = afterMs + everyMs;
    return { ...call, afterMs };
  });
}

/** Runs of calls alike, evenly spaced; their order and times are those of the calls. */
export function groupsOf(
  calls: readonly Call[],
  indexOfKey: (name: string) => number,
  indexOfRequest: (operation: string) => number,
): readonly CallGroup[] {
  const groups: (CallGroup & { count: number; everyMs: number })[] = [];
  let last: Call | null = null;
  for (const call of calls) {
    const group = groups.at(-1);
    const everyMs: number = last === null ? 0 : call.afterMs - last.afterMs;
    const isAlike = last !== null && call.key === last.key && call.operation === last.operation;
    const isEven = group !== undefined && (group.count === 1 || Math.abs(group.everyMs - everyMs) < 1e-6);
    if (group !== undefined && isAlike && isEven) {
      group.count += 1;
      group.everyMs = everyMs;
    } else {
      const { key, operation, afterMs } = call;
      groups.push({ key: indexOfKey(key), request: indexOfRequest(operation), afterMs, everyMs: 0, count: 1 });
    }
    last = call;
  }
  return groups;
}
