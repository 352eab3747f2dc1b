// One thing that requests to an operation are to try: a value at a place, a keyword broken there, hostile input in a location.

export interface Target {
  /** Where: "/query/limit", "/header/X-Trace", "/body/items/0/price" with "*" for the index. */
  readonly at: string;
  /** Kind of value: "absent", "minimum", "branch 2", "enum value card", "breaks maxLength", "hostile nul". */
  readonly kind: string;
}

/** A target that no request is made for, and why: the description has more of its sort than a run can try. */
export interface CutTarget extends Target {
  readonly note: string;
}

/** Tells targets of one operation apart. */
export function targetKey({ at, kind }: Target): string {
  return `${at} ${kind}`;
}
