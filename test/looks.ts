// How the tables look at their cases, and what they keep of it: `npm run cases` tells of each case who judged it, by what, and when.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../src/clock/system.ts';
import { CASES, type Case, clausesOfFamily, judgeCase } from '../src/simulation/cases.ts';
import { type Climbed, climb, type Rung } from '../src/simulation/ladder.ts';
import { isLaw } from './mutant.ts';
import { isDue, isDueWhole, isNightly } from './programme.ts';
import { CALM_LOOK } from './simulated.ts';

/** One look at a case: a line of the file of looks. */
export interface KeptLook {
  readonly id: string;
  readonly programme: 'daily' | 'nightly';
  readonly rung: Rung;
  /** ISO 8601. */
  readonly at: string;
}

/** A line of JSON for each look, the latest last. */
export const LOOKS_FILE = join(import.meta.dirname, '..', '.assay', 'looks.jsonl');

/**
 * By day a look by all clauses at a fault that few calls show ends after so many, and is whole where these do not show it. Laws over many
 * calls and oddities are given all that they take.
 */
const MAX_REQUESTS_OF_FAULT_BY_DAY = 500;

/** What every answer may show, so many of them show: laws over many calls are looked at by as many as they take. */
export const MAX_REQUESTS_OF_ODDITY = 120;

const PLACES = new Map(CASES.map(({ id }, place) => [id, place]));

/** Cases that today's programme judges by all clauses. */
export const DUE_WHOLE = CASES.filter(({ id }) => isDueWhole(PLACES.get(id) ?? 0));

/** Days in which each allowed oddity is tried once by day. */
const ROUND_OF_ODDITIES_DAYS = 3;

/** Whether today's programme looks at the case: each fault each day, and a third of the allowed oddities, others each day. */
export function isTriedToday(one: Case): boolean {
  const isOddity = one.kind === 'tolerance' && !DUE_WHOLE.includes(one);
  return !isOddity || isDue(PLACES.get(one.id) ?? 0, ROUND_OF_ODDITIES_DAYS);
}

/** Judges a case as closely as is due today, and keeps that it was looked at. */
export async function lookAt(one: Case): Promise<Climbed> {
  const judged = await judgedToday(one);
  if (judged === null) throw new Error(`the look at ${one.id} was ended before it was decided`);
  keepLook({ id: one.id, rung: judged.rung });
  return judged;
}

/**
 * By all clauses where that is due, else by as few as it takes to decide it. An allowed oddity of an answer, or of a law over many calls, is left
 * to its family where its own clause finds no ground there: that all clauses find one is the night's to show.
 */
async function judgedToday(one: Case): Promise<Climbed | null> {
  const isBrief = !isNightly && one.kind === 'fault' && !isLaw(one.clause ?? '');
  const byAll = isBrief ? { ...CALM_LOOK, budget: MAX_REQUESTS_OF_FAULT_BY_DAY } : CALM_LOOK;
  if (DUE_WHOLE.includes(one)) return { ...(await judgeCase(one, byAll)), rung: 'all' };
  if (one.kind !== 'tolerance' || one.clause?.startsWith('LIFE-') === true) return climb(one, CALM_LOOK);
  const look = { ...CALM_LOOK, clauses: clausesOfFamily(one) };
  const few = isOfAnswers(one) ? { ...look, budget: MAX_REQUESTS_OF_ODDITY } : look;
  return { ...(await judgeCase(one, few)), rung: 'family' };
}

/** None of a law over many calls. */
function isOfAnswers({ clause }: Case): boolean {
  return clause !== null && !isLaw(clause);
}

/** Keeps that today's programme looked at the case. */
export function keepLook(look: Pick<KeptLook, 'id' | 'rung'>): void {
  mkdirSync(dirname(LOOKS_FILE), { recursive: true });
  const programme = isNightly ? 'nightly' : 'daily';
  const kept: KeptLook = { ...look, programme, at: new Date(systemClock.now()).toISOString() };
  // One short write with O_APPEND: workers do not tear each other's lines.
  appendFileSync(LOOKS_FILE, `${JSON.stringify(kept)}\n`);
}
