// Holds the common parts of the probes of limits: one operation that is cheap to ask again and again, answers read as
// readings, and time.

import type { Timing } from '../../clock/clock.ts';
import type { Credential, RequestPlan } from '../../exchange/exchange.ts';
import { isExempt, limitedKeys, type RateReading, readingOf } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { throttleOf } from '../../limiters/throttles.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { KnownKey } from '../auth/security.ts';
import { type Send, unlessNotSent } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, mutates, type Reached, requiresToken, type World } from '../world.ts';

/**
 * All that the probes may call: all that was `reached`, `own` of it; `operations`: those of the whole run, in its order.
 * `first`: of the shards of a run, this one answers for what each of them sends.
 */
export interface Callable {
  readonly first: boolean;
  readonly own: readonly Reached[];
  readonly reached: readonly Reached[];
  readonly operations: readonly Operation[];
}

/** Experiments on limits are performed when nothing else is sent any more. */
export const LAST = { stage: 'last' } as const;
/** Where outcomes on the target as a whole belong. */
export const NOWHERE = { service: null, operation: null } as const;

/** Longer waits for a limit are not waited for. ms. */
export const LONGEST_WAIT_MS = 75_000;
/** Slack that a wait which was asked for has. Source: RATE-06. ms. */
export const SLACK_MS = 1000;
/** Timers may fire this early. ms. */
export const TIMER_MS = 50;

/** An answer within this time is fast enough: which one it was is chance, and the same requests are sent every time. ms. */
const FAST_MS = 32;

/** The keys whose limits are looked at, as probes know them. */
export function limitedOf({ keys, limited }: World): readonly KnownKey[] {
  return limitedKeys(keys, limited).map((key) => ({ account: null, scheme: null, ...key }));
}

/** The one that ordinary calls count against; null: nobody knows whom they count against. */
export function mainLimited(world: World): KnownKey | null {
  return world.limited.isAnonymous ? (limitedOf(world)[0] ?? null) : world.mainKey;
}

export function credentialOf({ limited }: World, key: string): Credential {
  return limited.isAnonymous ? { kind: 'none' } : { kind: 'key', name: key };
}

/** Tells whether a call of the operation counts against a limit that is looked at. */
function isLimited({ limited }: World, operation: Operation): boolean {
  if (isExempt({ ...operation, operation: operation.key }, limited.terms)) return false;
  return limited.isAnonymous || requiresToken(operation);
}

/** Operations that read, count against a limit and need no id, and were called with success: the much faster ones first. */
export function plainReads(world: World, reached: readonly Reached[]): readonly Reached[] {
  return reached
    .filter(
      ({ operation, proof }) =>
        operation.method === 'GET' &&
        !operation.path.includes('{') &&
        isLimited(world, operation) &&
        (proof?.response?.status ?? 599) < 300,
    )
    .toSorted((left, right) => slownessOf(left) - slownessOf(right));
}

/** 0 for what is fast enough; one more each time that it takes twice as long. */
function slownessOf({ proof }: Reached): number {
  return Math.ceil(Math.log2(Math.max(proof?.durationMs ?? 0, FAST_MS) / FAST_MS));
}

const MAX_KINDS = 5;

/** Tells whether the operation can be called by the way, as far as its description tells: it needs a token, and destroys nothing. */
export function isAskable(world: World, operation: Operation): boolean {
  if (!isLimited(world, operation) || throttleOf(world.terms, operation.key) !== null) return false;
  // Its effects are not to be had by the way.
  if (operation.key === world.terms.registration?.operation) return false;
  if (!mutates(operation)) return true;
  return operation.method !== 'DELETE' && world.refusal(operation) === null && !world.isPayment(operation);
}

/** One operation of each service and method beside `known`, of those that may be asked: those without ids first. */
export function oneOfEachKind(callable: readonly Reached[], known: Reached): readonly Reached[] {
  const kindOf = ({ operation: { service, method } }: Reached) => `${service} ${method}`;
  const plainFirst = callable.toSorted((left, right) => idsOf(left) - idsOf(right));
  const kinds = new Map(plainFirst.toReversed().map((one) => [kindOf(one), one]));
  kinds.delete(kindOf(known));
  // An object that an id names may belong to the account of another key: a 404 shows neither a success nor a limit.
  return [...kinds.values()].toSorted((left, right) => idsOf(left) - idsOf(right)).slice(0, MAX_KINDS);
}

function idsOf({ operation }: Reached): number {
  return operation.path.split('{').length - 1;
}

/** Asks for the operation under a key, once and at once; null without an answer. `elsewhere`: another shard answers for it. */
export type Ask = (key: string, reached: Reached, elsewhere?: boolean) => Promise<RateReading | null>;

/**
 * `once`: the refusal itself is wanted. `never`: at the key's pace, and a refusal is waited out.
 */
export function asker(world: World, send: Send, probe: string, retry: RequestPlan['retry']): Ask {
  let serial = 0;
  return async (key, { recipe }, elsewhere = false) => {
    serial += 1;
    const by = elsewhere ? { elsewhere } : {};
    const change = { credential: credentialOf(world, key), retry, ...by } as const;
    const plan = planOf(recipe, probe, drawFor(world, `${probe}${serial}`), change);
    const answered = await unlessNotSent(() => send(plan));
    return answered === null ? null : readingOf(answered.last, world.limited);
  };
}

export interface Calling {
  readonly key: string;
  readonly clock: TargetClock;
  readonly ask: Ask;
  readonly timing: Timing;
  /** The operation that is called; further ones show whether a refusal is for all. */
  readonly operations: readonly [Reached, ...Reached[]];
}

/** A key that is asked: one operation again and again, at the pace that the experiment wants. */
export type AskedKey = ReturnType<typeof askedKey>;

export function askedKey(calling: Calling) {
  const { key, ask, timing, operations } = calling;
  const answers: RateReading[] = [];
  const asked = async (operation: Reached): Promise<RateReading | null> => {
    const reading = await ask(key, operation);
    if (reading !== null) answers.push(reading);
    return reading;
  };
  return {
    ...calling,
    /** Those of the key so far. */
    answers,
    /** Asks for the operation; for the others in turn after it. */
    call: (turn = 0) => asked(operations[turn % operations.length] ?? operations[0]),
    callOn: asked,
    /** The same of another key. */
    callOf: (other: string) => ask(other, operations[0]),
    /** Epoch ms. */
    until: (epochMs: number) => timing.sleep(Math.max(0, epochMs - timing.now())),
  };
}
