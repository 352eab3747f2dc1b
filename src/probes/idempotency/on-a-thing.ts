// Sends whose effects no list shows but the thing that they change, such as POST /wallets/{id}/topups: the thing is read before and after each
// turn of sends, all of one body but for the one that changes it.

import { keyIn } from '../../exchange/idempotency-key.ts';
import { parameterNames } from '../../facts/paths.ts';
import { identityOf } from '../../facts/resource.ts';
import { type Conversation, unlessNotSent } from '../probe.ts';
import type { Reached } from '../world.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyParameter } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';
import { nearKeysOf } from './near-keys.ts';
import { ThingWatch } from './thing-watch.ts';

const PROBE = 'idempotency/on-a-thing';
/** Readings and sends; where each send makes something; where little may be made; and of what a send made while it keeps still. */
const CALLS = { usual: 40, creating: 24, sharing: 6, made: 8 };
const TOGETHER = 3;

/** The experiment; null where nothing reads what a send changes. */
export function thingExperiment(on: KeyedOperation): Conversation | null {
  const { thing, item } = on.neighbours;
  if (thing === null) return item === null || !on.creates ? null : madeExperiment(on, item);
  const cost = CALLS[on.shares ? 'sharing' : on.creates ? 'creating' : 'usual'];
  const isBound = on.world.terms.idempotency?.otherBody != null;
  const more = on.shares ? [] : ['IDEM-03', 'IDEM-04', ...(isBound ? ['IDEM-08'] : [])];
  const about = { stage: 'quiet', rank: 44, clauses: ['IDEM-02', 'IDEM-05', ...more], cost, ...on.leaving } as const;
  return keyExperiment(on, { probe: PROBE, ...about }, (lab) => {
    const watch = new ThingWatch(lab, thing);
    return on.shares ? sendAgain(on.shared(0), watch) : sendAll(lab, watch);
  });
}

/** The thing that a send has made is read before and after the key is sent again: it stays as it is, be the answer the same. */
function madeExperiment(on: KeyedOperation, item: Reached): Conversation {
  const about = { stage: 'quiet', rank: 44, clauses: ['IDEM-02'], cost: CALLS.made, ...on.leaving } as const;
  return keyExperiment(on, { probe: 'idempotency/on-what-is-made', ...about }, async (lab) => {
    const keyed = on.shared(0) ?? (await lab.first());
    const id = keyed.history.original && identityOf(keyed.history.original);
    const name = parameterNames(item.operation.path).at(-1);
    if (id === null || name === undefined) return;
    const recipe = { ...item.recipe, pathValues: { ...item.recipe.pathValues, [name]: id } };
    await sendAgain(keyed, new ThingWatch(lab, { ...item, recipe }, { isMade: true }));
  });
}

/** Sends a key that was answered before again; what it did at first is not known. */
async function sendAgain(keyed: Keyed | null, watch: ThingWatch): Promise<void> {
  if (keyed === null) return;
  await watch.settle(keyed);
  await watch.judge(async () => [keyed]);
}

async function sendAll(lab: KeyLab, watch: ThingWatch): Promise<void> {
  const keyed = await watch.first();
  if (keyed === null) return;
  const { on } = lab;
  // Each look at what may be a breach has keys of its own.
  const rekeyed = (label: string): Keyed => on.rekeyed(keyed, on.keyFor(`${label} ${on.history.calls}`));
  const anew = async (): Promise<readonly Keyed[]> => [rekeyed('anew')];
  await watch.judge(async (look) => {
    const known = look === 1 ? keyed : rekeyed('again');
    if (look > 1) await watch.send(known);
    await watch.rest();
    return [known];
  });
  // Where no more may be made, what was shown before that counts.
  await unlessNotSent(async () => {
    const other = on.fresh(PROBE);
    await watch.count(other, rekeyed('alike'));
    await watch.judge(anew, (one, keyed) => one.together(keyed, TOGETHER));
    await watch.judge(async () => [rekeyed('one'), rekeyed('two')]);
    if (!on.creates) await sendNearKeys(lab, watch, keyed);
    await watch.reuse(keyed, on.rekeyed(other, keyIn(keyed.plan.headers, on.reached.operation.keyHeader)), other);
    await watch.judge(anew);
  });
}

/** Keys that are near to another, and no key. */
async function sendNearKeys({ on }: KeyLab, watch: ThingWatch, keyed: Keyed): Promise<void> {
  const pairs = (): ReturnType<typeof nearKeysOf> => nearKeysOf(on, `${on.world.nonce} near ${on.history.calls}`);
  for (const index of pairs().keys())
    await watch.judge(async () => {
      const keys = pairs()[index]?.map((key) => on.rekeyed(keyed, key)) ?? [];
      for (const first of keys.slice(0, -1)) await watch.send(first);
      return keys.slice(-1);
    });
  if (on.pays || keyParameter(on.reached.operation)?.required === true) return;
  for (let count = 0; count < 2; count += 1) await watch.judge(async () => [on.rekeyed(keyed, null)]);
}
