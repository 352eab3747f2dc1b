// Shows the requests and answers of each lane of a load run: over time, by step, by duration and by kind of error.

import type { Latency } from '../../contract/latency.ts';
import { number, plural } from '../../contract/numbers.ts';
import { addLatencies } from '../../grading/latency.ts';
import { countsIn, isPart, listOf, numberOf, type Part, textOf } from '../load/parts.ts';

import type { CapacityView } from './capacity.ts';
import { curveOf, summaryOf } from './timing.ts';

/** Steps named where a kind of error was met. */
const MAX_PLACES = 4;
const WHOLE = 'all answers but 429';

export type SeriesView = ReturnType<typeof seriesView>;

/** `capacity`: its steps are told apart by whether they met the objectives. */
export function seriesView(series: Part, index: number, capacity: CapacityView | null) {
  const decisions = new Map(capacity?.steps.map(({ step, decision }) => [step, decision]));
  const rows = listOf(series.rows).map(rowView);
  const steps = listOf(series.steps).map((step) => stepView(step, decisions));
  const bands = bandsOf(steps, series.suite !== 'capacity');
  const total = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + pick(row), 0);
  return {
    id: `lane-${index + 1}`,
    name: textOf(series.lane),
    every: numberOf(series.everySeconds) || 1,
    requests: total((row) => row.requests),
    limited: total((row) => row.limited),
    errors: total((row) => row.errors),
    total: totalWords(
      total((row) => row.requests),
      total((row) => row.limited),
      total((row) => row.errors),
    ),
    rows,
    steps,
    bands: bands.map(({ name, rps, from, to }, at) => ({
      name,
      rps,
      from,
      to: Math.min(to, bands[at + 1]?.from ?? to),
    })),
    groups: groupsOf(steps, bands),
  };
}

function totalWords(requests: number, limited: number, errors: number): string {
  const refused = limited === 0 ? '' : `, ${number(limited)} answered 429`;
  return `${plural(requests, 'request')}${refused}, ${errors === 0 ? 'no errors' : plural(errors, 'error')}`;
}

interface Band {
  readonly name: string;
  /** Requests a second that were to arrive; null where nothing arrives by the clock. */
  readonly rps: number | null;
  readonly from: number;
  readonly to: number;
  readonly latencies: readonly Latency[];
}

/** A band for each step; neighbours at one rate are one band where the suite cuts a rate into many steps. */
function bandsOf(steps: readonly ReturnType<typeof stepView>[], joins: boolean): readonly Band[] {
  const bands: Band[] = [];
  for (const { name, rps, from, to, latency } of steps) {
    const before = bands.at(-1);
    if (joins && rps !== null && before?.rps === rps)
      bands[bands.length - 1] = { ...before, to, latencies: [...before.latencies, latency] };
    else
      bands.push({
        name: rps === null ? name : `${number(Math.round(rps * 10) / 10)}/s`,
        rps,
        from,
        to,
        latencies: [latency],
      });
  }
  return bands;
}

function rowView(row: Part) {
  const count = (value: unknown): number => numberOf(value) || 0;
  const [unanswered, server, other] = [row.unanswered, row.serverErrors, row.otherErrors].map(count);
  return {
    at: count(row.atSeconds),
    requests: count(row.requests),
    p50: milliseconds(row.p50Ms),
    p99: milliseconds(row.p99Ms),
    limited: count(row.limited),
    errors: (unanswered ?? 0) + (server ?? 0) + (other ?? 0),
    unanswered,
    server,
    other,
  };
}

function stepView(step: Part, decisions: ReadonlyMap<string, string>) {
  const latency = latencyIn(step.latency);
  const name = textOf(step.step);
  return {
    name: textOf(step.label) === '' ? name : textOf(step.label),
    rps: Number.isFinite(numberOf(step.rps)) ? numberOf(step.rps) : null,
    from: numberOf(step.fromSeconds),
    to: numberOf(step.toSeconds),
    requests: number(numberOf(step.requests) || 0),
    limited: number(numberOf(step.limited) || 0),
    errors: countsIn(step.errors),
    decision: decisions.get(name) ?? '',
    latency,
    ...summaryOf(latency),
  };
}

/** Bands that stand beside each other as distributions of their own. */
const MAX_BANDS = 4;

/** Distributions to be held beside each other: of steps that met the objectives and that missed them, of rates, or of all. */
function groupsOf(steps: readonly ReturnType<typeof stepView>[], bands: readonly Band[]) {
  const decided = ['met', 'missed'].flatMap((decision) => {
    const own = steps.filter((step) => step.decision === decision);
    return own.length === 0
      ? []
      : [{ name: `steps that ${decision} the objectives`, latencies: own.map(({ latency }) => latency) }];
  });
  const isFew = bands.length > 1 && bands.length <= MAX_BANDS && bands.every(({ rps }) => rps !== null);
  const rates = isFew ? bands.map((band, at) => ({ ...band, name: bandName(bands, at) })) : [];
  const whole = { name: WHOLE, latencies: steps.map(({ latency }) => latency) };
  const [parts] = [decided, rates, [whole]].filter(({ length }) => length > 0);
  return (parts ?? []).flatMap(({ name, latencies }) => {
    const all = addLatencies(latencies);
    return Object.keys(all).length === 0 ? [] : [{ name, ...summaryOf(all), curve: curveOf(all) }];
  });
}

/** "40/s", and where that rate was sent before: "40/s again". */
function bandName(bands: readonly Band[], at: number): string {
  const { name = '', rps = null } = bands[at] ?? {};
  return bands.slice(0, at).some((band) => band.rps === rps) ? `${name} again` : name;
}

/** Every kind of error, the most frequent first, with the steps in which it was met. */
export function errorsView(all: readonly SeriesView[]) {
  const met = all.flatMap(({ name: lane, steps }) =>
    steps.flatMap((step) =>
      step.errors.map(([kind, count]) => ({
        kind,
        count,
        place: all.length > 1 ? `${lane}: ${step.name}` : step.name,
      })),
    ),
  );
  return [...Map.groupBy(met, ({ kind }) => kind)]
    .map(([kind, places]) => {
      const more = places.length - MAX_PLACES;
      const named = places.slice(0, MAX_PLACES).map(({ place, count }) => `${place} (${number(count)})`);
      const where = more > 0 ? `${named.join(', ')} and ${plural(more, 'more step')}` : named.join(', ');
      return { kind, count: places.reduce((sum, { count }) => sum + count, 0), where };
    })
    .sort((left, right) => right.count - left.count);
}

/** How the answers that were kept whole conformed; null where none was judged. */
export function conformanceView(part: unknown) {
  if (!isPart(part)) return null;
  const steps = listOf(part.steps).map((step) => ({
    step: textOf(step.step),
    name: textOf(step.label) === '' ? textOf(step.step) : `${textOf(step.label)} (${textOf(step.step)})`,
    answers: numberOf(step.answers) || 0,
    violations: countsIn(step.violations),
  }));
  if (steps.length === 0) return null;
  const answers = steps.reduce((sum, step) => sum + step.answers, 0);
  const broken = steps.find(({ step }) => step === part.brokenAt);
  return {
    steps,
    allConform:
      answers === 1
        ? 'the one answer that was kept whole conforms'
        : `all ${plural(answers, 'answer')} that were kept whole conform`,
    brokenAt: broken?.name ?? null,
    brokenStep: broken?.step ?? null,
  };
}

function latencyIn(value: unknown): Latency {
  return Object.fromEntries(countsIn(value).filter(([index]) => /^-?\d+$/.test(index)));
}

function milliseconds(value: unknown): number | null {
  const ms = numberOf(value);
  return Number.isFinite(ms) ? Number(ms.toPrecision(3)) : null;
}
