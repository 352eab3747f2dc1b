// Figures by which a load run is remembered: the capacity, the limit of each key, and latency and errors in its part
// that matters most. Pure.
import type { Known, LoadChange, LoadPart } from '../contract/load-part.ts';
import { tellsPercentile } from '../grading/latency.ts';
import { bracketOf, isUnsent, limitOf, mainOf } from './changes.ts';

export interface LoadFigure extends Known {
  /** "capacity", "limit of std-1", "p50", "p99", "errors". */
  readonly figure: string;
  readonly unit: LoadChange['unit'];
}

/** Every figure that a load run measured; none where there is no part, or one of another shape. */
export function loadFigures(load: unknown): readonly LoadFigure[] {
  const part = Object(load) as Partial<LoadPart>;
  const capacity = part.capacity == null ? null : bracketOf(part.capacity);
  const main = part.capacity === null || isVoid(part) ? null : mainOf(part);
  const exactly = (figure: string, unit: LoadFigure['unit'], value: number | undefined): readonly LoadFigure[] =>
    value === undefined ? [] : [{ figure, unit, value, least: value, most: value }];
  return [
    ...(capacity === null ? [] : [{ figure: 'capacity', unit: 'requests/s' as const, ...capacity }]),
    ...(part.plans ?? []).flatMap((plan) => {
      const limit = limitOf(plan);
      return limit === null ? [] : [{ figure: `limit of ${plan.key}`, unit: 'calls' as const, ...limit }];
    }),
    ...exactly('p50', 'ms', percentile(main, 'p50', 0.5)),
    ...exactly('p99', 'ms', percentile(main, 'p99', 0.99)),
    ...exactly('errors', 'share', main === null || isUnsent(main.figures) ? undefined : main.figures.errorRate),
  ];
}

type Main = ReturnType<typeof mainOf>;

/** The percentile, where the answers are enough for it; reports of older versions do not say how many there were. */
function percentile(main: Main, name: 'p50' | 'p99', share: number): number | undefined {
  const { answers = null } = main?.figures ?? {};
  return answers !== null && !tellsPercentile(answers, share) ? undefined : main?.told[name];
}

/** Tells whether the generator or the limiter was in the way: then the figures are theirs. */
function isVoid({ spike, soak, pressure }: Partial<LoadPart>): boolean {
  const decisions = [spike?.peak.decision, soak?.decision, pressure?.figures.decision];
  return (spike?.generator ?? null) !== null || decisions.includes('void');
}
