// Requests in which valid targets of two places stand together, each such pair once, as far as the schema allows: what fails only
// where two values meet shows so. A covering array of strength two, made greedily, one request after the other.
// Source: Cohen, Dalal, Fredman, Patton, "The AETG system: an approach to testing based on combinatorial design", 1997.
import type { Candidate, DrawFrom } from './candidates.ts';
import { Attempt, type Chosen, type InputValues, isTaken, type Open, overlap, Row } from './choice.ts';

/** Values of one place, and places of one operation, that are paired: pairs grow with the square of both. */
const [MAX_VALUES, MAX_PLACES] = [5, 16];
/** Values between the bounds, and those that only make a request long, meet others no differently. */
const PAIRED =
  /^(absent|minimum|maximum|minimum length|maximum length|empty|null|true|false|branch \d+|enum value .*)$/;

/** The targets that are paired, in their order. */
export function pairedOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const places = Map.groupBy(
    candidates.filter(({ target }) => PAIRED.test(target.kind)),
    ({ target }) => target.at,
  );
  const varied = [...places.values()].filter((values) => values.length > 1);
  return varied.slice(0, MAX_PLACES).flatMap(spread);
}

/** The first and the last value of a place, and some between them. */
function spread(values: readonly Candidate[]): readonly Candidate[] {
  if (values.length <= MAX_VALUES) return values;
  const step = (values.length - 1) / (MAX_VALUES - 1);
  return Array.from({ length: MAX_VALUES }, (_, index) => values[Math.round(index * step)]).filter(
    (value) => value !== undefined,
  );
}

/** Pairs of targets by index that no request holds yet. */
class OpenPairs {
  readonly #open: readonly Set<number>[];

  constructor(paired: readonly Candidate[]) {
    this.#open = paired.map(
      (one, index) =>
        new Set(
          paired.flatMap((other, at) => (at > index && !overlap(one, other) && !overlap(other, one) ? [at] : [])),
        ),
    );
  }

  next(): readonly [number, number] | null {
    for (const [one, others] of this.#open.entries()) for (const other of others) return [one, other];
    return null;
  }

  /** How many open pairs the target makes with the others. */
  gain(target: number, others: readonly number[]): number {
    return others.filter((other) => this.#open[Math.min(target, other)]?.has(Math.max(target, other))).length;
  }

  close(targets: readonly number[]): void {
    for (const one of targets) for (const other of targets) if (other > one) this.#open[one]?.delete(other);
  }
}

/**
 * Yields requests until every pair of the targets stands in one of them, or can stand in none. `before`: requests that were sent
 * already. Ends where the effort for one request was not enough to find a pair that goes together.
 */
export function* pairwise(
  { inputs, base, candidates: paired, supports }: Open,
  before: readonly InputValues[],
  from: (round: number) => DrawFrom,
): Generator<Chosen> {
  const open = new OpenPairs(paired);
  const heldBy = (values: InputValues): readonly number[] =>
    paired.flatMap((candidate, index) => (isTaken(values, candidate) ? [index] : []));
  for (const values of before) open.close(heldBy(values));
  let round = 0;
  let attempt = new Attempt(inputs, supports, from(round));
  for (let pair = open.next(); pair !== null && !attempt.effort.isSpent; pair = open.next()) {
    const row = new Row(attempt, base);
    const [one, other] = pair.map((index) => paired[index] as Candidate) as [Candidate, Candidate];
    const isFeasible = (row.take(one) && row.take(other)) || (row.reset() && row.take(other) && row.take(one));
    open.close(pair);
    if (!isFeasible) continue;
    const left = new Set(paired.keys());
    while (!attempt.effort.isSpent) {
      // Values of the base give way to others later on: only what was taken counts.
      const taken = paired.flatMap((candidate, index) => (row.candidates.includes(candidate) ? [index] : []));
      const best = mostOf([...left], (index) => open.gain(index, taken));
      if (best === null) break;
      left.delete(best);
      row.take(paired[best] as Candidate);
    }
    open.close(heldBy(row.values));
    yield row.chosen;
    round += 1;
    attempt = new Attempt(inputs, supports, from(round));
  }
}

/** The index with the highest gain; null where none gains anything. */
function mostOf(indexes: readonly number[], gainOf: (index: number) => number): number | null {
  let [best, most]: [number | null, number] = [null, 0];
  for (const index of indexes) {
    const gain = gainOf(index);
    if (gain > most) [best, most] = [index, gain];
  }
  return best;
}
