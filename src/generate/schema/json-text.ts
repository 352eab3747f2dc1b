// Equality of JSON values.

/** The same text for equal values, whatever the order of their members. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join()}}`;
}

export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && textOf(left) === textOf(right);
}
