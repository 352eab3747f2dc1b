// PAG-04 to PAG-09 by walking: until the list keeps still for one walk, at most three times.
import { isReordered, type ListRules, reorderedBreach } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PageRead } from '../../facts/list-history.ts';
import type { ListLab } from './lab.ts';
import { middlePlaces, placesByEachLimit, placesOf } from './plans.ts';
import type { Survey } from './survey.ts';
import { type Route, walkPages } from './walk.ts';

/** first: what decides most. deep: walks by many limits, and drawn pages. limits: each limit. */
export type Depth = 'first' | 'deep' | 'limits';

const TRIES = 3;
/** Sequences that a deep walk draws beside its plan. */
const DRAWN = 6;
const UNSETTLED = 'the list changed while it was walked, three times';
const READINGS = 4;
const ALL = { pages: Number.POSITIVE_INFINITY, limits: Number.POSITIVE_INFINITY };

/** Walks the list and books what the walk says of each clause. */
export async function walkSettled(lab: ListLab, depth: Depth): Promise<void> {
  let clauses: readonly string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const survey = await lab.survey();
    if (typeof survey === 'string') {
      for (const clause of clauses) lab.untold(clause, survey);
      return;
    }
    clauses = survey.rules.slice;
    if (await walkForEach(lab, survey, depth)) return;
    if (attempt === TRIES) return bookUnsettled(lab, survey);
    lab.memory.forget();
  }
}

/** A walk ends where one clause is broken: for the others a few pages are read that decide them. False where the list did not keep still. */
async function walkForEach(lab: ListLab, survey: Survey, depth: Depth): Promise<boolean> {
  const all = routeAt(lab, survey, depth);
  const few = { plan: middlePlaces(survey), leavesOut: false, sequences: 0 };
  const applied = [...survey.rules.slice, ...ofEnvelope(survey.rules)];
  // An envelope of which the contract states nothing may tell a total, too.
  let open = [...new Set([...applied, ...(survey.rules.turner === null ? [] : ['PAG-06'])])];
  for (let isBroken = false; open.length > 0; isBroken = true) {
    const how = isBroken ? few : all;
    const { agreed, broken, settled } = await walkPages(lab, survey, { probe: `pagination/${depth}`, open, ...how });
    const kept = broken.length === 0 && settled && agreed > 0 ? applied : [];
    for (const clause of kept) if (open.includes(clause)) lab.agree([clause], agreed);
    if (broken.length === 0) return settled || isBroken;
    open = open.filter((clause) => !broken.includes(clause));
  }
  return true;
}

function ofEnvelope({ paged, turner, tellsMore }: ListRules): readonly string[] {
  if (turner === null) return [];
  return [...(tellsMore === true ? ['PAG-04'] : []), ...(paged ? ['PAG-05'] : [])];
}

/** A walk that inserts and deletes disturb is not judged; another order at each reading cannot come from them. */
async function bookUnsettled(lab: ListLab, survey: Survey): Promise<void> {
  const { rules, identity } = survey;
  const reads = rules.turner === null || identity.member === null ? [] : await readings(lab, survey);
  const [first, ...others] = reads;
  const isShuffled = others.length === READINGS - 1 && others.every((read, at) => isReordered(reads[at] ?? read, read));
  const evidence = reads.map(({ page }) => page.exchange);
  for (const clause of rules.slice)
    if (!isShuffled || first === undefined) lab.untold(clause, UNSETTLED);
    else lab.breach(clause, reorderedBreach(first, READINGS), evidence);
}

async function readings(lab: ListLab, survey: Survey): Promise<readonly PageRead[]> {
  const [first] = survey.walk;
  const found: PageRead[] = [];
  for (let reading = 0; first !== undefined && reading < READINGS; reading += 1) {
    const read = await lab.again.read(survey, first.ask);
    if (read !== null) found.push(read);
  }
  return found;
}

/** The pages of a look at the depth, and how they are asked for. */
function routeAt(
  { list, world }: ListLab,
  survey: Survey,
  depth: Depth,
): Pick<Route, 'plan' | 'leavesOut' | 'sequences'> {
  const { service, key } = list.reached.operation;
  if (depth === 'first') return { plan: placesOf(survey, list.look.first), leavesOut: true, sequences: 0 };
  if (depth === 'deep') return { plan: placesOf(survey, ALL), leavesOut: false, sequences: DRAWN };
  const plan = placesByEachLimit(survey, world.seed, `limits ${service} ${key}`);
  return { plan, leavesOut: false, sequences: 0 };
}
