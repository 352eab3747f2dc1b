// The RATE laws over a whole run: fed with every exchange in the order answered, asked once at the end. Series are kept by
// key; what probes find out of a key's limit is noted here, too. Bounded by the number of keys and operations.
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { expectationsOf, LimitBook, type PlanExpectations, type PlanKey } from '../../limiters/limit-book.ts';
import { type Limited, limitedKeys, readingsOf } from '../../limiters/reading.ts';
import { agreeing } from '../../limiters/windows.ts';
import { ConstantLimit } from './rate-02.ts';
import { judgeBalance, unlessHidden } from './rate-03-remaining-falls.ts';
import { judgeStatedResets, ResetForms, StatedResets } from './rate-03-reset.ts';
import { CallsLeft } from './rate-04-admission.ts';
import { RetryWaits } from './rate-06-retry-wait.ts';
import { judgePlanOrder, type PlanFacts } from './rate-08-plan-order.ts';
import { judgeStatedLimits } from './rate-10-expectations.ts';
import { tableOf } from './rate-11-limits-table.ts';
import { onTarget, type RateConclusion, type SeriesLaw } from './series-law.ts';

/** The laws over the answers of one key. */
interface KeyLaws {
  readonly statedResets: StatedResets;
  readonly waits: RetryWaits;
  readonly others: readonly SeriesLaw[];
}

export class RateBook extends LimitBook {
  readonly #limited: Limited;
  readonly #laws = new Map<KeyHistory, KeyLaws>();

  constructor(keys: readonly PlanKey[], limited: Limited, expected: PlanExpectations = {}) {
    super(limitedKeys(keys, limited), expectationsOf(limited.terms, expected));
    this.#limited = limited;
  }

  observe(exchange: Exchange): void {
    for (const reading of readingsOf(exchange, this.#limited)) {
      const history = this.add(reading);
      const { statedResets, waits, others } = this.#lawsOf(history, reading.key);
      for (const law of [statedResets, waits, ...others]) law.add(reading);
    }
  }

  #lawsOf(history: KeyHistory, key: string): KeyLaws {
    const known = this.#laws.get(history);
    if (known !== undefined) return known;
    const whole = this.historyOf(key);
    const isTaken = (): boolean => whole.isTaken || whole.isShared;
    const others = [new ConstantLimit(history), new ResetForms(), new CallsLeft(history)];
    const laws = { statedResets: new StatedResets(history), waits: new RetryWaits(history, isTaken), others };
    this.#laws.set(history, laws);
    return laws;
  }

  /** The facts known of the limit of each key that was answered with one. */
  planFacts(): readonly PlanFacts[] {
    return this.keys.flatMap(({ name, plan }) => {
      const series = this.histories.get(name);
      const limit = series?.limit ?? null;
      if (series === undefined || limit === null) return [];
      const { drain } = series;
      const window = agreeing(series.window(drain?.algorithm === 'token-bucket'), this.expectedWindow(name));
      const costs = Object.fromEntries(series.costs);
      const tightness = this.#laws.get(series)?.waits.tightness ?? null;
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
    const shared = [...this.histories].find(([, { isShared }]) => isShared)?.[0] ?? null;
    const own = [...this.#laws].flatMap(([history, { waits, others }]) => [
      ...judgeBalance(history, { isExplained: this.uncounted.size > 0 }),
      ...[waits, ...others].flatMap((law) => law.conclude()),
    ]);
    // Where others were seen to use a key, the other keys may be in use as well.
    const hiding = own.map((one) =>
      one.clause === 'RATE-03' ? { ...one, judgement: unlessHidden(one.judgement, shared) } : one,
    );
    const stated = judgeStatedResets([...this.#laws.values()].map(({ statedResets }) => statedResets));
    return [...hiding, ...stated];
  }

  /** All judgements that rest on all keys, and on what probes found out of them: RATE-08, the stated half of RATE-10, the table of RATE-11. */
  concludePlans(): readonly RateConclusion[] {
    const facts = this.planFacts();
    const shown = facts.flatMap(({ evidence }) => evidence ?? []);
    const whole = (clause: string, judgement: Judgement): RateConclusion => ({
      ...onTarget(clause, judgement),
      evidence: shown,
    });
    return [
      whole('RATE-08', judgePlanOrder(facts, this.#limited.terms?.rising ?? [])),
      ...judgeStatedLimits(facts, this.expected).map((judgement) => whole('RATE-10', judgement)),
      ...tableOf(facts).map((judgement) => whole('RATE-11', judgement)),
    ];
  }
}
