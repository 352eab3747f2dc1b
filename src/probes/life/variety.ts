// Sends all that a description lets a client send: what makes an item, replaces or changes it sends each bound, listed value, branch, null and
// absence once, and each time the item is read. What a target loses of one value alone, or under one state, shows only so; and a list that
// leaves out some of what was made.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { Item } from '../../facts/item-history.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { LETTERS, lettersBy, zonedOf } from '../reach/contrary.ts';
import { inputRounds, mayVary, variedInput } from '../reach/valid-inputs.ts';
import type { Reached } from '../world.ts';
import { changeOf } from './changes.ts';
import type { Lab } from './lab.ts';
import { PROBE } from './lifecycle.ts';

/** Items that are there together as their list is looked at: no more, for a run makes but few of a kind. */
const LISTED_TOGETHER = 2;
const CHANGERS = ['replacer', 'amender'] as const;

/** Where nothing more may be made: changes alone, of an item that stays. They end with what the operation sends at other times. */
export async function varyOne(lab: Lab, item: Item): Promise<void> {
  for (const role of CHANGERS) {
    if (lab.cycle[role] === null) continue;
    if ((await lab.read(item)).kind !== 'shown') continue;
    await varyChanges(lab, role, item);
    await lab.attempt(() => lab.exchange({ ...lab.planAt(item, role), probe: `${PROBE}/restored`, makes: 'nothing' }));
  }
}

/** Only where what is made can be deleted. */
export async function varyAll(lab: Lab, { isListLate }: { readonly isListLate: boolean }): Promise<void> {
  lab.letGo();
  await varyCreates(lab, isListLate);
  for (const role of CHANGERS) {
    if (lab.cycle[role] === null) continue;
    await lab.attempt(async () => varyChanges(lab, role, await lab.make()));
    lab.letGo();
  }
}

/** Items of all values, of which none is needed once it was read and looked for in the list. */
async function varyCreates(lab: Lab, isListLate: boolean): Promise<void> {
  const unlisted: Item[] = [];
  const list = async (): Promise<void> => {
    const made = unlisted.splice(0);
    // The list is looked at once for several items: what leaves out every third one shows so, too.
    if (made.length > 0 && !isListLate) await lab.attempt(() => lab.list(made, true));
    lab.letGo();
  };
  const look = async (item: Item): Promise<void> => {
    await lab.read(item);
    unlisted.push(item);
    if (unlisted.length >= LISTED_TOGETHER) await list();
  };
  for (const plan of [...LETTERS.map(lettersBy), zonedOf].map((change) => lab.maker.planOfCreateBy(change)))
    if (plan !== null) await lab.attempt(async () => look(await lab.make(plan)));
  await varyInputs(
    lab,
    lab.cycle.creator,
    (plan) => lab.maker.anew({ ...plan, needed: 'experiment' }),
    async () => {
      const made = lab.history.all.at(-1);
      if (made !== undefined) await look(made);
    },
  );
  await list();
}

/** One item that is given all values, one after another. */
async function varyChanges(lab: Lab, role: 'replacer' | 'amender', item: Item): Promise<void> {
  const { [role]: writer } = lab.cycle;
  if (writer === null) return;
  await lab.read(item);
  const on = (plan: RequestPlan): RequestPlan => lab.planAt(item, role, changeOf(plan));
  await varyInputs(lab, writer, on, async () => {
    await lab.read(item);
  });
}

async function varyInputs(
  lab: Lab,
  writer: Reached,
  on: (plan: RequestPlan) => RequestPlan,
  look: () => Promise<void>,
): Promise<void> {
  if (!mayVary(writer)) return;
  const labels = { probe: PROBE, label: `life ${writer.operation.key} varied` };
  const rounds = inputRounds(lab.world, writer, variedInput(lab.world, writer), labels);
  for (let step = rounds.next(); step.done !== true; ) {
    const answered = await lab.answer(on(step.value));
    if (succeeded(answered.last) && Object.keys(sentMembers(answered.last)).length > 0) await look();
    step = rounds.next(answered);
  }
}
