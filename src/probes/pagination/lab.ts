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
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { endedBy, type Outcome, type Send } from '../probe.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type World } from '../world.ts';
import { askFor, type ListOperation, type Pairs, pairsOf } from './list-operation.ts';
import { type Confirmation, confirm, type ListMemory, readKey } from './memory.ts';
import { readOf, type Survey } from './survey.ts';

/** How a page is asked for. */
type How = Pick<RequestPlan, 'retry' | 'intent'>;

const SOUND: How = { retry: 'contract' };
/** Whatever is answered first is the answer. */
export const AT_ONCE: How = { retry: 'never' };
/** The same for a value that no page can be asked by. */
export const BAD_VALUE: How = { retry: 'never', intent: 'invalid' };

/** Requests left for cases, and for looking again at what seems a breach and for shrinking it. */
export class Allowance {
  cases: number;
  looks: number;
  /** True while a breach is shrunk: further cases are charged to the looks. */
  isShrinking = false;
  /** The error that ended the run while a page was asked for; nothing is sent after it. */
  ended: unknown = null;

  constructor(cases: number, looks: number) {
    this.cases = cases;
    this.looks = looks;
  }
}

interface Tally {
  assertions: number;
  readonly breaches: Breach[];
  readonly evidence: Exchange[];
  untold: { readonly reasonCode: ReasonCode; readonly reason: string } | null;
}

/** The outcome of the clauses so far. */
interface Book {
  readonly tallies: Map<string, Tally>;
  readonly observed: Outcome[];
}

/** The outcome of comparing two pages. */
export type Compared = 'agreed' | 'breached' | Exclude<Confirmation['kind'], 'confirmed'>;

export class ListLab {
  readonly memory: ListMemory;
  readonly allowance: Allowance;
  readonly #send: Send;
  readonly #book: Book;

  constructor(memory: ListMemory, send: Send, allowance: Allowance, book: Book = { tallies: new Map(), observed: [] }) {
    this.memory = memory;
    this.allowance = allowance;
    this.#send = send;
    this.#book = book;
  }

  /** The same on the list as it is asked for otherwise; what is told is told together. */
  beside(memory: ListMemory, allowance: Allowance = this.allowance): ListLab {
    return new ListLab(memory, this.#send, allowance, this.#book);
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
  ask(pairs: Pairs, probe: string, how: How = SOUND): Promise<Exchange | null> {
    return this.#spend(this.allowance.isShrinking ? 'looks' : 'cases', probe, { ...this.#queryOf(pairs), ...how });
  }

  /** Sends what was sent before. */
  lookAgain(pairs: Pairs, probe: string, how: How = SOUND): Promise<Exchange | null> {
    return this.#spend('looks', probe, { ...this.#queryOf(pairs), ...how });
  }

  /** Sends a GET of an address that a page told. `again`: it was sent before. */
  askAt(
    { path, query }: Pick<RequestPlan, 'path' | 'query'>,
    probe: string,
    { again }: { readonly again: boolean },
  ): Promise<Exchange | null> {
    return this.#spend(again ? 'looks' : 'cases', probe, { path, query, ...SOUND });
  }

  #queryOf(pairs: Pairs): Pick<RequestPlan, 'query'> {
    const { paging, reached } = this.list;
    const { size = null, turn = null } = paging.stated?.parameters ?? {};
    const named = [paging.size?.name, paging.turner?.name, size, turn];
    const replaced = new Set([...named, ...pairs.map(([name]) => name)]);
    return { query: queryText([...reached.recipe.query.filter(([name]) => !replaced.has(name)), ...pairs]) };
  }

  async #spend(of: 'cases' | 'looks', probe: string, change: Partial<RequestPlan>): Promise<Exchange | null> {
    const { allowance, world, list } = this;
    if (allowance[of] <= 0) return null;
    allowance[of] -= 1;
    if (allowance.ended !== null) return null;
    const plan = planOf(list.reached.recipe, `pagination/${probe}`, drawFor(world, 'pagination'), change);
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
    const pairs = pairsOf(this.list, ask);
    const { reads } = this.memory;
    const known = reads.get(readKey(pairs));
    if (known !== undefined) return known;
    const read = this.#pageIn(await this.ask(pairs, 'walk'), survey, ask);
    if (read !== null) reads.set(readKey(pairs), read);
    return read;
  }

  /** The page anew, past any memory; null when it could not be read. */
  async readAgain(survey: Survey, { ask }: Pick<PageRead, 'ask'>): Promise<PageRead | null> {
    return this.#pageIn(await this.lookAgain(pairsOf(this.list, ask), 'look-again'), survey, ask);
  }

  #pageIn(exchange: Exchange | null, survey: Survey, ask: Ask): PageRead | null {
    const page = exchange === null ? null : pageOf(exchange, survey.rules.place, this.list.reading);
    return page === null ? null : readOf(this.list, survey, ask, page);
  }

  /** Tells what is wrong with the later page beside the earlier one, once it has shown again. `told`: as it is told. */
  async judge(
    survey: Survey,
    [earlier, later]: readonly [PageRead | null, PageRead],
    compare: Compare,
    told: (flaw: Flaw) => Flaw = (flaw) => flaw,
  ): Promise<Compared> {
    const suspicion = compare(earlier, later);
    if (suspicion === null) return 'agreed';
    const result = await this.confirm(survey, suspicion, later, compare);
    if (result.kind !== 'confirmed') return result.kind;
    this.breachAll({ ...result.suspicion, earlier: suspicion.earlier }, result.later, told);
    return 'breached';
  }

  /** Tells whether the suspicion shows again on a list at rest; asked once for each pair of pages. */
  async confirm(survey: Survey, suspicion: Suspicion, later: PageRead, compare: Compare): Promise<Confirmation> {
    const { confirmed, reads } = this.memory;
    const key = `${suspicion.breach.kind}\n${suspicion.earlier?.query ?? ''}\n${later.query}`;
    const known = confirmed.get(key);
    if (known !== undefined) return known;
    const confirmation = await confirm(suspicion, later, (read) => this.readAgain(survey, read), compare);
    if (confirmation.kind !== 'confirmed') {
      reads.delete(later.query);
      return confirmation;
    }
    if (await this.#hasGrownPastEnd(survey)) return { kind: 'changed' };
    confirmed.set(key, confirmation);
    return confirmation;
  }

  /** Tells whether items stand where the survey saw the end: the list has grown, and what seemed all of it may be a page at its maximum. */
  async #hasGrownPastEnd(survey: Survey): Promise<boolean> {
    const { past } = survey;
    if (past === null || past.keys.length > 0 || past.page.status >= 300) return false;
    const now = await this.readAgain(survey, past);
    return now !== null && now.keys.length > 0;
  }

  agree(clause: string, assertions = 1): void {
    this.#tally(clause).assertions += assertions;
  }

  agreeAll(clauses: readonly string[], assertions = 1): void {
    for (const clause of clauses) this.agree(clause, assertions);
  }

  breach(clause: string, flaw: Flaw, evidence: readonly Exchange[]): void {
    const tally = this.#tally(clause);
    tally.assertions += 1;
    tally.breaches.push(toldOf(clause, flaw));
    tally.evidence.push(...evidence);
  }

  /** A breach of each clause, with both pages that show it. */
  breachAll(
    { clauses, breach, earlier }: Suspicion,
    later: PageRead,
    told: (flaw: Flaw) => Flaw = (flaw) => flaw,
  ): void {
    const evidence = [...(earlier === null ? [] : [earlier]), later].map(({ page }) => page.exchange);
    for (const clause of clauses) this.breach(clause, told(breach), evidence);
  }

  /** Books an observation by itself, with the exchanges that show it. */
  observe(clause: string, judgement: Judgement, evidence: readonly Exchange[]): void {
    this.#book.observed.push(outcome(clause, this.#on, judgement, evidence));
  }

  /** Counts only where nothing is found: agreements on a list that changes prove nothing. */
  untold(clause: string, reason: string, reasonCode: ReasonCode = 'precondition'): void {
    this.#tally(clause).untold ??= { reasonCode, reason };
  }

  /** One outcome for each clause that was looked at, and one for each observation; throws with them what ended the run. */
  outcomes(followed: Grounds = {}): readonly Outcome[] {
    const grounds = { ...this.memory.grounds(), ...followed };
    const judged = [...this.#book.tallies].map(([clause, tally]) =>
      outcome(clause, this.#on, resting(judgementOf(tally), groundsOf(clause, tally, grounds)), tally.evidence),
    );
    const all = [...judged, ...this.#book.observed];
    if (this.allowance.ended !== null) throw endedBy(this.allowance.ended, all);
    return all;
  }

  get #on(): { readonly service: string; readonly operation: string } {
    return spotOf(this.list.reached.operation);
  }

  #tally(clause: string): Tally {
    const known = this.#book.tallies.get(clause);
    if (known !== undefined) return known;
    const tally: Tally = { assertions: 0, breaches: [], evidence: [], untold: null };
    this.#book.tallies.set(clause, tally);
    return tally;
  }
}

/** A limit above the maximum that was refused shows a maximum by itself; all else rests on the list. */
function groundsOf(clause: string, { assertions }: Tally, grounds: Grounds): Grounds {
  return clause === 'PAG-03' ? { overLimits: assertions } : grounds;
}

function judgementOf({ assertions, breaches, untold }: Tally): Judgement {
  if (breaches.length > 0) return breached(breaches, assertions);
  if (untold !== null) return cannotTell(untold.reasonCode, untold.reason);
  return assertions > 0 ? breached([], assertions) : cannotTell('precondition', 'no page could be compared');
}
