// Gives items states and flags by one writer and another, so that the laws can tell who sets them (LIFE-02) and what changes them (LIFE-03).
import { ignoredIn, MOST_VALUES, type Steered, setByChanges, suspectsIn } from '../../checks/life/life-02-steered.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { type DescribedMembers, isStateOfItem, isSteerable, memberShape } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { changeOf, withMembers } from './changes.ts';
import { type Lab, StepEnded } from './lab.ts';

const MOST_CONFIRMED = 3;

/** The value of one member that is to be sent. */
interface Setting {
  /** Null: by a create. */
  readonly role: 'amender' | 'replacer' | null;
  readonly name: string;
  readonly value: unknown;
  /** A request whose other members are sent along. */
  readonly like: RequestPlan | null;
}

/** Sends the value, to the item, or to one that it makes; resolves with the item and what it then shows of the member. */
async function set(lab: Lab, item: Item | null, { role, name, value, like }: Setting) {
  const shows = (shown: JsonObject): boolean => sameness(value, shown[name]) === 'same';
  if (role === null) {
    const plan = lab.maker.planOfCreateWith(name, value);
    if (plan === null) throw new StepEnded('no create may send it');
    const made = await lab.make(plan);
    return { item: made, now: await lab.read(made, shows) };
  }
  const on = item ?? (await begin(lab)).item;
  const members = lab.membersOf(role);
  const plan = like === null ? null : withMembers(like, { [name]: value }, members);
  const alone = (): RequestPlan => lab.planWith(on, role, { [name]: value });
  await lab.write(on, role, plan === null ? alone() : lab.planAt(on, role, changeOf(plan)));
  return { item: on, now: await lab.read(on, shows) };
}

/** A new item, and what it begins with. */
async function begin(lab: Lab): Promise<{ readonly item: Item; readonly now: ItemFact }> {
  const item = await lab.make(lab.maker.planOfCreate());
  return { item, now: await lab.read(item) };
}

function settingOf({ write, name, sent }: Steered, value: unknown = sent): Setting {
  const role = write.kind === 'made' ? null : write.kind === 'amended' ? 'amender' : 'replacer';
  return { role, name, value, like: write.exchange.plan };
}

/**
 * Gives an item a state by an update, where updates are described to take one, and updates another member (LIFE-03). Where the state is
 * not set another one is tried, by an update and by a create. Where a budget bounds the run no other write sends one.
 */
export async function tryState(lab: Lab, item: Item | null): Promise<void> {
  const state = stateOf(lab.membersOf('amender'));
  const shown = item?.shown ?? null;
  if (item === null || state === null || shown === null) return;
  const { name, values } = state;
  const others = values.filter((value) => sameness(value, shown[name]) === 'other').slice(0, MOST_VALUES);
  // An operation that sets a state back sets it to one of the first, so the last value is tried.
  const last = values.at(-1);
  const by = { role: 'amender', name, like: null } as const;
  const isKept = await lab.attempt(() => setAndUpdate(lab, item, { ...by, value: last }));
  // From the last one no way may lead back.
  if (isKept !== null || sameness(last, shown[name]) !== 'other') return;
  for (const value of others) await set(lab, item, { ...by, value });
  if (others.length > 0 && isSteerable(lab.membersOf('creator'), name))
    await set(lab, null, { ...by, role: null, value: others[0] });
}

async function setAndUpdate(lab: Lab, item: Item, setting: Setting): Promise<true> {
  await set(lab, item, setting);
  return lab.keepState(item, setting.name, setting.value);
}

/**
 * Turns the first flag that updates are described to take, and back: whether one turns it one way alone. Where a budget bounds the run no
 * other update sends one.
 */
export async function tryFlag(lab: Lab, item: Item | null): Promise<void> {
  const members = lab.membersOf('amender');
  const shown = item?.shown ?? null;
  if (item === null || shown === null) return;
  const name = Object.keys(shown).find(
    (one) => typeof shown[one] === 'boolean' && isStateOfItem(one) && isSteerable(members, one),
  );
  if (name === undefined) return;
  for (const value of [!shown[name], shown[name]]) await set(lab, item, { role: 'amender', name, value, like: null });
}

/** Shows what is suspected of states, by creates and by changes since the place, once more: each on an item of its own. */
export async function confirmStates(lab: Lab, since: number): Promise<void> {
  const { history, cycle } = lab;
  for (const suspect of suspectsIn(history, since).slice(0, MOST_CONFIRMED)) {
    const { lost, kept, other } = suspect;
    await lab.attempt(async () => {
      const first = kept.sent === lost.sent ? await begin(lab) : await set(lab, null, settingOf(kept));
      if (sameness(lost.sent, first.now.shown?.[lost.name]) !== 'other') return;
      await set(lab, first.item, settingOf(lost));
      await set(lab, first.item, settingOf(other, lost.sent));
    });
  }
  for (const changes of ignoredIn(history, since).slice(0, MOST_CONFIRMED))
    await lab.attempt(async () => {
      const { item, now } = await begin(lab);
      const values = new Map(changes.map((one) => [one.sent, one]));
      const others = [...values.values()].filter(({ sent, name }) => sameness(sent, now.shown?.[name]) === 'other');
      for (const one of others.slice(0, MOST_VALUES)) await set(lab, item, settingOf(one));
    });
  if (cycle.amender === null) return;
  for (const [name, all] of [...setByChanges(history, since)].slice(0, MOST_CONFIRMED))
    await lab.attempt(async () => {
      const { item, now } = await begin(lab);
      const last = all.at(-1);
      const isOther = ({ write, sent }: Steered): boolean =>
        write.by === last?.write.by && sameness(sent, now.shown?.[name]) === 'other';
      const value = all.find(isOther) ?? last;
      if (value !== undefined) await setAndUpdate(lab, item, settingOf(value));
    });
}

/** The first state that the writer is described to take of which several values are listed; null for none. */
function stateOf(members: DescribedMembers): { readonly name: string; readonly values: readonly unknown[] } | null {
  const { description, sent } = members;
  const schema = sent?.value ?? true;
  for (const name of Object.keys(Object(shapeOf(description, schema).properties))) {
    const isState = isStateOfItem(name) && isSteerable(members, name);
    const values = isState ? memberShape(description, schema, name)?.enum : null;
    if (Array.isArray(values) && values.length > 1) return { name, values };
  }
  return null;
}
