// RATE-10 on plans whose limits no header tells: a key is spent in windows of its own, and the calls that these admit are compared with the
// limit that is stated of its plan. RATE-07 there: another key is served while the spent one is refused.

import { MIN_SPENT, refusedTogether } from '../../checks/rate/rate-07-other-keys-unaffected.ts';
import { judgeExpected } from '../../checks/rate/rate-10-expectations.ts';
import { breached, cannotTell, holds, type Judgement, resting } from '../../contract/judgement.ts';
import type { Interval } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { exactly, TOLERANCE } from '../../limiters/drained-window.ts';
import type { Expectation } from '../../limiters/limit-book.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import type { KnownKey } from '../auth/security.ts';
import { outcome } from '../experiment.ts';
import type { Outcome } from '../probe.ts';
import { type AskedKey, LONGEST_WAIT_MS, NOWHERE, SLACK_MS, TIMER_MS } from './asking.ts';
import { LARGEST_DRAINED } from './spent-key.ts';

/** Calls of another key while this one is refused: more are served than come back meanwhile, unless both spend one limit. */
const BESIDE_CALLS = 5;
/** Windows in which another key is served before this one is spent, and refused with it, that are no coincidence. */
const MIN_TOGETHER = 2;
/** Number of calls, beside half as many as the limit has, that are sent beyond it to see how much more is granted. */
const LEAST_BEYOND = 20;

/** The statements on a plan that it takes to measure it. */
type Plan = Required<Pick<Expectation, 'limit' | 'windowSeconds'>> &
  Pick<Expectation, 'statedBy'> & {
    /** The status of a refusal: of what was served just before it has no other reason. */
    readonly refusedBy: number;
  };

/** The calls of one window, from the first to the one that was refused. */
interface Burst {
  readonly admitted: number;
  readonly tookMs: number;
  /** null: none was. */
  readonly refusal: RateReading | null;
  readonly last: RateReading | null;
  /** The status of the call that was neither admitted nor refused; null: none was. */
  readonly failed: number | null;
}

/** The plan where enough is stated of it; null where it is not, or where it takes too long to spend. */
export function measurable(stated: Expectation | undefined, refusedBy: number): Plan | null {
  const { limit, windowSeconds, statedBy } = stated ?? {};
  if (limit === undefined || windowSeconds === undefined) return null;
  if (limit > LARGEST_DRAINED || windowSeconds * 1000 > LONGEST_WAIT_MS) return null;
  return { limit, windowSeconds, refusedBy, ...(statedBy === undefined ? {} : { statedBy }) };
}

/** Spends the key; what seems to be another ceiling than the stated one is measured twice. */
export async function untoldCeiling(key: KnownKey, plan: Plan, asked: AskedKey): Promise<Outcome> {
  const evidence: Exchange[] = [];
  const tell = (judgement: Judgement): Outcome => outcome('RATE-10', NOWHERE, judgement, evidence.slice(-2));
  let before: Interval | null = null;
  for (;;) {
    const measured = await measure(plan, asked, evidence);
    if (typeof measured === 'string') return tell(cannotTell('precondition', `${measured}: key ${key.name}`));
    const judgement = judged(key, plan, measured);
    if (judgement.kind !== 'breached') return tell(judgement);
    if (before !== null) {
      const doubt = doubtOf(before, measured, plan);
      const told = `two windows of key ${key.name} admitted ${doubt}`;
      return tell(doubt === null ? judgement : cannotTell('precondition', told));
    }
    before = measured;
  }
}

/** Why two windows, of which either seemed to have another ceiling than the stated one, show none; null where they do. */
function doubtOf(before: Interval, measured: Interval, { limit }: Plan): string | null {
  const most = limit * (1 + TOLERANCE);
  // A counter that slides does not admit as many each time, but never more than its limit and what it regains meanwhile.
  if (before.least > most && measured.least > most) return null;
  const found = `${before.best} and ${plural(measured.best, 'call')}`;
  // A bucket admits what it regains meanwhile, and may do so as often each time.
  if (measured.best > most && measured.least <= most) return `${found}, as a bucket does that regains some meanwhile`;
  return Math.abs(before.best / measured.best - 1) <= TOLERANCE ? null : found;
}

/** RATE-07, just after the key was measured: where it was spent by that, and may be again. */
export async function spentBeside(
  { name }: KnownKey,
  plan: Plan,
  asked: AskedKey,
  [other, measured]: readonly [KnownKey, Outcome],
): Promise<Outcome> {
  const windowMs = plan.windowSeconds * 1000;
  const evidence = measured.evidence.slice(-1);
  const tell = (judgement: Judgement): Outcome => outcome('RATE-07', NOWHERE, judgement, evidence.slice(-2));
  const unknown = (why: string): Outcome => tell(cannotTell('precondition', `${why}: keys ${name} and ${other.name}`));
  if (evidence[0]?.response?.status !== plan.refusedBy) return unknown('none of its calls was refused');
  for (let together = 0; ; together += 1) {
    const beside = await burst(() => asked.callOf(other.name), { ...plan, most: BESIDE_CALLS }, asked);
    note(beside, evidence);
    if (beside.admitted > 1 + (plan.limit * beside.tookMs) / windowMs) return tell(holds());
    if (beside.refusal === null) return unknown('who is refused with whom could not be told');
    if (together === MIN_TOGETHER) return tell(breached([refusedTogether(name, beside.refusal, together)]));
    await asked.timing.sleep(windowMs + TIMER_MS);
    const before = await asked.callOf(other.name);
    const spent = await burstOf(plan, asked);
    if (before === null || !isSuccessful(before) || spent.refusal === null || spent.admitted < MIN_SPENT)
      return unknown('one is refused while the other is not spent, or could not be spent');
    note(spent, evidence);
  }
}

function judged({ name, plan }: KnownKey, stated: Plan, limit: Interval): Judgement {
  const measured = { key: name, limit, windowMs: null, isBucket: false, cost: 1 };
  const judgement = judgeExpected(plan, measured, { [plan]: stated });
  return resting(judgement ?? cannotTell('precondition', 'nothing is stated of the plan'), { windows: 1 });
}

/** The calls that a window admits; in words why they cannot be told. */
async function measure(plan: Plan, asked: AskedKey, evidence: Exchange[]): Promise<Interval | string> {
  const windowMs = plan.windowSeconds * 1000;
  const spent = await burstOf(plan, asked);
  const { refusal } = spent;
  if (refusal === null) return unrefused(spent, plan, evidence);
  // A limiter that asks to wait for the rest of a window begins a new one then; one that gives back little by little is whole after all of it.
  const toldMs = refusal.retryAfterMs ?? windowMs;
  await asked.timing.sleep((toldMs > LONGEST_WAIT_MS ? windowMs : toldMs) + TIMER_MS);
  let next = await burstOf(plan, asked);
  if (next.admitted === 0) {
    // Refused after the slack that every wait has, too, it was asked for too short a wait (RATE-06).
    await asked.timing.sleep(SLACK_MS);
    next = await burstOf(plan, asked);
  }
  if (next.refusal === null) return unrefused(next, plan, evidence);
  note(next, evidence);
  if (next.tookMs >= windowMs) return TOO_SLOW;
  if (next.admitted >= plan.limit * (1 - TOLERANCE)) return admittedBy(next, plan);
  await asked.timing.sleep(windowMs + TIMER_MS);
  const whole = await burstOf(plan, asked);
  note(whole, evidence);
  if (whole.tookMs >= windowMs) return TOO_SLOW;
  return exactly(Math.max(next.admitted, Math.round(withoutRefill(whole, plan))));
}

const TOO_SLOW = 'the calls that would spend its limit took longer than its window';

/** More calls than the limit were admitted; how many more is not known. */
function unrefused(one: Burst, plan: Plan, evidence: Exchange[]): Interval | string {
  note(one, evidence);
  if (one.failed !== null) return `a call was answered ${one.failed}, which is not how a limit is said to refuse`;
  if (one.last === null) return 'a call was not answered';
  return one.tookMs >= plan.windowSeconds * 1000
    ? TOO_SLOW
    : { ...admittedBy(one, plan), most: Number.POSITIVE_INFINITY };
}

/** All of them; at least those that did not come back meanwhile, were it a bucket. */
function admittedBy(one: Burst, plan: Plan): Interval {
  return { ...exactly(one.admitted), least: Math.floor(withoutRefill(one, plan)) };
}

/** The calls that were there at first: of a bucket some come back meanwhile. */
function withoutRefill({ admitted, tookMs }: Burst, { limit, windowSeconds }: Plan): number {
  const regained = (limit * tookMs) / (windowSeconds * 1000);
  return admitted <= limit ? admitted : Math.max(limit, admitted - regained);
}

function note({ last, refusal }: Burst, evidence: Exchange[]): void {
  evidence.push(...[last, refusal].flatMap((reading) => reading?.exchange ?? []));
}

/** Calls of the key until one is refused, at most half as many again as the limit has. */
function burstOf(plan: Plan, asked: AskedKey): Promise<Burst> {
  const most = plan.limit + Math.max(LEAST_BEYOND, Math.ceil(plan.limit / 2));
  return burst(() => asked.call(), { ...plan, most }, asked);
}

async function burst(
  call: () => ReturnType<AskedKey['call']>,
  { refusedBy, most }: Plan & { readonly most: number },
  { timing }: AskedKey,
): Promise<Burst> {
  const from = timing.now();
  let last: RateReading | null = null;
  for (let admitted = 0; ; admitted += 1) {
    const reading = admitted < most ? await call() : null;
    const tookMs = timing.now() - from;
    const told = { admitted, tookMs, refusal: null, failed: null };
    if (reading === null) return { ...told, last: admitted < most ? null : last };
    if (reading.isRefused || reading.status === refusedBy) return { ...told, refusal: reading, last };
    if (!isSuccessful(reading)) return { ...told, last: reading, failed: reading.status };
    last = reading;
  }
}
