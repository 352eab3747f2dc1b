// A flood of exports as lines of text.
import type { ExportsPart } from '../../contract/load-part.ts';
import { number } from '../words.ts';

/** A line under a title; none where no exports were flooded, or the part has another shape. */
export function exportLines(load: unknown): readonly string[] {
  const { exports: part } = Object(load) as { readonly exports?: Partial<ExportsPart> };
  const { key, calls, accepted, refused, refusedAfterMs } = Object(part) as Partial<ExportsPart>;
  if (calls === undefined || accepted === undefined || refused === undefined) return [];
  const after =
    refusedAfterMs == null ? '' : `, the first sent ${number(Math.round(refusedAfterMs))} ms after the first call`;
  return [
    'Exports',
    `  ${number(calls)} at once, ${number(accepted)} accepted, ${number(refused)} refused${after} (key ${key})`,
  ];
}
