// Gives items states and flags by one writer and another, so that the laws can tell who sets them (LIFE-02) and what changes them (LIFE-03).
import { type Steered, suspectsIn } from '../../checks/life/life-02-steered.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { type DescribedMembers, isStateOfItem, isSteerable, memberShape } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { changeOf, withMembers } from './changes.ts';
import { type Lab, StepEnded } from './lab.ts';

const MOST_TRIED = 3;
const CHANGERS = ['amender', 'replacer'] as const;
type Changer = (typeof CHANGERS)[number];

/** The value of one member that is to be sent. */
interface Setting {
  /** Null: by a create. */
  readonly role: Changer | null;
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
 * Gives the item, or for each a new one, states and flags by a change that is described to take them, and updates another member (LIFE-03). Where
 * a state is not set another one is tried, by a change and by a create; a flag is turned back, for a writer may turn it one way alone.
 */
export async function tryStates(lab: Lab, item: Item | null): Promise<void> {
  const states = lab.cycle.amender === null ? [] : statesOf(lab).slice(0, MOST_TRIED);
  for (const state of states) await lab.attempt(async () => tryState(lab, item ?? (await begin(lab)).item, state));
}

async function tryState(lab: Lab, item: Item, { values, ...by }: State): Promise<void> {
  const current = item.shown?.[by.name];
  const isFlag = typeof current === 'boolean';
  // An operation that sets a state back sets it to one of the first, so the last value is tried. From that no way may lead back.
  const [last, ...others] = isFlag ? [!current, current] : values.toReversed();
  const setBy = (value: unknown) => set(lab, item, { ...by, value, like: null });
  const shows = ({ shown }: ItemFact): boolean => shown !== null && sameness(last, shown[by.name]) === 'same';
  const setAndUpdate = async (): Promise<ItemFact | null> => {
    // Read twice: nothing else has changed it then.
    const isSet = shows((await setBy(last)).now) && shows(await lab.read(item));
    return isSet ? lab.change(item, 'amender', lab.planOfUpdate(item)) : null;
  };
  const updated = await lab.attempt(setAndUpdate);
  // That an update changes it counts where it does so twice.
  if (updated !== null && !shows(updated)) await lab.attempt(setAndUpdate);
  if (isFlag) await setBy(current);
  if (isFlag || updated !== null || sameness(last, current) !== 'other') return;
  const [other] = others.filter((value) => sameness(value, current) === 'other');
  if (other !== undefined) await setBy(other);
  if (isSteerable(lab.membersOf('creator'), by.name))
    await set(lab, null, { ...by, role: null, value: other ?? last, like: null });
}

/** Shows what is suspected of states once more: each on an item of its own. */
export async function confirmStates(lab: Lab): Promise<void> {
  for (const { lost, kept, other } of suspectsIn(lab.history).slice(0, MOST_TRIED))
    await lab.attempt(async () => {
      const first = kept.sent === lost.sent ? await begin(lab) : await set(lab, null, settingOf(kept));
      if (sameness(lost.sent, first.now.shown?.[lost.name]) !== 'other') return;
      await set(lab, first.item, settingOf(lost));
      await set(lab, first.item, settingOf(other, lost.sent));
    });
}

/** A state or a flag that a change is described to take, and its values. */
interface State {
  readonly role: Changer;
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Those of updates first: a replacement is asked where no update takes them. */
function statesOf(lab: Lab): readonly State[] {
  const roles = CHANGERS.filter((role) => lab.cycle[role] !== null);
  const all = roles.flatMap((role) => statesBy(role, lab.membersOf(role))).filter(({ values }) => values.length > 1);
  return all.filter(({ name }, place) => all.findIndex((one) => one.name === name) === place);
}

function statesBy(role: Changer, members: DescribedMembers): readonly State[] {
  const { description, sent } = members;
  const schema = sent?.value ?? true;
  const names = Object.keys(Object(shapeOf(description, schema).properties));
  return names
    .filter((name) => isStateOfItem(name) && isSteerable(members, name))
    .map((name) => {
      const { type, enum: listed } = memberShape(description, schema, name) ?? {};
      return { role, name, values: Array.isArray(listed) ? listed : type === 'boolean' ? [false, true] : [] };
    });
}
