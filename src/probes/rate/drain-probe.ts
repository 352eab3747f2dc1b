// The drain as an experiment: which key, which operation, and what the judges make of it. Where a limit is too large to be
// spent, thirty calls of the spare key still show whether other keys are charged for them (RATE-07).

import { judgeFallAndReturn, judgeWait } from '../../checks/rate/drained-window-judges.ts';
import { unlessHidden } from '../../checks/rate/rate-03-remaining-rises.ts';
import { judgeAdmission, judgeTooMany } from '../../checks/rate/rate-04-admission.ts';
import { LEAST_SPENT } from '../../checks/rate/rate-07-other-keys-unaffected.ts';
import { factsOf, isWhole, judgeCeiling } from '../../checks/rate/rate-10-ceiling.ts';
import { watchFor } from '../../checks/rate/rate-10-sustained-rate.ts';
import type { Timing } from '../../clock/clock.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { ReasonCode } from '../../contract/report.ts';
import {
  type Drained,
  type DrainTrace,
  dearestOf,
  type Judged,
  leftAtRefusal,
  mayRefill,
  refusalsOf,
  showsOthers,
  successesOf,
} from '../../limiters/drained-window.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { KnownKey } from '../auth/security.ts';
import { outcome } from '../experiment.ts';
import { type Conversation, CutShort, endedBy, type Outcome } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { type Ask, asker, LONGEST_WAIT_MS, mayAsk, oneOfEachKind, plainReads } from './asking.ts';
import { type DrainTools, drain, tryElsewhere, untilFresh } from './drain.ts';
import { askAll, inRounds, judgeBeside, MOST_OTHERS, othersOf, watchBeside } from './other-keys.ts';
import { recover } from './recovery.ts';
import { lookAtFull } from './refill.ts';

/** The experiment that spends a key's limit. */
export const DRAIN = 'rate/drain';
/** The drain judges its own waits: it knows whether another client uses the key. */
const JUDGED_HERE = { ownWaits: true } as const;
/** Larger limits are left to "assay load ratelimit". */
const LARGEST_DRAINED = 500;
const SAMPLE_CALLS = 30;
/** So many calls show whether a key that is not drained is charged to another one. */
const FEW_CALLS = LEAST_SPENT + 2;
/** Calls that draining takes beside those of the limit: of other keys and operations, and until the limit has come back. */
const BESIDE_CALLS = 25;
/** Where a budget bounds the run: that more is granted than is stated counts, not how much more. */
const BEYOND_BRIEFLY = 10;
/** The same beside a sample; where it is brief, also the calls that decide whose doing a fall was. */
const BESIDE_SAMPLE = { brief: 24, usual: 12 };
/** So long before a window ends a few calls begin after it. ms. */
const ENDS_SOON_MS = 3000;
/** A drain that told nothing is repeated where it took no longer. ms. */
const LONGEST_REPEATED_MS = 15_000;
/** So long before its reset a refusal is to come, where the window is long enough. ms. */
const LEAST_LEFT_MS = 2000;
const MOST_OPERATIONS = 3;
const NOWHERE = { service: null, operation: null };
/** The clauses that a drain judges. */
export const DRAIN_JUDGES = ['RATE-03', 'RATE-04', 'RATE-06', 'RATE-07', 'RATE-10'] as const;

/** Null without a key. */
export function drainConversation(
  world: World,
  reached: readonly Reached[],
  book: LimitBook,
  timing: Timing,
): Conversation | null {
  if (world.mainKey === null) return null;
  return {
    probe: DRAIN,
    stage: 'last',
    rank: 910,
    clauses: [...DRAIN_JUDGES, 'RATE-08'],
    service: null,
    operation: null,
    cost:
      costOf(world, limitOf(world, book)) +
      (looksAmongOthers(world, limitOf(world, book)) ? costAmong(world) : 0) +
      (world.isBrief === true ? 0 : costOfPlans(world, book)),
    repeatable: false,
    async converse(send) {
      const [cheap, ...others] = plainReads(reached).slice(0, MOST_OPERATIONS);
      if (cheap === undefined)
        return untested('precondition', 'no operation could be called that reads, needs a token and takes no id');
      const ask = asker(world, send, DRAIN, 'once', JUDGED_HERE);
      const keys = await statedLimits(ask, cheap, world, timing);
      const spare = keys.filter(({ name }) => name !== world.mainKey?.name).toSorted((a, b) => a.limit - b.limit)[0];
      if (spare === undefined)
        return untested(
          'no-credential',
          'needs a second key that is accepted and states a limit: the main key is not drained',
        );
      const clock = book.historyOf(spare.name).clock;
      const kinds = oneOfEachKind(
        reached.filter((one) => mayAsk(world, one)),
        cheap,
      ).filter(({ operation }) => !book.isUncounted(operation.key));
      const sparing = world.isBrief === true ? { beyond: BEYOND_BRIEFLY } : {};
      const operations = [cheap, ...others] as const;
      const tools: DrainTools = { ask, timing, clock, key: spare.name, operations, others: kinds, ...sparing };
      const isMain = ({ name }: KnownKey): boolean => name === world.mainKey?.name;
      const beside = othersOf(spare, keys);
      const inOrder = [...beside.filter((one) => !isMain(one)), ...beside.filter(isMain)];
      if (spare.limit > LARGEST_DRAINED) {
        // Whether these charge each other is told by fewer calls where that is known before they are watched together.
        const among = await amongOthers(tools, book, inOrder, []);
        const sample = { limit: spare.limit, calls: sampleIn(world), before: among };
        const outcomes = [...among, ...(await sampled(tools, book, beside, sample))];
        if (world.isBrief === true) return withoutHalves(outcomes);
        return withoutHalves([
          ...outcomes,
          ...(await otherPlans(tools, book, { keys, spare, inOrder, before: outcomes })),
        ]);
      }
      const outcomes = await drained(tools, book, keys, spare);
      if (world.isBrief === true) return outcomes;
      const before = [...outcomes, ...(await amongOthers(tools, book, inOrder, outcomes))];
      return withoutHalves([...before, ...(await otherPlans(tools, book, { keys, spare, inOrder, before }))]);
    },
  };
}

/** The smallest limit that answers to the other keys have stated so far. */
function limitOf({ keys, mainKey }: World, book: LimitBook): number {
  const stated = keys.flatMap(({ name }) => (name === mainKey?.name ? [] : (book.historyOf(name).limit ?? [])));
  return stated.length === 0 ? LARGEST_DRAINED : Math.min(...stated);
}

/** Requests of the drain. */
function costOf(world: World, limit: number): number {
  return limit > LARGEST_DRAINED
    ? sampleIn(world) + BESIDE_SAMPLE[world.isBrief === true ? 'brief' : 'usual']
    : limit + BESIDE_CALLS;
}

/** Calls of a sample. Where a budget bounds the run as few as tell anything. */
function sampleIn({ isBrief }: World): number {
  return isBrief === true ? FEW_CALLS : SAMPLE_CALLS;
}

/** Where a budget bounds the run, what a drain leaves of it is not spent on the keys beside it, and what a sample leaves is. */
function looksAmongOthers({ isBrief }: World, limit: number): boolean {
  return isBrief !== true || limit > LARGEST_DRAINED;
}

/** Requests of the keys that are not drained, of which each watches those before it. */
function costAmong({ keys }: World): number {
  const others = Math.min(keys.length - 1, MOST_OTHERS);
  return Array.from({ length: Math.max(0, others - 1) }, (_, at) => FEW_CALLS + 2 * (others - 1 - at)).reduce(
    (sum, calls) => sum + calls,
    0,
  );
}

/** Requests of the drains of a key of each other plan. */
function costOfPlans(world: World, book: LimitBook): number {
  const { keys } = world;
  const limits = [...new Map(keys.map(({ name, plan }) => [plan, book.historyOf(name).limit])).values()]
    .filter((limit) => limit !== null && limit <= LARGEST_DRAINED)
    .toSorted((left, right) => (left ?? 0) - (right ?? 0));
  return limits.slice(1).reduce<number>((sum, limit) => sum + costOf(world, limit ?? 0), 0);
}

/** A key and what its last accepted answer states. */
export interface StatedLimit extends KnownKey {
  readonly limit: number;
  readonly reading: RateReading;
}

/** One accepted answer of each key that states a limit. A refused key is given the time that it asks for. */
export async function statedLimits(
  ask: Ask,
  cheap: Reached,
  world: World,
  timing: Timing,
): Promise<readonly StatedLimit[]> {
  const stated: StatedLimit[] = [];
  for (const key of world.keys) {
    let reading = await ask(key.name, cheap);
    if (reading?.status === 429) {
      await timing.sleep(Math.min(reading.retryAfterMs ?? LONGEST_WAIT_MS / 5, LONGEST_WAIT_MS));
      reading = await ask(key.name, cheap);
    }
    if (reading !== null && isAdmitted(reading) && reading.limit !== null)
      stated.push({ ...key, limit: reading.limit, reading });
  }
  return stated;
}

/** Drains the spare key's window and judges what it showed; `keys` are all that state a limit. */
export async function drained(
  tools: DrainTools,
  book: LimitBook,
  keys: readonly StatedLimit[],
  spare: StatedLimit,
): Promise<readonly Outcome[]> {
  const others = othersOf(spare, keys);
  const series = book.historyOf(spare.name);
  await untilFresh(tools, spare.reading, spare.limit);
  let before = await askAll(tools, others);
  let poured = await drain(tools, series, spare.reading, spare.limit);
  const isLate = leavesNoTime(tools, poured);
  const tookMs = (poured.readings.at(-1)?.answeredAt ?? 0) - (poured.readings[0]?.sentAt ?? 0);
  const stated = poured.readings.findLast(isAdmitted);
  // A short window may have ended in between, or too soon after the refusal, and what was left at the refusal may have been spent by
  // another client. Only what is full again can be spent again: as full as it ever was, for a smaller ceiling never is what it states.
  const full = Math.min(spare.limit, series.highest);
  const left = leftAtRefusal(poured);
  if (
    (!isWhole(poured) || isLate || left !== null) &&
    !mayRefill(poured) &&
    tookMs <= LONGEST_REPEATED_MS &&
    stated !== undefined
  ) {
    await untilFresh(tools, stated, spare.limit);
    const again = await tools.ask(spare.name, tools.operations[0]);
    if (again !== null && isAdmitted(again) && (again.remaining ?? 0) >= full - 2 * dearestOf(poured)) {
      before = await askAll(tools, others);
      poured = await drain(tools, series, again, spare.limit, true);
      if (left !== null) poured = { ...poured, leftBefore: left };
    }
  }
  const tooMany = judgeTooMany(poured);
  try {
    return await afterwards(tools, book, keys, { spare, others, before, poured });
  } catch (error) {
    throw error instanceof CutShort ? error : endedBy(error, tooMany === null ? [] : [judged('RATE-04', tooMany)]);
  }
}

interface Poured {
  readonly spare: StatedLimit;
  readonly others: readonly KnownKey[];
  /** The others' answers before the drain. */
  readonly before: readonly RateReading[];
  readonly poured: Drained;
}

/** Watches the others, the refusal and how the limit comes back, and judges all. */
async function afterwards(
  tools: DrainTools,
  book: LimitBook,
  keys: readonly StatedLimit[],
  { spare, others, before, poured }: Poured,
): Promise<readonly Outcome[]> {
  const after = await askAll(tools, others);
  const watching = { ...tools, book, spent: successesOf(poured).length };
  const refused = refusalsOf(poured).at(-1);
  const until = refused === undefined ? null : tools.clock.resetOf(refused);
  const elsewhere = await tryElsewhere(tools, poured);
  const [recovered, seen] = await Promise.all([
    recover(tools, poured, elsewhere),
    watchBeside(watching, before, after, until),
  ]);
  const windowSeconds = book.expectedWindow(spare.name);
  const facts = factsOf(recovered);
  book.noteDrain(spare.name, facts);
  if (showsOthers(recovered)) book.noteOthers(spare.name);
  const watch = facts.algorithm === 'token-bucket' ? watchFor(recovered, facts.burst ?? 0, windowSeconds) : null;
  const told = (trace: DrainTrace): readonly Outcome[] => {
    const returned = judgeFallAndReturn(trace);
    const shared = keys.find(({ name }) => book.isUsedByOthers(name))?.name ?? null;
    return [
      judged('RATE-03', { ...returned, judgement: unlessHidden(returned.judgement, shared) }),
      judged('RATE-04', judgeAdmission(trace)),
      judged('RATE-06', judgeWait(trace)),
      judged('RATE-10', judgeCeiling(trace, windowSeconds)),
    ];
  };
  const beside = await inRounds(watching, seen).catch((error: unknown) => {
    // The rounds are about other keys: where they are not sent to their end, the drain itself was.
    throw watch === null ? new CutShort(told(recovered), error) : error;
  });
  const trace = watch === null ? recovered : { ...recovered, full: await lookAtFull(tools, watch) };
  return [...told(trace), judged('RATE-07', judgeBeside(spare.name, watching, beside))];
}

/**
 * Whether the refusal came so near to its reset that next to nothing shows in between: whose it is where it left calls over, and
 * whether the wait that it asks for is too short.
 */
function leavesNoTime({ clock }: DrainTools, poured: Drained): boolean {
  const refused = refusalsOf(poured).at(-1);
  const reset = refused === undefined ? null : clock.resetOf(refused);
  if (refused === undefined || reset === null) return false;
  const windowAtMostMs = reset.latest - (poured.readings[0] ?? refused).sentAt;
  return windowAtMostMs >= 2 * LEAST_LEFT_MS && reset.earliest - refused.answeredAt < LEAST_LEFT_MS;
}

interface Sample {
  /** Of the key. */
  readonly limit: number;
  readonly calls: number;
  /** What stands where these calls are not sent to their end. */
  readonly before: readonly Outcome[];
}

/** Without spending the limit: only whether other keys are charged. */
async function sampled(
  tools: DrainTools,
  book: LimitBook,
  others: readonly KnownKey[],
  { limit, calls, before }: Sample,
): Promise<readonly Outcome[]> {
  const untouched = await charged(tools, book, others, calls).catch((error: unknown) => {
    throw endedBy(error, before);
  });
  const why = `the smallest limit of a spare key is ${limit}: conform drains up to ${LARGEST_DRAINED} calls, "assay load ratelimit" more`;
  return [
    untouched,
    ...(['RATE-04', 'RATE-06', 'RATE-10'] as const).map((clause) =>
      outcome(clause, NOWHERE, cannotTell('precondition', why), []),
    ),
  ];
}

/**
 * Whether the keys that were not drained charge each other: a few calls of each, and what those after it fall by meanwhile. The last
 * is only watched. `before`: what stands where these calls are not sent to their end.
 */
async function amongOthers(
  tools: DrainTools,
  book: LimitBook,
  others: readonly KnownKey[],
  before: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    for (const [index, { name }] of others.slice(0, -1).entries())
      outcomes.push(await charged({ ...tools, key: name }, book, others.slice(index + 1), FEW_CALLS));
  } catch (error) {
    throw new CutShort([...before, ...outcomes], error);
  }
  return outcomes;
}

interface Plans {
  /** All that state a limit. */
  readonly keys: readonly StatedLimit[];
  /** The one that was drained. */
  readonly spare: StatedLimit;
  /** The others, the main key last. */
  readonly inOrder: readonly KnownKey[];
  /** What stands where these calls are not sent to their end. */
  readonly before: readonly Outcome[];
}

/** Drains a key of each other plan whose limit is small enough: the ceiling of one plan tells nothing of another's. */
async function otherPlans(
  tools: DrainTools,
  book: LimitBook,
  { keys, spare, inOrder, before }: Plans,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const plans = new Set([spare.plan]);
  try {
    for (const { name, plan } of inOrder) {
      const stated = keys.find((key) => key.name === name);
      if (stated === undefined || plans.has(plan) || stated.limit > LARGEST_DRAINED) continue;
      const reading = await tools.ask(name, tools.operations[0]);
      plans.add(plan);
      if (reading === null || !isAdmitted(reading)) {
        const why = `key ${name} of plan ${plan} is refused before it is drained`;
        outcomes.push(outcome('RATE-10', NOWHERE, cannotTell('precondition', why), []));
        continue;
      }
      const own = { ...tools, key: name, clock: book.historyOf(name).clock };
      outcomes.push(...(await drained(own, book, keys, { ...stated, reading })));
    }
  } catch (error) {
    throw new CutShort([...before, ...outcomes], error);
  }
  return outcomes;
}

/** Clauses that hold where each pair of keys, or each plan that was drained, is told: where one is not, the others that hold are no pass. */
const ON_EACH: readonly string[] = ['RATE-07', 'RATE-10'];

function withoutHalves(outcomes: readonly Outcome[]): readonly Outcome[] {
  const open = new Set(
    outcomes.flatMap(({ clause, judgement }) =>
      judgement.kind === 'cannot-tell' && ON_EACH.includes(clause) ? [clause] : [],
    ),
  );
  return outcomes.filter(({ clause, judgement }) => !(open.has(clause) && judgement.kind === 'holds'));
}

/** RATE-07 by so many calls of the key, between two answers of each of the others. */
async function charged(
  tools: DrainTools,
  book: LimitBook,
  others: readonly KnownKey[],
  calls: number,
): Promise<Outcome> {
  let before = await askAll(tools, others);
  const endsMs = soonestEnd(tools, book, before);
  // What a window that ends meanwhile leaves open takes many more calls to be told.
  if (endsMs > 0 && endsMs <= ENDS_SOON_MS) {
    await tools.timing.sleep(endsMs);
    before = await askAll(tools, others);
  }
  let spent = 0;
  for (let call = 0; call < calls; call += 1) {
    const reading = await tools.ask(tools.key, tools.operations[0]);
    if (reading !== null && isAdmitted(reading)) spent += 1;
  }
  const watching = { ...tools, book, spent };
  const beside = await inRounds(watching, await watchBeside(watching, before, await askAll(tools, others), null));
  return judged('RATE-07', judgeBeside(tools.key, watching, beside));
}

/** In how many ms the first of the windows ends that the answers state; Infinity where none does. */
function soonestEnd({ timing }: DrainTools, book: LimitBook, readings: readonly RateReading[]): number {
  const ends = readings.flatMap((reading) => {
    const { credential } = reading.exchange.plan;
    const reset = credential.kind === 'key' ? book.historyOf(credential.name).clock.resetOf(reading) : null;
    return reset === null ? [] : reset.latest - timing.now();
  });
  return Math.min(...ends);
}

function judged(clause: string, { judgement, readings }: Judged): Outcome {
  return outcome(
    clause,
    NOWHERE,
    judgement,
    readings.map(({ exchange }) => exchange),
  );
}

function untested(reasonCode: ReasonCode, reason: string): readonly Outcome[] {
  const judgement: Judgement = cannotTell(reasonCode, reason);
  return DRAIN_JUDGES.map((clause) => outcome(clause, NOWHERE, judgement, []));
}
