// Plays a series of sends against the operation.
import type { Outcome } from '../probe.ts';
import { callOthers, touch } from './between.ts';
import type { Keyed } from './keyed-operation.ts';
import type { KeyLab } from './lab.ts';
import type { Script, Step } from './script.ts';

/** Plays the series, without the steps before its first send and after its last. */
export function play(lab: KeyLab, script: Script): Promise<readonly Outcome[]> {
  const keys = new Map<number, Keyed>();
  const isSend = ({ act }: Step): boolean => act === 'send' || act === 'together';
  return lab.seenIn(async () => {
    for (const step of script.slice(script.findIndex(isSend), script.findLastIndex(isSend) + 1))
      await take(lab, step, keys);
    await lab.end([...keys.values()]);
  });
}

async function take(lab: KeyLab, step: Step, keys: Map<number, Keyed>): Promise<void> {
  if (step.act === 'others') return callOthers(lab, step.calls);
  const known = keys.get(step.key);
  if (step.act === 'change' || step.act === 'remove') return known && touch(lab, known.history, step.act);
  const shared = known === undefined ? lab.on.shared(step.key) : null;
  const isFirst = known === undefined && shared === null;
  // A key that was sent long ago is sent once more before it is sent at once: a key that is forgotten shows by itself.
  if (shared !== null || (known !== undefined && step.act === 'send'))
    await lab.send(known ?? shared ?? lab.on.fresh(lab.probe));
  const keyed =
    known ?? shared ?? (step.act === 'send' ? await lab.first() : lab.on.fresh(lab.probe, undefined, 'experiment'));
  keys.set(step.key, keyed);
  if (step.act === 'together') await lab.together(keyed, step.times, step.apartMs);
  if (isFirst && keyed.history.original !== null) lab.on.remember(keyed);
}

/** The key so many times at once, and once more: what its first sends show. */
export async function playBurst(lab: KeyLab, keyed: Keyed, times: number): Promise<void> {
  await lab.together(keyed, times);
  if (keyed.history.original === null) return;
  lab.on.remember(keyed);
  await lab.send(keyed);
  await lab.end([keyed]);
}
