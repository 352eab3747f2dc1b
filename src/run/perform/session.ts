// Performs experiments: has sent what they yield, confirms what was found, and books what they say.

import { OwnWrites } from '../../checks/life/own-writes.ts';
import { haltsOf } from '../../clock/clock.ts';
import type { ExperimentName } from '../../contract/report.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isGone } from '../../facts/answered.ts';
import {
  type Answered,
  type AnyExperiment,
  type Course,
  CutShort,
  NotSent,
  type Outcome,
  type Send,
  type Stage,
  unlessNotSent,
} from '../../probes/probe.ts';
import type { Books } from '../books/books.ts';
import type { Ledger } from '../books/ledger.ts';
import type { Spot } from '../plan/clause-target.ts';
import type { Share } from '../plan/shard.ts';
import type { RunEvents } from './events.ts';
import { Sender, type SenderOptions } from './sender.ts';
import { withinTime } from './within-time.ts';

const CONFIRMATIONS = 2;
/** The same of a run that fits itself to its time: that one look less leaves room for what was not called at all. */
const CONFIRMATIONS_WHERE_FITTED = 1;
/** The same where a clause was breached now and then: chance may show a breach so often. */
const CONFIRMATIONS_WHERE_SHAKY = 5;
/** Statuses that answer a repeated request which had its effect the first time. */
const AFTER_EFFECT: readonly number[] = [404, 409, 410, 412];
/** The same of a request that deletes: to some servers a thing that is gone is a wrong request. */
const AFTER_DELETE: readonly number[] = [...AFTER_EFFECT, 400, 422];

export interface SessionOptions extends SenderOptions {
  /** Absent: this run answers for all. */
  readonly share?: Pick<Share, 'performs'>;
  /** True where the run fits itself to its time. */
  readonly isFitted?: boolean;
}

/** How an experiment under way fares: its last exchange, and why something of it must not be sent; null: all was. */
interface Seen {
  last: Exchange | null;
  refused: NotSent | null;
}

export class Session {
  readonly events: RunEvents;
  readonly books: Books;
  readonly sender: Sender;
  readonly #options: SessionOptions;
  readonly #ledger: Ledger;
  readonly #quietLooks: QuietLooks;
  readonly #ownWrites = new OwnWrites();
  /** Violations first seen, by the exchange that showed them; taken by whoever sent it. */
  readonly #fresh = new Map<string, readonly string[]>();

  constructor(options: SessionOptions) {
    const { events, books } = options;
    this.#options = options;
    this.events = events;
    this.books = books;
    this.#ledger = books.ledger;
    this.#quietLooks = new QuietLooks(books.ledger);
    this.sender = new Sender(options);
    events.on('exchange', ({ exchange }) => this.#ownWrites.observe(exchange));
    events.on('violations', ({ exchange: { id }, prints }) => {
      this.#fresh.set(id, [...(this.#fresh.get(id) ?? []), ...prints]);
    });
  }

  get sent(): number {
    return this.sender.sent;
  }

  /** Resolves when signals, answers and time limits had their turn, however much is computed and however little is sent. */
  turn(): Promise<void> {
    return this.#options.clock.turn();
  }

  /** Tells whether the experiment has anything to send; one that cannot tell is performed, and fails then. */
  stands(experiment: AnyExperiment): boolean {
    const { probe, clauses } = experiment;
    return this.books.errors.attempt(
      { clauses, where: `probe ${probe}` },
      null,
      true,
      () => experiment.stands?.() !== false,
    );
  }

  /**
   * Runs an experiment to its end and books its outcomes; a breach of a repeatable one is confirmed by running it again.
   * Not `ours`: another shard answers for it, and nothing is booked here. An error of the experiment itself is noted.
   */
  async perform(experiment: AnyExperiment, ours = true): Promise<void> {
    await this.turn();
    if (!this.stands(experiment)) return;
    const { probe, clauses } = experiment;
    const seen: Seen = { last: null, refused: null };
    try {
      await this.#performed(experiment, ours, seen);
    } catch (error) {
      this.books.errors.note({ clauses, where: `probe ${probe}` }, error, seen.last);
    }
  }

  async #performed(experiment: AnyExperiment, ours: boolean, seen: Seen): Promise<void> {
    const { probe, companions = 'none', service, operation } = experiment;
    const name: ExperimentName = { probe, companions, service, operation };
    const by = { experiment: name, ...(ours ? {} : { elsewhere: true as const }) };
    const outcomes = await this.#toldWhole(this.#driveUnhalted(experiment, by, seen), ours, name);
    if (outcomes === null && ours) this.#bookHalted(experiment);
    const prints = ours ? this.#bookAll(outcomes ?? [], name) : [];
    if (!experiment.repeatable || prints.length === 0) return;
    await this.#confirm(prints, async () => {
      const again = await this.#driveUnhalted(experiment, by, seen);
      this.#bookAll(again ?? [], name);
      return again !== null && seen.refused === null;
    });
  }

  /** The result of the experiment. Where the run ends meanwhile, what it has shown by then is booked before that is thrown. */
  async #toldWhole<T>(work: Promise<T>, ours: boolean, name: ExperimentName): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof CutShort)) throw error;
      if (ours) this.#bookAll(error.outcomes, name);
      throw error.cause;
    }
  }

  /**
   * The outcomes. What goes by the time between its requests proves nothing where this process was halted meanwhile: it is
   * performed once more where it can be; null where it cannot, or was halted again.
   */
  async #driveUnhalted(experiment: AnyExperiment, by: By, seen: Seen): Promise<readonly Outcome[] | null> {
    const { clock } = this.#options;
    for (let turns = experiment.repeatable ? 2 : 1; turns > 0; turns -= 1) {
      const { count } = haltsOf(clock);
      const outcomes = await this.#drive(experiment, by, seen);
      if (!('converse' in experiment) || haltsOf(clock).count === count) return outcomes;
    }
    return null;
  }

  #bookHalted(experiment: AnyExperiment): void {
    const reason = 'this process was halted, or the machine slept, while it was looked at';
    for (const clause of experiment.clauses) this.#ledger.bookUntested(clause, experiment, 'interrupted', reason);
  }

  /** Drives the experiment; where something of it must not be sent, its clauses are booked as untested for that. */
  async #drive(experiment: AnyExperiment, by: By, seen: Seen): Promise<readonly Outcome[]> {
    const release = (): void => this.events.tell({ kind: 'released', experiment: by.experiment });
    const clauses = experiment.clauses.filter((clause) => this.#ledger.judges(clause));
    seen.refused = null;
    const send = async (plan: RequestPlan): Promise<Answered> => {
      try {
        const answered = await this.send({ ...plan, ...by }, experiment.stage);
        seen.last = answered.last;
        if (by.elsewhere === undefined) this.events.tell({ kind: 'performed', experiment, clauses, plan, answered });
        return answered;
      } catch (error) {
        if (error instanceof NotSent) seen.refused ??= error;
        throw error;
      }
    };
    try {
      return await drive(experiment, send, release);
    } catch (error) {
      if (error instanceof NotSent) return [];
      if (error instanceof CutShort && error.cause instanceof NotSent) return error.outcomes;
      throw error;
    } finally {
      release();
      if (seen.refused !== null) this.#bookNotSent(experiment, seen.refused, by);
    }
  }

  #bookNotSent({ clauses, ...on }: AnyExperiment, { reasonCode, message }: NotSent, by: By): void {
    if (by.elsewhere !== undefined) return;
    for (const clause of clauses) this.#ledger.bookUntested(clause, on, reasonCode, message);
  }

  /** Tells whether this run answers for calls on the spot that several shards make. */
  answersFor(spot: Spot): boolean {
    return this.#options.share?.performs(spot) ?? true;
  }

  /**
   * Looks again: what does not show every time is intermittent. `lookAgain` tells whether it could look; null: no answer came, which tells
   * nothing of answers.
   */
  async #confirm(prints: readonly string[], lookAgain: () => Promise<boolean | null>): Promise<void> {
    const isShaky = prints.some((print) => this.#ledger.isShaky(this.#ledger.clauseOf(print) ?? ''));
    const missed = new Set<string>();
    const usual = this.#options.isFitted === true ? CONFIRMATIONS_WHERE_FITTED : CONFIRMATIONS;
    let [left, looks] = [isShaky ? CONFIRMATIONS_WHERE_SHAKY : usual, 0];
    for (; left > 0; left -= 1) {
      const before = prints.map((print) => this.#ledger.occurrences(print));
      const looked = await lookAgain();
      if (looked === false) break;
      if (looked === null) continue;
      looks += 1;
      prints.forEach((print, index) => {
        if (this.#ledger.occurrences(print) === before[index]) missed.add(print);
      });
    }
    for (const print of prints)
      if (missed.has(print)) this.#ledger.markIntermittent(print);
      else if (left === 0 && looks > 0) this.#ledger.markStanding(print);
  }

  #bookAll(outcomes: readonly Outcome[], by: ExperimentName): readonly string[] {
    return outcomes.flatMap((entry) => {
      const { clause, judgement, evidence } = entry;
      const told = clause.startsWith('LIFE-') ? this.#ownWrites.excused(judgement, evidence) : judgement;
      return this.#ledger.book(clause, entry, told, evidence, by);
    });
  }

  /**
   * Sends a plan; confirms what passive checks found on a request that may be sent again, and looks again where the connection was
   * dropped. `stage`: that of the experiment which sends it.
   */
  async send(plan: RequestPlan, stage: Stage = 'quiet'): Promise<Answered> {
    const known = stage === 'reach' ? null : this.books.failures.refusalOf(plan);
    if (known !== null) throw known;
    if (plan.afterMs !== undefined) await this.#options.clock.sleep(plan.afterMs);
    const answered = await this.sender.send(plan);
    const fresh = this.#takeFresh(answered);
    // A probe that counts its calls is not helped by more of them.
    if (fresh.length === 0 || plan.retry === 'once' || !(isSafe(plan.method) || this.#mayRepeat(plan, stage)))
      return answered;
    await this.#confirm(fresh, async () => {
      const again = await unlessNotSent(() => this.sender.send(plan));
      if (again === null) return false;
      this.#takeFresh(again);
      // A server that fails on a request may close its connection, on which the next one is lost.
      if (again.last.response === null && answered.last.response !== null) return null;
      return !isAfterEffect(again.last, plan);
    });
    if (isSafe(plan.method) || this.#mayRepeat(plan, 'quiet')) this.#quietLooks.note(fresh, plan);
    return answered;
  }

  /** Looks once more at what showed each time while the run was busy. Nothing else is to be sent meanwhile. */
  async lookInQuiet(): Promise<void> {
    await this.#quietLooks.look(async (plan) => {
      const again = await unlessNotSent(() => this.sender.send(plan));
      if (again === null) return null;
      this.#takeFresh(again);
      const isOurs = isGone(again.last) && this.#ownWrites.hasRemoved(plan.path);
      return isOurs || isAfterEffect(again.last, plan) ? null : again.last;
    });
  }

  /**
   * Tells whether a request that may change something may be sent again: one that is wrong on purpose, or has the same
   * effect twice; any other while nobody counts what is made, and where that can be deleted. A payment never.
   */
  #mayRepeat(plan: RequestPlan, stage: Stage): boolean {
    const { operation: key, service, method, intent = 'sound' } = plan;
    const { consent, bound } = this.#options;
    if (key === null || service === null || consent?.isPayment({ service, key }) !== false) return false;
    if (intent !== 'sound' || method === 'PUT' || method === 'DELETE') return true;
    return stage !== 'quiet' && stage !== 'last' && bound?.stays(plan) === false;
  }

  #takeFresh({ attempts }: Answered): readonly string[] {
    return attempts.flatMap(({ id }) => {
      const fresh = this.#fresh.get(id) ?? [];
      this.#fresh.delete(id);
      return fresh;
    });
  }
}

interface By extends Pick<RequestPlan, 'elsewhere'> {
  readonly experiment: ExperimentName;
}

/** Tells whether a request that may have had its effect before is answered as if its object were gone, or there already. */
function isAfterEffect({ response }: Exchange, { method, intent = 'sound' }: RequestPlan): boolean {
  const mayHaveActed = !isSafe(method) && intent === 'sound';
  return mayHaveActed && (method === 'DELETE' ? AFTER_DELETE : AFTER_EFFECT).includes(response?.status ?? 0);
}

/** Sends what the experiment asks for until it ends; resolves with its outcomes. */
export async function drive(experiment: AnyExperiment, send: Send, letGo: () => void): Promise<readonly Outcome[]> {
  if ('converse' in experiment) return experiment.converse(send, letGo);
  const course = experiment.run();
  let step = course.next();
  while (step.done !== true) step = await next(course, step.value, send);
  return step.value;
}

/** An experiment may go without what is not sent, and tells what it has shown where the run ends. */
async function next(course: Course, plan: RequestPlan, send: Send): Promise<ReturnType<Course['next']>> {
  let answered: Answered;
  try {
    answered = await send(plan);
  } catch (error) {
    return course.throw(error);
  }
  return withinTime(answered.last, () => course.next(answered));
}

/**
 * Looks once more, while nothing else is sent, at what showed each time that it was sent again at once: where the target wavers, that may have
 * been one bad moment of it, which the run's own load brought about.
 */
class QuietLooks {
  readonly #ledger: Ledger;
  /** The requests that showed a finding each time, by its fingerprint. */
  readonly #plans = new Map<string, RequestPlan>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Remembers what showed each time, and would be told otherwise if it did not. */
  note(prints: readonly string[], plan: RequestPlan): void {
    for (const print of prints) if (this.#ledger.mayWaver(print)) this.#plans.set(print, plan);
  }

  /** `send` resolves with the answer, null where it could not be sent or the run itself has changed what is asked for. */
  async look(send: (plan: RequestPlan) => Promise<Exchange | null>): Promise<void> {
    for (const [print, plan] of this.#plans) {
      if (!this.#ledger.isShaky(this.#ledger.clauseOf(print) ?? '')) continue;
      const before = this.#ledger.occurrences(print);
      const answer = await send(plan);
      if (answer?.response != null && this.#ledger.occurrences(print) === before) this.#ledger.markIntermittent(print);
    }
  }
}
