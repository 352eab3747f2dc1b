// What a pass rests on: measures of what was looked at, and the floor of each clause. A pass below its floor decides nothing:
// the clause is not tested there. A breach needs no floor.

/**
 * What a judgement can rest on. answers: of the target. comparisons: of several answers. descriptions: files that describe it.
 * items: in a list. pages: that the list has at a limit that was used. overLimits: limits above the maximum that were answered
 * by a maximum, stated or shown. windows: of a limit, exhausted. hostile: inputs. successes: of the same operation, or of any
 * where the judgement belongs to none. effects: of one key, as a list shows them. services: that take the same keys.
 * deliveries: of webhooks. scenarios: that a client met.
 */
export type Measure =
  | 'answers'
  | 'comparisons'
  | 'descriptions'
  | 'items'
  | 'pages'
  | 'overLimits'
  | 'windows'
  | 'hostile'
  | 'successes'
  | 'effects'
  | 'services'
  | 'deliveries'
  | 'scenarios';

/** How much of each measure a judgement rests on. */
export type Grounds = Readonly<Partial<Record<Measure, number>>>;

const A_DESCRIPTION: Grounds = { descriptions: 1 };
const AN_ANSWER: Grounds = { answers: 1 };
const TWO_ANSWERS: Grounds = { answers: 2 };
const A_COMPARISON: Grounds = { comparisons: 1 };
/** What refuses every request shows nothing by refusing one more. */
const A_REFUSAL: Grounds = { answers: 1, successes: 1 };
const TWO_PAGES: Grounds = { items: 3, pages: 2 };
const ONE_WINDOW: Grounds = { windows: 1 };
const A_SCENARIO: Grounds = { scenarios: 1 };
const TWO_SCENARIOS: Grounds = { scenarios: 2 };

/** What a pass needs at least, for each clause of the contract. */
export const FLOORS: Readonly<Record<string, Grounds>> = {
  'SPEC-01': A_DESCRIPTION,
  'SPEC-02': A_DESCRIPTION,
  'SPEC-03': A_DESCRIPTION,
  'SPEC-04': A_DESCRIPTION,
  'SPEC-05': A_DESCRIPTION,
  'SPEC-06': A_DESCRIPTION,
  'SPEC-07': A_DESCRIPTION,
  'SPEC-08': A_DESCRIPTION,
  'SPEC-09': A_DESCRIPTION,
  'SPEC-10': A_DESCRIPTION,
  'SCH-01': AN_ANSWER,
  'SCH-02': AN_ANSWER,
  'SCH-03': AN_ANSWER,
  'SCH-04': AN_ANSWER,
  'SCH-05': AN_ANSWER,
  'SCH-06': AN_ANSWER,
  'SCH-07': AN_ANSWER,
  'SCH-08': AN_ANSWER,
  'SCH-09': AN_ANSWER,
  'ERR-01': AN_ANSWER,
  'ERR-02': AN_ANSWER,
  'ERR-03': AN_ANSWER,
  'ERR-04': AN_ANSWER,
  'ERR-05': AN_ANSWER,
  // One id alone is shared with no other.
  'ERR-06': A_COMPARISON,
  'ERR-07': AN_ANSWER,
  'ERR-08': AN_ANSWER,
  'ERR-09': AN_ANSWER,
  'ERR-10': AN_ANSWER,
  'ERR-11': AN_ANSWER,
  'ERR-12': AN_ANSWER,
  'ERR-13': AN_ANSWER,
  'ERR-14': AN_ANSWER,
  'AUTH-01': A_REFUSAL,
  'AUTH-02': A_REFUSAL,
  'AUTH-03': A_REFUSAL,
  'AUTH-04': A_REFUSAL,
  'AUTH-05': { answers: 1, services: 2 },
  // An operation that answers nothing but errors may not ask for the token yet.
  'AUTH-06': A_REFUSAL,
  'AUTH-07': TWO_ANSWERS,
  'AUTH-08': A_REFUSAL,
  'REQ-01': A_REFUSAL,
  'REQ-02': A_REFUSAL,
  'REQ-03': A_REFUSAL,
  'REQ-04': A_REFUSAL,
  'REQ-05': A_REFUSAL,
  'REQ-06': A_REFUSAL,
  'REQ-07': A_REFUSAL,
  'REQ-08': A_REFUSAL,
  'REQ-09': { hostile: 1 },
  'PAG-01': AN_ANSWER,
  'PAG-02': TWO_PAGES,
  'PAG-03': { overLimits: 1 },
  'PAG-04': TWO_PAGES,
  'PAG-05': TWO_PAGES,
  'PAG-06': TWO_PAGES,
  'PAG-07': TWO_PAGES,
  'PAG-08': TWO_PAGES,
  'PAG-09': TWO_PAGES,
  'PAG-10': TWO_PAGES,
  'PAG-11': AN_ANSWER,
  'PAG-12': TWO_PAGES,
  'PAG-13': AN_ANSWER,
  'PAG-14': TWO_PAGES,
  'PAG-15': TWO_PAGES,
  'IDEM-01': TWO_ANSWERS,
  'IDEM-02': { effects: 1 },
  'IDEM-03': { answers: 2, effects: 1 },
  'IDEM-04': A_COMPARISON,
  'IDEM-05': TWO_ANSWERS,
  'IDEM-06': AN_ANSWER,
  'IDEM-07': AN_ANSWER,
  'IDEM-08': TWO_ANSWERS,
  'RATE-01': AN_ANSWER,
  'RATE-02': A_COMPARISON,
  'RATE-03': A_COMPARISON,
  'RATE-04': ONE_WINDOW,
  'RATE-05': AN_ANSWER,
  'RATE-06': A_COMPARISON,
  'RATE-07': A_COMPARISON,
  // Two plans.
  'RATE-08': A_COMPARISON,
  'RATE-09': TWO_ANSWERS,
  'RATE-10': ONE_WINDOW,
  'RATE-11': A_COMPARISON,
  'RATE-12': AN_ANSWER,
  'VER-01': TWO_ANSWERS,
  'VER-02': AN_ANSWER,
  'VER-03': AN_ANSWER,
  'RED-01': AN_ANSWER,
  'HEALTH-01': AN_ANSWER,
  'INT-01': A_REFUSAL,
  'LIFE-01': TWO_ANSWERS,
  'LIFE-02': TWO_ANSWERS,
  // Read, update, read.
  'LIFE-03': { answers: 3 },
  'LIFE-04': TWO_ANSWERS,
  'LIFE-05': TWO_ANSWERS,
  'LIFE-06': TWO_ANSWERS,
  'LIFE-07': TWO_ANSWERS,
  'LIFE-08': AN_ANSWER,
  'COND-01': { answers: 3 },
  'COND-02': TWO_ANSWERS,
  'COND-03': TWO_ANSWERS,
  'HOOK-01': { deliveries: 1 },
  'HOOK-02': { deliveries: 2 },
  'HOOK-03': { deliveries: 1 },
  'CLIENT-01': TWO_SCENARIOS,
  'CLIENT-02': TWO_SCENARIOS,
  // Both statuses, with seconds and with a date.
  'CLIENT-03': { scenarios: 4 },
  'CLIENT-04': A_SCENARIO,
  'CLIENT-05': TWO_SCENARIOS,
  'CLIENT-06': A_SCENARIO,
  'CLIENT-07': A_SCENARIO,
  'CLIENT-08': TWO_SCENARIOS,
  'CLIENT-09': A_SCENARIO,
  'CLIENT-10': TWO_SCENARIOS,
  'CLIENT-11': TWO_SCENARIOS,
};

interface Words {
  readonly one: string;
  readonly many: string;
}

const WORDS: Readonly<Record<Measure, Words>> = {
  answers: { one: 'answer', many: 'answers' },
  comparisons: { one: 'comparison', many: 'comparisons' },
  descriptions: { one: 'description', many: 'descriptions' },
  items: { one: 'item', many: 'items' },
  pages: { one: 'page', many: 'pages' },
  overLimits: { one: 'limit above the maximum', many: 'limits above the maximum' },
  windows: { one: 'exhausted window of one key', many: 'exhausted windows of one key' },
  hostile: { one: 'hostile input', many: 'hostile inputs' },
  successes: { one: 'success', many: 'successes' },
  effects: { one: 'effect', many: 'effects' },
  services: { one: 'service', many: 'services' },
  deliveries: { one: 'delivery', many: 'deliveries' },
  scenarios: { one: 'scenario', many: 'scenarios' },
};

/** "3 items", "1 page", "no exhausted window of one key". */
export function counted(measure: Measure, count: number): string {
  const { one, many } = WORDS[measure];
  return count === 0 ? `no ${one}` : `${withSeparators(count)} ${count === 1 ? one : many}`;
}

/** Asked so often that what needs no separators is spared them. */
function withSeparators(count: number): string {
  return count < 1000 ? String(count) : count.toLocaleString('en-US');
}

/** Whether this is enough for a pass of the clause. Asked of every judgement. */
export function meetsFloor(clause: string, grounds: Grounds): boolean {
  for (const { measure, least } of floorOf(clause)) if ((grounds[measure] ?? 0) < least) return false;
  return true;
}

/** What the clause lacks for a pass, in words ("1 item, 1 page to judge by; …"); null: nothing. */
export function lackOf(clause: string, grounds: Grounds): string | null {
  if (meetsFloor(clause, grounds)) return null;
  const floor = floorOf(clause);
  const had = floor.map(({ measure }) => counted(measure, grounds[measure] ?? 0)).join(', ');
  return `${had} to judge by; a pass needs at least ${floorInWords(clause)}`;
}

/** The clause's floor: "3 items and 2 pages". */
export function floorInWords(clause: string): string {
  return floorOf(clause)
    .map(({ measure, least }) => counted(measure, least))
    .join(' and ');
}

type Floor = readonly { readonly measure: Measure; readonly least: number }[];

const NO_FLOOR: Floor = [];
const floors: ReadonlyMap<string, Floor> = new Map(
  Object.entries(FLOORS).map(([clause, floor]) => {
    const measures = Object.entries(floor) as [Measure, number][];
    return [clause, measures.map(([measure, least]) => ({ measure, least }))];
  }),
);

function floorOf(clause: string): Floor {
  return floors.get(clause) ?? NO_FLOOR;
}

/** What a clause rests on in the whole run: measures that add up, and how large the lists are. */
export interface RowGrounds {
  readonly sums: Grounds;
  readonly lists?: { readonly count: number; readonly least: number; readonly most: number };
}

/** The grounds of several places as those of one row. */
export function rowGrounds(places: readonly Grounds[]): RowGrounds {
  const sizes = places.flatMap(({ items }) => items ?? []);
  const sums = summed(places.map(({ items: _items, pages: _pages, ...others }) => others));
  if (sizes.length === 0) return { sums };
  return { sums, lists: { count: sizes.length, least: Math.min(...sizes), most: Math.max(...sizes) } };
}

/** What several parts of a run rest on, together. `operations`: on how many it was judged; a list that two parts saw is one. */
export function joinedGrounds(parts: readonly RowGrounds[], operations: number): RowGrounds {
  const sums = summed(parts.map((part) => part.sums));
  const lists = parts.flatMap((part) => part.lists ?? []);
  if (lists.length === 0) return { sums };
  const count = lists.reduce((total, one) => total + one.count, 0);
  return {
    sums,
    lists: {
      count: Math.min(count, operations),
      least: Math.min(...lists.map(({ least }) => least)),
      most: Math.max(...lists.map(({ most }) => most)),
    },
  };
}

function summed(all: readonly Grounds[]): Grounds {
  const sums: Partial<Record<Measure, number>> = {};
  for (const [measure, count] of all.flatMap((one) => Object.entries(one) as [Measure, number][]))
    sums[measure] = (sums[measure] ?? 0) + count;
  return sums;
}

/**
 * What a row rests on, in words: "5 lists of 3 to 57 items", "412 answers of 48 operations". `operations`: on how many
 * operations it was judged; 0: on what belongs to none.
 */
export function basisOf({ sums, lists }: RowGrounds, operations: number): string {
  if (lists !== undefined) {
    const { count, least, most } = lists;
    const size = least === most ? counted('items', most) : `${withSeparators(least)} to ${counted('items', most)}`;
    return count === 1 ? `a list of ${size}` : `${withSeparators(count)} lists of ${size}`;
  }
  const of =
    operations === 0 ? '' : ` of ${operations === 1 ? 'one operation' : `${withSeparators(operations)} operations`}`;
  const { descriptions, windows, hostile, overLimits, deliveries, scenarios, answers, comparisons } = sums;
  const told = { windows, hostile, overLimits, deliveries, scenarios, answers, comparisons };
  const [first] = (Object.entries(told) as [Measure, number | undefined][]).filter(([, sum]) => sum !== undefined);
  if (first !== undefined) return counted(first[0], first[1] ?? 0) + of;
  if (descriptions === undefined) return '';
  return operations === 0 ? counted('descriptions', descriptions) : `the description${of}`;
}
