// Plants defects, under `--sensitivity`, in copies of the answers to a run, and keeps count of those that its judges
// find. Nothing of it reaches the run's own books.
import type { Subject } from '../../checks/check.ts';
import type { Sensitivity } from '../../contract/sensitivity.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Answered, AnyExperiment } from '../../probes/probe.ts';
import { ANSWER_PLANTS, EXPERIMENT_PLANTS } from '../../sensitivity/catalogue.ts';
import type { Spot } from '../plan/clause-target.ts';
import { AnswerTrials, type TrialOptions } from './answer-trials.ts';
import { type ExperimentOptions, ExperimentTrials, type Stage } from './experiment-trials.ts';
import { type Limits, PlantBook, type Why } from './plant-book.ts';
import { Tapes } from './tapes.ts';

const SHOWN_BY_EXPERIMENTS = new Set(EXPERIMENT_PLANTS.map(({ clause }) => clause));

export class Sensing {
  readonly #book = new PlantBook();
  readonly #answers: AnswerTrials;
  readonly #experiments: ExperimentTrials;
  readonly #tapes: Tapes;
  #failure: Why | null = null;

  constructor(options: TrialOptions & ExperimentOptions) {
    this.#answers = new AnswerTrials(ANSWER_PLANTS, this.#book, options);
    this.#experiments = new ExperimentTrials(EXPERIMENT_PLANTS, this.#book, options);
    this.#tapes = new Tapes(options.seed, (clauses) => clauses.some((clause) => SHOWN_BY_EXPERIMENTS.has(clause)));
  }

  /** Tries the planted defects on an answer that the run has judged. Never throws: what fails here is told in the result. */
  observe(subject: Subject, spot: Spot): void {
    this.#attempt(() => this.#answers.observe(subject, spot));
  }

  /** Keeps what an experiment was answered. Never throws. */
  record(experiment: AnyExperiment, plan: RequestPlan, answered: Answered): void {
    this.#attempt(() => this.#tapes.record(experiment, plan, answered));
  }

  /** Tries the planted defects on the experiments of the run. Never throws. */
  async perform(stage: Stage): Promise<void> {
    try {
      await this.#experiments.perform(this.#tapes, stage);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The result. `whyNot`: why nothing was judged of the clause on the spot; null where something was. */
  result({ whyNot, cutShort }: Limits): Sensitivity {
    return this.#book.result({ whyNot, cutShort: this.#failure ?? cutShort });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const name = error instanceof Error ? error.name : 'an error';
    this.#failure ??= { reason: 'harness-error', detail: `Assay itself failed with ${name} while it tried a defect` };
  }
}
