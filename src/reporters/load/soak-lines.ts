// A soak as lines of text.
import type { Drift, SoakPart } from '../../contract/load-part.ts';
import { number, plural, shareText, threeDigits } from '../words.ts';

/** Lines under a title; none where nothing was soaked, or the part has another shape. */
export function soakLines(load: unknown): readonly string[] {
  const { soak } = Object(load) as { readonly soak?: unknown };
  if (!isSoak(soak)) return [];
  const { rps, seconds, slices, p50Ms, p99Ms, errorRate, limitedRate, decision, why } = soak;
  return [
    'Soak',
    `  ${number(Math.round(rps * 10) / 10)} requests/s for ${number(Math.round(seconds))} s: p50 ${threeDigits(p50Ms)} ms, p99 ${threeDigits(p99Ms)} ms, errors ${shareText(errorRate)}, 429 ${shareText(limitedRate)}`,
    `  objectives ${decision === 'met' ? 'met' : `${decision}: ${why}`}; ${slicesText(slices)}`,
    ...driftLine('p50', soak.p50Drift),
    ...driftLine('p99', soak.p99Drift),
    ...(soak.errorsFromSeconds == null
      ? []
      : [`  from ${Math.round(soak.errorsFromSeconds)} s on more requests fail than before`]),
  ];
}

/** How many slices met the objectives, and what it means where one by itself is too small to tell. */
function slicesText(slices: SoakPart['slices']): string {
  const by = Map.groupBy(slices, ({ decision }) => decision);
  const open = by.get('undecided') ?? [];
  if (open.length > 0 && open.length === slices.length)
    return `they are judged over the whole soak alone, for no slice tells by itself (${open[0]?.why}): a longer soak would`;
  const told = (['met', 'missed', 'void'] as const).flatMap((kind) => {
    const count = by.get(kind)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  if (open.length > 0) told.push(`${open.length} not telling by itself (${open[0]?.why})`);
  return `${plural(slices.length, 'slice')}: ${told.join(', ')}`;
}

function driftLine(name: string, drift: Drift | null | undefined): readonly string[] {
  if (drift == null || !drift.drifts) return [];
  const { rise, least, most } = drift;
  return [`  ${name} drifts: ${shareText(rise)} higher in the last third (${shareText(least)} to ${shareText(most)})`];
}

export function isSoak(value: unknown): value is SoakPart {
  const { slices, rps, seconds, p50Ms, p99Ms, why } = Object(value) as Partial<SoakPart>;
  return (
    Array.isArray(slices) &&
    slices.every((slice) => typeof slice === 'object' && slice !== null) &&
    [rps, seconds, p50Ms, p99Ms].every((one) => typeof one === 'number') &&
    typeof why === 'string'
  );
}
