// What a shard calls beyond its part: an id may come from anywhere, and what one run would have reached a shard reaches, too.
import type { Described } from '../openapi/catalogue.ts';
import { isFinal, keyOf, reachAll } from './reaching.ts';
import type { StageState } from './state.ts';

/** Where operations of its own were called without success, calls all others that list or create, and then them again. */
export async function reachBeyond({ session, world, selected, share, reaching }: StageState): Promise<void> {
  const lacks = (described: Described): boolean => reaching.reached.get(keyOf(described))?.proof === null;
  const comesLast = (described: Described): boolean => isFinal(described, selected, world.contract);
  const called = new Set(share.called);
  const lacking = share.own.filter((described) => lacks(described) && !comesLast(described));
  const others = selected.filter(
    (described) => !called.has(described) && /^(GET|POST)$/.test(described.operation.method) && !comesLast(described),
  );
  if (lacking.length === 0 || others.length === 0) return;
  await reachAll(session, world, others, selected, reaching);
  await reachAll(session, world, lacking, selected, reaching);
}
