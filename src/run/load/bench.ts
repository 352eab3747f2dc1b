// The bench of a load run: which operations can be called, and how much may be sent.
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { Terms } from '../../contract/terms.ts';
import { throttleOf } from '../../limiters/throttles.ts';
import type { LimitBench } from '../../load/limits/bench.ts';
import { lanesOf } from '../../load/limits/ceiling.ts';
import { capsOf } from '../../load/safety.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { plainReads } from '../../probes/rate/asking.ts';
import { mutates, type Reached, requiresToken, type World } from '../../probes/world.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { assumeUnknownIds, keyOf } from '../reach/reaching.ts';
import { readable } from '../smoke/smoke.ts';
import { allowanceOf } from './afforded.ts';
import { callerOf, type LoadGround, secretsOf } from './callers.ts';
import { reachForLoad, whyNoneServes } from './reaching.ts';
import { copySamples, type Recorded, readRecorded, writeRecorded } from './record.ts';

const NO_READS = 'no described operation reads, asks for a key and takes no id: limits are those of keys';
const MOST_READS = 12;
const MOST_PRICED = 60;

/** The bench of experiments on limits. Throws RunEnded where no operation can be called. `priced`: whether costs are wanted. */
export async function loadBench(
  state: StageState,
  ground: LoadGround,
  { priced }: { readonly priced: boolean },
): Promise<LimitBench> {
  const { world, books } = state;
  const { k6, folder, resumes } = ground;
  const known = k6 === null ? folder : resumes?.folder;
  if (k6 !== null) await reachNow(state, priced);
  const operations = known === undefined ? reachedNow(state) : await recorded(state, known);
  const [first, ...others] = operations.reads;
  if (first === undefined) throw whyNoneServes(state, NO_READS);
  if (k6 !== null) await writeRecorded(folder, operations);
  if (resumes !== undefined) await copySamples(resumes, folder);
  const isMeasured = (key: string): boolean => resumes?.keys.has(key) ?? false;
  const caps = capsOf(ground.config);
  const allowance = allowanceOf(state, ground);
  const secrets = await secretsOf(ground.config, state.input);
  let draws = world.seed;
  return {
    world,
    book: books.rates,
    keys: world.keys,
    reads: [first, ...others],
    priced: operations.priced,
    callerOf(lane, planOf) {
      const isRecorded = world.keys.some(({ name }) => isMeasured(name) && lanesOf(name).includes(lane));
      const recordedIn = isRecorded ? (resumes?.folder ?? null) : null;
      return callerOf(state, ground, {
        lane,
        allowance,
        secrets,
        perSecond: caps.ratePerSecond,
        planOf: planOf ?? null,
        recordedIn,
      });
    },
    isMeasured,
    random: () => {
      draws = (draws * 1_664_525 + 1_013_904_223) >>> 0;
      return draws / 2 ** 32;
    },
    mostMs: caps.seconds * 1000,
    mostCalls: caps.requestsPerKey,
    enter: ground.enter,
  };
}

/** Calls operations until they succeed: those that only read, and where costs are wanted the others, too. */
async function reachNow(state: StageState, priced: boolean): Promise<void> {
  const { catalogue, selected } = state.scope;
  const known = new Set(readable(catalogue.descriptions));
  const plain = selected.filter(({ operation }) => known.has(operation)).slice(0, MOST_READS);
  await reachForLoad(state, plain);
  const reads = plainReads(state.world, reachedInOrder(state));
  const more = priced && reads.length > 0 ? pricedOf(selected, state.world, state.world.terms) : [];
  if (more.length > 0) await reachForLoad(state, more);
}

function reachedNow(state: StageState): Recorded<Reached> {
  return {
    reads: plainReads(state.world, reachedInOrder(state)),
    priced: reachedInOrder(state).filter((one) => isPriced(state.world, one)),
  };
}

/** The operations of a record: nothing is called. */
async function recorded(state: StageState, folder: string): Promise<Recorded<Reached>> {
  const { reads, priced } = await readRecorded(folder, state.scope.catalogue);
  const reached = (described: Described): readonly Reached[] => {
    assumeUnknownIds(state.world, described, state.reaching);
    return [state.reaching.reached.get(keyOf(described)) ?? []].flat();
  };
  return { reads: reads.flatMap(reached), priced: priced.flatMap(reached) };
}

/** The operations whose costs a ceiling asks for, as far as they can be reached. */
export function pricedOf(
  selected: readonly Described[],
  consent: Pick<World, 'refusal' | 'isPayment'>,
  terms: Terms,
): readonly Described[] {
  const isPrice = ({ operation }: Described): boolean =>
    requiresToken(operation) &&
    !isNotPriced(terms, operation.key) &&
    (!mutates(operation) ||
      (operation.method !== 'DELETE' && consent.refusal(operation) === null && !consent.isPayment(operation)));
  return selected.filter(isPrice).slice(0, MOST_PRICED);
}

function isPriced({ terms }: World, { operation, proof }: Reached): boolean {
  const { key, method } = operation;
  return proof !== null && requiresToken(operation) && !isNotPriced(terms, key) && method !== 'DELETE';
}

/**
 * Tells whether the operation is not asked for by the way: it is never to happen twice, makes accounts, or has a
 * throttle of its own.
 */
function isNotPriced(terms: Terms, key: string): boolean {
  const { never = [] } = terms.idempotency ?? {};
  const isOnce = never.length > 0 && operationMatcher(never)(key);
  return isOnce || key === terms.registration?.operation || throttleOf(terms, key) !== null;
}
