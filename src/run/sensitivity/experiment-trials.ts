// Performs experiments of a run once more, as if the target had a planted defect: by the answers that they got, changed as the
// defect changes them. Nothing is sent.
import type { RateBook } from '../../checks/rate/rate-history.ts';
import type { RateConclusion } from '../../checks/rate/series-law.ts';
import { jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { type Answered, type AnyExperiment, NotSent, type Send } from '../../probes/probe.ts';
import { type At, changedExchange, type ExperimentPlant } from '../../sensitivity/plant.ts';
import { Ledger } from '../books/ledger.ts';
import { drive } from '../perform/session.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { type PlantingTerms, spotsOf } from './answer-trials.ts';
import type { PlantBook, Site, Why } from './plant-book.ts';
import { Deck, Shelf, type Take, type Tape, type Tapes } from './tapes.ts';

/** Most requests of one experiment that is performed again: a defect may lead it round in circles. */
const MOST_REQUESTS = 600;

export interface ExperimentOptions extends PlantingTerms {
  /** Tells whether the laws of lists, or of keys, are claimed for the operation. */
  readonly lawful: (operation: Operation, law: 'pagination' | 'idempotency') => boolean;
}

/** How experiments are performed again. */
export interface Stage {
  /** The experiment as one that was never performed; itself where it keeps nothing in mind. */
  anew(experiment: AnyExperiment): AnyExperiment;
  /** A success of the operation; null where there was none. */
  proof(spot: Spot): Exchange | null;
  /** The laws over the answers of keys, which have seen none yet. */
  series(): Pick<RateBook, 'observe' | 'concludeSeries'>;
  /** Why there is to be no further trial; null while there may be one. */
  halted(): Promise<Why | null>;
}

export class ExperimentTrials {
  readonly #sites: readonly Site<ExperimentPlant>[];
  readonly #options: ExperimentOptions;
  /** How often each experiment breaks each clause without any defect. */
  readonly #sound = new Map<Tape, Map<string, number>>();
  /** The known answers of each operation. */
  readonly #shelves = new Map<string, Shelf>();

  constructor(plants: readonly ExperimentPlant[], book: PlantBook, options: ExperimentOptions) {
    const { own, seed, inRun, lawful } = options;
    this.#options = options;
    this.#sites = plants
      .filter(({ clause }) => inRun(clause))
      .flatMap((plant) => book.plant(plant, spotsOf(plant, claimed(own, plant, lawful), options), seed));
  }

  /** Tries each planted defect on the experiments that were kept for its clause, until one finds it. */
  async perform(tapes: Tapes, stage: Stage): Promise<void> {
    for (const site of inTurn(this.#sites)) {
      for (const tape of tapes.of(site.plant.clause, site.spot)) {
        const halted = await stage.halted();
        if (halted !== null) site.kept ??= halted;
        if (halted !== null || (await this.#catches(tape, site, tapes, stage))) break;
      }
    }
  }

  /** Tells whether the experiment finds the defect; the outcome is noted at the site. */
  async #catches(tape: Tape, site: Site<ExperimentPlant>, tapes: Tapes, stage: Stage): Promise<boolean> {
    const { plant } = site;
    const clauses = [plant.clause, ...(plant.also ?? [])];
    const shelf = this.#shelf(tapes, tape.experiment, stage);
    const sound = await this.#soundly(tape, clauses, shelf, stage);
    const trial = await this.#tried(tape, clauses, shelf, stage, { ...this.#at(site.spot), plant });
    if (trial.shown === 0) return false;
    site.isCaught = trial.broken > sound;
    if (trial.lacks === null || site.isCaught) site.judged += 1;
    else site.kept ??= { reason: 'floor', detail: trial.lacks };
    return site.isCaught;
  }

  #at({ service, operation }: Spot): At {
    const { own, under } = this.#options;
    const found = own.find(({ operation: one }) => one.service === service && one.key === operation);
    return { operation: found?.operation ?? null, terms: under.terms };
  }

  #shelf(tapes: Tapes, spot: Spot, stage: Stage): Shelf {
    const key = spotKey(spot);
    const shelf = this.#shelves.get(key) ?? new Shelf(withProof(tapes.on(spot), stage.proof(spot)));
    this.#shelves.set(key, shelf);
    return shelf;
  }

  async #soundly(tape: Tape, clauses: readonly string[], shelf: Shelf, stage: Stage): Promise<number> {
    const known = this.#sound.get(tape) ?? new Map<string, number>();
    this.#sound.set(tape, known);
    const key = clauses.join(' ');
    const count = known.get(key) ?? (await this.#tried(tape, clauses, shelf, stage, null)).broken;
    known.set(key, count);
    return count;
  }

  async #tried(
    tape: Tape,
    clauses: readonly string[],
    shelf: Shelf,
    stage: Stage,
    planted: Planted | null,
  ): Promise<Trial> {
    const player = new Player(tape.takes, shelf, planted, stage);
    const ledger = new Ledger(this.#options.rules);
    const experiment = stage.anew(tape.experiment);
    try {
      const outcomes = [...(await drive(experiment, player.send, () => {})), ...seriesOf(experiment, player, stage)];
      for (const { clause, judgement, evidence, ...spot } of outcomes)
        if (clauses.includes(clause)) ledger.book(clause, spot, judgement, evidence);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
    }
    const untold = planted === null ? null : untoldBy(ledger, planted.plant.clause);
    const lacks = player.isWhole ? untold : 'showing it takes requests that this run did not send';
    return { broken: ledger.violations + ledger.advisories, shown: player.shown, lacks };
  }
}

/** The judgements of a key's series; none of an experiment on one operation, which is too short to be one. */
function seriesOf({ operation }: AnyExperiment, { given }: Player, stage: Stage): readonly RateConclusion[] {
  if (operation !== null) return [];
  const book = stage.series();
  for (const exchange of given) book.observe(exchange);
  return book.concludeSeries();
}

/** One site of each clause, then the next of each: where the time ends early, it ends for all clauses alike. */
function inTurn(sites: readonly Site<ExperimentPlant>[]): readonly Site<ExperimentPlant>[] {
  const turns = new Map<string, number>();
  const placed = sites.map((site) => {
    const turn = turns.get(site.plant.clause) ?? 0;
    turns.set(site.plant.clause, turn + 1);
    return { site, turn };
  });
  return placed.toSorted((left, right) => left.turn - right.turn).map(({ site }) => site);
}

/** The other calls of the operation; its first success, too. */
function withProof(beside: readonly Take[], proof: Exchange | null): readonly Take[] {
  return proof === null ? beside : [{ plan: proof.plan, answered: { attempts: [proof], last: proof } }, ...beside];
}

/** The outcome of performing an experiment again. */
interface Trial {
  /** Violations and advisories of the clauses. */
  readonly broken: number;
  /** Answers that had the defect. */
  readonly shown: number;
  /** Why nothing was judged; null where something was. */
  readonly lacks: string | null;
}

/** Why the clause was not judged; null where it was. */
function untoldBy(ledger: Ledger, clause: string): string | null {
  const tallies = [...ledger.tallies(clause).values()];
  if (tallies.some(({ checks }) => checks > 0)) return null;
  return tallies.find(({ reason }) => reason !== null)?.reason ?? 'the experiment judged nothing';
}

/** The operations for which the law of the plant's clause is claimed; all for other clauses. */
function claimed(
  own: readonly Described[],
  { clause }: ExperimentPlant,
  lawful: ExperimentOptions['lawful'],
): readonly Described[] {
  const law = clause.startsWith('PAG-') ? 'pagination' : clause.startsWith('IDEM-') ? 'idempotency' : null;
  return law === null ? own : own.filter(({ operation }) => lawful(operation, law));
}

/** A defect, and where it is. */
interface Planted extends At {
  readonly plant: ExperimentPlant;
}

/** Answers an experiment as a target with the defect does. */
class Player {
  shown = 0;
  isWhole = true;
  /** All answers, as the experiment was given them. */
  readonly given: Exchange[] = [];
  #sent = 0;
  readonly #deck: Deck;
  readonly #shelf: Shelf;
  readonly #planted: Planted | null;
  readonly #stage: Stage;
  readonly #earlier: Exchange[] = [];

  constructor(own: readonly Take[], shelf: Shelf, planted: Planted | null, stage: Stage) {
    this.#deck = new Deck(own, shelf);
    this.#shelf = shelf;
    this.#planted = planted;
    this.#stage = stage;
  }

  readonly send: Send = (plan) => new Promise((resolve) => resolve(this.#answer(plan)));

  #answer(plan: RequestPlan): Answered {
    this.#sent += 1;
    const at = this.#planted;
    const taken = at?.plant.takes?.(plan, at) ?? plan;
    const known = this.#sent > MOST_REQUESTS ? null : this.#deck.answer(taken, at?.plant.countsCalls);
    const answered = known ?? alone(at?.plant.answer?.(taken, this.#shelf.exchanges, at) ?? null);
    if (answered === null) {
      this.isWhole = false;
      throw new NotSent('precondition', 'it was not sent in the run');
    }
    if (taken !== plan && taken.query !== plan.query) this.shown += 1;
    const exchange = asAsked(answered.last, plan);
    const proof = this.#stage.proof(plan);
    const occasion = { plan, exchange, earlier: this.#earlier, beside: this.#shelf.exchanges, proof };
    const changed = at === null ? null : at.plant.change({ ...occasion, at });
    this.#earlier.push(exchange);
    if (changed !== null) this.shown += 1;
    const last = changed === null ? exchange : changedExchange(exchange, changed);
    this.given.push(last);
    return { attempts: [last], last };
  }
}

function alone(exchange: Exchange | null): Answered | null {
  return exchange === null ? null : { attempts: [exchange], last: exchange };
}

/** The judges see the request that the experiment made, whatever the target took it for. */
function asAsked(exchange: Exchange, { query, credential, headers }: RequestPlan): Exchange {
  const { plan, request } = exchange;
  const isAlike = plan.query === query && plan.credential.kind === credential.kind;
  if (isAlike && jsonText(plan.headers) === jsonText(headers)) return exchange;
  return { ...exchange, plan: { ...plan, query, credential, headers }, request: { ...request, query } };
}
