// Writes numbers for readers, and the noun or the verb that goes with each.

/** With thousands separators, the same on every machine: 1,674. Asked so often that what needs none is spared them. */
export function number(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : Number(value).toLocaleString('en-US');
}

/** "1 clause", "1,674 operations"; with a verb where both forms have it: "1 run is", "2 runs are". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** "the one clause tested holds", "all 9 clauses tested hold"; of none: "all 0 clauses tested hold". */
export function allHold(count: number, one: string, many: string): string {
  return count === 1 ? `the one ${one} holds` : `all ${number(count)} ${many} hold`;
}
