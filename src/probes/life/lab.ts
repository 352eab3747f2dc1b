// Performs what experiments on the life of resources ask for: it sends, waits as long as a law gives the target time, makes what a law still
// lacks, and tells what the laws say. It alone knows refusals, what must not be sent, and what a budget leaves out.

import { judgeNewest } from '../../checks/law.ts';
import { type ItemLaw, isPending, type Lack, type RequestLaw, settledFrom, type Told } from '../../checks/life/law.ts';
import { REST_MS, SETTLING_MS } from '../../checks/life/life-06-reads-alike.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { inWords, isLostOrFailed, isSuccess, succeeded } from '../../facts/answered.ts';
import { type ItemFact, isWrite } from '../../facts/item-facts.ts';
import { type Item, KindHistory } from '../../facts/item-history.ts';
import { describedMembers, isWrittenTo, type Role } from '../../facts/kind.ts';
import type { DescribedMembers } from '../../facts/members.ts';
import { isItem } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import type { Listing } from '../../facts/walked-list.ts';
import { markIn } from '../../generate/preferred.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Answered, NotSent, type Outcome, type Send } from '../probe.ts';
import { bodyNaming } from '../reach/own-id.ts';
import { readList } from '../reach/reading-lists.ts';
import { type Amounts, declared, type Reached, type World } from '../world.ts';
import { bodyWith, replacementBody, updatedMembers, withOtherValue, withoutMember } from './changes.ts';
import { kindOf, type Lifecycle, planAt } from './lifecycle.ts';
import { Maker } from './maker.ts';

/** The laws by which a lab judges the histories that it makes, and their clauses. */
export interface Judging {
  readonly laws: readonly ItemLaw[];
  readonly requestLaws: readonly RequestLaw[];
  readonly clauses: readonly string[];
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 4_000;
const MAX_PAGES = 12;
/** Number of creates until one that is lost, or on which the server fails, is given up. */
const MAX_CREATES = 3;

/** Roles of operations that are sent the members of an item. */
export type Writing = 'creator' | 'amender' | 'replacer';
/** Roles of operations that are called on one item. */
type OnItem = Exclude<Role, 'creator' | 'lister'>;

/** Ends a step: what it is about cannot be sent, or is not answered with success. Caught by the lab. */
export class StepEnded extends Error {}

export class Lab {
  readonly world: World;
  readonly cycle: Lifecycle;
  readonly maker: Maker;
  readonly history: KindHistory;
  readonly outcomes: Outcome[];
  readonly judging: Judging;
  readonly #send: Send;
  readonly #letGo: () => void;

  constructor(
    world: World,
    cycle: Lifecycle,
    send: Send,
    letGo: () => void,
    judging: Judging,
    outcomes: Outcome[] = [],
  ) {
    this.world = world;
    this.cycle = cycle;
    this.outcomes = outcomes;
    this.judging = judging;
    this.maker = new Maker(world, cycle);
    this.#send = send;
    this.#letGo = letGo;
    const { knowledge, nonce } = world;
    this.history = new KindHistory(kindOf(cycle), {
      madeAt: (collection) => knowledge.idsAt(collection, '').flatMap(({ created, value }) => (created ? [value] : [])),
      refusedAt: (path) => knowledge.refusedAt(path),
      markIn: (text) => markIn(text, nonce),
    });
    this.history.wasRead = cycle.reader !== null && cycle.reader.proof !== null;
  }

  /** The same for another kind; what is told is told together. */
  beside(cycle: Lifecycle): Lab {
    return new Lab(this.world, cycle, this.#send, this.#letGo, this.judging, this.outcomes);
  }

  /** The result of the step; null where it ended early. `lacking`: the clauses that then cannot be judged on the operation. */
  async attempt<T>(
    step: () => Promise<T>,
    lacking?: { readonly clauses: readonly string[]; readonly on: Reached | null },
  ): Promise<T | null> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StepEnded || error instanceof NotSent)) throw error;
      if (lacking?.on != null && error instanceof StepEnded)
        this.cannotTell(lacking.clauses, lacking.on, error.message);
      return null;
    }
  }

  /** Performs a step of whole runs, which shows little more than others do, or of brief ones, where it stands for those. */
  async only<T>(kind: keyof Amounts<boolean>, step: () => Promise<T>): Promise<T | null> {
    return declared(this.world, { whole: kind === 'whole', brief: kind === 'brief' }) ? this.attempt(step) : null;
  }

  /** Where little may be made that stays, the item that the first call of the run has made is followed; else a new one. */
  async first(): Promise<Item> {
    const { spare, cycle } = this;
    if (spare === null) return this.make();
    const item = this.#itemOf(spare);
    if (isWrittenTo(this.history.kind)) item.add('touched', spare, cycle.creator.operation);
    return item;
  }

  /** Where little may be made that stays, what the first call of the run has made; null where more may be. */
  get spare(): Exchange | null {
    const { creator } = this.cycle;
    return this.world.lasts(creator.operation) ? creator.proof : null;
  }

  /** Makes an item: with every member where that is accepted, else one like those that were made before. Another one for one that is lost. */
  async make(plan: RequestPlan | null = null): Promise<Item> {
    if (this.spare !== null) throw new StepEnded('nothing more may be made');
    let tries = 1;
    let first = await this.exchange(plan ?? this.maker.planOfCreate());
    for (; plan === null && tries < MAX_CREATES && isLostOrFailed(first); tries += 1)
      first = await this.exchange(this.maker.planOfCreate());
    const isRefused = first.response?.status === 400 || first.response?.status === 422;
    const isSimpler = plan === null && isRefused && this.maker.simplify();
    return this.#itemOf(isSimpler ? await this.exchange(this.maker.planOfCreate()) : first, tries);
  }

  #itemOf(made: Exchange, tries = 1): Item {
    const status = made.response?.status ?? 0;
    const item = isSuccess(status)
      ? (this.history.all.findLast(({ facts }) => facts.some(({ exchange }) => exchange === made)) ??
        this.history.observe(made))
      : null;
    if (item !== null) return item;
    if (isSuccess(status)) throw new StepEnded('the answer of the create shows no id');
    throw new StepEnded(`${tries === 1 ? 'the create' : `each of ${tries} creates`} is ${inWords(made)}`);
  }

  /** Sends a write on the item and resolves with the answer, a success. */
  async write(
    item: Item,
    role: 'amender' | 'replacer' | 'remover',
    plan: RequestPlan | null = this.planAt(item, role),
  ): Promise<Exchange> {
    if (plan === null) throw new StepEnded(`no ${WRITES[role]} could be sent`);
    const exchange = await this.exchange(plan);
    if (succeeded(exchange)) return exchange;
    throw new StepEnded(`the ${WRITES[role]} is ${inWords(exchange)}`);
  }

  /** Sends a write on the item, and reads what it shows then. */
  async change(item: Item, role: 'amender' | 'replacer', plan: RequestPlan | null): Promise<ItemFact> {
    await this.write(item, role, plan);
    return this.read(item);
  }

  /** The call of the role on the item; a body of one's own names the item, wherever it has a place for that. */
  planAt(item: Item, role: OnItem, change: Partial<RequestPlan> = {}): RequestPlan {
    const plan = planAt(this.world, this.reached(role), item, change);
    if (change.body === undefined || role === 'reader' || role === 'remover') return plan;
    return { ...plan, body: bodyNaming(plan.body, item, this.membersOf(role).wrapper) };
  }

  /** The operation of the role; where none is described the step ends. */
  reached(role: Role): Reached {
    const { [role]: reached } = this.cycle;
    if (reached === null) throw new StepEnded('no such operation is described');
    return reached;
  }

  /** Description of the members that the operation takes and a reading shows; where one of the two is not described the step ends. */
  membersOf(role: Writing): DescribedMembers {
    const { description, operation } = this.reached(role);
    return describedMembers(description, operation, this.reached('reader').operation);
  }

  /** Changes one member of what the item shows; null where nothing can be changed so. */
  planOfUpdate(item: Item): RequestPlan | null {
    const changed = updatedMembers(this.world, this.reached('amender'), item.shown ?? {}, this.membersOf('amender'));
    return changed === null ? null : this.planWith(item, 'amender', changed);
  }

  /** Changes these members of the item alone. */
  planWith(item: Item, role: 'amender' | 'replacer', changed: JsonObject): RequestPlan {
    const value = bodyWith(this.world, this.reached(role), this.membersOf(role), changed);
    return this.planAt(item, role, { body: { kind: 'json', value } });
  }

  /** Replaces the item with every member described; null where no such body can be made. */
  planOfReplacement(item: Item): RequestPlan | null {
    const body = replacementBody(this.world, this.reached('replacer'));
    return body === null ? null : this.planAt(item, 'replacer', { body, makes: 'nothing' });
  }

  async exchange(plan: RequestPlan | null): Promise<Exchange> {
    return (await this.answer(plan)).last;
  }

  /** Sends the plan whatever it is answered; what the laws say of the request is told. */
  async answer(plan: RequestPlan | null): Promise<Answered> {
    const answered = await this.#answered(plan);
    this.#tellOfRequest(answered.last);
    return answered;
  }

  /** Sends the plans until one is accepted; resolves with the answer, a success. */
  async firstAccepted(plans: readonly (RequestPlan | null)[]): Promise<Exchange> {
    let last: Exchange | null = null;
    for (const plan of plans) {
      const answered = plan === null ? null : await this.attempt(() => this.#answered(plan));
      if (answered === null) continue;
      last = answered.last;
      if (succeeded(last)) return last;
    }
    if (last !== null) this.#tellOfRequest(last);
    throw new StepEnded('no request with such members could be sent');
  }

  async #answered(plan: RequestPlan | null): Promise<Answered> {
    if (plan === null) throw new StepEnded('there is nothing to send');
    const answered = await this.#send(plan);
    const item = this.history.observe(answered.last);
    const { newest = null } = item ?? {};
    if (item !== null && newest !== null && (isWrite(newest) || newest.kind === 'refused'))
      for (const told of judgeNewest(this.judging.laws, item)) this.#tell(told);
    return answered;
  }

  #tellOfRequest(exchange: Exchange): void {
    for (const { clause, judge } of this.judging.requestLaws) {
      const said = judge(this.history, exchange);
      if (said !== null) this.#tell({ clause, ...said });
    }
  }

  /** Reads the item until no law gives the target more time, and it shows what is sought; resolves with the last reading. */
  async read(
    item: Item,
    isSought: (shown: JsonObject) => boolean = () => true,
    change: Partial<RequestPlan> = {},
  ): Promise<ItemFact> {
    if (this.cycle.reader === null) throw new StepEnded('no operation reads one item');
    const { write } = item.episode;
    const soughtUntil = write === null ? 0 : settledFrom(write.exchange);
    let now: ItemFact | null = null;
    await this.#until([item], async () => {
      await this.exchange(this.planAt(item, 'reader', change));
      now = item.newest;
      return now?.shown == null || isSought(now.shown) ? 0 : soughtUntil;
    });
    if (now === null) throw new StepEnded('the item was not read');
    return now;
  }

  /** Reads their list until no law gives the target more time: as far as it shows all of them, or to its end (`isWhole`). */
  async list(items: readonly Item[], isWhole = false): Promise<Listing> {
    const { lister } = this.cycle;
    const [first] = items;
    if (lister === null || first === undefined) throw new StepEnded('no operation lists what is made');
    const isEnough = ({ listing }: { readonly listing: Listing }): boolean =>
      !isWhole && items.every(({ id, nouns }) => listing.items.some((one) => isItem(one, id, nouns)));
    const look = { at: first.listedAt, maxPages: MAX_PAGES, isEnough, probe: 'life/list' };
    let listing: Listing | null = null;
    await this.#until(items, async () => {
      listing = await readList(this.world, lister, look, (plan) => this.exchange(plan));
      if (listing !== null) this.history.noteList(listing, first.listedAt);
      return 0;
    });
    if (listing === null) throw new StepEnded('the list is not answered');
    return listing;
  }

  /** Looks again while something that the laws say of the items may still be otherwise, or `look` wants it until a time. */
  async #until(items: readonly Item[], look: () => Promise<number>): Promise<void> {
    const { timing } = this.world;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const wantedUntil = await look();
      const said = items.flatMap((item) => judgeNewest(this.judging.laws, item).map((told) => ({ item, told })));
      const pending = said.filter(({ item: { newest }, told }) => newest !== null && isPending(told, newest));
      const leftMs = Math.max(wantedUntil, ...pending.map(({ told }) => told.standsFrom ?? 0)) - timing.now();
      const isOver = leftMs <= 0;
      for (const one of said) if (isOver || !pending.includes(one)) await this.#tellOrSupply(one.told, one.item);
      if (isOver) return;
      await timing.sleep(Math.min(pauseMs, leftMs));
    }
  }

  async #tellOrSupply(told: Told, item: Item): Promise<void> {
    const { lacks } = told;
    if (lacks === undefined || (await this.attempt(() => this.#supply(lacks, item))) === null) this.#tell(told);
  }

  /** Makes the facts that a law lacks; what it says then is told as they come. */
  async #supply(lack: Lack, item: Item): Promise<unknown> {
    switch (lack.kind) {
      case 'reading':
        return this.read(item);
      case 'control': {
        const other = await this.make();
        for (const restMs of [SETTLING_MS, REST_MS]) {
          await this.world.timing.sleep(restMs);
          await this.read(other);
          await this.read(other);
        }
        return other;
      }
      case 'other-value-between': {
        const { write, name, was } = lack;
        const { plan } = write.exchange;
        const other = withOtherValue(plan, item.members(write), { name, was });
        const set = (await this.#again(item, other)).newest?.sent[name];
        const shows = (now: JsonObject): boolean => sameness(set, now[name]) === 'same';
        const { shown } = await this.read(item, shows);
        if (shown === null || !shows(shown)) throw new StepEnded('no other value is shown');
        await this.#again(item, plan);
        return this.read(item, (now) => !shows(now));
      }
      case 'once-more': {
        const { write, without } = lack;
        const { plan } = write.exchange;
        const isWhole = without === undefined;
        const sent = isWhole ? plan : withoutMember(plan, item.members(write), without);
        return this.read(await this.#again(item, sent));
      }
      case 'made-with': {
        const made = await this.make(this.maker.planOfCreateWithAll(lack.members));
        await this.exchange(this.planAt(made, 'reader'));
        const said = judgeNewest(this.judging.laws, made);
        // Few may be there together.
        if (this.cycle.remover !== null) await this.attempt(() => this.write(made, 'remover'));
        for (const told of said) await this.#tellOrSupply(told, made);
        return made;
      }
    }
  }

  /** The write again; resolves with what it made, or the item. */
  async #again(item: Item, plan: RequestPlan | null): Promise<Item> {
    const exchange = await this.exchange(plan);
    if (!succeeded(exchange)) throw new StepEnded(`it is ${inWords(exchange)}`);
    return exchange.plan.method === 'POST' ? this.#itemOf(exchange) : item;
  }

  /** Gives up all items that were made so far but the first: they are needed no longer. */
  letGo(): void {
    for (const item of this.history.all.slice(1)) item.isLetGo = true;
    this.#letGo();
  }

  cannotTell(clauses: readonly string[], { operation }: Reached, reason: string): void {
    const judgement: Judgement = cannotTell('precondition', reason);
    for (const clause of clauses) this.#tell({ clause, on: operation, judgement, evidence: [] });
  }

  #tell({ clause, on, judgement, evidence }: Told): void {
    if (!this.judging.clauses.includes(clause)) return;
    this.outcomes.push(outcome(clause, spotOf(on), judgement, evidence));
  }
}

const WRITES = { amender: 'update', replacer: 'replacement', remover: 'delete' } as const;
