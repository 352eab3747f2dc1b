// A spike as lines of text.
import type { CapacityStep, SpikePart } from '../../contract/load-part.ts';
import { number, shareText } from '../words.ts';
import { latencyWords } from './latency-words.ts';

const WORDS = {
  succeeded: 'succeeded',
  limited: '429',
  refused: 'other 4xx',
  serverErrors: '5xx',
  unanswered: 'no answer',
  dropped: 'never sent',
} as const;

/** Lines under a title; none where there was no spike, or the part has another shape. */
export function spikeLines(load: unknown): readonly string[] {
  const { spike } = Object(load) as { readonly spike?: unknown };
  if (!isSpike(spike)) return [];
  const { before, peak, shares } = spike;
  const told = Object.entries(WORDS).flatMap(([name, words]) => {
    const share = shares[name as keyof typeof WORDS];
    return share > 0 ? [`${words} ${shareText(share)}`] : [];
  });
  return [
    'Spike',
    `  ${number(before.rps)} requests/s: ${latencyOf(before)}; ${number(peak.rps)} requests/s for ${number(peak.seconds)} s: ${latencyOf(peak)}`,
    `  in the peak: ${told.join(', ')}`,
    `  ${spike.generator == null ? recovered(spike) : `no verdict on the platform: ${spike.generator}`}`,
  ];
}

function latencyOf(part: CapacityStep): string {
  return latencyWords(part) || 'too few answers for a percentile';
}

function recovered({ recovery, afterSeconds }: SpikePart): string {
  if (recovery == null) return `the objectives did not hold again within ${afterSeconds} s`;
  const { least, best, most } = recovery;
  const until = most == null ? 'open' : `${most}`;
  return best === 0
    ? 'the objectives held at once after it'
    : `the objectives held again after ${best} s (${least} to ${until})`;
}

export function isSpike(value: unknown): value is SpikePart {
  const { before, peak, shares, afterSeconds } = Object(value) as Partial<SpikePart>;
  const isFigure = (one: unknown): boolean => typeof (Object(one) as { p99Ms?: unknown }).p99Ms === 'number';
  return (
    isFigure(before) &&
    isFigure(peak) &&
    typeof shares === 'object' &&
    shares !== null &&
    typeof afterSeconds === 'number'
  );
}
