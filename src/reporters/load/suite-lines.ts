// Results of the load suites as lines of text, and which parts of a report have the shape that this version writes.

import type {
  CapacityPart,
  CapacityStep,
  Drift,
  ExportsPart,
  IsolatedKey,
  IsolationPart,
  IsolationRow,
  PlanCeiling,
  PressurePart,
  SoakPart,
  SpikePart,
} from '../../contract/load-part.ts';
import { number, plural } from '../../contract/numbers.ts';
import { tellsPercentile } from '../../grading/latency.ts';
import { rateText, shareText, threeDigits } from '../words.ts';
import { listOf, type Part, textOf } from './parts.ts';

/** "p99 7.8 ms", of fewer answers "p95 7.1 ms"; empty where they are too few for either. */
export function latencyWords({ rps, seconds, dropped, limitedRate, answers, p95Ms, p99Ms }: CapacityStep): string {
  const count = answers ?? (Math.round(rps * seconds) - dropped) * (1 - limitedRate);
  if (tellsPercentile(count, 0.99)) return `p99 ${threeDigits(p99Ms)} ms`;
  return p95Ms !== undefined && tellsPercentile(count, 0.95) ? `p95 ${threeDigits(p95Ms)} ms` : '';
}

/** Lines under a title; none where no capacity was searched, or the part has another shape. */
export function capacityLines(load: unknown): readonly string[] {
  const { capacity } = Object(load) as { readonly capacity?: unknown };
  if (!isCapacity(capacity)) return [];
  const { met, missed, open, steps, confidence, p50Ms, p99Ms } = capacity;
  const borne = missed === null ? '' : ' are sustained';
  const settled = open == null ? confidence : 'not settled';
  return [
    'Capacity',
    ...(met === null && missed === null ? ['  unknown, no step was decided'] : []),
    ...(met === null
      ? []
      : [
          `  ${missed === null ? 'at least ' : ''}${rateText(met, 'floor')} requests/s${borne}: p50 ${threeDigits(p50Ms)} ms, p99 ${threeDigits(p99Ms)} ms`,
        ]),
    ...(missed === null ? [] : [`  ${rateText(missed, 'ceil')} requests/s are not${whyMissed(steps, missed)}`]),
    `  ${plural(steps.length, 'step')}; ${settled}`,
  ];
}

/** ": missed by latency, p99 2160 ms"; empty where no step of the rate surely missed. */
function whyMissed(steps: CapacityPart['steps'], missed: number): string {
  const step = steps.find(({ rps, decision }) => rps === missed && decision === 'missed');
  if (step === undefined) return '';
  const latency = latencyWords(step);
  return `: ${step.why}${latency === '' ? '' : `, ${latency}`}`;
}

export function isCapacity(value: unknown): value is CapacityPart {
  const { steps, confidence, p50Ms, p99Ms } = Object(value) as Partial<CapacityPart>;
  return (
    Array.isArray(steps) && typeof confidence === 'string' && typeof p50Ms === 'number' && typeof p99Ms === 'number'
  );
}

const OBJECTIVES = {
  met: 'objectives met',
  missed: 'objectives missed',
  undecided: 'objectives undecided',
  void: 'not judged',
} as const;

/** Lines under a title; none where nothing was soaked, or the part has another shape. */
export function soakLines(load: unknown): readonly string[] {
  const { soak } = Object(load) as { readonly soak?: unknown };
  if (!isSoak(soak)) return [];
  const { rps, seconds, slices, p50Ms, p99Ms, errorRate, limitedRate, dropped, decision, why } = soak;
  const unsent = dropped > 0 ? `, ${number(dropped)} never sent` : '';
  return [
    'Soak',
    `  ${number(Math.round(rps * 10) / 10)} requests/s for ${number(Math.round(seconds))} s: p50 ${threeDigits(p50Ms)} ms, p99 ${threeDigits(p99Ms)} ms, errors ${shareText(errorRate)}, 429 ${shareText(limitedRate)}${unsent}`,
    `  ${OBJECTIVES[decision]}${decision === 'missed' || decision === 'undecided' ? `: ${why}` : ''}; ${slicesText(slices)}`,
    ...driftLine('p50', soak.p50Drift),
    ...driftLine('p99', soak.p99Drift),
    ...(soak.errorsFromSeconds == null
      ? []
      : [`  from ${Math.round(soak.errorsFromSeconds)} s on more requests fail than before`]),
  ];
}

/** How many slices met the objectives, and what it means where one by itself is too small to tell. */
function slicesText(slices: SoakPart['slices']): string {
  const by = Map.groupBy(slices, ({ decision }) => decision);
  const open = by.get('undecided') ?? [];
  if (open.length > 0 && open.length === slices.length)
    return `they are judged over the whole soak alone, for no slice tells by itself (${open[0]?.why}): a longer soak would`;
  const told = (['met', 'missed', 'void'] as const).flatMap((kind) => {
    const count = by.get(kind)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  if (open.length > 0) told.push(`${open.length} not telling by itself (${open[0]?.why})`);
  return `${plural(slices.length, 'slice')}: ${told.join(', ')}`;
}

function driftLine(name: string, drift: Drift | null | undefined): readonly string[] {
  if (drift == null || !drift.drifts) return [];
  const { rise, least, most } = drift;
  return [`  ${name} drifts: ${shareText(rise)} higher in the last third (${shareText(least)} to ${shareText(most)})`];
}

export function isSoak(value: unknown): value is SoakPart {
  const { slices, rps, seconds, p50Ms, p99Ms, why } = Object(value) as Partial<SoakPart>;
  return (
    Array.isArray(slices) &&
    slices.every((slice) => typeof slice === 'object' && slice !== null) &&
    [rps, seconds, p50Ms, p99Ms].every((one) => typeof one === 'number') &&
    typeof why === 'string'
  );
}

const FATES = {
  succeeded: 'succeeded',
  limited: '429',
  refused: 'other 4xx',
  serverErrors: '5xx',
  unanswered: 'no answer',
  dropped: 'never sent',
} as const;

/** Lines under a title; none where there was no spike, or the part has another shape. */
export function spikeLines(load: unknown): readonly string[] {
  const { spike } = Object(load) as { readonly spike?: unknown };
  if (!isSpike(spike)) return [];
  const { before, peak, shares } = spike;
  const told = Object.entries(FATES).flatMap(([name, words]) => {
    const share = shares[name as keyof typeof FATES];
    return share > 0 ? [`${words} ${shareText(share)}`] : [];
  });
  return [
    'Spike',
    `  ${number(before.rps)} requests/s: ${latencyOf(before)}; ${number(peak.rps)} requests/s for ${number(peak.seconds)} s: ${latencyOf(peak)}`,
    `  in the peak: ${told.join(', ')}`,
    `  ${spike.generator == null ? recovered(spike) : 'not judged'}`,
  ];
}

function latencyOf(part: CapacityStep): string {
  return latencyWords(part) || 'too few answers for a percentile';
}

function recovered({ recovery, afterSeconds }: SpikePart): string {
  if (recovery == null) return `the objectives did not hold again within ${afterSeconds} s`;
  const { least, best, most } = recovery;
  const until = most == null ? 'open' : `${most}`;
  return best === 0
    ? 'the objectives held at once after it'
    : `the objectives held again after ${best} s (${least} to ${until})`;
}

export function isSpike(value: unknown): value is SpikePart {
  const { before, peak, shares, afterSeconds } = Object(value) as Partial<SpikePart>;
  const isFigure = (one: unknown): boolean => typeof (Object(one) as { p99Ms?: unknown }).p99Ms === 'number';
  return (
    isFigure(before) &&
    isFigure(peak) &&
    typeof shares === 'object' &&
    shares !== null &&
    typeof afterSeconds === 'number'
  );
}

/** Lines under a title; none where nothing pressed, or the part has another shape. */
export function pressureLines(load: unknown): readonly string[] {
  const { pressure } = Object(load) as { readonly pressure?: unknown };
  if (!isPressure(pressure)) return [];
  const { mode, rps, seconds, figures, generator, probes, probesRefused, keyedRefused, left } = pressure;
  const { p99Ms, errorRate, limitedRate, dropped } = figures;
  const borne = `p99 ${Number(p99Ms.toPrecision(3))} ms, errors ${shareText(errorRate)}, 429 ${shareText(limitedRate)}, ${number(dropped)} never sent`;
  const refused = `${number(probesRefused)} answered 429 and sent again, ${number(keyedRefused)} of them with a key`;
  return [
    'Pressure',
    `  ${mode}: ${number(Math.round(rps))} requests/s for ${number(Math.round(seconds))} s: ${borne}`,
    ...(generator == null ? [] : [`  not as it was to be: ${generator}`]),
    `  meanwhile ${plural(probes, 'probe')}: ${refused}`,
    ...(left == null || left === 0
      ? []
      : [`  ${plural(left, 'experiment')} left for want of time (load.pressure.seconds)`]),
  ];
}

export function isPressure(value: unknown): value is PressurePart {
  const { mode, figures, probes, seconds } = Object(value) as Partial<PressurePart>;
  return typeof mode === 'string' && typeof figures?.p99Ms === 'number' && [probes, seconds].every(Number.isFinite);
}

/** Lines for each key that was kept at its ceiling, under a title; none where isolation was not looked at, or has another shape. */
export function isolationLines(load: unknown): readonly string[] {
  const rows = isolatedKeys(load);
  return rows.length === 0 ? [] : ['Isolation', ...rows.flatMap(keyLines)];
}

/** The keys that were kept at their ceiling; none where isolation was not looked at, or has another shape. */
export function isolatedKeys(load: unknown): readonly IsolationRow[] {
  const { isolation } = Object(load) as { readonly isolation?: Partial<IsolationPart> };
  return Array.isArray(isolation?.keys) ? isolation.keys.filter(isIsolationRow) : [];
}

function keyLines({ plan, key, admitted, refused, others }: IsolationRow): readonly string[] {
  const state = refused === 0 ? 'was not brought to its ceiling' : 'at its ceiling';
  return [
    `  ${plan} ${state} (key ${key}: ${plural(admitted, 'call')} admitted, ${number(refused)} refused)`,
    ...others.map(
      (other) => `    beside it ${other.plan.padEnd(11)} ${limited(other)}; ${slowed(other)} (key ${other.key})`,
    ),
  ];
}

function limited({ refusedAtRest, refusedUnderPressure, callsUnderPressure }: IsolatedKey): string {
  if (refusedUnderPressure === 0) return 'not limited';
  const before = refusedAtRest === 0 ? '' : `, ${number(refusedAtRest)} at rest`;
  return `${number(refusedUnderPressure)} of ${plural(callsUnderPressure, 'call')} refused${before}`;
}

function slowed({ slowing }: IsolatedKey): string {
  const { factor, shift, p50RestMs, p50PressedMs, p90RestMs, p90PressedMs, unknown } = slowing;
  if (factor === null) return `slowing unknown: ${unknown}`;
  const said = { none: 'not slowed', open: 'perhaps slowed', sure: 'slowed' }[shift];
  const times = shift === 'none' ? '' : ` ${factor.best} times (${factor.least}–${factor.most})`;
  return `${said}${times}: p50 ${change(p50RestMs, p50PressedMs)}; p90 ${change(p90RestMs, p90PressedMs)}`;
}

/** "12 ms, then 30"; what answers were too few to tell is unknown. */
function change(restMs: number | null = null, pressedMs: number | null = null): string {
  return `${restMs === null ? 'unknown' : `${restMs} ms`}, then ${pressedMs ?? 'unknown'}`;
}

function isIsolationRow(row: unknown): row is IsolationRow {
  const { plan, key, others } = Object(row) as Partial<IsolationRow>;
  return (
    typeof plan === 'string' &&
    typeof key === 'string' &&
    Array.isArray(others) &&
    others.every(({ plan: other, slowing }) => typeof other === 'string' && typeof slowing === 'object')
  );
}

/** A line under a title; none where no exports were flooded, or the part has another shape. */
export function exportLines(load: unknown): readonly string[] {
  const { exports: part } = Object(load) as { readonly exports?: Partial<ExportsPart> };
  const { key, calls, accepted, refused, refusedAfterMs } = Object(part) as Partial<ExportsPart>;
  if (calls === undefined || accepted === undefined || refused === undefined) return [];
  const after =
    refusedAfterMs == null ? '' : `, the first sent ${number(Math.round(refusedAfterMs))} ms after the first call`;
  return [
    'Exports',
    `  ${number(calls)} at once, ${number(accepted)} accepted, ${number(refused)} refused${after} (key ${key})`,
  ];
}

/** A line for each plan, under a title; none where there is no load part, or one of another shape. */
export function ceilingLines(load: unknown): readonly string[] {
  const rows: readonly unknown[] = toldCeilings(load);
  const plans = rows.filter(isPlanCeiling);
  return plans.length === 0 ? [] : ['Ceilings', ...plans.map(ceilingLine)];
}

/** Suites whose result is about something else than limits: what headers state is no measurement of theirs. */
const OTHER_SUITES: readonly unknown[] = [
  'capacity',
  'soak',
  'spike',
  'pressure',
  'exports',
  'isolation',
  'distributed',
];

/** The rows of plans that the run has something to say about. */
export function toldCeilings(load: unknown): readonly Part[] {
  const { plans, suite } = Object(load) as { readonly plans?: unknown; readonly suite?: unknown };
  const rows = listOf(plans);
  return OTHER_SUITES.includes(suite)
    ? rows.filter(({ confidence }) => !textOf(confidence).startsWith('stated'))
    : rows;
}

export function isPlanCeiling(row: unknown): row is PlanCeiling {
  const { plan, key, costs } = Object(row) as Partial<PlanCeiling>;
  return typeof plan === 'string' && typeof key === 'string' && typeof costs === 'object' && costs !== null;
}

function ceilingLine(row: PlanCeiling): string {
  const name = `  ${row.plan.padEnd(11)}`;
  if (row.limit === null) return `${name} ${row.confidence} (key ${row.key})`;
  const atLeast = '; window at least';
  const told = textOf(row.confidence);
  const isAtLeast = told.endsWith(atLeast);
  const window =
    row.windowSeconds === null ? '' : ` in ${isAtLeast ? 'at least ' : ''}${threeDigits(row.windowSeconds)} s`;
  const confidence = isAtLeast ? told.slice(0, -atLeast.length) : told;
  const algorithm = row.algorithm === 'unknown' ? '' : `, ${row.algorithm}`;
  const burst = row.burst === null || row.burst === row.limit ? '' : `, burst ${number(row.burst)}`;
  const dear = Object.entries(row.costs).filter(([, cost]) => cost !== 1);
  const costs =
    dear.length === 0 ? '' : `; ${dear.map(([operation, cost]) => `${operation} costs ${cost}`).join(', ')}`;
  const stated = row.stated == null || row.stated === row.limit ? '' : `, stated ${number(row.stated)}`;
  return `${name} ${number(row.limit)}${window}${algorithm}${burst}${stated} (${confidence}; key ${row.key})${costs}`;
}
