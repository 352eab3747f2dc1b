// IDEM-02 on operations that change a thing and make none, such as POST /wallets/{id}/topups: the thing is read before and after a key is sent,
// and after it is sent again. What seems a second effect must show twice.

import { judgeThing, type Readings } from '../../checks/idem/idem-02-shown-by-thing.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { Conversation } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/on-a-thing';
const ROUNDS = 2;
/** Readings and sends of a round. */
const CALLS = 6;
/** Time after which all is done that a send sets going. ms. */
const SETTLING_MS = 1000;

/** The experiment; null where a send makes something of its own, or nothing reads what it changes. */
export function thingExperiment(on: KeyedOperation): Conversation | null {
  const { thing } = on.neighbours;
  if (thing === null || on.creates || on.shares) return null;
  const about = { probe: PROBE, stage: 'quiet', rank: 44, clauses: ['IDEM-02'], cost: ROUNDS * CALLS } as const;
  return keyExperiment(on, about, (lab) => lookTwice(lab, thing));
}

async function lookTwice(lab: KeyLab, thing: Reached): Promise<void> {
  let before: readonly string[] | null = null;
  for (let round = 0; round < ROUNDS; round += 1) {
    const readings = await readRound(lab, thing);
    if (readings === null) return lab.tell('IDEM-02', cannotTell('precondition', 'a send was no success'), []);
    const { judgement, members } = judgeThing(readings);
    const evidence = [readings.before, ...readings.changed, readings.again];
    if (members.length === 0 || before?.some((name) => members.includes(name)))
      return lab.tell('IDEM-02', judgement, evidence);
    before = members;
  }
  lab.tell('IDEM-02', cannotTell('precondition', 'the thing that a send changes does not keep still'), []);
}

async function readRound(lab: KeyLab, thing: Reached): Promise<Readings | null> {
  const read = (): Promise<Exchange> => lab.call(planOf(readerOf(lab.on, thing), PROBE, drawFor(lab.on.world, PROBE)));
  const before = await read();
  const keyed = await lab.first();
  if (keyed.history.original === null) return null;
  const first = await read();
  await lab.pause(SETTLING_MS);
  const settled = await read();
  if (!succeeded(await lab.send(keyed))) return null;
  return { before, changed: [first, settled], again: await read() };
}

/** Reads the thing that the operation's own calls change. */
function readerOf({ reached }: KeyedOperation, { recipe }: Reached): Reached['recipe'] {
  const { pathValues } = reached.recipe;
  const own = Object.keys(recipe.pathValues).flatMap((name) =>
    Object.hasOwn(pathValues, name) ? [[name, pathValues[name]]] : [],
  );
  return { ...recipe, pathValues: { ...recipe.pathValues, ...Object.fromEntries(own) } };
}
