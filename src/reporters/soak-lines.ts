// A soak as lines of text.
import type { Drift, SoakPart } from '../contract/load-part.ts';
import { number, plural, shareText, threeDigits } from './words.ts';

/** Lines under a title; none where nothing was soaked, or the part has another shape. */
export function soakLines(load: unknown): readonly string[] {
  const { soak } = Object(load) as { readonly soak?: unknown };
  if (!isSoak(soak)) return [];
  const { rps, seconds, slices, p50Ms, p99Ms, errorRate, limitedRate, decision, why } = soak;
  const counts = Map.groupBy(slices, (slice) => slice.decision);
  const by = ['met', 'missed', 'undecided', 'void'] as const;
  const judged = by.flatMap((kind) => (counts.has(kind) ? [`${counts.get(kind)?.length} ${kind}`] : []));
  return [
    'Soak',
    `  ${number(Math.round(rps * 10) / 10)} requests/s for ${number(Math.round(seconds))} s: p50 ${threeDigits(p50Ms)} ms, p99 ${threeDigits(p99Ms)} ms, errors ${shareText(errorRate)}, 429 ${shareText(limitedRate)}`,
    `  objectives ${decision === 'met' ? 'met' : `${decision}: ${why}`}; ${plural(slices.length, 'slice')}: ${judged.join(', ')}`,
    ...driftLine('p50', soak.p50Drift),
    ...driftLine('p99', soak.p99Drift),
    ...(soak.errorsFromSeconds == null
      ? []
      : [`  from ${Math.round(soak.errorsFromSeconds)} s on more requests fail than before`]),
  ];
}

function driftLine(name: string, drift: Drift | null | undefined): readonly string[] {
  if (drift == null || !drift.drifts) return [];
  const { rise, least, most } = drift;
  return [`  ${name} drifts: ${shareText(rise)} higher in the last third (${shareText(least)} to ${shareText(most)})`];
}

function isSoak(value: unknown): value is SoakPart {
  const { slices, rps, seconds, p50Ms, p99Ms, why } = Object(value) as Partial<SoakPart>;
  return (
    Array.isArray(slices) &&
    slices.every((slice) => typeof slice === 'object' && slice !== null) &&
    [rps, seconds, p50Ms, p99Ms].every((one) => typeof one === 'number') &&
    typeof why === 'string'
  );
}
