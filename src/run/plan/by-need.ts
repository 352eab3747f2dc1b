// The order of experiments where a budget bounds them: next comes what fills the gravest lack for the fewest requests. Each clause is
// looked at once. After that each doubling of the looks of one kind halves what a further look is worth, so that breadth comes before
// depth, and nothing is looked at again and again while something else was never looked at. Pure.
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import type { Severity } from '../../contract/clauses/entry.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { severityOf } from '../../contract/severity.ts';
import type { AnyExperiment } from '../../probes/probe.ts';
import { spotKey } from './clause-target.ts';
import { undoingOf } from './undoing-cost.ts';

type Planned = AnyExperiment;

export interface Offers {
  /** A clause's cheapest look on each operation. */
  readonly first: readonly Planned[];
  /** All that comes after that there. */
  readonly further: readonly Planned[];
  /** Clauses that are only observed as a rule, and judged in this run. Absent: none. */
  readonly demanded?: readonly string[];
}

/** Experiments that have their turn together. */
export interface Turn {
  readonly experiments: readonly Planned[];
  /** Gravity of what they may show, per request; null for the first look at each clause. */
  readonly worthPerRequest: number | null;
}

/** How grave a breach is: a client that is harmed without knowing counts five times a form that is wrong. */
const GRAVITY: Readonly<Record<Severity, number>> = { security: 5, data: 5, availability: 3, schema: 2, form: 1 };
/** A further look at what was looked at on the same operation before is worth this share of a first one. */
const shareOfFurtherLook = 0.25;
/** Clauses that no answer breaks: they are only observed. */
const OBSERVED = new Set(CLAUSES.filter(({ level }) => level === 'discover').map(({ id }) => id));
/** Clauses that are judged on every answer. */
const JUDGED_ON_ANY = new Set(EXCHANGE_CHECKS.map(({ clause }) => clause));

/**
 * All offers, in turns. `resourceOf` names the resource of an experiment: of one kind, those come first that are the first in a resource.
 * What can only be observed comes last.
 */
export function byNeed(given: Offers, resourceOf: (experiment: Planned) => string): readonly Turn[] {
  const { first, further, demanded = [] } = withoutShown(given);
  const gravity = gravityWith(demanded);
  const { opening, others } = openers(first, gravity);
  const ranked = further.toSorted((left, right) => left.rank - right.rank);
  const groups = [
    ...inBlocks(others, 1, resourceOf, gravity),
    ...inBlocks(ranked, shareOfFurtherLook, resourceOf, gravity),
  ];
  return [
    ...alike(opening).map((experiments) => ({ experiments, worthPerRequest: null })),
    ...groups.toSorted((left, right) => right.worthPerRequest - left.worthPerRequest),
  ];
}

/** Tells whether it is about a law over many calls, and nothing else is to be sent meanwhile. */
export function isLaw(experiment: Planned): boolean {
  return 'converse' in experiment || experiment.stage === 'quiet';
}

/** The worth of a first look of the experiment, per request. */
export function worthOf(experiment: Planned): number {
  return weigh([experiment], gravityWith([]));
}

type Gravity = (experiment: Pick<Planned, 'clauses'>) => number;

function gravityWith(demanded: readonly string[]): Gravity {
  const gravityOf = (clause: string): number =>
    OBSERVED.has(clause) && !demanded.includes(clause) ? 0 : GRAVITY[severityOf(clause)];
  // Whatever is sent, its answer is judged by its schema.
  return ({ clauses }) =>
    clauses.length === 0 ? GRAVITY.schema : clauses.reduce((sum, clause) => sum + gravityOf(clause), 0);
}

/** Gravity of what the experiments may show over what they cost, their undoing included; what takes no request counts as one. */
function weigh(experiments: readonly Planned[], gravity: Gravity): number {
  const cost = experiments.reduce((sum, one) => sum + one.cost + undoingOf(one), 0);
  return experiments.reduce((sum, one) => sum + gravity(one), 0) / Math.max(1, cost);
}

/** Nothing is a first look for clauses that the first calls of operations have shown already: it comes with the further ones. */
function withoutShown({ first, further, demanded = [] }: Offers): Offers {
  const { shown = [], open = [] } = Object.groupBy(first, ({ clauses }) =>
    clauses.length > 0 && clauses.every((clause) => JUDGED_ON_ANY.has(clause)) ? 'shown' : 'open',
  );
  return { first: open, further: [...shown, ...further], demanded };
}

/** Looks that show each clause once, for the fewest requests: next is what shows the gravest clauses that none before it shows. */
function openers(
  first: readonly Planned[],
  gravityOf: Gravity,
): { readonly opening: readonly Planned[]; readonly others: readonly Planned[] } {
  const opening = new Set<Planned>();
  const seen = new Set<string>();
  // Those of the same clauses and cost are worth the same: the first stands for all.
  const candidates = [...Map.groupBy(first, (one) => `${one.clauses} ${one.cost} ${undoingOf(one)}`).values()].flatMap(
    ([one]) => one ?? [],
  );
  for (;;) {
    let [next, most]: [Planned | null, number] = [null, 0];
    for (const one of candidates) {
      const unseen = one.clauses.filter((clause) => !seen.has(clause));
      const worth = unseen.length === 0 ? 0 : weigh([one], () => gravityOf({ clauses: unseen }));
      if (worth > most) [next, most] = [one, worth];
    }
    if (next === null) break;
    opening.add(next);
    for (const clause of next.clauses) seen.add(clause);
  }
  return { opening: [...opening], others: first.filter((one) => !opening.has(one)) };
}

/** The single requests together, then each conversation by itself, the cheapest first. */
function alike(experiments: readonly Planned[]): readonly (readonly Planned[])[] {
  const single = experiments.filter((one) => !isLaw(one));
  const laws = experiments.filter(isLaw).toSorted((left, right) => left.cost - right.cost);
  return [...(single.length === 0 ? [] : [single]), ...laws.map((one) => [one])];
}

interface WorthyTurn extends Turn {
  readonly worthPerRequest: number;
}

/** Experiments of each kind, the first of each resource before all others, in blocks of 1, 2, 4, 8 …: each is worth half of the block before. */
function inBlocks(
  experiments: readonly Planned[],
  share: number,
  resourceOf: (experiment: Planned) => string,
  gravity: Gravity,
): readonly WorthyTurn[] {
  return [...Map.groupBy(experiments, kindOf).values()].flatMap((kind) =>
    blocksOf(firstInResources(kind, resourceOf)).map((block, index) => ({
      experiments: block,
      worthPerRequest: (share * weigh(block, gravity)) / 2 ** index,
    })),
  );
}

function blocksOf(experiments: readonly Planned[]): readonly (readonly Planned[])[] {
  const blocks: (readonly Planned[])[] = [];
  for (let from = 0, size = 1; from < experiments.length; from += size, size *= 2)
    blocks.push(experiments.slice(from, from + size));
  return blocks;
}

/**
 * The kind of an experiment, whose looks are alike: first looks also by their rank, which tells the kinds of one clause
 * apart; further ones follow their ranks.
 */
function kindOf({ kind = '', rank, stage, clauses }: Planned): string {
  return `${kind} ${stage === 'last'} ${stage === 'depth' ? '' : rank} ${clauses.join(' ')}`;
}

function firstInResources(group: readonly Planned[], resourceOf: (experiment: Planned) => string): readonly Planned[] {
  const seen = new Set<string>();
  const { first = [], rest = [] } = Object.groupBy(group, (experiment) => {
    const resource = experiment.operation === null ? spotKey(experiment) : resourceOf(experiment);
    const isFirst = !seen.has(resource);
    seen.add(resource);
    return isFirst ? 'first' : 'rest';
  });
  return [...first, ...rest];
}
