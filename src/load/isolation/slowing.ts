// Decides whether one key at its ceiling slows another. The same calls were timed at rest and under pressure, in turn;
// a quantile of few samples is known to an interval of ranks only, and the machine is never equally fast. A shift is
// sure only where even the fastest time of pressure was slower than the slowest rest. Pure.
import type { IsolationPart, Slowing } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

const SHARES = [0.5, 0.9] as const;
const ORDER = ['none', 'open', 'sure'] as const;
/** Two-sided 95 %. */
const Z = 1.96;
const MIN_SAMPLES = 10;
/** Senders know whole milliseconds: what differs by so little is no shift. ms. */
const MIN_SHIFT_MS = 5;
const MIN_COMPARED_MS = 0.5;
/** Calls sent later than this, and than an answer takes, show a generator that is busy itself. ms. */
const LATE_MS = 20;

/** Durations, ms, of each rest and of each time of pressure; `lateMs`: how late the calls under pressure were sent. */
export interface Timed {
  readonly rests: readonly (readonly number[])[];
  readonly pressed: readonly (readonly number[])[];
  readonly lateMs: readonly number[];
}

/** The shift at the median or the 90th percentile, whichever is surer. */
export function slowingOf({ rests, pressed, lateMs }: Timed): Slowing {
  const [calm, under] = [rests.flat(), pressed.flat()];
  const shown = {
    p50RestMs: quantile(calm, 0.5),
    p50PressedMs: quantile(under, 0.5),
    p90RestMs: quantile(calm, 0.9),
    p90PressedMs: quantile(under, 0.9),
  };
  const none = (unknown: string): Slowing => ({ ...shown, factor: null, shift: 'none', unknown });
  const telling = { rests: rests.filter(isTelling), pressed: pressed.filter(isTelling) };
  if (telling.rests.length < 2 || telling.pressed.length === 0)
    return none(`too few calls: ${calm.length} at rest, ${under.length} under pressure`);
  const late = quantile(lateMs, 0.9) ?? 0;
  if (late > Math.max(LATE_MS, shown.p90PressedMs ?? 0)) return none(`calls were sent ${Math.round(late)} ms late`);
  const surest = SHARES.map((share) => shiftAt(telling, share)).reduce((one, other) =>
    ORDER.indexOf(other.shift) > ORDER.indexOf(one.shift) ||
    (other.shift === one.shift && other.factor.least > one.factor.least)
      ? other
      : one,
  );
  return { ...shown, ...surest, unknown: null };
}

function isTelling(durations: readonly number[]): boolean {
  return durations.length >= MIN_SAMPLES;
}

function shiftAt({ rests, pressed }: Pick<Timed, 'rests' | 'pressed'>, share: number) {
  const calm = rests.map((durations) => interval(durations, share));
  const under = pressed.map((durations) => interval(durations, share));
  const slowestRest = Math.max(...calm.map(({ most }) => most));
  const fastestPressed = Math.min(...under.map(({ least }) => least));
  const [rest, press] = [quantile(rests.flat(), share) ?? 0, quantile(pressed.flat(), share) ?? 0];
  const factor = {
    least: ratio(fastestPressed, slowestRest),
    best: ratio(press, rest),
    most: ratio(Math.max(...under.map(({ most }) => most)), Math.min(...calm.map(({ least }) => least))),
  };
  const isSure = fastestPressed - slowestRest >= MIN_SHIFT_MS;
  return { factor, shift: isSure ? 'sure' : press - rest >= MIN_SHIFT_MS ? 'open' : 'none' } as const;
}

function ratio(over: number, under: number): number {
  const exact = Math.max(over, MIN_COMPARED_MS) / Math.max(under, MIN_COMPARED_MS);
  return Math.round(exact * 100) / 100;
}

/** The lowest and highest value that the quantile can have, 95 % sure: ranks by the normal approximation to the binomial. */
function interval(values: readonly number[], share: number): { readonly least: number; readonly most: number } {
  const sorted = values.toSorted((left, right) => left - right);
  const spread = Z * Math.sqrt(sorted.length * share * (1 - share));
  const at = (rank: number): number => sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? 0;
  return { least: at(Math.floor(sorted.length * share - spread)), most: at(Math.ceil(sorted.length * share + spread)) };
}

/** Null of no values. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** How late each call was sent of calls that were due evenly, by when they were sent. ms. */
export function latenessOf(sentMs: readonly number[]): readonly number[] {
  const [first = 0] = sentMs;
  const everyMs = ((sentMs.at(-1) ?? first) - first) / Math.max(1, sentMs.length - 1);
  const after = sentMs.map((ms, at) => ms - first - at * everyMs);
  const earliest = Math.min(...after);
  return after.map((ms) => ms - earliest);
}

/**
 * The report with the verdict that slowing gives it, where the configuration tells how much is too much: a factor that
 * surely lies above the objective fails the run; one that may leaves it without a verdict.
 */
export function judgedIsolation(report: Report, { slowdown, keys }: IsolationPart): Report {
  if (slowdown === null || report.verdict === 'fail') return report;
  const pairs = keys.flatMap(({ key, others }) => others.map((other) => ({ key, other: other.key, ...other.slowing })));
  const beyond = pairs.filter(({ factor, shift }) => shift !== 'none' && (factor?.best ?? 0) > slowdown);
  const over = beyond.find(({ factor, shift }) => shift === 'sure' && (factor?.least ?? 0) > slowdown);
  const noted = (verdict: 'fail' | 'none', said: string): Report => ({
    ...report,
    verdict,
    run: { ...report.run, note: `isolation: ${said}` },
  });
  if (over !== undefined)
    return noted(
      'fail',
      `key ${over.other} answers ${over.factor?.best} times as slowly while ${over.key} is at its ceiling, ${slowdown} are allowed`,
    );
  const open = pairs.find(({ unknown }) => unknown !== null) ?? beyond[0];
  if (open === undefined) return report;
  const why = open.unknown ?? `${open.factor?.least} to ${open.factor?.most} times as slow, ${slowdown} are allowed`;
  return noted('none', `key ${open.other} beside ${open.key}: ${why}`);
}
