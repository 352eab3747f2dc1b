// Which parts of a load run its operations are told of: the load that the result is about, and the whole run. Pure.
import type { LoadOperations, LoadPart } from '../../contract/load-part.ts';
import type { LoadLog } from './load-log.ts';

/**
 * The operations in the peak of a spike, or in the steps of a search at the rate that met the objectives, and in the whole run.
 * Empty where nothing was sent.
 */
export function operationsUnder(
  log: Pick<LoadLog, 'operations'>,
  { spike, capacity }: Pick<LoadPart, 'spike' | 'capacity'>,
): readonly LoadOperations[] {
  const parts: LoadOperations[] = [{ during: 'the whole run', rows: log.operations() }];
  if (spike?.peak.step !== undefined)
    parts.unshift({
      during: `the peak, ${spike.peak.rps} requests/s`,
      rows: log.operations(new Set([spike.peak.step])),
    });
  const met = (capacity?.steps ?? []).filter(({ rps, decision }) => rps === capacity?.met && decision === 'met');
  if (met.length > 0 && met.length < (capacity?.steps.length ?? 0))
    parts.unshift({
      during: `steps that met the objectives at ${Math.floor(10 * (capacity?.met ?? 0)) / 10} requests/s`,
      rows: log.operations(new Set(met.flatMap(({ step }) => step ?? []))),
    });
  return parts.filter(({ rows }) => rows.length > 0);
}
