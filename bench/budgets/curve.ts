// The curve over what was noticed within budgets: a table by family of clauses, and what each budget misses.
import type { Notice } from './notice.ts';

export const BUDGETS: readonly (number | null)[] = [300, 600, 1200, 2400, null];

/**
 * A row for each family, a column for each budget: how many of the faults that any run caught this budget catches. What a smaller
 * budget caught counts for a larger one where that was not tried.
 */
export function curveOf(notices: readonly Notice[]): string {
  const byFault = Map.groupBy(notices, ({ fault }) => fault);
  const looked = BUDGETS.filter((budget) => notices.some((one) => one.budget === budget));
  const catchable = [...byFault].filter(([, own]) => own.some(({ caught }) => caught));
  const families = [...Map.groupBy(catchable, ([, [first]]) => familyOf(first?.clause ?? '')).entries()];
  const cells = (of: readonly (readonly [string, readonly Notice[]])[]): string =>
    looked.map((budget) => share(of.filter(([, own]) => isCaught(own, budget)).length, of.length)).join('');
  const rows = families.map(([family, own]) => [`${family} (${own.length})`.padEnd(14), cells(own)].join(''));
  const missed = looked.map((budget) => {
    const names = catchable.filter(([, own]) => !isCaught(own, budget)).map(([fault]) => fault);
    return `missed within ${budget ?? 'no budget'}: ${names.length === 0 ? 'none' : names.join(', ')}`;
  });
  const never = [...byFault].filter(([, own]) => !own.some(({ caught }) => caught)).map(([fault]) => fault);
  return [
    [''.padEnd(14), looked.map((budget) => String(budget ?? 'none').padStart(16)).join('')].join(''),
    ...rows,
    [`all (${catchable.length})`.padEnd(14), cells(catchable)].join(''),
    ...missed,
    ...(never.length === 0 ? [] : [`caught by no run: ${never.join(', ')}`]),
  ].join('\n');
}

function isCaught(own: readonly Notice[], budget: number | null): boolean {
  const here = own.find((one) => one.budget === budget);
  if (here !== undefined) return here.caught;
  return own.some((one) => one.caught && one.budget !== null && one.budget < (budget ?? Number.MAX_VALUE));
}

function share(count: number, of: number): string {
  return `${count} ${((100 * count) / Math.max(1, of)).toFixed(1).padStart(6)} %`.padStart(16);
}

function familyOf(clause: string): string {
  return clause.slice(0, clause.lastIndexOf('-'));
}
