// The life of a resource: one is made, read, listed, changed, deleted and looked for again, with others of its kind beside it. It only makes
// history; what that shows, the laws say.

import { settledFrom } from '../../checks/life/law.ts';
import { filteredBy } from '../../checks/life/life-01-created.ts';
import { uriEncoded } from '../../exchange/decoded.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { inWords, isGone, succeeded } from '../../facts/answered.ts';
import { isWrite } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { valuesOf } from '../../facts/paths.ts';
import { mayBeHidden } from '../../facts/states.ts';
import { contraryOf, nullsWhere, planChangedBy } from '../reach/contrary.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import { assignedId, assignmentsFor } from './assignments.ts';
import { clearedMember, extremesFor, withMembers } from './changes.ts';
import { type Lab, StepEnded, type Writing } from './lab.ts';
import { type Lifecycle, PROBE } from './lifecycle.ts';
import { unusualOf } from './maker.ts';
import { confirmStates, tryStates } from './steering.ts';
import { varyAll, varyOne } from './variety.ts';

/** The facts known of the kind beside its own operations. */
export interface Surroundings {
  /** True where things are made below the item that the run's first call has made, and others follow them. */
  readonly isNeeded: boolean;
  /** The kind that can be made below the item; null for none. */
  readonly below: Lifecycle | null;
}

export async function followLife(lab: Lab, { isNeeded, below }: Surroundings): Promise<void> {
  const { reader, lister } = lab.cycle;
  const item = await lab.attempt(() => lab.first(), { clauses: lab.judging.clauses, on: lab.cycle.creator });
  if (item === null) return;
  const unread = { clauses: ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-06', 'LIFE-07'], on: lab.cycle.creator };
  await lab.attempt(() => lab.read(item), unread);
  await lab.attempt(() => refuseOne(lab, item));
  await lab.attempt(
    () => lab.list([item], lab.history.elsewhere.refusedAt(lab.cycle.creator.operation.path).length > 0),
    {
      clauses: lister === null ? ['LIFE-05'] : [],
      on: lab.cycle.creator,
    },
  );
  const [made] = item.facts;
  const shownFrom = made === undefined ? 0 : settledFrom(made.exchange);
  const isLate = item.facts.some(
    ({ exchange, listing }) => listing !== undefined && exchange.sentAt > shownFrom + MARGIN_MS,
  );
  await lab.only('whole', () => makeAsListed(lab, item));
  const isRead = item.newest !== null && item.has('shown');
  if (reader !== null && isRead) await lab.attempt(() => lab.read(item));
  await lab.only('whole', () => makeAgain(lab, item));
  if (reader !== null && isRead) await changeAll(lab, item);
  const other = lab.history.all.findLast((one) => one !== item && !one.isLetGo) ?? null;
  const both = other === null ? [item] : [item, other];
  if (!isLate) await lab.attempt(() => lab.list(both));
  await lab.attempt(() => end(lab, item, { isNeeded, below, isLate }));
  if (other !== null) await lab.attempt(() => lab.read(other));
  if (reader !== null && isRead) {
    if (other !== null) await lab.only('brief', () => tryStates(lab, other));
    await lab.only('whole', () => (lab.spare === null ? varyAll(lab, { isListLate: isLate }) : varyOne(lab, item)));
    if (lab.spare === null && other !== null) {
      await lab.only('whole', () => tryStates(lab, null));
      await confirmStates(lab);
    }
    lab.letGo();
  }
  await lab.only('whole', () => followNeighbours(lab));
}

/** Time by which a look may be sent later than the list is to show the item. ms. */
const MARGIN_MS = 1_000;

/** LIFE-05: where no create of the run was refused so far, one that must be. */
async function refuseOne(lab: Lab, { facts: [made] }: Item): Promise<void> {
  const path = made?.exchange.plan.path ?? '';
  if (lab.cycle.lister === null || lab.history.elsewhere.refusedAt(path).length > 0) return;
  await lab.exchange(lab.maker.planOfRefusedCreate());
}

/** LIFE-01 where the list may leave an item out by its state: a second one is made in the state of those that are listed. */
async function makeAsListed(lab: Lab, item: Item): Promise<void> {
  const look = item.last('unlisted');
  const { shown } = item;
  const filter = look?.listing === undefined || shown === null ? null : filteredBy(shown, look.listing.items);
  if (filter?.listed === undefined) return;
  const plan = lab.maker.planOfCreateWith(filter.name, filter.listed);
  if (plan === null) return;
  const other = await lab.make(plan);
  await lab.read(other);
  await lab.list([other]);
}

/** LIFE-08 and LIFE-05: a create with the body of the item that is there; where that conflicts, one with other values. */
async function makeAgain(lab: Lab, item: Item): Promise<void> {
  const body = item.facts[0]?.exchange.plan.body ?? { kind: 'none' };
  if (lab.spare !== null || lab.maker.isNamed || body.kind === 'none') return;
  const { creator } = lab.cycle;
  const again = await lab.exchange(
    planOf(creator.recipe, PROBE, drawFor(lab.world, `life ${creator.operation.key} again`), { body }),
  );
  const other = again.response?.status === 409 ? planChangedBy(contraryOf, creator, again.plan) : null;
  if (other === null) return;
  const from = drawFor(lab.world, `life ${creator.operation.key} in conflict`);
  const conflict = await lab.exchange(planOf(creator.recipe, PROBE, from, { body: other.body }));
  if (conflict.response?.status !== 409) return;
  await lab.attempt(() => lab.read(item));
  await lab.attempt(() => lab.list([item], true));
}

/** LIFE-02, LIFE-03 and LIFE-07: the item is replaced and updated, and another one is made. */
async function changeAll(lab: Lab, item: Item): Promise<void> {
  const { replacer, amender } = lab.cycle;
  await lab.attempt(() => replace(lab, item), { clauses: ['LIFE-02'], on: replacer });
  await lab.attempt(() => update(lab, item), { clauses: ['LIFE-02', 'LIFE-03'], on: amender });
  await lab.attempt(() => clear(lab, item));
  await lab.attempt(() => assignOnCreate(lab, item), { clauses: ['LIFE-07'], on: lab.cycle.creator });
  await lab.attempt(() => assignOnUpdate(lab, item), { clauses: ['LIFE-07'], on: amender });
}

/** Replaces the item, and once more with members that are not the client's; within a budget where no update shows those. */
async function replace(lab: Lab, item: Item): Promise<void> {
  const { replacer, amender } = lab.cycle;
  const { shown } = await lab.change(item, 'replacer', lab.planOfReplacement(item));
  const again = async (): Promise<void> => {
    const plan = lab.planOfReplacement(item);
    if (plan === null || shown === null) return;
    await assign(lab, item, 'replacer', [planChangedBy(nullsWhere(), lab.reached('replacer'), plan), plan]);
    await lab.read(item);
  };
  if (amender === null) await lab.attempt(again, { clauses: ['LIFE-07'], on: replacer });
  else await lab.only('whole', again);
}

async function update(lab: Lab, item: Item): Promise<void> {
  const plan = lab.planOfUpdate(item);
  if (plan === null) throw new StepEnded('no member is described that an update may change and a reading shows');
  await lab.change(item, 'amender', plan);
}

/** Null for a member that has a value, where null is described. */
async function clear(lab: Lab, item: Item): Promise<void> {
  const cleared = clearedMember(lab.reached('amender'), item.shown ?? {}, lab.membersOf('amender'));
  if (cleared !== null) await lab.change(item, 'amender', lab.planWith(item, 'amender', cleared));
}

/** A second item with members that are not the client's, and with other values than usual, unless these are refused. */
async function assignOnCreate(lab: Lab, item: Item): Promise<void> {
  const { maker } = lab;
  if (lab.spare !== null || item.shown === null) return;
  const plans = [maker.planOfCreateBy(unusualOf), maker.planOfCreateBy(contraryOf), maker.planOfCreate()];
  const write = await assign(lab, item, 'creator', plans);
  const made = lab.history.all.find(({ facts: [first] }) => first?.exchange === write);
  if (made === undefined) throw new StepEnded('the answer of the create shows no id');
  const { kind } = await lab.read(made);
  const id = assignedId(made.facts[0]?.sent ?? {});
  // The answer may hide that the id which was sent was taken.
  if (kind === 'missing' && id !== null)
    await lab.read(made, undefined, { path: `${made.collection}/${uriEncoded(id)}` });
  await lab.read(item);
}

/** The item once more, with members that are not the client's, and with its extremes, unless these are refused. */
async function assignOnUpdate(lab: Lab, item: Item): Promise<void> {
  const plan = lab.planOfUpdate(item) ?? item.last('amended')?.exchange.plan ?? null;
  if (plan === null || item.shown === null) return;
  const members = lab.membersOf('amender');
  const extremes = extremesFor(item.shown, members);
  const unusual = Object.keys(extremes).length === 0 ? null : withMembers(plan, extremes, members);
  await assign(lab, item, 'amender', [unusual, plan]);
  await lab.read(item);
}

/**
 * Sends the plans with members that are not the client's until one is accepted, then the last plan with fewer of these; resolves with that
 * write. `item`: shows what they are without that.
 */
function assign(lab: Lab, item: Item, role: Writing, plans: readonly (RequestPlan | null)[]): Promise<Exchange> {
  const withId = role === 'creator' && !lab.maker.isNamed;
  const members = lab.membersOf(role);
  const [all, ...fewer] = assignmentsFor(members, item.shown ?? {}, { withId });
  const usable = plans.filter((plan) => plan !== null);
  const last = usable.at(-1);
  if (all === undefined || last === undefined)
    throw new StepEnded('nothing is known of members that clients do not own');
  const offers = usable.map((plan) => withMembers(plan, all, members));
  return lab.firstAccepted([...offers, ...fewer.map((one) => withMembers(last, one, members))]);
}

/** LIFE-04 and LIFE-08: the item is deleted and looked for, and something that was made below it. */
async function end(
  lab: Lab,
  item: Item,
  { isNeeded, below, isLate }: Surroundings & { readonly isLate: boolean },
): Promise<void> {
  const { remover } = lab.cycle;
  // An item that others go on to use is deleted only where no delete of this run has taken anything away.
  if (remover === null || (lab.spare !== null && remover.proof === null)) return;
  if (lab.spare !== null && isNeeded)
    return lab.cannotTell(['LIFE-04'], remover, 'what is made below the item is still looked at');
  const inner = below === null || lab.spare !== null ? null : lab.beside(below);
  const child = inner === null ? null : await lab.only('whole', () => inner.make(planBelow(inner, item)));
  const isUnchanged = !item.facts.slice(1).some(isWrite);
  const deletion = await lab.exchange(lab.planAt(item, 'remover'));
  if (!succeeded(deletion)) {
    lab.cannotTell(['LIFE-04'], remover, `the delete is ${inWords(deletion)}`);
    if (isUnchanged && isGone(deletion)) await lab.attempt(() => lab.read(item));
    return;
  }
  await lab.attempt(() => lab.read(item));
  if (inner !== null && child !== null && item.newest?.kind === 'missing') {
    child.add('removed-above', deletion, remover.operation);
    await lab.attempt(() => inner.read(child));
  }
  if (item.has('listed') && !isLate) await lab.attempt(() => lab.list([item]));
  await lab.only('whole', () => comeTooLate(lab, item));
  if (!item.has('shown', 'listed'))
    lab.cannotTell(['LIFE-04'], remover, 'what was deleted could be seen neither by reading it nor in a list');
}

function planBelow(lab: Lab, { id, collection }: Item): RequestPlan {
  const { operation, recipe } = lab.cycle.creator;
  const above = valuesOf(operation.path, `${collection}/${uriEncoded(id)}/${operation.path.split('/').at(-1)}`);
  return planOf(
    { ...recipe, pathValues: { ...recipe.pathValues, ...above } },
    PROBE,
    drawFor(lab.world, `life ${operation.key} below`),
  );
}

/** LIFE-08: the delete once more, and an update of what was deleted. */
async function comeTooLate(lab: Lab, item: Item): Promise<void> {
  await lab.attempt(() => lab.exchange(lab.planAt(item, 'remover')));
  const last = item.last('amended');
  if (last === null) return;
  const late = await lab.exchange(last.exchange.plan);
  // It may be there again, and nothing else of the run knows of it.
  if (succeeded(late)) await lab.exchange(lab.planAt(item, 'remover'));
}

/** LIFE-01 and LIFE-03: of three items that are made in a row the one between is changed and deleted, and the others stay as they were. */
async function followNeighbours(lab: Lab): Promise<void> {
  if (lab.spare !== null || lab.cycle.reader === null || lab.cycle.remover === null) return;
  const row = await makeRow(lab, { isChanged: true });
  const isDoubtful = row.some(
    ({ facts: [made], newest }) => newest?.kind === 'missing' && mayBeHidden(made?.sent ?? {}),
  );
  // The values sent may hide an item: that it goes just as another one is deleted is no coincidence where it goes so again.
  if (isDoubtful) await makeRow(lab, { isChanged: false });
  lab.letGo();
}

/** Makes three items in a row, and deletes the one between; resolves with the others. `isChanged`: it is changed before. */
async function makeRow(lab: Lab, { isChanged }: { readonly isChanged: boolean }): Promise<readonly Item[]> {
  const [first, between, last] = [await makeReadable(lab), await makeReadable(lab), await makeReadable(lab)];
  if (isChanged) await lab.attempt(() => changeBetween(lab, between));
  await lab.write(between, 'remover');
  for (const one of [first, last]) await lab.read(one);
  return [first, last];
}

async function makeReadable(lab: Lab): Promise<Item> {
  const item = await lab.make(lab.maker.planOfCreate());
  await lab.read(item);
  if (!item.has('shown')) throw new StepEnded('an item of the row cannot be read');
  return item;
}

async function changeBetween(lab: Lab, item: Item): Promise<void> {
  if (lab.cycle.amender !== null) await lab.write(item, 'amender', lab.planOfUpdate(item));
  else if (lab.cycle.replacer !== null) await lab.write(item, 'replacer', lab.planOfReplacement(item));
}
