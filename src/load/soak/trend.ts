// Decides whether a series of slices rises beyond chance, and by how much. Ranks only: no shape of noise is assumed. Pure.

export interface Trend {
  /** Mann–Kendall's statistic in units of its own spread, neighbours that go together allowed for: up (> 0) or down. */
  readonly z: number;
  /** How much the last third lies above the first, as a share (0.1: 10 %), with its interval, 95 % sure. */
  readonly rise: number;
  readonly least: number;
  readonly most: number;
}

/** Above it a rise is no chance: one series of 200 without a trend gets there. */
const MIN_Z_BEYOND_CHANCE = 2.576;
/** A rise that is surely at least this large is worth telling. */
const MIN_RISE = 0.05;
/** Fewer slices tell no trend. */
const MIN_SLICES = 10;
const Z95 = 1.96;
/** More is not taken off: a rise without noise is smooth, too, and must still be told of thirty slices. */
const MAX_SHARE_TOGETHER = 0.7;

/** The trend of a series; a value of 0 is none: nothing was measured then. null where it is too short. */
export function trendOf(all: readonly number[]): Trend | null {
  const values = all.filter((value) => value > 0);
  if (values.length < MIN_SLICES) return null;
  const third = Math.floor(values.length / 3);
  return { z: mannKendall(values) / Math.sqrt(weight(values)), ...shift(values.slice(0, third), values.slice(-third)) };
}

/** Tells whether the series rises: beyond chance, and by enough to matter. */
export function isDrift({ z, least }: Trend): boolean {
  return z > MIN_Z_BEYOND_CHANCE && least > MIN_RISE;
}

/** Mann–Kendall with the correction for ties: of all pairs, how many more rise than fall. */
export function mannKendall(values: readonly number[]): number {
  let pairs = 0;
  for (const [at, value] of values.entries())
    for (const later of values.slice(at + 1)) pairs += Math.sign(later - value);
  const count = values.length;
  const tied = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length);
  const spread = (size: number): number => size * (size - 1) * (2 * size + 5);
  const variance = (spread(count) - tied.reduce((sum, size) => sum + spread(size), 0)) / 18;
  return variance === 0 ? 0 : (pairs - Math.sign(pairs)) / Math.sqrt(variance);
}

/**
 * How many values count as one, since what disturbs a machine lasts longer than a slice: for a correlation c of neighbours
 * (1 + c) / (1 - c). It is taken from the differences, which a slow rise does not move.
 */
function weight(values: readonly number[]): number {
  const steps = values.slice(1).map((value, at) => Math.log(value / (values[at] ?? value)));
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  const around = steps.map((step) => step - mean);
  const own = around.reduce((sum, step) => sum + step ** 2, 0);
  const next = around.slice(1).reduce((sum, step, at) => sum + step * (around[at] ?? 0), 0);
  const together = own === 0 ? 0 : Math.min(MAX_SHARE_TOGETHER, Math.max(0, 1 + (2 * next) / own));
  return (1 + together) / (1 - together);
}

/** How much the late values lie above the early ones: the median of all ratios (Hodges–Lehmann), and the ranks about it. */
function shift(early: readonly number[], late: readonly number[]): Omit<Trend, 'z'> {
  const ratios = early.flatMap((before) => late.map((after) => after / before)).sort((left, right) => left - right);
  const sizes = early.length * late.length;
  const reach = Z95 * Math.sqrt((sizes * (early.length + late.length + 1)) / 12);
  const edge = Math.max(0, Math.floor(sizes / 2 - reach));
  const at = (rank: number): number => (ratios[rank] ?? 1) - 1;
  const middle = (at(Math.floor((sizes - 1) / 2)) + at(Math.ceil((sizes - 1) / 2))) / 2;
  return { rise: middle, least: at(edge), most: at(sizes - 1 - edge) };
}

/** Requests of a slice, and those of them that failed. */
export interface Failing {
  readonly count: number;
  readonly errors: number;
}

/** From which slice on more fails than before, beyond chance; null where nothing begins. */
export function onsetOf(slices: readonly Failing[]): { readonly slice: number } | null {
  const shares = slices.map(({ count, errors }) => (count === 0 ? 0 : errors / count));
  if (slices.length < MIN_SLICES || mannKendall(shares) <= MIN_Z_BEYOND_CHANCE) return null;
  let best = { slice: 0, gain: 0 };
  for (let slice = 1; slice < slices.length; slice += 1) {
    const before = total(slices.slice(0, slice));
    const after = total(slices.slice(slice));
    const gain = likelihood(before) + likelihood(after) - likelihood(total(slices));
    if (gain > best.gain && after.errors * before.count > before.errors * after.count) best = { slice, gain };
  }
  return best.gain > MIN_GAIN ? { slice: best.slice } : null;
}

/** Twice as much is χ² of one degree: chance gets there once in ten thousand splits. */
const MIN_GAIN = 7.6;

function total(slices: readonly Failing[]): Failing {
  return slices.reduce((sum, { count, errors }) => ({ count: sum.count + count, errors: sum.errors + errors }), {
    count: 0,
    errors: 0,
  });
}

/** Log-likelihood of the share that was seen. */
function likelihood({ count, errors }: Failing): number {
  const part = (hits: number): number => (hits === 0 ? 0 : hits * Math.log(hits / count));
  return part(errors) + part(count - errors);
}
