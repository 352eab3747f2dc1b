// Sends plans one by one. It sees that what they rest on is there: consent, the target, the key, the state that they name, and what the run has made;
// and it judges what is not answered.

import { isBrokenError } from '../../checks/err/err-01.ts';
import { isCut, isTooLate, judgeAnswered } from '../../checks/req/req-09-unanswered.ts';
import { persistent503 } from '../../checks/sch/sch-05-to-08-statuses.ts';
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../clock/clock.ts';
import type { ContractName } from '../../contract/contract.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import type { KnownKey } from '../../probes/auth/security.ts';
import type { Answered } from '../../probes/probe.ts';
import { describedBy } from '../books/answers.ts';
import type { Books } from '../books/books.ts';
import type { CreationBound } from '../books/creation-bound.ts';
import type { Ledger } from '../books/ledger.ts';
import type { SparingConsent } from '../plan/others.ts';
import { prepareOperation } from '../plan/preparation.ts';
import { addressed, describesTrace } from '../reach/addressing.ts';
import { assureAlive, type Sought } from '../smoke/alive.ts';
import { OutageWatch } from '../smoke/outage-watch.ts';
import { DropWatch, isRefusal, KeyWatch } from '../smoke/watches.ts';
import type { RunEvents } from './events.ts';
import { asRunEnd, RunEnded } from './interruption.ts';
import { PresentState } from './present-state.ts';
import { Replacements, type ReplacementsOptions } from './replacements.ts';

export interface SenderOptions {
  readonly events: RunEvents;
  readonly books: Books;
  readonly catalogue: Catalogue;
  readonly contract: ContractName;
  /** The terms of the contract. */
  readonly terms: Terms;
  /** The configured keys, the main one first. */
  readonly keys: readonly KnownKey[];
  /** Decides what may be sent; absent: whatever is planned may be, and nobody knows what moves money. */
  readonly consent?: SparingConsent;
  /** How much the run may make; absent: nobody counts. */
  readonly bound?: CreationBound;
  /** How what was made is made anew where it is lost; absent: it is not. */
  readonly replacing?: ReplacementsOptions;
  readonly clock: Clock;
}

export class Sender {
  readonly replacements: Replacements | null;
  readonly #options: SenderOptions;
  readonly #ledger: Ledger;
  readonly #drops: DropWatch;
  readonly #state: PresentState;
  readonly #outage: OutageWatch;
  readonly #turns = new Turns();
  #keyWatch: KeyWatch | null;
  #client: Client | null = null;
  /** While the run itself keeps the target busy: a 503 that stays is then no breach of SCH-06, but what was asked for. */
  pressed = false;

  constructor(options: SenderOptions) {
    const { events, catalogue, contract, replacing, clock } = options;
    this.#options = options;
    this.#ledger = options.books.ledger;
    this.#keyWatch = contract === 'openapi' ? new KeyWatch() : null;
    this.#drops = new DropWatch((plan) => this.#sendRaw(plan), options);
    const sendOwn = async (plan: RequestPlan): Promise<Exchange> => lastOf(await this.#sendRaw(plan));
    this.#state = new PresentState(catalogue, sendOwn);
    this.replacements = replacing === undefined ? null : new Replacements(replacing, sendOwn);
    this.#outage = new OutageWatch((plan) => this.#sendRaw(plan), clock);
    events.on('exchange', ({ exchange }) => this.#state.observe(exchange));
    events.on('exchange', ({ exchange }) => this.replacements?.observe(exchange));
    events.on('sent', ({ attempts }) => this.#drops.count(attempts));
    events.on('stopped', ({ exchange }) => this.#drops.leave(exchange));
    events.on('concluding', () => this.concludeDrops());
  }

  /** The client whose exchanges are told in the run's events. */
  attach(client: Client): void {
    this.#client = client;
  }

  /** Requests sent by now. */
  get sent(): number {
    return this.#client?.sent ?? 0;
  }

  /** Sends the plan, as what is there needs it; resolves with every attempt and the last of them. */
  async send(planned: RequestPlan): Promise<Answered> {
    const plan = this.#patient(this.replacements?.led(planned) ?? planned);
    const described = describedBy(this.#options.catalogue, plan);
    if (described !== null)
      await prepareOperation(described.description, described.operation, () => this.#options.clock.turn());
    await this.#outage.over();
    let sent = await this.#state.filled(plan);
    let attempts = await this.#sendRaw(this.#drops.onConnection(sent));
    if (this.#state.isStale(sent, lastOf(attempts))) {
      sent = await this.#state.filled(plan);
      attempts = await this.#sendRaw(this.#drops.onConnection(sent));
    }
    const last = lastOf(attempts);
    await this.#judgeAnswered(plan, attempts, last);
    await this.#assureKey(last);
    await this.replacements?.assure(last);
    return { attempts, last };
  }

  /** The plan; it is sent once where its operation was unavailable through all retries before, each of which takes seconds. */
  #patient(plan: RequestPlan): RequestPlan {
    return !this.pressed && this.#options.books.traffic.staysUnavailable(plan) ? { ...plan, retry: 'once' } : plan;
  }

  /** The client's send, its ends told as the run's. */
  async #sendRaw(plan: RequestPlan): Promise<readonly Exchange[]> {
    const client = this.#client;
    if (client === null) throw new Error('the session has no client');
    const { bound, consent } = this.#options;
    const forbidden = (await consent?.forbidding(plan)) ?? null;
    if (forbidden !== null) throw forbidden;
    const admitted = (await bound?.admit(plan)) ?? plan;
    this.#options.events.tell({ kind: 'sending', plan: admitted });
    let attempts: readonly Exchange[] = [];
    try {
      const placed = this.#addressed(admitted);
      // Sent again beside others, what ended the target could not be told from what was cut with it.
      const isSuspect = plan.fresh === true && plan.onlyAlive !== true && this.#drops.hasEnded;
      attempts = await this.#turns.take(isSuspect, () => client.send(placed));
      return attempts;
    } catch (error) {
      throw asRunEnd(error);
    } finally {
      this.#options.events.tell({ kind: 'sent', plan: admitted, attempts });
    }
  }

  /** From now on keys may be refused: what ends their sessions is called. */
  expectEnd(): void {
    this.#keyWatch = null;
  }

  /** Throws RunEnded (no-credential) where the key that was refused has been accepted before and is not any more. */
  async #assureKey(last: Exchange): Promise<void> {
    const [watch, { rateLimits }] = [this.#keyWatch, this.#options.terms];
    watch?.observe(last);
    // Where no answer tells that it is a limiter's, a 403 of one that refuses so is no sign of lost rights.
    if (rateLimits?.headers === null && !rateLimits.isIetf && last.response?.status === rateLimits.refused.status)
      return;
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
    const described = this.#options.catalogue.operation(plan.operation, plan.service);
    const placed = contract === 'commerce' ? plan : addressed(plan, described, keys);
    return describesTrace(described) ? { ...placed, untraced: true } : placed;
  }

  /** SCH-06 on a 503 that stays, REQ-09 on what is not answered in time. */
  async #judgeAnswered(plan: RequestPlan, attempts: readonly Exchange[], last: Exchange): Promise<void> {
    const lasting = persistent503(attempts, this.#options.terms);
    if (!this.pressed && (await this.#outage.observe(last, lasting !== null))) return;
    if (this.#options.books.answers.isHolding) return;
    const { traffic } = this.#options.books;
    const isAgain = last.response?.status === 503 && traffic.staysUnavailable(plan);
    if (lasting !== null || isAgain || this.#isLimited(last)) traffic.stayedUnavailable(plan);
    if (lasting !== null && plan.elsewhere === undefined && !this.pressed)
      this.#ledger.book('SCH-06', plan, lasting, attempts);
    await this.#judgeUnanswered(plan, attempts, last);
  }

  /** Where the contract states limits, the pace waits for them, and the operation is none that hangs. */
  #isLimited({ response }: Exchange): boolean {
    const { contract, terms } = this.#options;
    return contract === 'openapi' && terms.rateLimits === null && response?.status === 429;
  }

  /** REQ-09 on ordinary requests: hostile probes judge it themselves. */
  async #judgeUnanswered(plan: RequestPlan, attempts: readonly Exchange[], last: Exchange): Promise<void> {
    const { terms } = this.#options;
    const first = attempts.find(
      (attempt) => (attempt.failure !== null && attempt.failure.kind !== 'aborted') || isTooLate(attempt, terms),
    );
    if (first === undefined) return;
    const isLost = last.failure !== null && last.failure.status === undefined;
    const look = (sought: Sought): Promise<boolean> => assureAlive((one) => this.#sendRaw(one), last, sought);
    if (isLost && (await this.#drops.whileLooked(look))) await this.#drops.clearSuspects();
    const failed = last.failure === null ? first : last;
    const clause = isBrokenError(failed) ? 'ERR-01' : 'REQ-09';
    const isOurs = plan.elsewhere === undefined && this.#ledger.judges(clause);
    if (!isOurs || (plan.intent === 'hostile' && clause === 'REQ-09')) return;
    if (isCut(failed)) return this.#drops.lookAgain(plan, failed);
    const judgement = judgeAnswered(
      [failed],
      this.#options.catalogue.operation(plan.operation, plan.service)?.operation ?? null,
      null,
      terms,
    );
    this.#ledger.book('REQ-09', plan, judgement, [failed]);
  }

  /** REQ-09 and ERR-01 on the connections that were dropped over the run, and what shows now and then, once nothing more is sent. */
  concludeDrops(): void {
    this.#ledger.settleShaky();
    for (const { clause, plan, judgement, evidence } of this.#drops.conclude())
      if (clause === 'REQ-09' || judgement.kind === 'breached') this.#ledger.book(clause, plan, judgement, evidence);
  }
}

function lastOf(attempts: readonly Exchange[]): Exchange {
  const last = attempts.at(-1);
  if (last === undefined) throw new Error('the client sent nothing');
  return last;
}

/** Lets some requests go alone: those under way are awaited first, and all that come later wait until such a one is answered. */
export class Turns {
  readonly #underWay = new Set<Promise<unknown>>();
  /** Ends when nothing that goes alone is under way or waits; null where there is none. */
  #alone: Promise<unknown> | null = null;

  /** The result of the work, which begins at once unless something goes alone. */
  take<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    if (isAlone) return this.#takeAlone(work);
    const turn = this.#alone === null ? work() : this.#alone.then(work);
    const entry: Promise<unknown> = turn.then(
      () => this.#underWay.delete(entry),
      () => this.#underWay.delete(entry),
    );
    this.#underWay.add(entry);
    return turn;
  }

  #takeAlone<T>(work: () => Promise<T>): Promise<T> {
    const turn = Promise.all([this.#alone, ...this.#underWay]).then(work);
    const over = (): void => {
      if (this.#alone === entry) this.#alone = null;
    };
    const entry: Promise<unknown> = turn.then(over, over);
    this.#alone = entry;
    return turn;
  }
}
