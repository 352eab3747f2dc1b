// Judges each answer of a run once more as if the target had one of the planted defects, by the checks and laws of the run and
// in books of its own. A defect that was found is planted no longer, so what is left was shown to every judge of the run.
import { hash } from 'node:crypto';
import type { Subject, Under } from '../../checks/check.ts';
import { toldError } from '../../checks/err/error-object.ts';
import { errRunLaws } from '../../checks/err/run-laws.ts';
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { GradingRules } from '../../grading/kind.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { type AnswerPlant, changedExchange } from '../../sensitivity/plant.ts';
import { Ledger } from '../books/ledger.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import type { PlantBook, Site } from './plant-book.ts';

/** Answers with one defect that are judged, and answers that are looked at for it: one operation may be asked a hundred thousand times. */
const MOST_JUDGED = 400;
const MOST_SEEN = 4000;

interface Trial extends Site<AnswerPlant> {
  seen: number;
}

/** The terms of a run on which its defects are planted, and found. */
export interface PlantingTerms {
  readonly rules: GradingRules;
  readonly under: Under;
  readonly seed: number;
  readonly inRun: (clause: string) => boolean;
  /** The operations that the run answers for. */
  readonly own: readonly Described[];
  /** True where it answers for the target as a whole: of several shards one does. */
  readonly forTarget: boolean;
}

export interface TrialOptions extends PlantingTerms {
  readonly docsUrl: string | null;
}

export class AnswerTrials {
  readonly #options: TrialOptions;
  /** Defects that were not found yet, by spot; '' holds those of the target as a whole. */
  readonly #open = new Map<string, Trial[]>();
  /** The error before this one. */
  #earlier: Exchange | null = null;

  constructor(plants: readonly AnswerPlant[], book: PlantBook, options: TrialOptions) {
    this.#options = options;
    const { own, seed, inRun } = options;
    for (const plant of plants.filter(({ clause }) => inRun(clause)))
      for (const site of book.plant(plant, spotsOf(plant, own, options), seed))
        this.#add(Object.assign(site, { seen: 0 }));
  }

  #add(trial: Trial): void {
    const key = spotKey(trial.spot);
    this.#open.set(key, [...(this.#open.get(key) ?? []), trial]);
  }

  /** Tries what is still planted at the exchange's operation. */
  observe(subject: Subject, spot: Spot): void {
    for (const key of new Set([spotKey(spot), ''])) {
      const open = this.#open.get(key);
      if (open === undefined || open.length === 0) continue;
      const left = open.filter((trial) => !this.#isDone(trial, subject));
      if (left.length < open.length) this.#open.set(key, left);
    }
    if (toldError(subject) !== null) this.#earlier = subject.exchange;
  }

  #isDone(trial: Trial, subject: Subject): boolean {
    const { plant } = trial;
    trial.seen += 1;
    const changed = plant.change(subject, (count) => this.#drawn(trial, count), this.#earlier);
    if (changed !== null) {
      trial.judged += 1;
      const exchange = changedExchange(subject.exchange, changed);
      trial.isCaught = isFound(plant.clause, subject, { ...subject, exchange }, this.#earlier, this.#options);
    }
    const isEnough = plant.at === 'operation' && trial.seen >= MOST_SEEN;
    return trial.isCaught || isEnough || trial.judged >= MOST_JUDGED;
  }

  #drawn({ plant, spot }: Trial, count: number): number {
    if (count <= 1) return 0;
    return hash('sha256', `${this.#options.seed} ${plant.id} ${spotKey(spot)}`, 'buffer').readUInt32BE(0) % count;
  }
}

/** The places of the defect: the operations that it concerns, or, as long as there are some, the target as a whole. */
export function spotsOf(
  plant: Pick<AnswerPlant, 'at' | 'concerns'>,
  own: readonly Described[],
  { under, forTarget }: PlantingTerms,
): readonly Spot[] {
  const concerned = own.filter(
    ({ operation, description }) => operation.unsupported === null && plant.concerns(operation, description, under),
  );
  if (plant.at === 'operation')
    return concerned.map(({ operation: { service, key } }) => ({ service, operation: key }));
  return forTarget && concerned.length > 0 ? [{ service: null, operation: null }] : [];
}

/** Tells whether the clause is found broken by the changed exchange, and not by the one that was recorded. */
export function isFound(
  clause: string,
  sound: Subject,
  changed: Subject,
  earlier: Exchange | null,
  { rules, docsUrl }: Pick<TrialOptions, 'rules' | 'docsUrl'>,
): boolean {
  const ledger = new Ledger(rules);
  const spot = { service: changed.operation?.service ?? null, operation: changed.operation?.key ?? null };
  const laws = errRunLaws(sound.terms, docsUrl).filter((law) => law.clause === clause);
  for (const law of laws) if (earlier !== null) law.observe(earlier);
  const found = (subject: Subject): number => {
    for (const check of EXCHANGE_CHECKS.filter((one) => one.clause === clause && one.applies(subject)))
      ledger.book(clause, spot, check.judge(subject), [subject.exchange]);
    return ledger.violations + ledger.advisories;
  };
  const before = found(sound);
  if (found(changed) > before) return true;
  for (const law of laws) {
    const told = law.observe(changed.exchange);
    if (told !== null) ledger.book(clause, spot, told.judgement, [changed.exchange]);
  }
  return ledger.violations + ledger.advisories > before;
}
