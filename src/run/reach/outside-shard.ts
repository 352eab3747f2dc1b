// What a shard calls beyond its part: an id may come from anywhere, and what one run would have reached a shard reaches, too.
import type { ContractName } from '../../contract/openapi-contract.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { StageState } from '../perform/state.ts';
import { isFinal, keyOf, reachAll } from './reaching.ts';

/** What is answered where an id in path or body names nothing: this platform says so (REQ-02), others may say it so. */
const UNKNOWN: Readonly<Record<ContractName, readonly number[]>> = {
  commerce: [404, 409],
  openapi: [400, 404, 409, 422],
};

type Reachable = Pick<StageState, 'session' | 'world' | 'selected' | 'share' | 'reaching'>;

/** Where operations of its own seem to lack an id, calls all others that list or create, and then them again. */
export async function reachBeyond({ session, world, selected, share, reaching }: Reachable): Promise<void> {
  const { reached, unreached, firstAnswers } = reaching;
  const lacksId = (key: string): boolean =>
    unreached.get(key)?.reasonCode === 'no-fixture' ||
    (reached.get(key)?.proof === null &&
      UNKNOWN[world.contract].includes(firstAnswers.get(key)?.response?.status ?? 0));
  const comesLast = (described: Described): boolean => isFinal(described, selected, world.contract);
  const called = new Set(share.called);
  const lacking = share.own.filter((described) => lacksId(keyOf(described)) && !comesLast(described));
  const others = selected.filter(
    (described) => !called.has(described) && /^(GET|POST)$/.test(described.operation.method) && !comesLast(described),
  );
  if (lacking.length === 0 || others.length === 0) return;
  await reachAll(session, world, others, selected, reaching);
  await reachAll(session, world, lacking, selected, reaching);
}
