// The pagination experiments of one list: a first look that decides most, a thorough one, and one at each limit.

import { ENTRIES } from '../../contract/clauses.ts';
import type { Grounds } from '../../contract/measures.ts';
import { followClause } from '../../facts/page-links.ts';
import { listingIn } from '../../facts/walked-list.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { pagingOf } from '../../openapi/model/paging.ts';
import { isCounted } from '../../openapi/model/stated-paging.ts';
import { type Conversation, type Send, unlessNotSent } from '../probe.ts';
import { noteTurned } from '../reach/depth.ts';
import { planOf } from '../reach/recipe.ts';
import { declared, drawFor, type Reached, type World } from '../world.ts';
import { judgedOfOthers, judgeFiltered, judgeOtherPlan, keysOfOtherPlans } from './asked-otherwise.ts';
import { badValues, judgeBadValues } from './bad-values.ts';
import { clausesOf } from './family.ts';
import { judgeDefaults, judgeExcess, judgeRefusedFirst } from './first-page.ts';
import { judgeFollowed } from './followed-list.ts';
import { ListLab, type Requests } from './lab.ts';
import { type ListOperation, listOperation } from './list-operation.ts';
import { type Closeness, usualCloseness } from './looks.ts';
import { ListMemory } from './memory.ts';
import { observe, observeLargestLimit } from './observations.ts';
import { judgePastEnd, placesPastEnd } from './past-end.ts';
import { shareOfEachLimit } from './plans.ts';
import { type Depth, walkSettled } from './settled-walk.ts';
import type { Survey } from './survey.ts';

/**
 * The experiments on the lists among the reached operations. `lists`: how many the run has, other shards' too; they
 * share the requests for the look at each limit, but for a single counted one, of which the contract says most.
 */
export function paginationFamily(world: World, reached: readonly Reached[], lists: number): readonly Conversation[] {
  const share = shareOfEachLimit(lists);
  const counted = reached.filter((one) => isCounted(pagingOf(one, world)?.stated ?? null));
  const shareOf = (one: Reached): number => (counted.length === 1 && counted[0] === one ? shareOfEachLimit(1) : share);
  const closely = declared(world, { whole: reached, brief: lookedAtClosely(world, reached) });
  return reached.flatMap((one) => {
    const closeness = closely.includes(one) ? usualCloseness(world) : 'further';
    const turn = declared(world, { whole: null, brief: closely.indexOf(one) });
    return paginationExperiments(world, one, { among: reached, share: shareOf(one), closeness, turn });
  });
}

/** The first list of each kind that clients add to, else the first: more depends on these, and more happens to them. */
function lookedAtClosely(world: World, reached: readonly Reached[]): readonly Reached[] {
  const lists = reached.flatMap((one) => listOperation(world, one) ?? []);
  const kinds = [...Map.groupBy(lists, (list) => clausesOf(list).join()).values()];
  const isOfMade = ({ reached: { operation } }: ListOperation): boolean =>
    reached.some(
      ({ operation: { service, path, method } }) =>
        method === 'POST' && service === operation.service && path === operation.path,
    );
  return kinds.flatMap((alike) => (alike.find(isOfMade) ?? alike[0])?.reached ?? []);
}

interface Among {
  /** The operations that were reached, to make a short list longer by. */
  readonly among?: readonly Reached[];
  /** Requests for the look at each limit. */
  readonly share?: number;
  readonly closeness?: Closeness;
  /** Its place among the lists that are looked at closely, of which each is asked for under the key of another plan; null: under each of them. */
  readonly turn?: number | null;
}

/** The experiments on a list; none for an operation that is none. */
export function paginationExperiments(
  world: World,
  reached: Reached,
  { among = [], share = shareOfEachLimit(1), closeness = usualCloseness(world), turn = null }: Among = {},
): readonly Conversation[] {
  const list = listOperation(world, reached, closeness);
  if (list === null) return [];
  const memory = new ListMemory(world, list);
  const maker = lacking(list) === 0 ? null : makerOf(world, list, among);
  const looks = [...looksAt(list, share), ...(list.look.otherPlans ? looksOfOthers(world, list, turn) : [])];
  return looks.map(({ requests, examine, grounds, ...occasion }) => ({
    ...{ rank: 3, clauses: clausesOf(list), ...occasion },
    ...{ companions: 'siblings', stage: 'quiet', ...spotOf(reached.operation) },
    async converse(send) {
      // Items made for the first look are there for the later ones, too.
      if (maker !== null && occasion.rank === 0) await lengthen(world, list, maker, send);
      const lab = new ListLab(memory, send, requests);
      await examine(lab);
      return lab.outcomes(grounds);
    },
  }));
}

interface LookAtList extends Pick<Conversation, 'probe' | 'cost' | 'kind'> {
  /** Absent: after the others. */
  readonly rank?: number;
  /** Absent: all that may apply to the list. */
  readonly clauses?: readonly string[];
  /** Requests when nothing is wrong, and those to confirm a breach and to shrink it. */
  readonly requests: Requests;
  readonly examine: (lab: ListLab) => Promise<void>;
  /** Absent: as much as the list shows. */
  readonly grounds?: Grounds;
}

const FIRST_CASES = 38;

/** The looks at the list; one that is followed is walked by several sizes at once. `share`: requests for the look at each limit. */
function looksAt({ look, paging }: ListOperation, share: number): readonly LookAtList[] {
  const lookOf = (
    depth: Depth,
    rank: number,
    cost: number,
    cases: number,
    looks = look.again.numbered,
  ): LookAtList => ({
    ...{ probe: `pagination/${depth}`, rank, cost, requests: { cases, looks } },
    examine: (lab) => examine(lab, depth),
  });
  if (followClause(paging.stated) !== null) return [lookOf('first', 0, 45, 200, look.again.followed)];
  const first = look.cost[paging.turner === null ? 'limits' : 'pages'];
  return [lookOf('first', 0, first, FIRST_CASES), lookOf('deep', 1, 84, 92), lookOf('limits', 2, share, share)];
}

const OTHERS_PROBE = 'pagination/other-plans';

/** Two pages under the key of another plan. That they agree is no pass of a list: others of it may not. */
function looksOfOthers(world: World, list: ListOperation, turn: number | null): readonly LookAtList[] {
  const keys = keysOfOtherPlans(world, list).filter((_, index, { length }) => turn === null || index === turn % length);
  return keys.map((key) => ({
    ...{ probe: `${OTHERS_PROBE}/${key.name}`, kind: OTHERS_PROBE, cost: 2, clauses: judgedOfOthers(list) },
    ...{ requests: { cases: FIRST_CASES, looks: 40 }, grounds: { items: 0, pages: 0 } },
    async examine(lab) {
      const survey = await lab.survey();
      if (typeof survey !== 'string') await judgeOtherPlan(lab, survey, key);
    },
  }));
}

async function examine(lab: ListLab, depth: Depth): Promise<void> {
  const { world, list } = lab;
  const survey = await lab.survey();
  if (typeof survey === 'string') await tellUnsurveyed(lab, survey);
  else if (depth === 'limits' || world.again?.probe === `pagination/${depth}`) await walkSettled(lab, depth);
  else if (followClause(list.paging.stated) !== null) await examineFollowed(lab, survey);
  else await (depth === 'first' ? examineFirst : examineDeeply)(lab, survey);
}

async function tellUnsurveyed(lab: ListLab, reason: string): Promise<void> {
  const clauses = clausesOf(lab.list);
  for (const clause of clauses) lab.untold(clause, reason);
  if (clauses.includes('PAG-02')) await judgeRefusedFirst(lab);
}

/** Looks at what the contract states of the first page, and of limits above the maximum. */
async function examineStated(lab: ListLab, survey: Survey): Promise<void> {
  const { stated } = lab.list.paging;
  const clauses = clausesOf(lab.list);
  if (stated !== null && clauses.includes('PAG-02')) await judgeDefaults(lab, survey, stated);
  if (clauses.includes('PAG-03')) await judgeExcess(lab, survey);
}

/** A list whose pages name the next one has no page that is asked for by number. */
async function examineFollowed(lab: ListLab, survey: Survey): Promise<void> {
  await examineStated(lab, survey);
  const { first, deep } = badValues(lab.list);
  await judgeBadValues(lab, survey, lab.list.look.sizes.all ? [...first, ...deep] : first);
  if (clausesOf(lab.list).includes('PAG-13')) observe(lab, survey, []);
  await judgeFollowed(lab, survey);
}

/** The walk comes last, here as below: it takes what is left of the allowance. */
async function examineFirst(lab: ListLab, survey: Survey): Promise<void> {
  const { list, world } = lab;
  await examineStated(lab, survey);
  if (list.look.otherPlans) noteTurned(world, list.reached);
  const past = await judgePastEnd(lab, survey, placesPastEnd(survey).slice(0, 1));
  // Bad values, order and sizes are for clauses that a contract states: none speaks of them where a description alone binds.
  if (list.paging.stated !== null) {
    await judgeBadValues(lab, survey, badValues(list).first);
    if (clausesOf(list).includes('PAG-13')) observe(lab, survey, past);
  }
  await judgeFiltered(lab, survey);
  await walkSettled(lab, 'first');
}

async function examineDeeply(lab: ListLab, survey: Survey): Promise<void> {
  const { list, memory } = lab;
  const isStated = list.paging.stated !== null;
  if (isStated && clausesOf(list).includes('PAG-13')) {
    const largest = await observeLargestLimit(lab, survey);
    if (largest !== null) memory.accept(largest);
  }
  await judgePastEnd(lab, survey, placesPastEnd(survey).slice(1));
  if (isStated) await judgeBadValues(lab, survey, badValues(list).deep);
  await walkSettled(lab, 'deep');
}

// A short list is made longer before its laws are looked at: an empty list breaks none of them. Only where the description says
// how an item is made and how it is taken away again; the run's clean-up does that.

/** Items that the laws need at least. */
const ENOUGH = Math.max(...ENTRIES.map(({ needs: { items = 0 } }) => items));

/** The operation that makes items of the list, and leaves none that cannot be deleted; null for none. */
function makerOf(world: World, { reached }: ListOperation, among: readonly Reached[]): Reached | null {
  const { service, path } = reached.operation;
  const maker = among.find(
    ({ operation, proof }) =>
      operation.method === 'POST' && operation.service === service && operation.path === path && proof !== null,
  );
  if (maker === undefined) return null;
  const { operation } = maker;
  return world.lasts(operation) || world.isPayment(operation) || world.refusal(operation) !== null ? null : maker;
}

/** How many items the list lacks, as it was last seen. */
function lacking(list: ListOperation): number {
  const { proof } = list.reached;
  const { items, pages } = proof === null ? { items: [], pages: [] } : listingIn(proof, list.place);
  return pages.length === 0 ? 0 : Math.max(0, ENOUGH - items.length);
}

/** Creates what the list lacks, below the parent that the list is read under; stops where no more may be made. */
async function lengthen(world: World, list: ListOperation, maker: Reached, send: Send): Promise<void> {
  const { pathValues } = list.reached.recipe;
  const recipe = { ...maker.recipe, pathValues };
  for (let count = lacking(list); count > 0; count -= 1) {
    const plan = planOf(recipe, 'pagination/lengthen', drawFor(world, `lengthen${count}`), { retry: 'contract' });
    const answered = await unlessNotSent(() => send(plan));
    if ((answered?.last.response?.status ?? 599) >= 400) return;
  }
}
