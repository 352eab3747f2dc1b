// The pagination experiments of one list: a first look that decides most, and a thorough one.
import type { Conversation, Outcome, Send } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { badValues, judgeBadValues } from './bad-values.ts';
import { clausesOf } from './family.ts';
import { judgeDefaults, judgeExcess } from './first-page.ts';
import { observeLargestLimit } from './largest-limit.ts';
import { listOperation } from './list-operation.ts';
import { observe } from './observations.ts';
import { PageReader } from './page-reader.ts';
import { judgePastEnd, placesPastEnd } from './past-end.ts';
import { type Depth, walkSettled } from './settled-walk.ts';
import { Study } from './study.ts';
import type { Survey } from './survey.ts';
import { Verdicts } from './verdicts.ts';

/** Requests of each look when nothing is wrong; more are sent only to confirm a breach and to shrink it. */
const CASES: Readonly<Record<Depth, number>> = { first: 28, deep: 92 };
const LOOKS = 120;

/** What to do with a list; empty for an operation that is none. */
export function paginationExperiments(world: World, reached: Reached): readonly Conversation[] {
  const list = listOperation(world, reached);
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

async function examine(study: Study, depth: Depth, send: Send): Promise<readonly Outcome[]> {
  const { list } = study;
  const reader = new PageReader(study.world, list, send, CASES[depth], LOOKS);
  const verdicts = new Verdicts(list);
  const survey = await study.survey(reader);
  if (typeof survey === 'string') for (const clause of clausesOf(list)) verdicts.untold(clause, survey);
  else if (study.world.again?.probe === `pagination/${depth}`) await walkSettled(study, depth, reader, verdicts);
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
  if (!study.list.isLog) await observeLargestLimit(survey, reader, verdicts);
  await judgePastEnd(study, survey, reader, placesPastEnd(survey).slice(1), verdicts);
  await judgeBadValues(study, survey, reader, badValues(study.list).deep, verdicts);
  await walkSettled(study, 'deep', reader, verdicts);
}
