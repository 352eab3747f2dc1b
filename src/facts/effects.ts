// How many effects requests had, as a witness shows: a list that grows, or a thing that changes.

export interface Effects {
  /** There were at least and at most so many. */
  readonly least: number;
  readonly most: number;
  /** "store_1, store_2", or "balance of /wallets/w1 goes from 10 to 30". */
  readonly told: string;
  /** The member of the thing that shows them; null for ids of a list. */
  readonly member: string | null;
}

const MAX_IDS_TOLD = 4;

/** One for each id that a list or an answer shows. */
export function effectsOf(ids: readonly string[]): Effects {
  const told = ids.slice(0, MAX_IDS_TOLD).join(', ');
  return { least: ids.length, most: ids.length, told, member: null };
}

/** The same without so many of them; with more for a negative number. */
export function fewer({ least, most, ...shown }: Effects, count: number): Effects {
  return { least: least - count, most: most - count, ...shown };
}
