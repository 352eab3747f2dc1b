// The RATE laws over a whole run: fed with every exchange in the order answered, asked once at the end. Series are kept by
// key; what probes find out of a key's limit is noted here, too. Bounded by the number of keys and operations.
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { expectationsOf, LimitBook, type PlanExpectations, type PlanKey } from '../../limiters/limit-book.ts';
import { type Limited, limitedKeys, readingsOf } from '../../limiters/reading.ts';
import { agreeing, windowOf } from '../../limiters/windows.ts';
import { unlessByOthers } from './others.ts';
import { ConstantLimit } from './rate-02.ts';
import { judgeBalance } from './rate-03-remaining-falls.ts';
import { judgeStatedResets, ResetForms, ResetsInVain, StatedResets } from './rate-03-reset.ts';
import { CallsLeft, judgeOverdrawn } from './rate-04-admission.ts';
import { RetryWaits } from './rate-06-retry-wait.ts';
import { judgePlanOrder, type PlanFacts } from './rate-08-plan-order.ts';
import { judgeStatedLimits } from './rate-10-expectations.ts';
import { tableOf } from './rate-11-limits-table.ts';
import { onTarget, type RateConclusion, type SeriesLaw } from './series-law.ts';

/** The laws over the answers of one key. */
interface KeyLaws {
  readonly key: string;
  readonly statedResets: StatedResets;
  readonly waits: RetryWaits;
  /** Those that conclude by themselves, `waits` among them. */
  readonly all: readonly SeriesLaw[];
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
      const { statedResets, all } = this.#lawsOf(history, reading.key);
      for (const law of [statedResets, ...all]) law.add(reading);
    }
  }

  /** Judges no answer of the key by itself any more. */
  forget(key: string): void {
    for (const [history, laws] of this.#laws) if (laws.key === key) this.#laws.delete(history);
  }

  #lawsOf(history: KeyHistory, key: string): KeyLaws {
    const known = this.#laws.get(history);
    if (known !== undefined) return known;
    const waits = new RetryWaits(history);
    const others = [new ConstantLimit(history), new ResetForms(), new CallsLeft(history)];
    const all = [new ResetsInVain(history), waits, ...others];
    const laws = { key, statedResets: new StatedResets(history), waits, all };
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
      const window = agreeing(windowOf(series), this.expectedWindow(name));
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
    // Where others were seen to use a key, the other keys may be in use as well.
    const seenOn = [...this.histories].find(([, { isShared }]) => isShared)?.[0] ?? null;
    const own = [...this.#laws].flatMap(([history, { key, all }]) => {
      const { isTaken, isShared } = this.historyOf(key);
      const told = [
        ...judgeBalance(history, { isExplained: this.uncounted.size > 0 }),
        ...judgeOverdrawn(history),
        ...all.flatMap((law) => law.conclude()),
      ];
      return told.map((one) => unlessByOthers(one, { mayTake: isTaken || isShared, seenOn }));
    });
    return [...own, ...judgeStatedResets([...this.#laws.values()].map(({ statedResets }) => statedResets))];
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
