// The ceilings of plans as lines of text: what the terminal shows of a load run.
import type { PlanCeiling } from '../../contract/load-part.ts';
import { number, threeDigits } from '../words.ts';
import { listOf, type Part, textOf } from './parts.ts';

/** A line for each plan, under a title; none where there is no load part, or one of another shape. */
export function ceilingLines(load: unknown): readonly string[] {
  const rows: readonly unknown[] = toldCeilings(load);
  const plans = rows.filter(isPlanCeiling);
  return plans.length === 0 ? [] : ['Ceilings', ...plans.map(lineOf)];
}

/** Suites whose result is about something else than limits: what headers state is no measurement of theirs. */
const OTHER_SUITES: readonly unknown[] = ['capacity', 'soak', 'spike', 'pressure', 'exports', 'distributed'];

/** The rows of plans that the run has something to say about. */
export function toldCeilings(load: unknown): readonly Part[] {
  const { plans, suite } = Object(load) as { readonly plans?: unknown; readonly suite?: unknown };
  const rows = listOf(plans);
  return OTHER_SUITES.includes(suite)
    ? rows.filter(({ confidence }) => !textOf(confidence).startsWith('stated'))
    : rows;
}

export function isPlanCeiling(row: unknown): row is PlanCeiling {
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
