// Holds all that was seen of a limiter against the limit and the resets that its headers tell, as each kind would have them. Measured models
// rest on the time between calls, which a busy sender or a slow way blurs: all calls together still tell which kinds explain them. Pure.
import type { Interval } from '../contract/load-part.ts';
import { fitting, lengthsWithin } from './fit.ts';
import type { LimiterModel, ModelKind } from './models.ts';
import type { Costs, Observed } from './observed.ts';

/** The kinds of the told limit that explain what was seen, and the windows with which they do. */
export interface AsTold {
  readonly kinds: readonly ModelKind[];
  readonly windowMs: Interval;
}

/** Lengths of a window that are tried, and times at which those of the clock may begin: a reset that is told in seconds is rounded. */
const LENGTHS_TRIED = 25;
const PHASES_MS = [-400, -200, 0, 200, 400] as const;
/** Calls by which one kind may explain what was seen less well than another, by chance. */
const MAX_CALLS_BY_CHANCE = 12;

/** Null where nothing was refused, where no kind of the limit explains what was seen, and where a bucket does as well as others. */
export function asTold(observed: readonly Observed[], costs: Costs, limit: number): AsTold | null {
  if (observed.every(({ outcome }) => outcome !== 'refused')) return null;
  const fits = fitting(modelsOf(observed, limit), observed, costs, MAX_CALLS_BY_CHANCE);
  const kinds = [...new Set(fits.map(({ kind }) => kind))];
  const lengths = fits.map(({ windowMs }) => windowMs).toSorted((one, other) => one - other);
  const [least, most, best] = [lengths[0], lengths.at(-1), lengths[Math.floor(lengths.length / 2)]];
  const isTold = kinds.length === 1 || !kinds.includes('token-bucket');
  return least === undefined || most === undefined || best === undefined || !isTold
    ? null
    : { kinds, windowMs: { least, best, most } };
}

/** Every kind, its window as long as the longest time to a reset; none where no reset was told. */
function modelsOf(observed: readonly Observed[], limit: number): readonly LimiterModel[] {
  const told = observed.flatMap(({ outcome, reset, sentMs, answeredMs }) =>
    outcome === 'refused' || reset === null
      ? []
      : [{ reset, least: reset.earliestMs - answeredMs, most: reset.latestMs - sentMs }],
  );
  const resets = told.map(({ reset }) => (reset.earliestMs + reset.latestMs) / 2);
  const [firstMs, lastMs] = [Math.min(...resets), Math.max(...resets)];
  const [least, most] = [Math.max(...told.map((one) => one.least)), Math.max(...told.map((one) => one.most))];
  const lengths =
    told.length === 0 ? [] : lengthsWithin({ least, best: most, most }, LENGTHS_TRIED).filter((ms) => ms > 0);
  // Windows of the clock lie whole lengths apart: the farther apart, the better is their length known.
  const clocks = [...new Set(lengths.map((ms) => (lastMs - firstMs) / Math.round((lastMs - firstMs) / ms)))];
  return [
    ...clocks
      .filter(Number.isFinite)
      .flatMap((windowMs) =>
        PHASES_MS.flatMap((ms) => BY_CLOCK.map((kind) => ({ kind, limit, windowMs, phaseMs: lastMs + ms }))),
      ),
    ...lengths.flatMap((windowMs) => BY_CALLS.map((kind) => ({ kind, limit, windowMs, phaseMs: 0 }))),
  ];
}

const BY_CLOCK = ['fixed-aligned', 'sliding-counter'] as const;
const BY_CALLS = ['fixed-first-hit', 'sliding-log', 'token-bucket'] as const;
