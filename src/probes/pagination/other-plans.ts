// PAG-06 to PAG-08 under the keys of other plans: what pages show may depend on whose they are. Two pages of each list tell; a list that
// is shorter for the other account tells nothing.
import type { Compare } from '../../checks/pag/pag-04-to-09-page.ts';
import { type KnownKey, oneOfEachPlan } from '../auth/security.ts';
import { requiresToken, type World } from '../world.ts';
import { clausesOf } from './family.ts';
import { Allowance, type ListLab } from './lab.ts';
import type { ListOperation } from './list-operation.ts';
import { ListMemory } from './memory.ts';
import { type Survey, suspectBeside } from './survey.ts';

/** Items of the larger page, and of the second one that must show its other half. */
const [WHOLE, HALF] = [8, 4];
const CASES = 2;
const LOOKS = 40;

/** One key of each plan that is not the main key's; none where the list shows who asks nothing, or has no pages to turn. */
export function keysOfOtherPlans({ keys, mainKey }: World, { reached, pattern }: ListOperation): readonly KnownKey[] {
  if (pattern === 'limit' || !requiresToken(reached.operation)) return [];
  return oneOfEachPlan(keys.filter(({ plan, scheme }) => plan !== mainKey?.plan && scheme === mainKey?.scheme));
}

/** Clauses that two pages beside each other may break. */
export function judgedOfOthers(list: ListOperation): readonly string[] {
  return clausesOf(list).filter((clause) => ['PAG-06', 'PAG-07', 'PAG-08'].includes(clause));
}

/** Looks at the list under the key. */
export async function judgeOtherPlan(told: ListLab, survey: Survey, { name, plan }: KnownKey): Promise<void> {
  const { world, list } = told;
  if (survey.accepted < WHOLE) return;
  const recipe = { ...list.reached.recipe, credential: { kind: 'key', name } as const };
  const memory = new ListMemory(world, { ...list, reached: { ...list.reached, recipe } });
  const lab = told.beside(memory, new Allowance(CASES, LOOKS));
  const whole = await lab.readAt(survey, WHOLE, 0);
  const second = whole?.keys.length === WHOLE ? await lab.readAt(survey, HALF, HALF) : null;
  if (whole === null || second === null || second.page.status >= 300) return;
  const compare: Compare = (earlier, page) => {
    const suspicion = suspectBeside(survey)(earlier, page);
    return suspicion && { ...suspicion, earlier: whole };
  };
  // Two pages that agree are no pass: others of the list may not.
  await lab.judge(survey, [whole, second], compare, (flaw) => {
    return { ...flaw, message: `${flaw.message}, under key ${name} of plan ${plan}` };
  });
}
