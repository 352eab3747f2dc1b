// A walk over a list: fast-check draws a sequence of pages, each of which is read and compared with the history of what was seen. What
// contradicts that is looked at again; what is confirmed is shrunk to the smallest case.
import * as fc from 'fast-check';
import type { Suspicion } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PropertyCase } from '../../contract/report.ts';
import type { Ask, PageRead } from '../../facts/list-history.ts';
import { Sequence } from '../../facts/list-history.ts';
import { caseAt, placeSeed } from '../../generate/sampling.ts';
import type { ListLab } from './lab.ts';
import { askFor } from './list-operation.ts';
import type { Confirmed } from './memory.ts';
import { anyPlaces, extentOf, type Place } from './plans.ts';
import { type Survey, suspect, suspectBeside } from './survey.ts';

export interface Walked {
  /** Pages that agreed with the model. */
  readonly agreed: number;
  /** Clauses that a confirmed breach is booked of, in its smallest case; none: nothing is wrong. */
  readonly broken: readonly string[];
  /** True where the list kept still. */
  readonly settled: boolean;
}

/** Minimum number of items that leave anything to draw beside the plan. */
const FEW = 3;

/** Maximum number of pages of a drawn sequence. */
const MAX_DRAWN = 30;

/** The planned sequence, and how many drawn ones follow. */
export interface Route {
  /** The experiment that walks. */
  readonly probe: string;
  readonly plan: readonly Place[];
  readonly sequences: number;
  /** Clauses that are looked for. */
  readonly open: readonly string[];
  /** True where parameters that name the page by their absence are left out. */
  readonly leavesOut: boolean;
}

/** Reads the planned pages, then drawn ones, until something is wrong, all agreed, or the allowance is spent; books what is wrong. */
export async function walkPages(lab: ListLab, survey: Survey, route: Route): Promise<Walked> {
  const { probe, plan, sequences } = route;
  const walker = new Walker(lab, survey, route);
  const places = anyPlaces(survey.sequence.length, survey.accepted, Math.max(MAX_DRAWN, plan.length));
  const { operation } = lab.list.reached;
  const { again } = lab.world;
  if (again?.probe === probe) {
    // The list as it is may have no such case.
    await walker.run(pagesOf(again, survey) ?? caseAt(places, again, [[...plan]]) ?? []);
    return walker.conclude(again);
  }
  const details = await fc.check(
    fc.asyncProperty(places, (sequence) => walker.run(sequence)),
    {
      seed: placeSeed(lab.world.seed, `pagination ${operation.service} ${operation.key} ${plan.length}`),
      numRuns: 1 + (extentOf(survey.sequence) < FEW ? 0 : sequences),
      examples: [[[...plan]]],
    },
  );
  lab.allowance.isShrinking = false;
  if (details.failed && walker.breach === null) throw details.errorInstance;
  const [pages] = details.counterexample ?? [[]];
  return walker.conclude({ probe, seed: details.seed, path: details.counterexamplePath ?? '0', pages });
}

/** The pages of the case that the list as it is has; null where the case does not name them. */
function pagesOf({ pages }: PropertyCase, { accepted, sequence }: Survey): readonly Place[] | null {
  return pages?.filter(({ limit, at }) => limit <= accepted && at < sequence.length) ?? null;
}

class Walker {
  agreed = 0;
  settled = true;
  /** The confirmed breach that was found last: fast-check goes on to smaller cases from each one. */
  breach: Confirmed | null = null;
  readonly #lab: ListLab;
  readonly #survey: Survey;
  readonly #route: Route;

  constructor(lab: ListLab, survey: Survey, route: Route) {
    this.#lab = lab;
    this.#survey = survey;
    this.#route = route;
  }

  /** False where a breach is confirmed. */
  async run(places: readonly Place[]): Promise<boolean> {
    const seen = new Sequence(this.#survey.identity.member !== null, this.#survey.walk);
    // The pages of the survey first: they must agree with one another, too, and cost nothing.
    const surveyed = this.#survey.walk.map(({ limit, offset }) => ({ limit, at: offset }));
    for (const place of [...surveyed, ...places]) {
      const read = await this.#read(place);
      const suspicion = read === null ? null : suspect(this.#survey, read, seen);
      if (read === null || (suspicion !== null && !this.#seeks(suspicion))) continue;
      if (suspicion === null) {
        this.agreed += 1;
        seen.learn(read);
      } else if (await this.#isConfirmed(suspicion, read)) return false;
    }
    return true;
  }

  /** Books the breach, with where fast-check finds its smallest case again. */
  conclude(property: PropertyCase): Walked {
    const { agreed, settled } = this;
    if (this.breach === null) return { agreed, broken: [], settled };
    const { suspicion, later } = this.breach;
    const clauses = this.#route.open.filter((clause) => suspicion.clauses.includes(clause));
    const queries = [suspicion.earlier?.query, later.query].filter((query) => query !== undefined).join(', then ');
    const words = `smallest case: ${queries} (fast-check seed ${property.seed}, path "${property.path}")`;
    const breach = { ...suspicion.breach, message: `${suspicion.breach.message}; ${words}`, property };
    this.#lab.breachAll({ ...suspicion, clauses, breach }, later);
    return { agreed, broken: clauses, settled: true };
  }

  async #read({ limit, at }: Place): Promise<PageRead | null> {
    if (!this.settled) return null;
    const applied = Math.min(limit, this.#survey.maximum ?? limit);
    const whole = askFor(this.#lab.list, limit, applied, at);
    const ask = this.#route.leavesOut ? lessThan(whole, this.#survey) : whole;
    const read = await this.#lab.read(this.#survey, ask);
    // A list may refuse one parameter without the other.
    return read !== null && ask !== whole && read.page.status >= 300 ? null : read;
  }

  /** Tells whether the suspicion is of what is looked for. */
  #seeks({ clauses }: Suspicion): boolean {
    return clauses.some((clause) => this.#route.open.includes(clause));
  }

  /** Tells whether the suspicion shows again. */
  async #isConfirmed(suspicion: Suspicion, later: PageRead): Promise<boolean> {
    const result = await this.#lab.confirm(this.#survey, suspicion, later, suspectBeside(this.#survey));
    if (result === 'changed') this.settled = false;
    if (typeof result === 'string') return false;
    this.#lab.allowance.isShrinking = true;
    this.breach = result;
    return true;
  }
}

/** The page asked for by fewer parameters: the usual limit, or the place of the first page, goes without saying. */
function lessThan(ask: Ask, { usual, walk }: Survey): Ask {
  const [first] = walk;
  if (ask.limit === usual && ask.turn !== null) return { ...ask, limit: null };
  const isFirst = ask.turn === first?.ask.turn && ask.limit !== first?.ask.limit;
  return isFirst ? { ...ask, turn: null } : ask;
}
