// The pagination experiments of one list: a first look that decides most, and a thorough one.
import type { Conversation, Outcome, Send } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { badValues, judgeBadValues } from './bad-values.ts';
import { judgeDefaults, judgeExcess } from './first-page.ts';
import { type ListOperation, listOperation } from './list-operation.ts';
import { observe } from './observations.ts';
import { PageReader } from './page-reader.ts';
import { judgePastEnd, placesPastEnd } from './past-end.ts';
import { type Depth, walkSettled } from './settled-walk.ts';
import { Study } from './study.ts';
import type { Survey } from './survey.ts';
import { Verdicts } from './verdicts.ts';

/** Clauses that these experiments judge, beside the passive PAG checks. */
export const PAGINATION_CLAUSES: readonly string[] = [
  ...['PAG-02', 'PAG-03', 'PAG-04', 'PAG-05', 'PAG-06', 'PAG-07', 'PAG-08', 'PAG-09', 'PAG-10', 'PAG-12', 'PAG-13'],
];

/** Requests of each look when nothing is wrong; more are sent only to confirm a breach and to shrink it. */
const CASES: Readonly<Record<Depth, number>> = { first: 28, deep: 92 };
const LOOKS = 120;

/** What to do with a list; empty for an operation that is none. */
export function paginationExperiments(world: World, reached: Reached): readonly Conversation[] {
  const list = listOperation(reached);
  if (list === null) return [];
  const study = new Study(world, list);
  return (['first', 'deep'] as const).map((depth, rank) => ({
    probe: `pagination/${depth}`,
    stage: 'quiet',
    rank,
    clauses: clausesOf(list),
    service: reached.operation.service,
    operation: reached.operation.key,
    cost: CASES[depth],
    repeatable: false,
    converse: (send: Send) => examine(study, depth, send),
  }));
}

/** The clauses that may apply, before anything is known of the answers. */
function clausesOf({ pattern, isLog }: ListOperation): readonly string[] {
  if (isLog) return ['PAG-02', 'PAG-03', 'PAG-04', 'PAG-05', 'PAG-06', 'PAG-12'];
  if (pattern === 'limit') return ['PAG-09', 'PAG-12', 'PAG-13'];
  return [pattern === 'offset' ? 'PAG-07' : 'PAG-08', 'PAG-10', 'PAG-12', 'PAG-13'];
}

async function examine(study: Study, depth: Depth, send: Send): Promise<readonly Outcome[]> {
  const { list } = study;
  const reader = new PageReader(study.world, list, send, CASES[depth], LOOKS);
  const verdicts = new Verdicts(list);
  const survey = await study.survey(reader);
  if (typeof survey === 'string') for (const clause of clausesOf(list)) verdicts.untold(clause, survey);
  else await (depth === 'first' ? examineFirst : examineDeeply)(study, survey, reader, verdicts);
  if (reader.ended !== null) throw reader.ended;
  return verdicts.outcomes();
}

async function examineFirst(study: Study, survey: Survey, reader: PageReader, verdicts: Verdicts): Promise<void> {
  const { list } = study;
  await walkSettled(study, 'first', reader, verdicts);
  if (list.isLog) {
    await judgeDefaults(study, survey, reader, verdicts);
    await judgeExcess(survey, reader, verdicts);
  }
  const past = await judgePastEnd(study, survey, reader, placesPastEnd(survey).slice(0, 1), verdicts);
  await judgeBadValues(study, survey, reader, badValues(list).first, verdicts);
  if (!list.isLog) observe(survey, past, verdicts);
}

/** The walks come last: they take what is left of the allowance. */
async function examineDeeply(study: Study, survey: Survey, reader: PageReader, verdicts: Verdicts): Promise<void> {
  await judgePastEnd(study, survey, reader, placesPastEnd(survey).slice(1), verdicts);
  await judgeBadValues(study, survey, reader, badValues(study.list).deep, verdicts);
  await walkSettled(study, 'deep', reader, verdicts);
}
