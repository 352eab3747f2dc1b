// The family COND: a course for each kind of resource that the run can make, and readings of everything else that shows entity tags.
import { judgeAsked } from '../../checks/cond/cond-02-if-none-match.ts';
import { judgeSameState } from '../../checks/cond/cond-03-tags.ts';
import { COND_LAWS } from '../../checks/cond/family.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { tagOf } from '../../facts/etag.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { Lab } from '../life/lab.ts';
import { type Lifecycle, lifecyclesOf } from '../life/lifecycle.ts';
import { type Conversation, collected, type Outcome, type Send, type Untested } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { followFound, followTags, isInScope } from './course.ts';

export const COND_CLAUSES = ['COND-01', 'COND-02', 'COND-03'] as const;
/** Clauses that readings alone decide. */
const OF_READINGS = ['COND-02', 'COND-03'] as const;

const READING_PROBE = 'conditional/reading';
/** Requests of a course with one write and a delete. */
const COURSE_COST = 18;
const READING_COST = 3;

/** The experiments of the family, in stage `quiet`: what others send to an item meanwhile would show in it. */
export function conditionalExperiments(world: World, reached: readonly Reached[]): readonly Conversation[] {
  const cycles = cyclesOf(world, reached);
  const others = readersBeside(cycles, reached);
  return [...cycles.map((cycle) => courseOf(world, cycle)), ...others.map((one) => readingOf(world, one))];
}

/** Kinds of things that show tags when read, and that a create of this run has made, or that the run has read and written. */
function cyclesOf(world: World, reached: readonly Reached[]): readonly Lifecycle[] {
  const made = lifecyclesOf(world, reached).filter(
    ({ creator, reader }) => isInScope(reader) && creator.proof !== null && !world.isPayment(creator.operation),
  );
  return [...made, ...readersBeside(made, reached).flatMap((reader) => foundAt(reader, reached))];
}

/** The readings that show tags, of things of no such kind. */
function readersBeside(cycles: readonly Lifecycle[], reached: readonly Reached[]): readonly Reached[] {
  const known = new Set(cycles.map(({ reader }) => reader));
  return reached.filter(
    (one) => isInScope(one) && one.operation.method === 'GET' && one.proof !== null && !known.has(one),
  );
}

/** A thing that nothing makes, where the run has written it as well: what stands for its create is the write. */
function foundAt(reader: Reached, reached: readonly Reached[]): readonly Lifecycle[] {
  const by = (method: string): Reached | null =>
    reached.find((one) => one.operation.method === method && one.proof !== null && isOfSame(one, reader)) ?? null;
  const [replacer, amender] = [by('PUT'), by('PATCH')];
  const creator = replacer ?? amender;
  return creator === null ? [] : [{ creator, reader, replacer, amender, lister: null, remover: null }];
}

/** Tells whether both were called for the same thing. */
function isOfSame({ operation, proof }: Reached, reader: Reached): boolean {
  return operation.service === reader.operation.service && proof?.plan.path === reader.proof?.plan.path;
}

function courseOf(world: World, cycle: Lifecycle): Conversation {
  const writes = [cycle.amender, cycle.replacer, cycle.remover].some(isInScope);
  const clauses = writes ? COND_CLAUSES : OF_READINGS;
  return {
    ...{ probe: 'conditional/course', companions: 'item', stage: 'quiet', rank: 96, clauses },
    ...{ ...spotOf(cycle.creator.operation), cost: COURSE_COST },
    converse: (send, letGo = () => {}) => {
      const judging = { laws: COND_LAWS, requestLaws: [], clauses };
      const found = cycle.creator.operation.method === 'POST' ? null : (cycle.reader?.proof ?? null);
      return collected((outcomes) => {
        const lab = new Lab(world, cycle, send, letGo, judging, outcomes);
        return found === null ? followTags(lab) : followFound(lab, found);
      });
    },
  };
}

function readingOf(world: World, reached: Reached): Conversation {
  return {
    ...{ probe: READING_PROBE, companions: 'item', stage: 'quiet', rank: 96, clauses: OF_READINGS },
    ...{ ...spotOf(reached.operation), cost: READING_COST },
    converse: (send) => readThrice(world, reached, send),
  };
}

/** Two readings in a row, and one that names what the second has shown. */
async function readThrice(world: World, { operation, recipe }: Reached, send: Send): Promise<readonly Outcome[]> {
  const plan = planOf(recipe, READING_PROBE, drawFor(world, `conditional ${operation.key}`));
  const told: Outcome[] = [];
  const tell = (clause: string, judgement: Judgement | null, evidence: readonly Exchange[]): void => {
    if (judgement !== null) told.push(outcome(clause, plan, judgement, evidence));
  };
  const { last: one } = await send(plan);
  const { last: two } = await send(plan);
  tell('COND-02', judgeAsked(two, one), [two]);
  tell('COND-03', judgeSameState(one, two), [one, two]);
  const tag = tagOf(two);
  if (tag === null) return told;
  const { last: asked } = await send({ ...plan, headers: [...plan.headers, ['If-None-Match', tag.text]] });
  tell('COND-02', judgeAsked(asked, two), [two, asked]);
  return told;
}

/** Operations that cannot be looked at, because no item was made whose states could be named. */
export function conditionalUntested(world: World, reached: readonly Reached[]): readonly Untested[] {
  const followed = new Set(
    cyclesOf(world, reached).flatMap(({ amender, replacer, remover }) => [amender, replacer, remover]),
  );
  return reached
    .filter((one) => isInScope(one) && isWriter(one.operation) && !followed.has(one))
    .map(({ operation: { service, key } }) => ({
      ...{ clause: 'COND-01', service, operation: key, reasonCode: 'precondition' as const },
      reason: 'no item was made and read whose states such a write could name',
    }));
}

function isWriter({ method }: Operation): boolean {
  return /^(PUT|PATCH|DELETE)$/.test(method);
}

/** Why a clause of the family applies to none of the operations; null when it may apply, or is not of the family. */
export function conditionalUndeclared(clause: string, operations: readonly Operation[]): string | null {
  if (!clause.startsWith('COND-')) return null;
  const tagged = operations.filter(({ conditional }) => conditional === true);
  if (tagged.length === 0) return 'no description has an operation with entity tags';
  if (clause === 'COND-01' && !tagged.some(isWriter)) return 'no operation with entity tags changes an item';
  return null;
}
