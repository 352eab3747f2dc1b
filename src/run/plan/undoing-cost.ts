// How many requests it takes at the end of a run to delete what an experiment makes.
import type { Experiment } from '../../probes/probe.ts';

/** At most: an experiment on a POST makes one object with each of its requests, unless it says how many it leaves. */
export function undoingOf({ operation, cost, leaves }: Pick<Experiment, 'operation' | 'cost' | 'leaves'>): number {
  return leaves ?? (operation?.startsWith('POST ') === true ? cost : 0);
}
