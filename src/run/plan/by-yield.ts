// The order of experiments where a budget bounds them. Each clause is looked at once. After that comes first what is expected to
// show most faults per request: the faults of the catalogue that show on one operation alone, over what it costs to ask everywhere.
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import type { Conversation, Experiment } from '../../probes/probe.ts';
import { spotKey } from './clause-target.ts';
import { undoingOf } from './undoing-cost.ts';

/** first: a clause's cheapest look on an operation. further: whatever comes after it there. */
type Look = 'first' | 'further';

export interface Offers {
  readonly first: readonly (Experiment | Conversation)[];
  readonly further: readonly (Experiment | Conversation)[];
  /** Clauses that are only observed as a rule, and judged in this run. Absent: none. */
  readonly demanded?: readonly string[];
}

/** Experiments that have their turn together. */
export interface Turn {
  readonly experiments: readonly (Experiment | Conversation)[];
  /** Faults that they are expected to show per request, beside what came before; null for the first look at each clause. */
  readonly perRequest: number | null;
}

interface Candidate {
  readonly experiment: Experiment | Conversation;
  readonly look: Look;
  readonly perRequest: number;
}

/**
 * All offers, in turns. `resourceOf` names the resource of an experiment: of the experiments that promise the same, those come first
 * that are the first in a resource. What promises nothing comes last.
 */
export function byYield(given: Offers, resourceOf: (experiment: Experiment | Conversation) => string): readonly Turn[] {
  const offers = withoutShown(given);
  const { opening, others } = openers(offers);
  const weigh = weigher(offers);
  const candidateOf = (experiment: Experiment | Conversation, look: Look): Candidate => ({
    ...{ experiment, look, perRequest: weigh(experiment, look) },
  });
  const candidates: readonly Candidate[] = [
    ...others.map((experiment) => candidateOf(experiment, 'first')),
    ...offers.further
      .toSorted((left, right) => left.rank - right.rank)
      .map((experiment) => candidateOf(experiment, 'further')),
  ];
  const groups = [...Map.groupBy(candidates, groupOf).values()].toSorted((left, right) => worth(right) - worth(left));
  return [
    ...alike(opening).map((experiments) => ({ experiments, perRequest: null })),
    ...groups.flatMap((group) => {
      const { first, rest } = firstInResources(group, resourceOf);
      return [first, rest]
        .filter(({ length }) => length > 0)
        .map((part) => ({ experiments: part.map(({ experiment }) => experiment), perRequest: worth(group) }));
    }),
  ];
}

/** Judged on every answer. */
const JUDGED_ON_ANY = new Set(EXCHANGE_CHECKS.map(({ clause }) => clause));

/** Nothing is a first look for clauses that the first calls of operations have shown already: it comes with the further ones. */
function withoutShown({ first, further, demanded = [] }: Offers): Offers {
  const { shown = [], open = [] } = Object.groupBy(first, ({ clauses }) =>
    clauses.length > 0 && clauses.every((clause) => JUDGED_ON_ANY.has(clause)) ? 'shown' : 'open',
  );
  return { first: open, further: [...shown, ...further], demanded };
}

/**
 * The first experiment of each clause, wherever it is, and of each of its variants where these show faults of their own. What is
 * only observed opens nothing: a budget is spent on what can be judged before.
 */
function openers({ first, demanded = [] }: Offers): {
  readonly opening: readonly (Experiment | Conversation)[];
  readonly others: readonly (Experiment | Conversation)[];
} {
  const seen = new Set<string>();
  const { opening = [], others = [] } = Object.groupBy(first, (experiment) => {
    const { clauses } = experiment;
    const judged = clauses.filter((clause) => !OBSERVED.has(clause) || demanded.includes(clause));
    const names = judged.map((clause) =>
      YIELDS[clause]?.variants === undefined ? clause : `${clause} ${kindOf(experiment)}`,
    );
    const isOpening = names.some((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isOpening ? 'opening' : 'others';
  });
  return { opening, others };
}

/** The single requests together, then each conversation by itself, the cheapest first. */
function alike(experiments: readonly (Experiment | Conversation)[]): readonly (Experiment | Conversation)[][] {
  const single = experiments.filter((one) => !isLaw(one));
  const laws = experiments.filter(isLaw).toSorted((left, right) => left.cost - right.cost);
  return [...(single.length === 0 ? [] : [single]), ...laws.map((one) => [one])];
}

/** Whether it is about a law over many calls, and nothing else is to be sent meanwhile. */
export function isLaw(experiment: Experiment | Conversation): boolean {
  return 'converse' in experiment || experiment.stage === 'quiet';
}

/** Whether it is about idempotency keys: each makes something. */
function isKeyed({ clauses }: Experiment | Conversation): boolean {
  return clauses.some((clause) => clause.startsWith('IDEM-'));
}

/** Faults per request that each of these experiments promises, as further looks that nothing else gives. */
export function promiseOf(
  experiments: readonly (Experiment | Conversation)[],
): (experiment: Experiment | Conversation) => number {
  const weigh = weigher({ first: [], further: experiments });
  return (experiment) => weigh(experiment, 'further');
}

/**
 * Beside the faults of the catalogue, first looks on all operations show as many that it does not know: a clause that it has no
 * further fault of is still looked at everywhere before depth goes on for long.
 */
const UNKNOWN_FAULTS = 0.2;
/** Where the faults of a clause show on some operations, others show this share of them. */
const ELSEWHERE = 0.25;
/** Clauses that no answer breaks: they are only observed. */
const OBSERVED = new Set(CLAUSES.filter(({ level }) => level === 'discover').map(({ id }) => id));

/** Faults per request that an experiment promises: of each of its clauses what the catalogue has, over what it costs to ask everywhere. */
function weigher(offers: Offers): (experiment: Experiment | Conversation, look: Look) => number {
  const costs: Readonly<Record<Look, ReadonlyMap<string, number>>> = {
    first: costsOf(offers.first),
    further: costsOf(offers.further),
  };
  const demanded = new Set(offers.demanded);
  const isJudged = (clause: string): boolean => !OBSERVED.has(clause) || demanded.has(clause);
  const faultsOf = (clause: string, look: Look, isThere: boolean): number =>
    (YIELDS[clause]?.[look] ?? 0) * (isThere ? 1 : ELSEWHERE) +
    (look === 'first' && isJudged(clause) ? UNKNOWN_FAULTS : 0);
  return (experiment, look) => {
    const { clauses, shows, operation } = experiment;
    return shows === undefined
      ? clauses.reduce((sum, clause) => {
          const isThere = isWhereFaultsAre(clause, operation);
          return sum + faultsOf(clause, look, isThere) / costIn(costs[look], placeOf(clause, operation));
        }, 0)
      : shows / costIn(costs[look], kindOf(experiment));
  };
}

/**
 * By clause: requests of all experiments that promise something by it. By name: of those that say themselves what they show. What keys
 * and lives make is deleted in the end, and that takes requests, too; what is to be refused makes nothing.
 */
function costsOf(experiments: readonly (Experiment | Conversation)[]): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const experiment of experiments) {
    const { clauses, shows, cost, operation } = experiment;
    const whole = cost + (experiment.leaves !== undefined || isKeyed(experiment) ? undoingOf(experiment) : 0);
    const names = shows === undefined ? clauses.map((clause) => placeOf(clause, operation)) : [kindOf(experiment)];
    for (const name of names) costs.set(name, (costs.get(name) ?? 0) + whole);
  }
  return costs;
}

/** Whether the faults of the clause show on operations like this. */
function isWhereFaultsAre(clause: string, operation: string | null): boolean {
  const on = YIELDS[clause]?.on;
  if (on === undefined) return true;
  return on === 'creates' ? operation?.startsWith('POST ') === true : /^GET [^{]*$/.test(operation ?? '');
}

/** A clause, apart for the operations on which its faults rarely show. */
function placeOf(clause: string, operation: string | null): string {
  return isWhereFaultsAre(clause, operation) ? clause : `${clause} elsewhere`;
}

/** At least one request: what only judges again what was answered before takes none. */
function costIn(costs: ReadonlyMap<string, number>, name: string): number {
  return Math.max(1, costs.get(name) ?? 1);
}

/** Experiments of one name, by what they say themselves that they show: on some operations it may be less than on others. */
function kindOf({ probe, kind = probe, shows }: Experiment | Conversation): string {
  return shows === undefined ? kind : `${kind} ${shows}`;
}

function groupOf({ experiment, look }: Candidate): string {
  const { clauses, rank, shows, stage, operation } = experiment;
  const kind = shows === undefined ? clauses.map((clause) => placeOf(clause, operation)).join(' ') : kindOf(experiment);
  return `${look} ${isLaw(experiment)} ${stage === 'last'} ${kind} ${look === 'further' ? rank : ''}`;
}

function worth([one]: readonly Candidate[]): number {
  return one?.perRequest ?? 0;
}

function firstInResources(
  group: readonly Candidate[],
  resourceOf: (experiment: Experiment | Conversation) => string,
): { readonly first: readonly Candidate[]; readonly rest: readonly Candidate[] } {
  const seen = new Set<string>();
  const { first = [], rest = [] } = Object.groupBy(group, ({ experiment }) => {
    const resource = experiment.operation === null ? spotKey(experiment) : resourceOf(experiment);
    const isFirst = !seen.has(resource);
    seen.add(resource);
    return isFirst ? 'first' : 'rest';
  });
  return { first, rest };
}

/** How many faults of the catalogue further looks at a clause still show. A budget is spent where these promise most. */
export interface Yield {
  /** Faults that each show to one of the variants of a first look, whatever the operation. Absent: none. */
  readonly variants?: number;
  /** Faults that the first look at the clause leaves, and that first looks on all operations show. */
  readonly first: number;
  /** Faults that these leave, and that only further looks show. */
  readonly further: number;
  /** Set: these show on operations that create, or that read without an id. On others as many again show only rarely. */
  readonly on?: 'creates' | 'plain reads';
}

/** By clause. Absent: the first look at it shows all, or the catalogue has no fault of it. `npm run bench:budgets` tells what is missed. */
const YIELDS: Readonly<Record<string, Yield>> = {
  'SCH-01': { first: 0, further: 2 },
  'SCH-06': { first: 0, further: 1 },
  'SCH-07': { first: 0, further: 1 },
  'ERR-10': { first: 1, further: 0 },
  'AUTH-01': { first: 4, further: 0 },
  'AUTH-02': { variants: 5, first: 1, further: 0, on: 'plain reads' },
  'AUTH-03': { first: 1, further: 0, on: 'plain reads' },
  'AUTH-04': { first: 1, further: 0, on: 'plain reads' },
  'AUTH-05': { first: 1, further: 3 },
  // With ERR-13, of which one operation answers unknown ids alone.
  'REQ-02': { first: 6, further: 0 },
  'REQ-03': { first: 3, further: 0, on: 'creates' },
  'REQ-04': { first: 1, further: 0, on: 'creates' },
  'REQ-05': { first: 1, further: 0, on: 'creates' },
  'REQ-06': { variants: 5, first: 2, further: 0, on: 'creates' },
  'REQ-09': { variants: 4, first: 3, further: 1 },
  'VER-01': { first: 2, further: 0, on: 'plain reads' },
  'PAG-06': { first: 0, further: 2 },
  'PAG-07': { first: 0, further: 1 },
  'PAG-09': { first: 2, further: 0 },
  'PAG-12': { first: 1, further: 2 },
  'IDEM-01': { first: 2, further: 0 },
  'IDEM-02': { first: 1, further: 0 },
  'IDEM-03': { first: 1, further: 0 },
  'IDEM-05': { first: 2, further: 0 },
  'IDEM-06': { first: 3, further: 0 },
  'LIFE-01': { first: 2, further: 0 },
  'LIFE-02': { first: 3, further: 0 },
  'LIFE-03': { first: 2, further: 0 },
  'LIFE-04': { first: 2, further: 0 },
  'LIFE-05': { first: 1, further: 0 },
  'LIFE-06': { first: 1, further: 0 },
  'LIFE-07': { first: 2, further: 0 },
  'RATE-03': { first: 0, further: 3 },
  // With the refusals that come of it, on which RATE-01 and RATE-05 are judged.
  'RATE-04': { first: 0, further: 6 },
  'RATE-06': { first: 0, further: 1 },
  'RATE-07': { first: 0, further: 2 },
  'RATE-08': { first: 0, further: 1 },
  // Four, and nothing else looks at the clause at all.
  'RATE-09': { first: 0, further: 6 },
  'RATE-10': { first: 0, further: 2 },
};
