// The search for capacity: the bracket, the objective, and every step as it was measured.
import { inThreeDigits, isPart, listOf, numberOf, type Part, percentOf, shown, textOf } from '../load/parts.ts';
import { rateText } from '../words.ts';

export type CapacityView = ReturnType<typeof capacityView>;

export function capacityView(capacity: Part) {
  const aims = isPart(capacity.objectives) ? capacity.objectives : {};
  const aimMs = numberOf(aims.p99Ms);
  const rate = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);
  return {
    knee: rateShown(sustainedOf(capacity), 'floor'),
    missed: rateShown(capacity.missed, 'ceil'),
    /** True where a rate met the objectives, and whether another missed them. */
    isKnown: rate(sustainedOf(capacity)) !== null,
    isBracket: rate(capacity.missed) !== null,
    aim: Number.isFinite(aimMs)
      ? `Borne is what keeps 99 % of the answers within ${shown(aimMs)} ms and errors below ${percentOf(aims.errorRate)}: `
      : '',
    confidence: textOf(capacity.confidence),
    p50: inThreeDigits(capacity.p50Ms),
    p99: inThreeDigits(capacity.p99Ms),
    errors: percentOf(capacity.errorRate),
    /** For the chart. */
    bracket: { met: rate(sustainedOf(capacity)), missed: rate(capacity.missed), aimMs: rate(aimMs) },
    steps: listOf(capacity.steps)
      .map((step, index) => stepView(step, index + 1))
      .filter(({ rps, p99 }) => Number.isFinite(rps) && Number.isFinite(p99)),
  };
}

function rateShown(value: unknown, towards: 'floor' | 'ceil'): string {
  const rate = numberOf(value);
  return Number.isFinite(rate) ? rateText(rate, towards) : '–';
}

/** The highest rate that met the objectives, settled or not. */
function sustainedOf({ kneeRps, atLeastRps }: Part): unknown {
  return kneeRps ?? atLeastRps;
}

function stepView(step: Part, number: number) {
  const rps = numberOf(step.rps);
  const dropped = numberOf(step.dropped);
  const planned = rps * numberOf(step.seconds);
  const droppedPercent = Math.round((1000 * dropped) / planned) / 10;
  return {
    number,
    step: textOf(step.step),
    rps: Math.round(rps * 10) / 10,
    seconds: shown(step.seconds),
    p50: rounded(numberOf(step.p50Ms)),
    p99: rounded(numberOf(step.p99Ms)),
    errors: percentOf(step.errorRate),
    limited: percentOf(step.limitedRate),
    dropped: Number.isFinite(droppedPercent) ? `${droppedPercent} %` : '–',
    droppedPercent: Number.isFinite(droppedPercent) ? droppedPercent : null,
    // k6 numbers what it sends: after a drop, numbers no longer tell when a request was due.
    lateMs: dropped === 0 && Number.isFinite(numberOf(step.lateP99Ms)) ? rounded(numberOf(step.lateP99Ms)) : null,
    decision: decisionOf(step.decision),
    why: textOf(step.why),
  };
}

const DECISIONS = ['met', 'missed', 'undecided', 'void'] as const;

function decisionOf(value: unknown): (typeof DECISIONS)[number] | '' {
  return DECISIONS.find((one) => one === value) ?? '';
}

function rounded(ms: number): number {
  return Number(ms.toPrecision(3));
}
