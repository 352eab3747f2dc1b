// Examines one list: reads its pages within an allowance, looks again at what seems a breach, and tells what each clause came to. It alone knows
// refusals, allowances, and what ended the run.

import { type Flaw, toldOf } from '../../checks/pag/flaw.ts';
import type { Compare, Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import { type Breach, breached, cannotTell, type Judgement, resting } from '../../contract/judgement.ts';
import type { Grounds } from '../../contract/measures.ts';
import type { ReasonCode } from '../../contract/report.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Ask, PageRead } from '../../facts/list-history.ts';
import { pageOf } from '../../facts/page.ts';
import type { AskedPage } from '../../facts/walked-list.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { endedBy, type Outcome, type Send } from '../probe.ts';
import { type Pairs, pageName, pageQuery, pairsOf } from '../reach/reading-lists.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type World } from '../world.ts';
import { askFor, type ListOperation } from './list-operation.ts';
import { type Confirmation, type Confirmed, confirm, type ListMemory } from './memory.ts';
import { readOf, type Survey } from './survey.ts';

/** How a page is asked for. */
type How = Pick<RequestPlan, 'retry' | 'intent'>;

const SOUND: How = { retry: 'contract' };
/** Whatever is answered first is the answer. */
export const AT_ONCE: How = { retry: 'never' };
/** The same for a value that no page can be asked by. */
export const BAD_VALUE: How = { retry: 'never', intent: 'invalid' };

/** Requests for cases, and for looking again at what seems a breach and for shrinking it. */
export interface Requests {
  readonly cases: number;
  readonly looks: number;
}

/** Requests that are left. */
interface Allowance {
  cases: number;
  looks: number;
  /** True while a breach is shrunk: further cases are charged to the looks. */
  isShrinking: boolean;
  /** The error that ended the run while a page was asked for; nothing is sent after it. */
  ended: unknown;
}

/** Something that was found out of a clause. */
interface Entry {
  readonly clause: string;
  readonly assertions?: number;
  readonly breach?: Breach;
  readonly evidence?: readonly Exchange[];
  /** Why nothing can be told. */
  readonly untold?: Judgement;
}

/** The outcome of comparing two pages. */
export type Compared = 'agreed' | 'breached' | Exclude<Confirmation, Confirmed>;

/** The result of one look. */
export interface Sight {
  /** Null where nothing is wrong. */
  readonly flaw: Flaw | null;
  readonly evidence: readonly Exchange[];
  /** Looks that differ in it do not show the same. Absent: the kind of flaw decides. */
  readonly of?: string;
  /** Absent: one. */
  readonly assertions?: number;
}

export class ListLab {
  readonly memory: ListMemory;
  readonly allowance: Allowance;
  /** True where it looks again. */
  readonly isAgain: boolean;
  readonly #send: Send;
  /** Findings so far, and observations. */
  readonly #book: Entry[];
  readonly #observed: Outcome[];

  constructor(
    memory: ListMemory,
    send: Send,
    requests: Requests,
    from: ListLab | null = null,
    { isAgain = false } = {},
  ) {
    this.memory = memory;
    this.allowance = from === null ? { ...requests, isShrinking: false, ended: null } : from.allowance;
    this.isAgain = isAgain;
    this.#send = send;
    this.#book = from === null ? [] : from.#book;
    this.#observed = from === null ? [] : from.#observed;
  }

  /** The same on the list as it is asked for otherwise; what is told is told together. */
  beside(memory: ListMemory): ListLab {
    return new ListLab(memory, this.#send, this.allowance, this);
  }

  /** The same past any memory, from the requests for looking again. */
  get again(): ListLab {
    return new ListLab(this.memory, this.#send, this.allowance, this, { isAgain: true });
  }

  get world(): World {
    return this.memory.world;
  }

  get list(): ListOperation {
    return this.memory.list;
  }

  /** The survey of the list; in words why there is none. */
  survey(): Promise<Survey | string> {
    return this.memory.survey(this);
  }

  /** Sends one case; null when the allowance is spent or the run has ended. */
  ask(pairs: Pairs, probe: string, how?: How): Promise<Exchange | null> {
    return this.askAt({ query: this.queryOf(pairs) }, probe, how);
  }

  queryOf(pairs: Pairs): string {
    return pageQuery(this.list.reached.recipe, this.list.paging, pairs);
  }

  /** The same by a query of its own, or at an address that a page told. */
  async askAt(asked: AskedPage, probe: string, how: How = SOUND): Promise<Exchange | null> {
    const { allowance, world, list } = this;
    const of = this.isAgain || allowance.isShrinking ? 'looks' : 'cases';
    if (allowance[of] <= 0) return null;
    allowance[of] -= 1;
    if (allowance.ended !== null) return null;
    const plan = planOf(list.reached.recipe, `pagination/${probe}`, drawFor(world, 'pagination'), { ...asked, ...how });
    try {
      return (await this.#send(plan)).last;
    } catch (error) {
      allowance.ended = error;
      return null;
    }
  }

  /** The page that holds the index, from memory where it was read before; null when it could not be read. */
  readAt(survey: Survey, limit: number, at: number): Promise<PageRead | null> {
    return this.read(survey, askFor(this.list, limit, Math.min(limit, survey.maximum ?? limit), at));
  }

  /** The page, from memory where it was read before; null when it could not be read. */
  async read(survey: Survey, ask: Ask): Promise<PageRead | null> {
    const { reads } = this.memory;
    const known = this.isAgain ? undefined : reads.get(pageName(this.list, ask));
    if (known !== undefined) return known;
    const exchange = await this.ask(pairsOf(this.list, ask), this.isAgain ? 'look-again' : 'walk');
    const page = exchange === null ? null : pageOf(exchange, survey.rules.place, this.list.reading);
    const read = page === null ? null : readOf(this.list, survey, ask, page);
    if (read !== null && !this.isAgain) reads.set(read.query, read);
    return read;
  }

  /** Tells what is wrong with the later page beside the earlier one, once it has shown again. */
  async judge(
    survey: Survey,
    [earlier, later]: readonly [PageRead | null, PageRead],
    compare: Compare,
  ): Promise<Compared> {
    const suspicion = compare(earlier, later);
    if (suspicion === null) return 'agreed';
    const result = await this.confirm(survey, suspicion, later, compare);
    if (typeof result === 'string') return result;
    this.breachAll({ ...result.suspicion, earlier: suspicion.earlier }, result.later);
    return 'breached';
  }

  /** Tells whether the suspicion shows again on a list at rest; asked once for each pair of pages. */
  async confirm(survey: Survey, suspicion: Suspicion, later: PageRead, compare: Compare): Promise<Confirmation> {
    const { confirmed, reads } = this.memory;
    const key = `${suspicion.breach.kind}\n${suspicion.earlier?.query ?? ''}\n${later.query}`;
    const known = confirmed.get(key);
    if (known !== undefined) return known;
    const confirmation = await confirm(suspicion, later, ({ ask }) => this.again.read(survey, ask), compare);
    if (typeof confirmation === 'string') {
      reads.delete(later.query);
      return confirmation;
    }
    if (await this.#hasGrownPastEnd(survey)) return 'changed';
    confirmed.set(key, confirmation);
    return confirmation;
  }

  /** Tells whether items stand where the survey saw the end: the list has grown, and what seemed all of it may be a page at its maximum. */
  async #hasGrownPastEnd(survey: Survey): Promise<boolean> {
    const { past } = survey;
    if (past === null || past.keys.length > 0 || past.page.status >= 300) return false;
    const now = await this.again.read(survey, past.ask);
    return now !== null && now.keys.length > 0;
  }

  /** Books what is wrong by two looks, of so many at most, that show the same; or that one showed nothing wrong. silent: the last one showed nothing. */
  async tell(
    clause: string,
    look: (lab: ListLab) => Promise<Sight | null>,
    looks: number,
  ): Promise<'agreed' | 'breached' | 'unsettled' | 'silent'> {
    const wrong: Sight[] = [];
    let sound: Sight | null = null;
    let told: 'unsettled' | 'silent' = 'silent';
    for (let attempt = 0; attempt < looks && wrong.length >= Math.min(attempt, 1); attempt += 1) {
      const now = await look(attempt === 0 ? this : this.again);
      told = now === null ? 'silent' : 'unsettled';
      if (now === null) continue;
      const { flaw, of } = now;
      const before = wrong.find((one) => one.flaw?.kind === flaw?.kind && one.of === of);
      if (flaw === null) sound = now;
      else if (before === undefined) wrong.push(now);
      else {
        this.breach(clause, flaw, [...before.evidence, ...now.evidence]);
        return 'breached';
      }
    }
    if (sound === null) return told;
    this.agree([clause], sound.assertions);
    return 'agreed';
  }

  agree(clauses: readonly string[], assertions = 1): void {
    for (const clause of clauses) this.#book.push({ clause, assertions });
  }

  breach(clause: string, flaw: Flaw, evidence: readonly Exchange[]): void {
    this.#book.push({ clause, assertions: 1, breach: toldOf(clause, flaw), evidence });
  }

  /** A breach of each clause, with both pages that show it. */
  breachAll({ clauses, breach, earlier }: Suspicion, later: PageRead): void {
    const evidence = [...(earlier === null ? [] : [earlier]), later].map(({ page }) => page.exchange);
    for (const clause of clauses) this.breach(clause, breach, evidence);
  }

  /** Books an observation by itself, with the exchanges that show it. */
  observe(clause: string, judgement: Judgement, evidence: readonly Exchange[]): void {
    this.#observed.push(outcome(clause, this.#on, judgement, evidence));
  }

  /** Counts only where nothing is found: agreements on a list that changes prove nothing. */
  untold(clause: string, reason: string, reasonCode: ReasonCode = 'precondition'): void {
    this.#book.push({ clause, untold: cannotTell(reasonCode, reason) });
  }

  /**
   * One outcome for each clause that was looked at, and one for each observation; throws with them what ended the run. `grounds`: what those rest on
   * that hold.
   */
  outcomes(grounds: Grounds = this.memory.grounds()): readonly Outcome[] {
    const judged = [...Map.groupBy(this.#book, ({ clause }) => clause)].map(([clause, entries]) => {
      const evidence = entries.flatMap((entry) => entry.evidence ?? []);
      return outcome(clause, this.#on, judgementOf(clause, entries, grounds), evidence);
    });
    const all = [...judged, ...this.#observed];
    if (this.allowance.ended !== null) throw endedBy(this.allowance.ended, all);
    return all;
  }

  get #on(): { readonly service: string; readonly operation: string } {
    return spotOf(this.list.reached.operation);
  }
}

/** A limit above the maximum that was refused shows a maximum by itself; all else rests on the list. */
function judgementOf(clause: string, entries: readonly Entry[], grounds: Grounds): Judgement {
  const assertions = entries.reduce((sum, entry) => sum + (entry.assertions ?? 0), 0);
  const breaches = entries.flatMap(({ breach }) => breach ?? []);
  const untold = entries.find((entry) => entry.untold !== undefined)?.untold;
  const told =
    breaches.length > 0 || (untold === undefined && assertions > 0) ? breached(breaches, assertions) : untold;
  return resting(told ?? NOTHING_COMPARED, clause === 'PAG-03' ? { overLimits: assertions } : grounds);
}

const NOTHING_COMPARED = cannotTell('precondition', 'no page could be compared');
