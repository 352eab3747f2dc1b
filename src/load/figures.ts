// Figures by which a load run is remembered: the capacity, the limit of each key, and latency and errors in its part
// that matters most. Pure.
import type { Known, LoadChange, LoadPart } from '../contract/load-part.ts';
import { bracketOf, limitOf, mainOf } from './changes.ts';

export interface LoadFigure extends Known {
  /** "capacity", "limit of std-1", "p50", "p99", "errors". */
  readonly figure: string;
  readonly unit: LoadChange['unit'];
}

/** Every figure that the load part of a report tells; none where there is no part, or one of another shape. */
export function loadFigures(load: unknown): readonly LoadFigure[] {
  const part = Object(load) as Partial<LoadPart>;
  const capacity = part.capacity == null ? null : bracketOf(part.capacity);
  const main = part.capacity === null ? null : mainOf(part);
  const exactly = (figure: string, unit: LoadFigure['unit'], value: number | undefined): readonly LoadFigure[] =>
    value === undefined ? [] : [{ figure, unit, value, least: value, most: value }];
  return [
    ...(capacity === null ? [] : [{ figure: 'capacity', unit: 'requests/s' as const, ...capacity }]),
    ...(part.plans ?? []).flatMap((plan) => {
      const limit = limitOf(plan);
      return limit === null ? [] : [{ figure: `limit of ${plan.key}`, unit: 'calls' as const, ...limit }];
    }),
    ...exactly('p50', 'ms', main?.told.p50),
    ...exactly('p99', 'ms', main?.told.p99),
    ...exactly('errors', 'share', main?.figures.errorRate),
  ];
}
