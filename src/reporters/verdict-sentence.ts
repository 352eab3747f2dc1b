// The verdict in one sentence, the same in every report: of conformance how the contract fared, of a load run its result
// with figures. Why there is none is told by the run's note, which stands below it. It never claims more than was measured: a
// percentile needs enough answers, a share that is not whole is not rounded to all or to none.

import type {
  CapacityStep,
  Drift,
  ExportsPart,
  Interval,
  IsolatedKey,
  LoadPart,
  PlanCeiling,
} from '../contract/load-part.ts';
import { allHold, number, plural } from '../contract/numbers.ts';
import type { ReplayOutcome, Report } from '../contract/report.ts';
import { MAX_VOID_SHARE } from '../load/soak/soak.ts';
import { countsIn, listOf, textOf } from './load/parts.ts';
import {
  isCapacity,
  isolatedKeys,
  isPlanCeiling,
  isPressure,
  isSoak,
  isSpike,
  latencyWords,
} from './load/suite-lines.ts';
import { terminalText } from './text.ts';
import { brokenWords, clauseTotals, violationTotals } from './totals.ts';
import { baselineName, duration, rateText, shareText, threeDigits } from './words.ts';

/** The verdict in one plain sentence. */
export function verdictSentence(report: Report): string {
  if (report.replay !== undefined) return replaySentence(report.replay, report);
  const result = loadHeadline(report);
  if (result !== null)
    return report.counts.violations > (report.counts.accepted ?? 0)
      ? `${result}; ${brokenWords(violationTotals(report))}${fromRate(report)}.`
      : `${result}.`;
  if (report.verdict === 'none') {
    return report.run.note === undefined ? 'No verdict: too little could be tested.' : 'No verdict could be reached.';
  }
  if (report.verdict === 'fail')
    return `${subjectOf(report)} breaks its contract: ${brokenWords(violationTotals(report))}${againstBaseline(report)}.`;
  const held = clauseTotals(report.clauses).pass;
  const { accepted = 0 } = report.counts;
  if (accepted > 0) return acceptedSentence(report, held, accepted);
  const clauses = allHold(held, 'clause tested', 'clauses tested');
  return `${subjectOf(report)} keeps its contract${extentOf(report)}: ${clauses}${besideAdvisories(report)}${onEmptyLists(report)}.`;
}

/** ", though no list showed an item": what holds rests on little then. Empty where one did, or none was answered. */
function onEmptyLists({ operations }: Report): string {
  const lists = operations.flatMap((row) => row.lists ?? []);
  return lists.length > 0 && lists.every((shown) => shown === 'empty') ? ', though no list showed an item' : '';
}

/** ", with 3 advisories": a clause with advisories alone passes, so the sentence names them. */
function besideAdvisories({ counts: { advisories = 0 } }: Report): string {
  return advisories === 0 ? '' : `, with ${plural(advisories, 'advisory', 'advisories')}`;
}

function acceptedSentence(report: Report, held: number, accepted: number): string {
  const where = report.target.embedded === true ? ' on the embedded reference platform' : '';
  const clauses = plural(held, 'clause holds', 'clauses hold');
  const violations = plural(accepted, 'violation is accepted', 'violations are accepted');
  return `Nothing new is broken${where}${besideWhat(report)}${extentOf(report)}: ${clauses}, ${violations}${besideAdvisories(report)}.`;
}

/** "; 2 violations are new, 7 known against main (20 Nov 2026, 1a2b3c4)"; empty without a baseline. */
function againstBaseline(report: Report): string {
  const baseline = report.acceptance?.baseline ?? null;
  if (baseline === null) return '';
  const { fresh, known, knownDeciding, waived } = violationTotals(report);
  const name = terminalText(baselineName(baseline));
  const told = `${plural(fresh, 'violation is', 'violations are')} new, ${number(known)} known against ${name}`;
  const beside = waived === 0 ? '' : `, ${number(waived)} waived`;
  // The run fails although nothing is new: the sentence says why.
  if (fresh > 0 || knownDeciding === 0) return `; ${told}${beside}`;
  const why =
    report.acceptance?.failOn === 'any'
      ? '--fail-on any counts what is known, too'
      : `a baseline does not accept the ${number(knownDeciding)} on security`;
  return `; ${told}${beside}; ${why}`;
}

function besideWhat({ acceptance }: Report): string {
  const baseline = acceptance?.baseline ?? null;
  return baseline === null ? '' : ` against ${terminalText(baselineName(baseline))}`;
}

/** " as far as tested, 9 of 46 operations" for a run that looked at a part; empty where it looked at the whole. */
function extentOf({ counts: { operations, operationsTested }, run }: Report): string {
  const parts = [
    ...(operationsTested < operations ? [`${number(operationsTested)} of ${plural(operations, 'operation')}`] : []),
    ...(run.filters === undefined ? [] : ['within its filters']),
    ...(run.shard === undefined ? [] : [`shard ${run.shard.index} of ${run.shard.count}`]),
    ...(run.partial ? ['not to the end'] : []),
  ];
  return parts.length === 0 ? '' : ` as far as tested, ${parts.join(', ')}`;
}

/** The target at the beginning of a sentence. */
function subjectOf({ target }: Pick<Report, 'target'>): string {
  if (target.client !== undefined) return 'The client';
  return target.embedded === true ? 'The embedded reference platform' : 'The target';
}

function replaySentence({ clause, service, operation, shown }: ReplayOutcome, { verdict, counts }: Report): string {
  const where = operation ?? (service === null ? 'the target as a whole' : `service ${service}`);
  const what = `${clause} on ${where}`;
  if (shown) return `Shown again: ${what}, with ${plural(counts.requests, 'request')}.`;
  return verdict === 'pass'
    ? `Not shown again: ${what} holds, looked at with ${plural(counts.requests, 'request')}.`
    : `No verdict: ${what} could not be looked at again.`;
}

type Load = Partial<Readonly<Record<keyof LoadPart, unknown>>>;
type Sentence = (load: Load, report: Report) => string | null;

/** Name of each suite, and its result; null where it measured nothing. */
const SUITES: Readonly<Record<string, readonly [name: string, sentence: Sentence]>> = {
  capacity: ['Capacity', capacitySentence],
  soak: ['Soak', soakSentence],
  spike: ['Spike', spikeSentence],
  pressure: ['Pressure', pressureSentence],
  isolation: ['Isolation', isolationSentence],
  exports: ['Exports', exportsSentence],
  ratelimit: ['Rate limits', limitsSentence],
  ceiling: ['Ceilings', ceilingsSentence],
  distributed: ['Load by several instances', distributedSentence],
};
/** Plans that a sentence names. */
const MAX_PLANS = 4;

/** The result without a full stop; null where the report is of no single load suite. */
export function loadHeadline(report: Report): string | null {
  const load = Object(report.load) as Load;
  const suite = SUITES[String(load.suite)];
  if (suite === undefined) return null;
  const [name, sentence] = suite;
  const said = sentence(load, report);
  if (said === null) return `${name}: nothing was measured`;
  return report.run.partial && load.suite !== 'capacity' ? `${said}, run cut short` : said;
}

function capacitySentence({ capacity }: Load, report: Report): string | null {
  if (!isCapacity(capacity)) return null;
  const { met, missed, open, steps, p99Ms } = capacity;
  const below = isDemandMissed(report) ? ', less than demanded' : '';
  // A rate that could not be judged bounds nothing.
  const isMissed = steps.some(({ rps, decision }) => rps === missed && decision === 'missed');
  const [least, most] = [rateText(met ?? 0, 'floor'), rateText(missed ?? 0, 'ceil')];
  if (met !== null && missed !== null && open === null)
    return `Capacity: ${least} to ${most} requests/s, p99 ${threeDigits(p99Ms)} ms at ${least}${below}`;
  const cut = `${below}, search not finished`;
  if (met !== null) return `Capacity: at least ${least} requests/s${cut}`;
  return `Capacity: ${isMissed ? `less than ${most} requests/s` : 'not known'}${cut}`;
}

/** " from 80 requests/s on": the lowest rate of a search whose answers broke the contract; empty for other runs. */
function fromRate({ load }: Report): string {
  const { suite, conformance } = Object(load) as Load;
  const steps = listOf(Object(conformance).steps).filter(({ violations }) => countsIn(violations).length > 0);
  const rates = steps.map(({ label }) => Number.parseFloat(textOf(label))).filter(Number.isFinite);
  return suite !== 'capacity' || rates.length === 0 ? '' : ` from ${number(Math.min(...rates))} requests/s on`;
}

/** Tells whether the run fails for what was measured, and for no clause. */
function isDemandMissed({ verdict, counts }: Report): boolean {
  return verdict === 'fail' && counts.violations <= (counts.accepted ?? 0);
}

/** One rate that several instances sent, or their soak. */
function distributedSentence(load: Load, report: Report): string | null {
  if (isSoak(load.soak)) return soakSentence(load, report);
  const [step] = isCapacity(load.capacity) ? load.capacity.steps : [];
  if (step === undefined) return null;
  const head = `${number(step.rps)} requests/s by several instances for ${lasting(step.seconds)}`;
  if (step.decision === 'void') return `${head}: not judged, ${step.why}`;
  const decided = { met: 'objectives met', missed: 'objectives missed', undecided: 'objectives not decided' };
  return `${head}: ${listed([decided[step.decision], latencyWords(step), ...failureWords(step)])}`;
}

function soakSentence({ soak }: Load, report: Report): string | null {
  if (!isSoak(soak)) return null;
  const head = `Soak at ${number(Math.round(soak.rps * 10) / 10)} requests/s for ${lasting(soak.seconds)}`;
  const { slices, decision, p50Drift, p99Drift, errorsFromSeconds } = soak;
  if (decision === 'void') return `${head}: not judged`;
  const by = Map.groupBy(slices, (slice) => slice.decision);
  const [missed, unmeasured] = [by.get('missed') ?? [], by.get('void') ?? []];
  if (report.verdict === 'none' && unmeasured.length > MAX_VOID_SHARE * slices.length) return `${head}: not judged`;
  const objectives =
    missed.length > 0
      ? `objectives missed in ${missed.length} of ${plural(slices.length, 'slice')}`
      : { met: 'objectives met', missed: 'objectives missed', undecided: 'objectives not decided' }[decision];
  const isDrifting = isDemandMissed(report) && missed.length === 0 && decision !== 'missed';
  const drifts = [...driftWords('median', p50Drift), ...driftWords('p99', p99Drift)];
  const drift = drifts.length === 0 && (p50Drift ?? p99Drift) != null ? ['no drift'] : drifts;
  const late = errorsFromSeconds == null ? [] : [`more errors from ${lasting(errorsFromSeconds)} on`];
  const beyond = isDrifting ? ['more than is allowed'] : [];
  return `${head}: ${listed([objectives, latencyWords(soak), ...failureWords(soak), ...drift, ...beyond, ...late])}`;
}

function driftWords(name: string, drift: Drift | null | undefined): readonly string[] {
  return drift?.drifts === true ? [`${name} up ${shareText(drift.rise)} by the end`] : [];
}

function spikeSentence({ spike }: Load, report: Report): string | null {
  if (!isSpike(spike)) return null;
  const { before, peak, shares, generator, recovery, afterSeconds } = spike;
  const head = `Spike ${number(before.rps)} → ${number(peak.rps)} requests/s`;
  if (generator !== null || before.decision === 'void') return `${head}: not judged`;
  if (before.decision === 'missed') return `${head}: the base rate alone missed the objectives`;
  const isLate = isDemandMissed(report) && recovery !== null;
  const recovered = `${recoveryWords(recovery, afterSeconds)}${isLate ? ', later than allowed' : ''}`;
  return `${head}: ${listed([...fates(shares), latencyWords(peak), recovered])}`;
}

const FATES = {
  succeeded: 'succeeded',
  limited: 'answered 429',
  refused: 'answered another 4xx',
  serverErrors: 'answered 5xx',
  unanswered: 'not answered',
  dropped: 'never sent',
} as const;

function fates(shares: Readonly<Record<keyof typeof FATES, number>>): readonly string[] {
  return Object.entries(FATES).flatMap(([name, words]) => {
    const share = shares[name as keyof typeof FATES];
    if (share >= 1) return [`all ${words}`];
    return share > 0 ? [`${shareText(share)} ${words}`] : [];
  });
}

function recoveryWords(
  recovery: { readonly best: number; readonly most: number | null } | null,
  afterSeconds: number,
): string {
  if (recovery === null) return `not recovered within ${afterSeconds} s`;
  const { best, most } = recovery;
  if (most === null)
    return `${best === 0 ? 'recovered at once' : `recovered after ${best} s`} as far as few requests tell`;
  return most === 0 ? 'recovered at once' : `recovered within ${most} s`;
}

function pressureSentence({ pressure }: Load, report: Report): string | null {
  if (!isPressure(pressure)) return null;
  const { mode, rps, generator = null, probes, probesRefused } = pressure;
  const head =
    mode === 'limited'
      ? `Key kept at its limit by ${number(Math.round(rps))} requests/s`
      : `Beside ${number(Math.round(rps))} requests/s`;
  if (probes === 0) return `${head}: nothing was probed`;
  if (generator !== null || (mode === 'limited' && probesRefused === 0)) return `${head}: not judged`;
  return `${head}: ${heldWords(report, ['IDEM', 'PAG'], 'clause on idempotency and pagination', 'clauses on idempotency and pagination')}`;
}

function limitsSentence({ plans }: Load, report: Report): string | null {
  const known = new Set((Array.isArray(plans) ? plans.filter(isPlanCeiling) : []).map(({ plan }) => plan));
  if (judgedOf(report, ['RATE']).length === 0) return null;
  const of = known.size === 0 ? '' : ` of ${plural(known.size, 'plan')}`;
  return `Rate limits${of}, called by many at once: ${heldWords(report, ['RATE'], 'clause judged', 'clauses judged')}`;
}

/** "all 9 clauses judged hold", "7 of 9 clauses judged hold". */
function heldWords(report: Report, families: readonly string[], one: string, many: string): string {
  const judged = judgedOf(report, families);
  const held = judged.filter(({ status }) => status === 'pass');
  if (judged.length === 0) return `no ${one}`;
  if (held.length < judged.length)
    return `${held.length} of ${plural(judged.length, one, many)} ${held.length === 1 ? 'holds' : 'hold'}`;
  return allHold(judged.length, one, many);
}

function judgedOf({ clauses }: Report, families: readonly string[]): Report['clauses'] {
  return clauses.filter(
    ({ id, status, checks }) =>
      families.includes(id.split('-')[0] ?? '') && checks > 0 && (status === 'pass' || status === 'fail'),
  );
}

function ceilingsSentence({ plans }: Load): string | null {
  const rows = (Array.isArray(plans) ? plans.filter(isPlanCeiling) : []).filter(
    ({ limitBounds }) => limitBounds !== undefined,
  );
  const measured = rows.filter(({ confidence }) => !confidence.startsWith('stated'));
  if (measured.length === 0) return null;
  const byPlan = [...Map.groupBy(measured, ({ plan }) => plan)];
  const told = byPlan.slice(0, MAX_PLANS).map(([plan, keys]) => `${plan} ${ceilingWords(keys)}`);
  const left = byPlan.length - told.length;
  return `Ceilings: ${listed([...told, left > 0 ? `${plural(left, 'plan')} more` : ''])}`;
}

/** The ceiling that the keys of one plan have: "100 in 4 s", "likely 100 in 4 s", "not known". */
function ceilingWords(keys: readonly PlanCeiling[]): string {
  const words = new Set(
    keys.map(({ limit, windowSeconds, algorithm, unitsPerSecond, burst, confidence }) => {
      const likely = confidence === 'sure' ? '' : 'likely ';
      if (limit === null) return 'not known';
      if (algorithm === 'token-bucket' && unitsPerSecond != null)
        return `${likely}${threeDigits(unitsPerSecond)} a second${burst === null ? '' : ` and ${number(burst)} at once`}`;
      return `${likely}${number(limit)}${windowSeconds === null ? '' : ` in ${threeDigits(windowSeconds)} s`}`;
    }),
  );
  const [first = ''] = words;
  return words.size === 1 || isOneCeiling(keys) ? first : `different for its ${plural(keys.length, 'key')}`;
}

/** Tells whether the keys may have one ceiling: each two agree within the bounds of their limits and windows. */
function isOneCeiling(keys: readonly PlanCeiling[]): boolean {
  const meets = (
    [one, bounds]: readonly [number | null, Interval | null | undefined],
    [other, others]: readonly [number | null, Interval | null | undefined],
  ): boolean => {
    if (bounds == null || others == null) return one === other;
    return bounds.least <= others.most && others.least <= bounds.most;
  };
  return keys.every((key) =>
    keys.every(
      (other) =>
        key.algorithm === other.algorithm &&
        key.confidence === other.confidence &&
        meets([key.limit, key.limitBounds], [other.limit, other.limitBounds]) &&
        meets([key.windowSeconds, key.windowSecondsBounds], [other.windowSeconds, other.windowSecondsBounds]),
    ),
  );
}

function isolationSentence(load: Load, report: Report): string | null {
  const rows = isolatedKeys(load);
  if (rows.length === 0) return null;
  const pressed = rows.filter(({ refused }) => refused > 0);
  if (pressed.length === 0) return 'Isolation: no key was brought to its ceiling';
  const head = `Isolation, ${plural(pressed.length, 'key')} at ${pressed.length === 1 ? 'its' : 'their'} ceiling`;
  const pairs = pressed.flatMap(({ key, others }) => others.map((other) => ({ pressing: key, ...other })));
  const beyond = isDemandMissed(report) ? ', more than is allowed' : '';
  const slowed = pairs.filter(({ slowing }) => slowing.shift === 'sure' && slowing.factor !== null).toSorted(bySlowing);
  const open = pairs.filter(({ slowing }) => slowing.factor === null || slowing.shift === 'open');
  const [worst] = slowed;
  if (worst !== undefined)
    return `${head}: ${worst.key} answers ${worst.slowing.factor?.best} times as slowly beside ${worst.pressing}${beyond}`;
  if (open.length > 0)
    return `${head}: no other key surely slowed, not settled for ${open.length} of ${plural(pairs.length, 'pair')}`;
  return pairs.length === 0 ? `${head}: no other key to compare` : `${head}: no other key slowed`;
}

function bySlowing(left: IsolatedKey, right: IsolatedKey): number {
  return (right.slowing.factor?.best ?? 0) - (left.slowing.factor?.best ?? 0);
}

function exportsSentence({ exports: part }: Load): string | null {
  const { calls, accepted, refused } = Object(part) as Partial<ExportsPart>;
  if (calls === undefined || accepted === undefined || refused === undefined) return null;
  const fate = refused === 0 ? 'none refused' : `${number(refused)} refused`;
  return `Exports of one user: ${number(accepted)} of ${number(calls)} accepted, ${fate}`;
}

/** Errors, or that there are none; 429 and what was never sent only where there are any. */
function failureWords({ errorRate, limitedRate, dropped }: CapacityStep): readonly string[] {
  return [
    errorRate === 0 ? 'no errors' : `${shareText(errorRate)} errors`,
    ...(limitedRate > 0 ? [`${shareText(limitedRate)} answered 429`] : []),
    ...(dropped > 0 ? [`${number(dropped)} never sent`] : []),
  ];
}

/** "40 s", "10 min". */
function lasting(seconds: number): string {
  return duration(Math.round(seconds) * 1000)
    .replace(/\.0 s$/, ' s')
    .replace(/ 0 s$/, '')
    .replace(/^0 ms$/, '0 s');
}

function listed(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
