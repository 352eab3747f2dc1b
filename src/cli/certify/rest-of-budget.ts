// One budget for all parts of a certification.
import type { RunOptions } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';

/** The options with what these parts have left of the budget; 0 where they spent it all. */
export function withRest<T extends Pick<RunOptions, 'budget'>>(
  options: T,
  parts: readonly Pick<Report, 'counts'>[],
): T {
  const { budget } = options;
  const spent = parts.reduce((sum, { counts }) => sum + counts.requests, 0);
  return budget === null ? options : { ...options, budget: Math.max(0, budget - spent) };
}
