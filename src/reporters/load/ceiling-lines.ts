// The ceilings of plans as lines of text: what the terminal shows of a load run.
import type { PlanCeiling } from '../../contract/load-part.ts';
import { number, threeDigits } from '../words.ts';

/** A line for each plan, under a title; none where there is no load part, or one of another shape. */
export function ceilingLines(load: unknown): readonly string[] {
  const { plans: given } = Object(load) as { readonly plans?: unknown };
  const plans = Array.isArray(given) ? given.filter(isPlanCeiling) : [];
  return plans.length === 0 ? [] : ['Ceilings', ...plans.map(lineOf)];
}

function isPlanCeiling(row: unknown): row is PlanCeiling {
  const { plan, key, costs } = Object(row) as Partial<PlanCeiling>;
  return typeof plan === 'string' && typeof key === 'string' && typeof costs === 'object' && costs !== null;
}

function lineOf(row: PlanCeiling): string {
  const name = `  ${row.plan.padEnd(11)}`;
  if (row.limit === null) return `${name} ${row.confidence} (key ${row.key})`;
  const window = row.windowSeconds === null ? '' : ` in ${threeDigits(row.windowSeconds)} s`;
  const algorithm = row.algorithm === 'unknown' ? '' : `, ${row.algorithm}`;
  const burst = row.burst === null || row.burst === row.limit ? '' : `, burst ${number(row.burst)}`;
  const dear = Object.entries(row.costs).filter(([, cost]) => cost !== 1);
  const costs =
    dear.length === 0 ? '' : `; ${dear.map(([operation, cost]) => `${operation} costs ${cost}`).join(', ')}`;
  const stated = row.stated == null || row.stated === row.limit ? '' : `, stated ${number(row.stated)}`;
  return `${name} ${number(row.limit)}${window}${algorithm}${burst}${stated} (${row.confidence}; key ${row.key})${costs}`;
}
