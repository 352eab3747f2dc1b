// One run's working state: sends what experiments yield, lets every check see every exchange, and books what they say.

import type { ExchangeCheck, Subject } from '../../checks/check.ts';
import { isBrokenError } from '../../checks/err/err-01.ts';
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import { OwnWrites } from '../../checks/life/own-writes.ts';
import { isTooLate, judgeAnswered } from '../../checks/req/req-09-unanswered.ts';
import type { RunLaw } from '../../checks/run-law.ts';
import { AcceptedInput } from '../../checks/sch/accepted-input.ts';
import { persistent503 } from '../../checks/sch/sch-05-to-08-statuses.ts';
import type { Client } from '../../client/client.ts';
import { type Clock, haltsOf } from '../../clock/clock.ts';
import { holds, resting } from '../../contract/judgement.ts';
import type { ContractName } from '../../contract/openapi-contract.ts';
import type { ExperimentName } from '../../contract/report.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { toKeep } from '../../exchange/kept.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isGone, isRedirect, isServed } from '../../facts/answered.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { KnownKey } from '../../probes/auth/security.ts';
import {
  type Answered,
  type Conversation,
  type Course,
  CutShort,
  type Experiment,
  NotSent,
  type Outcome,
  type Send,
  type Stage,
  unlessNotSent,
} from '../../probes/probe.ts';
import type { World } from '../../probes/world.ts';
import type { CreationBound } from '../books/creation-bound.ts';
import type { Creations } from '../books/creations.ts';
import { HarnessErrors, type Work } from '../books/harness-errors.ts';
import { InputBook } from '../books/input-coverage.ts';
import { type LawOutcome, LawWatch } from '../books/laws.ts';
import type { Ledger } from '../books/ledger.ts';
import { Traffic } from '../books/traffic.ts';
import type { Spot } from '../plan/clause-target.ts';
import { prepareOperation } from '../plan/preparation.ts';
import { addressed, describesTrace } from '../reach/addressing.ts';
import { assureAlive } from '../smoke/alive.ts';
import { DropWatch, isRefusal, KeyWatch, OutageWatch } from '../smoke/watches.ts';
import { asRunEnd, RunEnded } from './interruption.ts';
import { Losses } from './losses.ts';
import { PresentState } from './present-state.ts';
import { QuietLooks } from './quiet-looks.ts';
import { Replacements, type ReplacementsOptions } from './replacements.ts';
import { UnjudgedAnswers } from './unjudged.ts';
import { withinTime } from './within-time.ts';

const CONFIRMATIONS = 2;
/** The same where a clause was breached now and then: chance may show a breach so often. */
const CONFIRMATIONS_WHERE_SHAKY = 5;
/** What a request that had its effect after all is answered once more. */
const AFTER_EFFECT: readonly number[] = [404, 409, 410, 412];

export interface SessionOptions {
  readonly ledger: Ledger;
  readonly catalogue: Catalogue;
  readonly docsUrl: string | null;
  readonly contract: ContractName;
  /** The configured keys, the main one first. */
  readonly keys: readonly KnownKey[];
  /** The user's own, beside ours. */
  readonly ownChecks: readonly ExchangeCheck[];
  readonly laws: readonly RunLaw[];
  /** Whether the clause is part of this run (filters). */
  readonly inRun: (clause: string) => boolean;
  /** Absent: this run answers for all. */
  readonly answersFor?: (spot: Spot) => boolean;
  /** Whether the operation moves money; absent: nobody knows. */
  readonly isPayment?: World['isPayment'];
  /** Why the plan must not be sent; absent: whatever is planned may be. */
  readonly refusal?: (plan: RequestPlan) => NotSent | null;
  /** What the run makes, and how much of it; absent: nobody counts. */
  readonly made?: { readonly creations: Creations; readonly bound: CreationBound };
  /** How what was made is made anew where it is lost; absent: it is not. */
  readonly replacing?: ReplacementsOptions;
  /** Sees every answer that the run judged here, beside the judges; absent: nobody does. */
  readonly onJudged?: (subject: Subject, spot: Spot) => void;
  /** Sees what each experiment of this run sends and is answered; absent: nobody does. */
  readonly onPerformed?: (experiment: Experiment | Conversation, plan: RequestPlan, answered: Answered) => void;
  /** Sees every exchange once it was judged. */
  readonly onExchange: (exchange: Exchange, operation: Operation | null) => void;
  readonly clock: Clock;
}

const NO_PRINTS: readonly string[] = [];

/** How an experiment under way fares: its last exchange, and why something of it must not be sent; null: all was. */
interface Seen {
  last: Exchange | null;
  refused: NotSent | null;
}

export class Session {
  readonly ledger: Ledger;
  readonly traffic = new Traffic();
  readonly inputs = new InputBook();
  /** Answers that no check could judge. */
  readonly unjudged = new UnjudgedAnswers();
  /** What failed in the harness itself. */
  readonly errors = new HarnessErrors();
  readonly #options: SessionOptions;
  readonly #checks: readonly { readonly check: ExchangeCheck; readonly work: Work }[];
  readonly #laws: LawWatch;
  readonly #drops: DropWatch;
  readonly #quietLooks: QuietLooks;
  readonly #accepted = new AcceptedInput();
  readonly #state: PresentState;
  readonly #ownWrites = new OwnWrites();
  readonly losses = new Losses();
  readonly replacements: Replacements | null;
  readonly #outage: OutageWatch;
  #keyWatch: KeyWatch | null;
  /** Violations first seen, by the exchange that showed them; taken by whoever sent it. */
  readonly #fresh = new Map<string, readonly string[]>();
  #client: Client | null = null;
  /** What is being sent. */
  readonly #underWay = new Set<RequestPlan>();
  /** While the target is not known to be the right one, what it answers is held back from the checks. */
  #held: Exchange[] | null = null;
  /** While the run itself keeps the target busy: a 503 that stays is then no breach of SCH-06, but what was asked for. */
  pressed = false;
  /** Requests still planned in the current pass; null outside a pass. */
  planned: number | null = null;
  /** When nothing more of the pass is begun, epoch ms; null: no time is set for it. */
  untilMs: number | null = null;
  /** How many of those are sent before the pass is over. */
  keeps: (planned: number) => number = (planned) => planned;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.ledger = options.ledger;
    this.#quietLooks = new QuietLooks(options.ledger);
    this.#checks = [...EXCHANGE_CHECKS, ...options.ownChecks]
      .filter((check) => options.inRun(check.clause))
      .map((check) => ({ check, work: { clauses: [check.clause], where: 'a check' } }));
    this.#laws = new LawWatch(
      options.laws.filter((law) => options.inRun(law.clause)),
      this.errors,
    );
    this.#keyWatch = options.contract === 'openapi' ? new KeyWatch() : null;
    this.#drops = new DropWatch((plan) => this.#sendRaw(plan), options);
    const sendOwn = async (plan: RequestPlan): Promise<Exchange> => this.#lastOf(await this.#sendRaw(plan));
    this.#state = new PresentState(options.catalogue, sendOwn);
    this.replacements = options.replacing === undefined ? null : new Replacements(options.replacing, sendOwn);
    this.#outage = new OutageWatch((plan) => this.#sendRaw(plan), options.clock);
  }

  /** The client whose `onExchange` is this session's `observe`. */
  attach(client: Client): void {
    this.#client = client;
  }

  /** Resolves when signals, answers and time limits had their turn, however much is computed and however little is sent. */
  turn(): Promise<void> {
    return this.#options.clock.turn();
  }

  get sent(): number {
    return this.#client?.sent ?? 0;
  }

  /** Names of the requests that are waited for, in the order sent. */
  get awaited(): readonly string[] {
    return [...this.#underWay].map(
      ({ method, path, operation, probe }) => `${operation ?? `${method} ${path}`} (${probe})`,
    );
  }

  /** Whether exchanges are kept unjudged: nothing has shown yet that the target is the right one. */
  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** From now on exchanges are kept unjudged. */
  hold(): void {
    this.#held = [];
  }

  /** Judges what was held, and from now on every exchange at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const exchange of held) this.#observe(exchange);
  }

  /** Judges one exchange by every passive check and every law over the run. Never throws: an error of a check is noted. */
  observe(exchange: Exchange): void {
    const noting = { clauses: [], where: 'the note of what is created' };
    this.errors.attempt(noting, exchange, undefined, () => this.#options.made?.creations.observe(exchange));
    this.#state.observe(exchange);
    this.#ownWrites.observe(exchange);
    this.losses.observe(exchange);
    this.replacements?.observe(exchange);
    this.#observe(exchange);
  }

  #observe(exchange: Exchange): void {
    if (this.#held !== null) this.#held.push(exchange);
    else this.#judgeExchange(exchange);
  }

  #judgeExchange(exchange: Exchange): void {
    try {
      this.#judgeUnguarded(exchange);
    } catch (error) {
      this.errors.note({ clauses: [], where: 'an answer' }, error, exchange);
    }
  }

  #judgeUnguarded(exchange: Exchange): void {
    this.#laws.remember(toKeep(exchange));
    const { plan } = exchange;
    if (exchange.failure?.kind === 'aborted') {
      this.unjudged.countStopped(plan, exchange);
      return;
    }
    const described = this.#describedBy(plan);
    const operation = described?.operation ?? null;
    const description = described?.description ?? null;
    const { docsUrl, contract } = this.#options;
    this.#accepted.observe(exchange);
    const subject = { exchange, operation, description, docsUrl, contract, accepted: this.#accepted };
    const spot: Spot = { service: operation?.service ?? null, operation: operation?.key ?? null };
    this.traffic.count(spot, exchange);
    if (isServed(exchange) || isRedirect(exchange.response?.status ?? 0))
      this.ledger.serve(spot, plan.credential.kind === 'key');
    this.unjudged.count(spot, exchange);
    if (described !== null)
      this.errors.attempt({ clauses: [], where: 'the coverage of inputs' }, exchange, undefined, () =>
        this.inputs.observe(exchange, described),
      );
    const told = this.#laws.observe(exchange);
    if (plan.elsewhere === undefined) {
      this.#judge(subject, spot, told);
      this.#options.onJudged?.(subject, spot);
    }
    this.#options.onExchange(exchange, operation);
  }

  #describedBy({ operation, service, method, path }: RequestPlan): ReturnType<Catalogue['match']> {
    const { catalogue } = this.#options;
    return operation === null ? catalogue.match(method, path) : catalogue.operation(operation, service);
  }

  #judge(subject: Subject, spot: Spot, told: readonly LawOutcome[]): void {
    const { exchange } = subject;
    const evidence = [exchange];
    if (exchange.response !== null && this.#options.inRun('REQ-09'))
      this.ledger.book(
        'REQ-09',
        spot,
        resting(holds(), { hostile: exchange.plan.intent === 'hostile' ? 1 : 0 }),
        evidence,
      );
    const fresh: string[] = [];
    for (const { check, work } of this.#checks)
      fresh.push(
        ...this.errors.attempt(work, exchange, NO_PRINTS, () =>
          check.applies(subject) ? this.ledger.book(check.clause, spot, check.judge(subject), evidence) : NO_PRINTS,
        ),
      );
    if (fresh.length > 0) this.#fresh.set(exchange.id, fresh);
    for (const law of told)
      this.errors.attempt({ clauses: [law.clause], where: 'a law over the run' }, exchange, NO_PRINTS, () =>
        this.ledger.book(law.clause, spot, law.judgement, law.evidence),
      );
  }

  /** Whether the experiment has anything to send; one that cannot tell is performed, and fails then. */
  stands(experiment: Experiment | Conversation): boolean {
    const { probe, clauses } = experiment;
    return this.errors.attempt({ clauses, where: `probe ${probe}` }, null, true, () => experiment.stands?.() !== false);
  }

  /**
   * Runs an experiment to its end and books its outcomes; a breach of a repeatable one is confirmed by running it again.
   * Not `ours`: another shard answers for it, and nothing is booked here. An error of the experiment itself is noted.
   */
  async perform(experiment: Experiment | Conversation, ours = true): Promise<void> {
    await this.turn();
    if (!this.stands(experiment)) return;
    const { probe, clauses } = experiment;
    const seen: Seen = { last: null, refused: null };
    try {
      await this.#performed(experiment, ours, seen);
    } catch (error) {
      this.errors.note({ clauses, where: `probe ${probe}` }, error, seen.last);
    }
  }

  async #performed(experiment: Experiment | Conversation, ours: boolean, seen: Seen): Promise<void> {
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

  /** What the experiment comes to. Where the run ends meanwhile, what it has shown by then is booked before that is thrown. */
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
  async #driveUnhalted(experiment: Experiment | Conversation, by: By, seen: Seen): Promise<readonly Outcome[] | null> {
    const { clock } = this.#options;
    for (let turns = experiment.repeatable ? 2 : 1; turns > 0; turns -= 1) {
      const { count } = haltsOf(clock);
      const outcomes = await this.#drive(experiment, by, seen);
      if (!('converse' in experiment) || haltsOf(clock).count === count) return outcomes;
    }
    return null;
  }

  #bookHalted(experiment: Conversation | Experiment): void {
    const reason = 'this process was halted, or the machine slept, while it was looked at';
    for (const clause of experiment.clauses.filter(this.#options.inRun))
      this.ledger.bookUntested(clause, experiment, 'interrupted', reason);
  }

  /** Drives the experiment; where something of it must not be sent, its clauses are booked as untested for that. */
  async #drive(experiment: Experiment | Conversation, by: By, seen: Seen): Promise<readonly Outcome[]> {
    const creations = this.#options.made?.creations;
    seen.refused = null;
    const send = async (plan: RequestPlan): Promise<Answered> => {
      try {
        const answered = await this.send({ ...plan, ...by }, experiment.stage);
        seen.last = answered.last;
        if (by.elsewhere === undefined) this.#options.onPerformed?.(experiment, plan, answered);
        return answered;
      } catch (error) {
        if (error instanceof NotSent) seen.refused ??= error;
        throw error;
      }
    };
    try {
      return await drive(experiment, send, () => creations?.release(by.experiment));
    } catch (error) {
      if (error instanceof NotSent) return [];
      if (error instanceof CutShort && error.cause instanceof NotSent) return error.outcomes;
      throw error;
    } finally {
      creations?.release(by.experiment);
      if (seen.refused !== null) this.#bookNotSent(experiment, seen.refused, by);
    }
  }

  #bookNotSent({ clauses, ...on }: Experiment | Conversation, { reasonCode, message }: NotSent, by: By): void {
    if (by.elsewhere !== undefined) return;
    for (const clause of clauses.filter(this.#options.inRun)) this.ledger.bookUntested(clause, on, reasonCode, message);
  }

  /** Whether this run, or another shard, answers for calls that several of them make on the spot. */
  answersFor(spot: Spot): boolean {
    return this.#options.answersFor?.(spot) ?? true;
  }

  /**
   * Looks again: what does not show every time is intermittent. `lookAgain` tells whether it could look; null: no answer came, which tells
   * nothing of answers.
   */
  async #confirm(prints: readonly string[], lookAgain: () => Promise<boolean | null>): Promise<void> {
    const isShaky = prints.some((print) => this.ledger.isShaky(this.ledger.clauseOf(print) ?? ''));
    const missed = new Set<string>();
    let [left, looks] = [isShaky ? CONFIRMATIONS_WHERE_SHAKY : CONFIRMATIONS, 0];
    for (; left > 0; left -= 1) {
      const before = prints.map((print) => this.ledger.occurrences(print));
      const looked = await lookAgain();
      if (looked === false) break;
      if (looked === null) continue;
      looks += 1;
      prints.forEach((print, index) => {
        if (this.ledger.occurrences(print) === before[index]) missed.add(print);
      });
    }
    for (const print of prints)
      if (missed.has(print)) this.ledger.markIntermittent(print);
      else if (left === 0 && looks > 0) this.ledger.markStanding(print);
  }

  #bookAll(outcomes: readonly Outcome[], by: ExperimentName): readonly string[] {
    const inRun = outcomes.filter(({ clause }) => this.#options.inRun(clause));
    return inRun.flatMap((entry) => {
      const { clause, judgement, evidence } = entry;
      const told = clause.startsWith('LIFE-') ? this.#ownWrites.excused(judgement, evidence) : judgement;
      return this.ledger.book(clause, entry, told, evidence, by);
    });
  }

  /**
   * Sends a plan; confirms what passive checks found on a request that may be sent again, and looks again where the connection was
   * dropped. `stage`: that of the experiment which sends it.
   */
  async send(plan: RequestPlan, stage: Stage = 'quiet'): Promise<Answered> {
    if (plan.afterMs !== undefined) await this.#options.clock.sleep(plan.afterMs);
    const answered = await this.#sendOnce(plan);
    const fresh = this.#takeFresh(answered);
    // A probe that counts its calls is not helped by more of them.
    if (fresh.length === 0 || plan.retry === 'once' || !(isSafe(plan.method) || this.#mayRepeat(plan, stage)))
      return answered;
    await this.#confirm(fresh, async () => {
      const again = await unlessNotSent(() => this.#sendOnce(plan));
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
      const again = await unlessNotSent(() => this.#sendOnce(plan));
      if (again === null) return null;
      this.#takeFresh(again);
      const isOurs = isGone(again.last) && this.#ownWrites.hasRemoved(plan.path);
      return isOurs || isAfterEffect(again.last, plan) ? null : again.last;
    });
  }

  /**
   * Whether a request that may change something may be sent again: one that is wrong on purpose, or has the same effect twice; any other
   * while nobody counts what is made, and where that can be deleted. A payment never.
   */
  #mayRepeat(plan: RequestPlan, stage: Stage): boolean {
    const { operation: key, service, method, intent = 'sound' } = plan;
    const { isPayment, made } = this.#options;
    if (key === null || service === null || isPayment?.({ service, key }) !== false) return false;
    if (intent !== 'sound' || method === 'PUT' || method === 'DELETE') return true;
    return stage !== 'quiet' && stage !== 'last' && made?.bound.stays(plan) === false;
  }

  #takeFresh({ attempts }: Answered): readonly string[] {
    return attempts.flatMap(({ id }) => {
      const fresh = this.#fresh.get(id) ?? [];
      this.#fresh.delete(id);
      return fresh;
    });
  }

  async #sendOnce(planned: RequestPlan): Promise<Answered> {
    const plan = this.replacements?.led(planned) ?? planned;
    const described = this.#describedBy(plan);
    if (described !== null) await prepareOperation(described.description, described.operation, () => this.turn());
    await this.#outage.over();
    let sent = await this.#state.filled(plan);
    let attempts = await this.#sendRaw(this.#drops.onConnection(sent));
    if (this.#state.isStale(sent, this.#lastOf(attempts))) {
      sent = await this.#state.filled(plan);
      attempts = await this.#sendRaw(this.#drops.onConnection(sent));
    }
    const last = this.#lastOf(attempts);
    await this.#judgeAnswered(plan, attempts, last);
    await this.#assureKey(last);
    await this.replacements?.assure(last);
    return { attempts, last };
  }

  #lastOf(attempts: readonly Exchange[]): Exchange {
    const last = attempts.at(-1);
    if (last === undefined) throw new Error('the client sent nothing');
    return last;
  }

  /** The client's send, its ends told as the run's. */
  async #sendRaw(plan: RequestPlan): Promise<readonly Exchange[]> {
    if (this.#client === null) throw new Error('the session has no client');
    const { made, refusal } = this.#options;
    const refused = refusal?.(plan) ?? null;
    if (refused !== null) throw refused;
    const admitted = (await made?.bound.admit(plan)) ?? plan;
    this.#underWay.add(admitted);
    try {
      this.#accepted.sent(admitted);
      const attempts = await this.#client.send(this.#addressed(admitted));
      this.#drops.count(attempts);
      return attempts;
    } catch (error) {
      throw asRunEnd(error);
    } finally {
      this.#underWay.delete(admitted);
      made?.bound.settle(admitted);
    }
  }

  /** From now on keys may be refused: what ends their sessions is called. */
  expectEnd(): void {
    this.#keyWatch = null;
  }

  /** Throws RunEnded (no-credential) where the key that was refused has been accepted before and is not any more. */
  async #assureKey(last: Exchange): Promise<void> {
    const watch = this.#keyWatch;
    watch?.observe(last);
    const controls = watch?.doubt(last) ?? [];
    if (watch === null || controls.length === 0) return;
    for (const control of controls) {
      const answer = (await this.#sendRaw(control)).at(-1);
      if (answer === undefined || !isRefusal(answer)) {
        watch.dispel(last);
        return;
      }
    }
    throw new RunEnded('no-credential', watch.lost(last));
  }

  #addressed(plan: RequestPlan): RequestPlan {
    const { contract, keys } = this.#options;
    const described = this.#described(plan);
    const placed = contract === 'commerce' ? plan : addressed(plan, described, keys);
    return describesTrace(described) ? { ...placed, untraced: true } : placed;
  }

  #described({ operation, service }: RequestPlan): ReturnType<Catalogue['operation']> {
    return operation === null ? null : this.#options.catalogue.operation(operation, service);
  }

  /** REQ-09 on ordinary requests, SCH-06 on a 503 that stays. Hostile probes judge REQ-09 themselves. */
  async #judgeAnswered(plan: RequestPlan, attempts: readonly Exchange[], last: Exchange): Promise<void> {
    const lasting = persistent503(attempts);
    if (!this.pressed && (await this.#outage.observe(last, lasting !== null))) return;
    if (this.#held !== null) return;
    const isLimited = this.#options.contract === 'openapi' && last.response?.status === 429;
    if (lasting !== null || isLimited) this.traffic.stayedUnavailable(plan);
    const isOurs = plan.elsewhere === undefined;
    if (lasting !== null && isOurs && !this.pressed && this.#options.inRun('SCH-06'))
      this.ledger.book('SCH-06', plan, lasting, attempts);
    const first = attempts.find(
      (attempt) => (attempt.failure !== null && attempt.failure.kind !== 'aborted') || isTooLate(attempt),
    );
    if (first === undefined) return;
    if (last.failure !== null && last.failure.status === undefined)
      await assureAlive((health) => this.#sendRaw(health), last, this.#options);
    const failed = last.failure === null ? first : last;
    const clause = isBrokenError(failed) ? 'ERR-01' : 'REQ-09';
    if (!isOurs || !this.#options.inRun(clause) || (plan.intent === 'hostile' && clause === 'REQ-09')) return;
    const { kind } = failed.failure ?? {};
    if (kind === 'reset' || kind === 'protocol') await this.#drops.lookAgain(plan, failed);
    else
      this.ledger.book('REQ-09', plan, judgeAnswered([failed], this.#described(plan)?.operation ?? null, null), [
        failed,
      ]);
  }

  /** REQ-09 and ERR-01 on the connections that were dropped over the run, and what shows now and then, once nothing more is sent. */
  concludeDrops(): void {
    this.ledger.settleShaky();
    for (const { clause, plan, judgement, evidence } of this.#drops.conclude())
      if (this.#options.inRun(clause) && (clause === 'REQ-09' || judgement.kind === 'breached'))
        this.ledger.book(clause, plan, judgement, evidence);
  }

  /** Whether the operation let requests run into the time limit often enough to be left alone. */
  hangs(spot: Spot): boolean {
    return this.traffic.hangs(spot);
  }
}

interface By extends Pick<RequestPlan, 'elsewhere'> {
  readonly experiment: ExperimentName;
}

/** Whether a request that may have had its effect before is answered as one of what is there no more, or there already. */
function isAfterEffect({ response }: Exchange, { method, intent = 'sound' }: RequestPlan): boolean {
  const mayHaveActed = !isSafe(method) && intent === 'sound';
  return mayHaveActed && AFTER_EFFECT.includes(response?.status ?? 0);
}

/** Sends what the experiment asks for until it ends; resolves with its outcomes. */
export async function drive(
  experiment: Experiment | Conversation,
  send: Send,
  letGo: () => void,
): Promise<readonly Outcome[]> {
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
