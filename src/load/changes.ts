// How a load run compares with an earlier one of its suite: latency, errors and rate where both sent the same load, capacity and
// ceilings wherever they were measured. Each figure has bounds, so that what may be chance is told from a change. Pure.
import type { Latency } from '../contract/latency.ts';
import type {
  CapacityPart,
  CapacityStep,
  Known,
  LoadChange,
  LoadChanges,
  LoadPart,
  PlanCeiling,
} from '../contract/load-part.ts';
import type { Report } from '../contract/report.ts';
import { addLatencies, latencyClasses, latencyCount, longestMs, tellsPercentile } from '../grading/latency.ts';
import { rateInterval } from './capacity/objectives.ts';

/** Two-sided 95 %. */
const Z = 1.96;
/** Differences below this share, or this many ms, are noise even where the bounds are narrower: another process makes as much. */
const MIN_SHARE = 0.1;
const MIN_MS = 1;
const PERCENTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** `result`: that of the earlier run in one sentence. Parts of another shape are compared in nothing. */
export function loadChanges(earlier: Report, later: Report, result: string): LoadChanges {
  const [before, now] = [earlier, later].map(({ load }) => Object(load) as Partial<LoadPart>) as [
    Partial<LoadPart>,
    Partial<LoadPart>,
  ];
  const { id, startedAt } = earlier.run;
  const said = { run: id, startedAt, verdict: earlier.verdict, result };
  const limits = ceilingsOf(before, now);
  const differs = whatDiffers(before, now);
  if (differs !== null) return { ...said, differs, figures: limits };
  return { ...said, differs: null, figures: [...capacitiesOf(before, now), ...figuresOf(before, now), ...limits] };
}

/** Why the loads cannot be held beside each other; null where they can. */
function whatDiffers(before: Partial<LoadPart>, now: Partial<LoadPart>): string | null {
  const rates = [before, now].map(ratesOf);
  if (rates[0] !== rates[1]) return `it sent ${rates[0]}, this run ${rates[1]}`;
  const operations = [before, now].map((part) => operationsOf(part).join(', '));
  if (mainOf(before) === null || mainOf(now) === null) return null;
  return operations[0] === operations[1] ? null : 'it called other operations';
}

/** The load that a run was to send, in words; a search finds its rates by itself. */
function ratesOf({ soak, spike, pressure }: Partial<LoadPart>): string {
  if (spike !== undefined) return `${spike.before.rps} → ${spike.peak.rps} requests/s for ${spike.peak.seconds} s`;
  if (soak !== undefined) return `${soak.rps} requests/s`;
  return pressure === undefined ? 'what it found' : `${Math.round(pressure.rps)} requests/s (${pressure.mode})`;
}

function operationsOf({ operations = [] }: Partial<LoadPart>): readonly string[] {
  return (operations.at(-1)?.rows ?? []).map(({ operation }) => operation).sort();
}

/** The part of a run that is compared, and the names of its steps; null where there is none. */
export function mainOf({ spike, soak, pressure, capacity }: Partial<LoadPart>): {
  readonly figures: CapacityStep;
  /** Percentiles as the run tells them elsewhere; the bounds are those of its classes. */
  readonly told: Readonly<Record<keyof typeof PERCENTILES, number | undefined>>;
  readonly steps: readonly string[];
} | null {
  if (spike !== undefined) return { ...partOf(spike.peak), steps: [spike.peak.step ?? ''] };
  if (soak !== undefined) return { ...partOf({ ...soak, step: '' }), steps: soak.slices.map(({ step = '' }) => step) };
  if (pressure !== undefined) return { ...partOf(pressure.figures), steps: [pressure.figures.step ?? ''] };
  const met = (capacity?.steps ?? []).filter(({ rps, decision }) => rps === capacity?.met && decision === 'met');
  const [first] = met;
  if (first === undefined || capacity === undefined) return null;
  const told = { p50: capacity.p50Ms, p95: undefined, p99: capacity.p99Ms };
  return { figures: first, told, steps: met.flatMap(({ step }) => step ?? []) };
}

function partOf(figures: CapacityStep): Pick<NonNullable<ReturnType<typeof mainOf>>, 'figures' | 'told'> {
  return { figures, told: { p50: figures.p50Ms, p95: figures.p95Ms, p99: figures.p99Ms } };
}

/** Latency, errors and rate of what both sent alike; nothing where searches settled on different rates. */
function figuresOf(before: Partial<LoadPart>, now: Partial<LoadPart>): readonly LoadChange[] {
  const [was, is] = [mainOf(before), mainOf(now)];
  if (was === null || is === null || was.figures.rps !== is.figures.rps) return [];
  const [slow, fast] = [latencyIn(before, was.steps), latencyIn(now, is.steps)];
  const latencies = (['p50', 'p95', 'p99'] as const).flatMap((figure) => {
    const share = PERCENTILES[figure];
    const [one, other] = [percentileOf(slow, share, was.told[figure]), percentileOf(fast, share, is.told[figure])];
    return changeOf(figure, 'ms', one, other);
  });
  // Steps of a search are several, and their figures those of one.
  if (before.capacity !== undefined) return latencies;
  const shares = (['errors', '429'] as const).flatMap((figure) =>
    changeOf(figure, 'share', shareOf(was.figures, figure), shareOf(is.figures, figure)),
  );
  return [
    ...latencies,
    ...shares.filter(({ figure, before: one, now: other }) => figure !== '429' || one.value + other.value > 0),
    ...changeOf('rate', 'requests/s', sentOf(was.figures), sentOf(is.figures)),
  ];
}

function latencyIn({ series = [] }: Partial<LoadPart>, steps: readonly string[]): Latency {
  const own = series.flatMap((lane) => lane.steps).filter(({ step }) => steps.includes(step));
  return addLatencies(own.map(({ latency }) => latency));
}

/** The percentile with the ranks that it can have, to the edges of their classes; null where the answers are too few for it. */
function percentileOf(latency: Latency, share: number, told: number | undefined): Known | null {
  const count = latencyCount(latency);
  if (!tellsPercentile(count, share)) return null;
  const spread = Z * Math.sqrt(count * share * (1 - share));
  const classes = latencyClasses(latency);
  const classAt = (rank: number) => {
    let seen = 0;
    const found = classes.find(({ count: own }) => {
      seen += own;
      return seen >= rank;
    });
    return found ?? classes.at(-1);
  };
  const [least, best, most] = [-spread, 0, spread].map((by) =>
    classAt(Math.min(count, Math.max(1, count * share + by))),
  );
  const value = told ?? best?.ms ?? 0;
  const [from, to] = [longestMs((least?.index ?? 0) - 1), longestMs(most?.index ?? 0)];
  return { value, least: Math.min(value, from), most: Math.max(value, to) };
}

/** Maximum share of the due requests that may go unsent where the share of errors is still compared. */
const MAX_UNSENT_SHARE = 0.01;

/** Tells whether so much was never sent that shares of the rest say little of the whole. */
export function isUnsent({ rps, seconds, dropped }: CapacityStep): boolean {
  return dropped > MAX_UNSENT_SHARE * rps * seconds;
}

/** A share of what was answered, with Wilson's interval; null where the report does not say of how many, or much was never sent. */
function shareOf(step: CapacityStep, figure: 'errors' | '429'): Known | null {
  const { answers, errorRate, limitedRate } = step;
  const value = figure === 'errors' ? errorRate : limitedRate;
  if (answers === undefined || answers === 0 || isUnsent(step)) return null;
  const count = answers / (1 - limitedRate);
  const { least, most } = rateInterval(value * count, count);
  return { value, least: Math.min(least, value), most };
}

/** Requests a second that were really sent. */
function sentOf({ rps, seconds, dropped }: CapacityStep): Known {
  const value = rps - dropped / seconds;
  return { value, least: value, most: value };
}

function capacitiesOf({ capacity: before }: Partial<LoadPart>, { capacity: now }: Partial<LoadPart>) {
  return before === undefined || now === undefined
    ? []
    : changeOf('capacity', 'requests/s', bracketOf(before), bracketOf(now));
}

/** The highest rate that met the objectives, and the lowest that missed them; null where none did. */
export function bracketOf({ met, missed, steps }: CapacityPart): Known | null {
  if (met === null) return null;
  const isMissed = steps.some(({ rps, decision }) => rps === missed && decision === 'missed');
  return { value: met, least: met, most: isMissed ? missed : null };
}

function ceilingsOf(
  { plans: before = [] }: Partial<LoadPart>,
  { plans: now = [] }: Partial<LoadPart>,
): readonly LoadChange[] {
  return now.flatMap((row) => {
    const was = before.find(({ key }) => key === row.key);
    const [one, other] = [was, row].map((plan) => (plan === undefined ? null : limitOf(plan)));
    return changeOf(`limit of ${row.key}`, 'calls', one ?? null, other ?? null);
  });
}

/** Null where it is not known within bounds. */
export function limitOf({ limit, limitBounds }: PlanCeiling): Known | null {
  return limitBounds == null || limit === null
    ? null
    : { value: limit, least: limitBounds.least, most: limitBounds.most };
}

/** The change, none where a value is not known. */
function changeOf(
  figure: string,
  unit: LoadChange['unit'],
  before: Known | null,
  now: Known | null,
): readonly LoadChange[] {
  if (before === null || now === null) return [];
  return [{ figure, unit, before, now, noise: isNoise(unit, before, now) }];
}

function isNoise(unit: LoadChange['unit'], before: Known, now: Known): boolean {
  const most = ({ most: one }: Known): number => one ?? Number.POSITIVE_INFINITY;
  // Brackets that touch have no rate in common.
  const overlap =
    unit === 'requests/s'
      ? before.least < most(now) && now.least < most(before)
      : before.least <= most(now) && now.least <= most(before);
  const apart = Math.abs(now.value - before.value);
  // Limits are counts, and errors have their own interval: each difference beyond the bounds is one.
  if (overlap || unit === 'calls' || unit === 'share') return overlap || apart === 0;
  return apart < MIN_SHARE * before.value || (unit === 'ms' && apart < MIN_MS);
}
