// Where a judgement belongs, and its key in the books of a run.

export interface Spot {
  readonly service: string | null;
  readonly operation: string | null;
}

/** Operation → key, by service: a run asks for the same few keys again and again, and equal strings are one. */
const keys = new Map<string | null, Map<string, string>>();

/** Key of an operation in the books; '' for what belongs to none. */
export function spotKey({ service, operation }: Spot): string {
  if (operation === null) return '';
  let known = keys.get(service);
  if (known === undefined) {
    known = new Map();
    keys.set(service, known);
  }
  let key = known.get(operation);
  if (key === undefined) {
    key = `${service} ${operation}`;
    known.set(operation, key);
  }
  return key;
}
