// PAG-06 to PAG-08 on a list that is asked for otherwise: under a filter, of which the whole is shorter, and under the keys of other plans, for what
// pages show may depend on whose they are. A filter that is forgotten from the second page on, or applied after a page was cut, shows on no other.
import type { Compare } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PageRead } from '../../facts/list-history.ts';
import { type KnownKey, oneOfEachPlan } from '../auth/security.ts';
import { requiresToken, type World } from '../world.ts';
import { clausesOf } from './family.ts';
import { filtersOf, LEAST_ITEMS } from './filtered.ts';
import type { ListLab } from './lab.ts';
import type { ListOperation } from './list-operation.ts';
import { ListMemory } from './memory.ts';
import { type Survey, suspectBeside } from './survey.ts';

const LARGE = 100;
/** The second of so many parts of a large page is read by itself. */
const PARTS = 3;

/** Looks at the list under a filter by a value, by two and by a word; nothing where none is known to leave some items and not all. */
export async function judgeFiltered(lab: ListLab, survey: Survey): Promise<void> {
  // The rest of a longer list is not seen, and a filter that is not applied tells nothing here.
  const isWhole = ({ keys, applied }: PageRead): boolean =>
    keys.length < applied && keys.length < survey.sequence.known;
  for (const filter of filtersOf(lab.list, survey))
    if (await agree(lab, { ...lab.list, filter }, survey, isWhole)) lab.agree(survey.rules.slice);
}

/** One key of each plan that is not the main key's; none where the list shows who asks nothing, or has no pages to turn. */
export function keysOfOtherPlans({ keys, mainKey }: World, { reached, paging }: ListOperation): readonly KnownKey[] {
  if (paging.turner === null || !requiresToken(reached.operation)) return [];
  return oneOfEachPlan(keys.filter(({ plan, scheme }) => plan !== mainKey?.plan && scheme === mainKey?.scheme));
}

/** Clauses that two pages beside each other may break. */
export function judgedOfOthers(list: ListOperation): readonly string[] {
  return clausesOf(list).filter((clause) => ['PAG-06', 'PAG-07', 'PAG-08'].includes(clause));
}

/** Looks at the list under the key. */
export async function judgeOtherPlan(lab: ListLab, survey: Survey, { name, plan }: KnownKey): Promise<void> {
  const { list } = lab;
  const recipe = { ...list.reached.recipe, credential: { kind: 'key', name } as const };
  const ending = `, under key ${name} of plan ${plan}`;
  const isAgreed = await agree(lab, { ...list, reached: { ...list.reached, recipe } }, survey, () => true, ending);
  if (isAgreed) lab.agree(survey.rules.slice);
}

/** Tells whether a large page and a part of it, read by itself, agree; books what is wrong, in words that end so. */
async function agree(
  told: ListLab,
  list: ListOperation,
  survey: Survey,
  isUsable: (large: PageRead) => boolean,
  ending = '',
): Promise<boolean> {
  const lab = told.beside(new ListMemory(told.world, list));
  const large = await lab.readAt(survey, Math.min(survey.accepted, LARGE), 0);
  const count = large?.keys.length ?? 0;
  if (large === null || count < LEAST_ITEMS || !isUsable(large)) return false;
  const limit = Math.ceil(count / PARTS);
  const part = await lab.readAt(survey, limit, limit);
  if (part === null || part.page.status >= 300) return false;
  const compare: Compare = (...beside) => {
    const found = suspectBeside(survey)(...beside);
    return found && { ...found, breach: { ...found.breach, message: found.breach.message + ending } };
  };
  for (const pages of [[null, large] as const, [large, part] as const])
    if ((await lab.judge(survey, pages, compare)) !== 'agreed') return false;
  return true;
}
