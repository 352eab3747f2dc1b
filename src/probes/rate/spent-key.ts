// The drain as an experiment: which keys, which operation, and what the judges make of it. Where a limit is too large to be spent,
// a few calls of the spare key still show whether other keys are charged for them (RATE-07).
import { judgeAdmission } from '../../checks/rate/rate-04-admission.ts';
import { MIN_SPENT } from '../../checks/rate/rate-07-other-keys-unaffected.ts';
import { factsOf, isWhole, judgeDrainedCeiling, watchFor } from '../../checks/rate/rate-10-ceiling.ts';
import { onTarget } from '../../checks/rate/series-law.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { ReasonCode } from '../../contract/report.ts';
import { algorithmOf } from '../../limiters/algorithm.ts';
import { type Drained, drainedOf, whyNotExhausted } from '../../limiters/drained-window.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { KnownKey } from '../auth/security.ts';
import { CutShort, type Outcome } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import { type Ask, type AskedKey, LONGEST_WAIT_MS, limitedOf } from './asking.ts';
import { type DrainTools, drain, tryElsewhere, untilFresh } from './drain.ts';
import { askAll, askAllWithCalls, inRounds, judgeOtherKeys, othersOf, watchOtherKeys } from './other-keys.ts';
import { lookAtFull, recover } from './recovery.ts';

/** The clauses that a drain judges. */
export const DRAIN_JUDGES = ['RATE-03', 'RATE-04', 'RATE-06', 'RATE-07', 'RATE-10'] as const;
/** Larger limits are left to "assay load ratelimit". */
export const LARGEST_DRAINED = 500;
/** Calls needed to see whether a key that is not drained is charged to another one. */
export const FEW_CALLS = MIN_SPENT + 2;
/** A window that ends within this time is left to end before a few calls begin. ms. */
const ENDS_SOON_MS = 3000;
/** A drain that told nothing is repeated where it took no longer. ms. */
const LONGEST_REPEATED_MS = 15_000;
/** Minimum time between a refusal and its reset, where the window is long enough. ms. */
const MIN_LEFT_MS = 2000;

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
  { sleep }: Pick<AskedKey['timing'], 'sleep'>,
): Promise<readonly StatedLimit[]> {
  const stated: StatedLimit[] = [];
  for (const key of limitedOf(world)) {
    let reading = await ask(key.name, cheap);
    if (reading?.isRefused === true) {
      await sleep(Math.min(reading.retryAfterMs ?? LONGEST_WAIT_MS / 5, LONGEST_WAIT_MS));
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
  const { before, poured } = await pouredOut(tools, book, others, spare);
  const foreign = poured.refusals.find(({ policy }) => policy !== spare.reading.policy);
  if (foreign !== undefined)
    return untested(
      'precondition',
      `key ${spare.name} was refused by policy "${foreign.policy}", not by "${spare.reading.policy}", which was to be spent`,
    );
  return afterwards(tools, book, others, { before, poured });
}

interface Poured {
  /** Answers of the other keys before the drain. */
  readonly before: readonly RateReading[];
  readonly poured: Drained;
}

/**
 * A window of the key, drained. Once more where a short window may have ended in between, the refusal came too near to its reset, or
 * what was left then may have been spent by another client.
 */
async function pouredOut(
  tools: DrainTools,
  book: LimitBook,
  others: readonly KnownKey[],
  { name, limit, reading }: StatedLimit,
): Promise<Poured> {
  const history = book.historyOf(name, reading.policy);
  await untilFresh(tools, reading, limit);
  const before = await askAllWithCalls(tools, book, others);
  const poured = await drain(tools, history, reading, limit);
  const tookMs = (poured.readings.at(-1)?.answeredAt ?? 0) - (poured.readings[0]?.sentAt ?? 0);
  const stated = poured.readings.findLast(isAdmitted);
  // As full as it ever was: a smaller ceiling never is what it states, and only what is full again can be spent again.
  const full = Math.min(limit, history.highest);
  const left = poured.leftAtRefusal;
  const tellsAll = isWhole(poured) && !leavesNoTime(poured) && left === null;
  if (tellsAll || poured.mayRefill || tookMs > LONGEST_REPEATED_MS || stated === undefined) return { before, poured };
  await untilFresh(tools, stated, limit, true);
  const again = await tools.call();
  if (again === null || !isAdmitted(again) || (again.remaining ?? 0) < full - 2 * poured.dearest)
    return { before, poured };
  const beforeAgain = await askAll(tools, others);
  const second = await drain(tools, history, again, limit, true);
  return { before: beforeAgain, poured: left === null ? second : drainedOf({ ...second, leftBefore: left }) };
}

/**
 * Tells whether the refusal came so near to its reset that next to nothing shows in between: whose it is where it left calls over, and
 * whether the wait that it asks for is too short.
 */
function leavesNoTime(poured: Drained): boolean {
  const refused = poured.refusals.at(-1);
  const reset = refused === undefined ? null : poured.clock.resetOf(refused);
  if (refused === undefined || reset === null) return false;
  const windowAtMostMs = reset.latest - (poured.readings[0] ?? refused).sentAt;
  return windowAtMostMs >= 2 * MIN_LEFT_MS && reset.earliest - refused.answeredAt < MIN_LEFT_MS;
}

/** Watches the others, the refusal and how the limit comes back, and judges all. */
async function afterwards(
  tools: DrainTools,
  book: LimitBook,
  others: readonly KnownKey[],
  { before, poured }: Poured,
): Promise<readonly Outcome[]> {
  const { key } = tools;
  const after = await askAll(tools, others);
  const watching = { tools, book, spent: poured.successes.length };
  const refused = poured.refusals.at(-1);
  const elsewhere = await tryElsewhere(tools, poured);
  const [recovered, seen] = await Promise.all([
    recover(tools, poured, elsewhere),
    watchOtherKeys(watching, before, after, refused === undefined ? null : tools.clock.resetOf(refused)),
  ]);
  const { policy = null, windowSeconds: told = null } = poured.readings[0] ?? {};
  const windowSeconds = policy === null || told === null ? book.expectedWindow(key) : told;
  const facts = factsOf(recovered);
  const history = book.historyOf(key);
  history.drain ??= facts;
  history.isShared ||= recovered.showsOthers;
  history.isTaken ||= recovered.mayBeTaken;
  const watch = algorithmOf(recovered) === 'token-bucket' ? watchFor(recovered, facts.burst ?? 0, windowSeconds) : null;
  const beside = await inRounds(watching, seen).catch((error: unknown) => {
    // The rounds are about other keys: where they are not sent to their end, the drain itself was.
    throw watch === null ? new CutShort(judgedAlone(recovered, windowSeconds), error) : error;
  });
  const trace = watch === null ? recovered : { ...recovered, full: await lookAtFull(tools, watch) };
  return [...judgedAlone(trace, windowSeconds), judgeOtherKeys(watching, beside)];
}

/** Judges what the drain shows of its own key; its history tells whether calls were counted, came back, and waits sufficed. */
function judgedAlone(trace: Drained, windowSeconds: number | null): readonly Outcome[] {
  const isRefused = trace.refusals.length > 0;
  return [
    judgeAdmission(trace),
    judgeDrainedCeiling(trace, windowSeconds),
    ...(isRefused ? [] : untested('precondition', `key ${trace.key}: ${whyNotExhausted(trace)}`, ['RATE-06'])),
  ];
}

/** RATE-07 by so many calls of the key, between two answers of each of the others. */
export async function charged(
  tools: AskedKey,
  book: LimitBook,
  others: readonly KnownKey[],
  calls: number,
): Promise<Outcome> {
  const before = await askAllWithCalls(tools, book, others, ENDS_SOON_MS);
  let spent = 0;
  for (let call = 0; call < calls; call += 1) {
    const reading = await tools.call();
    if (reading !== null && isAdmitted(reading)) spent += 1;
  }
  const watching = { tools, book, spent };
  const beside = await inRounds(watching, await watchOtherKeys(watching, before, await askAll(tools, others), null));
  return judgeOtherKeys(watching, beside);
}

/** These clauses could not be looked at. */
export function untested(
  reasonCode: ReasonCode,
  reason: string,
  clauses: readonly string[] = DRAIN_JUDGES,
): readonly Outcome[] {
  return clauses.map((clause) => onTarget(clause, cannotTell(reasonCode, reason)));
}
