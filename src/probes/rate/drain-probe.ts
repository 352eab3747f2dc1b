// The experiment that spends limits of keys: a spare key's, then, where there is room, those of other plans; and a few calls of each
// key beside, which show whether it charges another.

import type { Timing } from '../../clock/clock.ts';
import { number } from '../../contract/numbers.ts';
import { expectationOf, type LimitBook } from '../../limiters/limit-book.ts';
import { isAdmitted, readingsOf, refusedStatus } from '../../limiters/reading.ts';
import type { KnownKey } from '../auth/security.ts';
import { type Conversation, CutShort, type Outcome, type Send } from '../probe.ts';
import type { Reached, World } from '../world.ts';
import {
  type Ask,
  type AskedKey,
  askedKey,
  asker,
  type Calling,
  isAskable,
  LAST,
  LONGEST_WAIT_MS,
  limitedOf,
  mainLimited,
  NOWHERE,
  oneOfEachKind,
  plainReads,
} from './asking.ts';
import { MAX_OTHERS, othersOf } from './other-keys.ts';
import {
  charged,
  DRAIN_JUDGES,
  drained,
  FEW_CALLS,
  LARGEST_DRAINED,
  type StatedLimit,
  statedLimits,
  untested,
} from './spent-key.ts';
import { measurable, spentBeside, untoldCeiling } from './untold-ceiling.ts';

/** The experiment that spends a key's limit. */
export const DRAIN = 'rate/drain';
/** Calls that draining takes beside those of the limit: of other keys and operations, and until the limit has come back. */
const BESIDE_CALLS = 25;
const MAX_OPERATIONS = 3;

/** How far the experiment goes. */
export interface Extent {
  /** Calls of a key whose limit is too large to be spent, and those of other keys meanwhile. */
  readonly sample: number;
  readonly besideSample: number;
  /** Calls beyond a limit: how much more is granted, or only that it is. Absent: half as many as the limit has, and twenty. */
  readonly beyond?: number;
  /** Tells whether keys beside a drained one, and those of other plans, are spent as well. */
  readonly isWide: boolean;
}

export const WHOLE: Extent = { sample: 30, besideSample: 12, isWide: true };
/** A sample under a budget: the calls that decide which key caused a drop take the place of a larger sample. */
export const BRIEF: Extent = { sample: FEW_CALLS, besideSample: 24, beyond: 10, isWide: false };

/** Null without a key. */
export function drainConversation(
  world: World,
  reached: readonly Reached[],
  book: LimitBook,
  timing: Timing,
  extent: Extent,
): Conversation | null {
  if (mainLimited(world) === null) return null;
  return {
    ...{ ...LAST, ...NOWHERE, probe: DRAIN, rank: 910, clauses: [...DRAIN_JUDGES, 'RATE-08'] },
    cost: costOf(world, book, extent),
    converse: async (send) => withoutHalves(await standing(spend({ world, reached, book, timing, extent, send }))),
  };
}

/** All outcomes; where the run ends a step, those of the steps before it stand. */
async function standing(steps: AsyncIterable<readonly Outcome[]>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    for await (const some of steps) outcomes.push(...some);
  } catch (error) {
    throw outcomes.length === 0 ? error : new CutShort(outcomes, error);
  }
  return outcomes;
}

interface Spending {
  readonly world: World;
  readonly reached: readonly Reached[];
  readonly book: LimitBook;
  readonly timing: Timing;
  readonly extent: Extent;
  readonly send: Send;
}

async function* spend(spending: Spending): AsyncGenerator<readonly Outcome[]> {
  const { world, reached, book, timing, send } = spending;
  const [cheap, ...plain] = plainReads(world, reached).slice(0, MAX_OPERATIONS);
  if (cheap === undefined)
    return yield untested('precondition', 'no operation could be called that reads, needs a token and takes no id');
  const callable = reached.filter(({ operation, proof }) => proof !== null && isAskable(world, operation));
  // Where one list is all, an item of it tells whether a refusal is for all: whoever owns it, a refusal is one.
  const ofItem = callable.filter(({ operation }) => operation.method === 'GET' && operation !== cheap.operation);
  const more = plain.length > 0 ? plain : ofItem.slice(0, 1);
  const ask = asker(world, send, DRAIN, 'once');
  const keys = await statedLimits(ask, cheap, world, timing);
  const calling = (key: string, policy: string | null = null): Calling => {
    const { clock } = book.historyOf(key, policy);
    return { key, clock, ask: ofPolicy(ask, policy, world), timing, operations: [cheap, ...more] };
  };
  const untold = world.contract === 'commerce' ? [] : untoldPlans(world, book, keys);
  const isMeasuredApart = ({ plan }: KnownKey): boolean => untold.some(({ key }) => key.plan === plan);
  const main = mainLimited(world)?.name;
  const [spare = soleKey(world, book, keys)] = keys
    .filter(({ name }) => name !== main)
    .toSorted((a, b) => a.limit - b.limit);
  const others = oneOfEachKind(callable, cheap).filter(({ operation }) => !book.uncounted.has(operation.key));
  const drain = async (key: StatedLimit): Promise<readonly Outcome[]> => {
    const { policy } = key.reading;
    const means = { policy, others, beyond: spending.extent.beyond, windowMs: book.untoldWindowMs(key.reading) };
    const outcomes = await drained({ ...askedKey(calling(key.name, policy)), means }, book, keys, key);
    const isOpen = ({ clause, judgement }: Outcome) => clause === 'RATE-10' && judgement.kind === 'cannot-tell';
    return isMeasuredApart(key) ? outcomes.filter((one) => !isOpen(one)) : outcomes;
  };
  if (typeof spare !== 'string')
    yield* spendKeys(spending, keys, spare, { keyed: (key, policy) => askedKey(calling(key, policy)), drain });
  else if (untold.length === 0) yield untested('no-credential', spare);
  for (const { key, plan } of untold) {
    const asked = askedKey(calling(key.name));
    const measured = await untoldCeiling(key, plan, asked);
    yield [measured];
    const [other] = othersOf(key, limitedOf(world));
    if (other !== undefined) yield [await spentBeside(key, plan, asked, [other, measured])];
  }
}

/** The only key there is, where another contract than the platform's lets it be spent and it is back soon; else why it is not spent. */
function soleKey({ contract }: World, book: LimitBook, keys: readonly StatedLimit[]): StatedLimit | string {
  const [key, ...others] = keys;
  if (contract === 'commerce' || key === undefined || others.length > 0)
    return 'needs a second key that is accepted and states a limit: the main key is not drained';
  const { reading, name } = key;
  const reset = book.historyOf(name).clock.resetOf(reading);
  const backMs = reset === null ? book.backWithinMs(name) : reset.latest - reading.answeredAt;
  const lateMs = Math.max(backMs ?? Number.POSITIVE_INFINITY, (reading.windowSeconds ?? 0) * 1000);
  if (lateMs <= LONGEST_WAIT_MS) return key;
  const when =
    backMs === null ? 'no answer tells when it is back' : `it may be back in ${Math.ceil(lateMs / 1000)} s only`;
  return `the only key, ${name}, is not drained: ${when}; a second key, or windowSeconds of its plan in the contract, lets it be`;
}

/** A key of each plan whose limit is stated by the contract, and can be measured where no answer tells when its window ends. */
function untoldPlans(world: World, book: LimitBook, stated: readonly StatedLimit[]) {
  const told = stated.filter(({ reading }) => reading.reset !== null).map(({ plan }) => plan);
  const plans = new Map(limitedOf(world).map((key) => [key.plan, key]));
  return [...plans.values()].flatMap((key) => {
    const plan = told.includes(key.plan)
      ? null
      : measurable(expectationOf(book.expected, key.plan), refusedStatus(world.limited.terms));
    return plan === null ? [] : [{ key, plan }];
  });
}

/** Asks, and reads of each answer what it states of that limit. */
function ofPolicy(ask: Ask, policy: string | null, { limited }: World): Ask {
  return async (...asked) => {
    const reading = await ask(...asked);
    if (reading === null || policy === null) return reading;
    return readingsOf(reading.exchange, limited).find((one) => one.policy === policy) ?? reading;
  };
}

/** Asks a key, or drains it. */
interface KeyTools {
  readonly keyed: (key: string, policy?: string | null) => AskedKey;
  readonly drain: (key: StatedLimit) => Promise<readonly Outcome[]>;
}

/** The spare key first, if its limit can be spent; the keys beside it; a key of each other plan. */
async function* spendKeys(
  { world, book, extent }: Spending,
  keys: readonly StatedLimit[],
  spare: StatedLimit,
  { keyed, drain }: KeyTools,
): AsyncGenerator<readonly Outcome[]> {
  const isMain = ({ name }: KnownKey): boolean => name === mainLimited(world)?.name;
  const beside = othersOf(spare, keys);
  const inOrder = [...beside.filter((one) => !isMain(one)), ...beside.filter(isMain)];
  const isDrained = spare.limit <= LARGEST_DRAINED;
  if (isDrained) yield* eachLimit(world, spare, { keyed, drain });
  // Further outcomes tell whether the keys beside charge each other; the last is only watched.
  for (const [index, { name }] of !isDrained || extent.isWide ? inOrder.slice(0, -1).entries() : [])
    yield [await charged(keyed(name), book, inOrder.slice(index + 1), FEW_CALLS)];
  if (!isDrained) {
    yield [await charged(keyed(spare.name), book, beside, extent.sample)];
    const why = `the smallest limit of a spare key is ${number(spare.limit)}: conform drains up to ${LARGEST_DRAINED} calls, "assay load ratelimit" more`;
    yield untested('precondition', why, ['RATE-04', 'RATE-06', 'RATE-10']);
  }
  // The ceiling of one plan tells nothing of another's.
  const plans = new Set([spare.plan]);
  for (const { name, plan } of extent.isWide ? inOrder : []) {
    const stated = keys.find((key) => key.name === name);
    if (stated === undefined || plans.has(plan) || stated.limit > LARGEST_DRAINED) continue;
    const reading = await keyed(name).call();
    plans.add(plan);
    yield reading !== null && isAdmitted(reading)
      ? await drain({ ...stated, reading })
      : untested('precondition', `key ${name} of plan ${plan} is refused before it is drained`, ['RATE-10']);
  }
}

/** The key's first limit, and those over longer windows that can be spent and are back soon: the ceiling of one tells nothing of another's. */
async function* eachLimit(
  { limited }: World,
  key: StatedLimit,
  { keyed, drain }: KeyTools,
): AsyncGenerator<readonly Outcome[]> {
  yield await drain(key);
  for (const { limit, policy, windowSeconds } of readingsOf(key.reading.exchange, limited).slice(1)) {
    if (limit === null || limit > LARGEST_DRAINED || (windowSeconds ?? 0) * 1000 > LONGEST_WAIT_MS) continue;
    const reading = await keyed(key.name, policy).call();
    if (reading !== null && isAdmitted(reading)) yield await drain({ ...key, limit, reading });
  }
}

/** Requests, by the limits that were stated so far. */
function costOf(world: World, book: LimitBook, { sample, besideSample, isWide }: Extent): number {
  const keys = limitedOf(world);
  const main = mainLimited(world)?.name;
  const limitOf = ({ name }: KnownKey): number | null => book.historyOf(name).limit;
  const stated = keys.filter(({ name }) => name !== main).flatMap((key) => limitOf(key) ?? []);
  const limit = stated.length === 0 ? LARGEST_DRAINED : Math.min(...stated);
  const ofOne = (calls: number): number => (calls > LARGEST_DRAINED ? sample + besideSample : calls + BESIDE_CALLS);
  // Each of the keys that are not drained watches those before it.
  const others = Math.min(keys.length - 1, MAX_OTHERS);
  const among = Array.from({ length: Math.max(0, others - 1) }, (_, at) => FEW_CALLS + 2 * (others - 1 - at));
  const ofPlans = [...new Map(keys.map((key) => [key.plan, limitOf(key)])).values()]
    .filter((one) => one !== null)
    .filter((one) => one <= LARGEST_DRAINED)
    .toSorted((left, right) => left - right)
    .slice(1)
    .map(ofOne);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return ofOne(limit) + (isWide || limit > LARGEST_DRAINED ? sum(among) : 0) + (isWide ? sum(ofPlans) : 0);
}

/** Clauses that hold where each pair of keys, or each plan that was drained, is told: where one is not, the others that hold are no pass. */
const ON_EACH: readonly string[] = ['RATE-07', 'RATE-10'];

function withoutHalves(outcomes: readonly Outcome[]): readonly Outcome[] {
  const open = outcomes.filter(({ judgement }) => judgement.kind === 'cannot-tell').map(({ clause }) => clause);
  return outcomes.filter(
    ({ clause, judgement }) => !(ON_EACH.includes(clause) && open.includes(clause) && judgement.kind === 'holds'),
  );
}
