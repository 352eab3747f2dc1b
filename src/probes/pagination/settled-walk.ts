// PAG-04 to PAG-09 by walking: until the list keeps still for one walk, at most three times.
import { isReordered, type ListRules, reorderedBreach } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';
import type { Verdicts } from './clause-tally.ts';
import type { PageReader } from './page-reader.ts';
import {
  briefCountedPlaces,
  briefLimits,
  briefPlaces,
  deepLimits,
  deepPlaces,
  firstLimits,
  firstPlaces,
  furtherLimits,
  furtherPlaces,
  lastPlaces,
  middlePlaces,
  type Place,
} from './plans.ts';
import type { Study } from './study.ts';
import type { Survey } from './survey.ts';
import { farPlaces, sweepPlaces } from './sweep.ts';
import { extentOf, type Found, sizeOf, type Walked, walkPages } from './walk.ts';

/** first: what decides most. deep: walks by many limits, and drawn pages. limits: each limit. */
export type Depth = 'first' | 'deep' | 'limits';

const TRIES = 3;
const DRAWN = {
  first: { sequences: 0, most: 1 },
  deep: { sequences: 6, most: 30 },
  limits: { sequences: 0, most: 1 },
} as const;
const UNSETTLED = 'the list changed while it was walked, three times';
const READINGS = 4;

/** Walks the list and books what the walk says of each clause. */
export async function walkSettled(study: Study, depth: Depth, reader: PageReader, verdicts: Verdicts): Promise<void> {
  let clauses: readonly string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const survey = await study.survey(reader);
    if (typeof survey === 'string') {
      for (const clause of clauses) verdicts.untold(clause, survey);
      return;
    }
    clauses = survey.rules.slice;
    const plan = planOf(study, survey, depth);
    const walked = await walkPages(study, survey, reader, {
      ...{ probe: `pagination/${depth}`, plan, leavesOut: depth === 'first', ...DRAWN[depth] },
    });
    if (walked.settled) {
      book(survey, walked, verdicts);
      return walked.found === null ? undefined : walkFurther(study, survey, { depth, reader, verdicts }, walked.found);
    }
    if (attempt === TRIES) return bookUnsettled(study, survey, reader, verdicts);
    study.forget();
  }
}

function book({ rules }: Survey, { agreed, found }: Walked, verdicts: Verdicts): void {
  const broken = found?.suspicion.clauses ?? [];
  const looked = found === null ? [...rules.slice, ...ofEnvelope(rules)] : rules.slice;
  for (const clause of looked) if (agreed > 0 && !broken.includes(clause)) verdicts.agree(clause, agreed);
  if (found !== null) bookBreach(found, verdicts);
}

function ofEnvelope({ paged, turner, tellsMore }: ListRules): readonly string[] {
  if (turner === null) return [];
  return paged ? ['PAG-04', 'PAG-05'] : tellsMore === true ? ['PAG-04'] : [];
}

/** A walk ends where one clause is broken: for the other clauses of the envelope a few pages are read that decide them. */
async function walkFurther(
  study: Study,
  survey: Survey,
  { depth, reader, verdicts }: { readonly depth: Depth; readonly reader: PageReader; readonly verdicts: Verdicts },
  { suspicion }: Found,
): Promise<void> {
  const rest = ofEnvelope(survey.rules).filter((clause) => !suspicion.clauses.includes(clause));
  const plan = middlePlaces(extentOf(survey), survey.accepted);
  for (const only of rest) {
    const route = { probe: `pagination/${depth}`, plan, sequences: 0, most: 1, only, leavesOut: false };
    const { agreed, found, settled } = await walkPages(study, survey, reader, route);
    if (found !== null) bookBreach({ ...found, suspicion: { ...found.suspicion, clauses: [only] } }, verdicts);
    else if (settled && agreed > 0) verdicts.agree(only, agreed);
  }
}

function bookBreach({ suspicion, later, words, property }: Found, verdicts: Verdicts): void {
  const { breach, earlier, clauses } = suspicion;
  const evidence = [...(earlier === null ? [] : [earlier]), later].map(({ page }) => page.exchange);
  for (const clause of clauses)
    verdicts.breach(clause, { ...breach, message: `${breach.message}; ${words}`, property }, evidence);
}

/** A walk that inserts and deletes disturb is not judged; another order at each reading cannot come from them. */
async function bookUnsettled(study: Study, survey: Survey, reader: PageReader, verdicts: Verdicts): Promise<void> {
  const { rules, identity } = survey;
  const reads = rules.turner === null || identity.member === null ? [] : await readings(study, survey, reader);
  const [first, ...others] = reads;
  const shuffled = others.length === READINGS - 1 && others.every((read, at) => isReordered(reads[at] ?? read, read));
  for (const clause of rules.slice) {
    if (!shuffled || first === undefined) verdicts.untold(clause, UNSETTLED);
    else
      verdicts.breach(
        clause,
        reorderedBreach(first, READINGS),
        reads.map(({ page }) => page.exchange),
      );
  }
}

async function readings(study: Study, survey: Survey, reader: PageReader): Promise<readonly PageRead[]> {
  const [first] = survey.walk;
  const found: PageRead[] = [];
  for (let reading = 0; first !== undefined && reading < READINGS; reading += 1) {
    const read = await study.readAgain(reader, survey, first);
    if (read !== null) found.push(read);
  }
  return found;
}

function sweptPlaces({ list, world }: Pick<Study, 'list' | 'world'>, survey: Survey): readonly Place[] {
  const { pattern, reached } = list;
  const { service, key } = reached.operation;
  const extent = extentOf(survey);
  const name = `limits ${service} ${key}`;
  const swept = { pattern, extent, accepted: survey.accepted, usual: survey.usual };
  const { size } = survey.sequence;
  const isLong = pattern !== 'limit' && (size === null || size > extent);
  const far = isLong ? farPlaces(swept, size, world.seed, name) : [];
  return [...far, ...sweepPlaces(swept, world.seed, name)];
}

function planOf({ list, world }: Study, survey: Survey, depth: Depth): readonly Place[] {
  if (depth === 'limits') return sweptPlaces({ list, world }, survey);
  const extent = extentOf(survey);
  const { accepted } = survey;
  const { pattern } = list;
  const isBrief = world.isBrief === true;
  if (list.isFurther === true && depth === 'first')
    return pattern === 'limit' ? furtherLimits(accepted) : furtherPlaces(extent, accepted);
  if (pattern === 'limit') {
    const first = isBrief ? briefLimits : firstLimits;
    return depth === 'first' ? first(extent, accepted) : deepLimits(extent, accepted);
  }
  // Of a counted list the contract says most: it is walked all the same.
  const firstOf = (): readonly Place[] =>
    isBrief && list.isCounted
      ? briefCountedPlaces(extent, accepted)
      : (isBrief ? briefPlaces : firstPlaces)(extent, accepted, { numbered: pattern === 'page' });
  const places = depth === 'first' ? firstOf() : deepPlaces(extent, accepted);
  const size = sizeOf(survey);
  return size > extent ? [...lastPlaces(size, accepted), ...places] : places;
}
