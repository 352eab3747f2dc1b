// PAG-06 to PAG-08 under the keys of other plans: what pages show may depend on whose they are. Two pages of each list tell; a list that
// is shorter for the other account tells nothing.
import { type Suspicion, suspicionOf } from '../../checks/pag/pag-04-to-09-page.ts';
import { type PageRead, Sequence } from '../../checks/pag/sequence.ts';
import { type KnownKey, oneOfEachPlan } from '../auth/security.ts';
import type { Send } from '../probe.ts';
import { requiresToken, type World } from '../world.ts';
import type { Verdicts } from './clause-tally.ts';
import { clausesOf } from './family.ts';
import { askFor, type ListOperation } from './list-operation.ts';
import { PageReader } from './page-reader.ts';
import { Study } from './study.ts';
import type { Survey } from './survey.ts';

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

/** Looks at the list under these keys. */
export async function judgeOtherPlans(
  { world, list }: Pick<Study, 'world' | 'list'>,
  survey: Survey,
  send: Send,
  verdicts: Verdicts,
  keys: readonly KnownKey[] = keysOfOtherPlans(world, list),
): Promise<void> {
  if (survey.accepted < WHOLE) return;
  for (const key of keys) await judgeUnder(key, { world, list }, survey, send, verdicts);
}

async function judgeUnder(
  { name, plan }: KnownKey,
  { world, list }: { readonly world: World; readonly list: ListOperation },
  survey: Survey,
  send: Send,
  verdicts: Verdicts,
): Promise<void> {
  const { reached } = list;
  const recipe = { ...reached.recipe, credential: { kind: 'key', name } as const };
  const study = new Study(world, { ...list, reached: { ...reached, recipe } });
  const reader = new PageReader(world, study.list, send, CASES, LOOKS);
  const read = (limit: number, at: number): Promise<PageRead | null> =>
    study.read(reader, survey, askFor(list, limit, limit, at));
  const whole = await read(WHOLE, 0);
  const second = whole === null || whole.keys.length !== WHOLE ? null : await read(HALF, HALF);
  if (whole === null || second === null || second.page.status >= 300) return;
  const compare = (earlier: PageRead | null, page: PageRead): Suspicion | null =>
    suspicionOf(page, new Sequence(survey.identity.member !== null, earlier === null ? [] : [earlier]), survey.rules);
  const suspicion = compare(whole, second);
  if (suspicion === null) {
    for (const clause of judgedOfOthers(list)) verdicts.agree(clause);
    return;
  }
  const result = await study.confirm(reader, survey, suspicion, second, compare);
  if (result.kind !== 'confirmed') return;
  const { breach, clauses } = result.suspicion;
  const told = { ...breach, message: `${breach.message}, under key ${name} of plan ${plan}` };
  for (const clause of clauses) verdicts.breach(clause, told, [whole.page.exchange, result.later.page.exchange]);
}
