// RATE-03 and the costs of RATE-11: on a quiet target every operation is called once under the main key, one after the other.
// The fall of Remaining from one answer to the next is what the call cost. An operation without a fall is looked at closely.

import { unlessHidden } from '../../checks/rate/others.ts';
import type { Timing } from '../../clock/clock.ts';
import { holds, noting, type Observed } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { LimitBook } from '../../limiters/limit-book.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import type { KnownKey } from '../auth/security.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome } from '../probe.ts';
import { mutates, type Reached, type World } from '../world.ts';
import { type Ask, asker, type Callable, isAskable, LAST, mainLimited, NOWHERE, plainReads } from './asking.ts';
import { type Looking, looked } from './quiet-probe.ts';

const PROBE = 'rate/costs';
const MAX_OPERATIONS = 400;
const MAX_SUSPECTS = 12;
/** Where refills hid the cost of so many operations, they hide it of all. */
const MAX_UNCLEAR = 2;
/** Calls of an operation, between two of a counted one. */
const CALLS_OF_SUSPECT = 3;

/** Null without a key, or without an operation of its own that can be asked again and again. */
export function walkConversation(
  world: World,
  { first: isFirst, own, reached, operations }: Callable,
  book: LimitBook,
  timing: Timing,
): Conversation | null {
  const walkable = new Set(operations.filter((operation) => isAskable(world, operation)).slice(0, MAX_OPERATIONS));
  const walked = own.filter(({ operation, proof }) => proof !== null && walkable.has(operation));
  const mainKey = mainLimited(world);
  if (mainKey === null || walked.length === 0) return null;
  const isOwn = ({ reached: { operation } }: Counted): boolean => walked.some((one) => one.operation === operation);
  // The operation that is compared with may be another shard's.
  const beside = plainReads(world, walked).length > 0 ? [] : plainReads(world, reached).slice(0, 1);
  return {
    ...{ ...LAST, ...NOWHERE, probe: PROBE, rank: 900, clauses: ['RATE-03', 'RATE-11'] },
    cost: beside.length + walked.length + 1,
    async converse(send) {
      const ask = asker(world, send, PROBE, 'never');
      const { counted, suspects } = await walk(ask, mainKey.name, { beside, walked, isFirst }, book);
      const { movesEarly, isShared } = book.historyOf(mainKey.name);
      const shared = isShared ? mainKey.name : null;
      const outcomes = [...counted.values()]
        .filter(isOwn)
        .flatMap((one) => [
          outcome('RATE-03', spotOf(one.reached.operation), unlessHidden(holds(), shared), []),
          outcome('RATE-11', spotOf(one.reached.operation), noting(holds(), [costRow(one, mainKey, !movesEarly)]), []),
        ]);
      const base = plainReads(world, [...beside, ...walked]).find(({ operation }) => counted.has(operation.key));
      const doubtful = suspects.filter((one) => walked.includes(one)).slice(0, MAX_SUSPECTS);
      if (base === undefined) return outcomes;
      const looking = { ask: (reached: Reached) => ask(mainKey.name, reached), book, key: mainKey.name, timing };
      return [...outcomes, ...(await suspected(base, doubtful, looking))];
    },
  };
}

/** Looks at each of the suspects closely, between calls of an operation that is counted, until refills hid the cost of too many. */
async function suspected(base: Reached, suspects: readonly Reached[], looking: Looking): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const suspect of suspects) {
    const row = [base, ...new Array<Reached>(CALLS_OF_SUSPECT).fill(suspect), base];
    const closely = await looked(suspect, { before: row, after: [base], leastPauseMs: 0 }, looking);
    if (closely.judgement.kind === 'breached') looking.book.uncounted.add(suspect.operation.key);
    outcomes.push(closely);
    if (outcomes.filter(({ judgement }) => judgement.kind === 'cannot-tell').length >= MAX_UNCLEAR) break;
  }
  return outcomes;
}

interface Counted {
  readonly reached: Reached;
  readonly cost: number;
  /** How often the cost was seen. */
  readonly times: number;
}

/** Where resets move on with every call, refills may hide a part of the cost; more than one call may be another user's doing. */
function costRow({ cost, times }: Counted, { name: key, plan }: KnownKey, isSteady: boolean): Observed {
  return {
    subject: 'cost',
    value: cost === 1 ? '1 call' : plural(cost, 'call'),
    confidence: isSteady && (cost === 1 || times > 1) ? 'sure' : 'likely',
    calls: times + 1,
    basis: 'by how much Remaining fell while nothing else was sent',
    of: { key, plan },
  };
}

interface Way {
  readonly beside: readonly Reached[];
  readonly walked: readonly Reached[];
  readonly isFirst: boolean;
}

async function walk(ask: Ask, key: string, { beside, walked, isFirst }: Way, book: LimitBook) {
  const history = book.historyOf(key);
  const operations = [...beside, ...walked];
  const counted = new Map<string, Counted>();
  const suspects: Reached[] = [];
  const fallOf = async (reached: Reached, elsewhere = beside.includes(reached)): Promise<number | null> => {
    const reading = await ask(key, reached, elsewhere);
    return reading && history.fallBy(reading);
  };
  // The first call has nothing to be compared with: it is sent twice.
  for (const reached of operations.slice(0, 1)) await fallOf(reached, !isFirst);
  for (const reached of operations) {
    let fall = await fallOf(reached);
    // A window may have begun in between, or a refill come.
    if (fall !== null && fall < 1) fall = await fallOf(reached);
    if (fall === null) continue;
    if (fall < 1) suspects.push(reached);
    else {
      // A read that costs more than one is called once more; other operations are not, for they do more than read.
      const isAgain = fall > 1 && !mutates(reached.operation) && (await fallOf(reached)) === fall;
      counted.set(reached.operation.key, { reached, cost: fall, times: isAgain ? 2 : 1 });
      history.costs.set(reached.operation.key, fall);
    }
  }
  return { counted, suspects };
}
