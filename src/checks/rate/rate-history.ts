// The RATE laws over a whole run: fed with every exchange in the order answered, asked once at the end. Series are kept by
// key; what probes find out of a key's limit is noted here, too. Bounded by the number of keys and operations.
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { expectationsOf, LimitBook, type PlanExpectations, type PlanKey } from '../../limiters/limit-book.ts';
import { type Limited, limitedKeys, readingsOf } from '../../limiters/reading.ts';
import { unlessHidden } from './rate-03-remaining-rises.ts';
import { judgeStatedResets } from './rate-03-stated-reset.ts';
import { judgePlanOrder, type PlanFacts } from './rate-08-plan-order.ts';
import { judgeStatedLimits } from './rate-10-expectations.ts';
import { tableOf } from './rate-11-limits-table.ts';
import { KeySeries } from './series.ts';

/** One judgement, on one operation or on the target as a whole. The fields are those that a probe's outcome has. */
export interface RateConclusion {
  readonly clause: string;
  readonly service: string | null;
  readonly operation: string | null;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

export class RateBook extends LimitBook<KeySeries> {
  readonly #limited: Limited;

  constructor(keys: readonly PlanKey[], limited: Limited, expected: PlanExpectations = {}) {
    super(() => new KeySeries(), limitedKeys(keys, limited), expectationsOf(limited.terms, expected));
    this.#limited = limited;
  }

  observe(exchange: Exchange): void {
    for (const reading of readingsOf(exchange, this.#limited)) this.add(reading);
  }

  /** What is known of the limit of each key that was answered with one. */
  planFacts(): readonly PlanFacts[] {
    return this.keys.flatMap(({ name, plan }) => {
      const series = this.histories.get(name);
      const limit = series?.limit ?? null;
      if (series === undefined || limit === null) return [];
      const drain = this.drains.get(name) ?? null;
      const window = series.window(drain?.algorithm === 'token-bucket');
      const costs = Object.fromEntries(this.costs.get(name) ?? []);
      const { tightness } = series.waits;
      const { exchange: evidence = null, names } = series.latest ?? {};
      const statedBy = names?.limit ?? '';
      return { ...{ plan, key: name, limit, statedBy, window, drain, costs, tightness, evidence } };
    });
  }

  /** All judgements. */
  conclude(): readonly RateConclusion[] {
    return [...this.concludeSeries(), ...this.concludePlans()];
  }

  /** RATE-02 to RATE-06 of each key's series. */
  concludeSeries(): readonly RateConclusion[] {
    const all = [...this.histories.values()];
    const stated = judgeStatedResets(all.map(({ statedResets }) => statedResets));
    return [
      ...all.flatMap((series) => ofSeries(series, this.sharedKey())),
      ...(stated === null
        ? []
        : [concluding('RATE-03', stated.judgement, [stated.found.before, stated.found.after], false)]),
    ];
  }

  /** What rests on all keys, and on what probes found out of them: RATE-08, the stated half of RATE-10, the table of RATE-11. */
  concludePlans(): readonly RateConclusion[] {
    const facts = this.planFacts();
    const shown = facts.flatMap(({ evidence }) => evidence ?? []);
    const whole = (clause: string, judgement: Judgement): RateConclusion => ({
      clause,
      service: null,
      operation: null,
      judgement,
      evidence: shown,
    });
    return [
      whole('RATE-08', judgePlanOrder(facts, this.#limited.terms?.rising ?? [])),
      ...judgeStatedLimits(facts, this.expected).map((judgement) => whole('RATE-10', judgement)),
      ...tableOf(facts).map((judgement) => whole('RATE-11', judgement)),
    ];
  }
}

/** `shared`: a key that others were seen to use; then the other keys may be in use as well. */
function ofSeries(series: KeySeries, shared: string | null): readonly RateConclusion[] {
  const at = (clause: string, judgement: Judgement, readings: readonly { exchange: Exchange }[], named = false) =>
    concluding(clause, judgement, readings, named);
  const { rise, judgement } = series.rises.conclude();
  const standing = series.movesEarly || rise !== null ? null : series.standing.conclude();
  const accepted = series.waits.concludeAccepted();
  const unit = series.waits.concludeUnit();
  const refused = series.refusedResets.conclude();
  const otherwise = series.refusedResets.concludeOperations();
  const episodes = series.episodes.conclude();
  return [
    ...series.constancy.conclude().map(({ operation, judgement: constancy, flicker }) => {
      const readings =
        flicker === undefined ? [] : oddLast(operation, [flicker.before, flicker.between, flicker.after]);
      return at('RATE-02', constancy, readings, flicker !== undefined);
    }),
    at('RATE-03', unlessHidden(judgement, shared), rise === null ? [] : [rise.before, rise.after], rise !== null),
    ...(standing === null ? [] : [at('RATE-03', standing.judgement, [standing.found.first, standing.found.after])]),
    ...[refused, otherwise].flatMap((one) => (one === null ? [] : [at('RATE-03', one.judgement, one.readings, true)])),
    ...(accepted === null ? [] : [at('RATE-06', accepted.judgement, pair(accepted.wait), accepted.wait !== null)]),
    ...(unit === null ? [] : [at('RATE-05', unit.judgement, unit.readings, true)]),
    ...(episodes === null ? [] : [at('RATE-04', episodes.judgement, episodes.evidence)]),
  ];
}

/** `named`: it is about the operation of the last reading. */
function concluding(
  clause: string,
  judgement: Judgement,
  readings: readonly { readonly exchange: Exchange }[],
  named: boolean,
): RateConclusion {
  const evidence = readings.map(({ exchange }) => exchange);
  const plan = named ? evidence.at(-1)?.plan : undefined;
  return { clause, service: plan?.service ?? null, operation: plan?.operation ?? null, judgement, evidence };
}

function pair(wait: { readonly refused: { exchange: Exchange }; readonly next: { exchange: Exchange } } | null) {
  return wait === null ? [] : [wait.next, wait.refused];
}

/** The reading of the operation that a finding is about comes last: its curl line reproduces it. */
function oddLast<T extends { readonly operation: string }>(
  operation: string | null,
  readings: readonly T[],
): readonly T[] {
  return readings.toSorted(
    (left, right) => Number(left.operation === operation) - Number(right.operation === operation),
  );
}
