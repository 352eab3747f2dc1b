// The throttle of an operation under many senders at once: conformance's own probe (RATE-09), its flood sent by k6. The first that the
// contract names is flooded, and no other.

import type { ExportsPart } from '../../contract/load-part.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { refusedStatus } from '../../limiters/reading.ts';
import { lacksThrottled, throttleOf } from '../../limiters/throttles.ts';
import { type Caller, StepLost } from '../../load/caller/caller.ts';
import type { Outcome, Send } from '../../probes/probe.ts';
import { throttleConversations } from '../../probes/rate/export-probe.ts';
import { RunEnded } from '../perform/interruption.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { keyOf, reachAll } from '../reach/reaching.ts';
import { loadBench } from './bench.ts';
import type { LoadGround } from './callers.ts';

/** Throws RunEnded where there is nothing to flood. `onPart` is told what the first flood came to. */
export async function exportsOf(
  state: StageState,
  ground: LoadGround & { readonly k6: string },
  onPart: (part: ExportsPart) => void,
): Promise<readonly Outcome[]> {
  const { session, world, reaching } = state;
  const { selected } = state.scope;
  const { rates } = state.books;
  const described = selected.find(({ operation }) => throttleOf(world.terms, operation.key) !== null);
  if (described === undefined) throw new RunEnded('precondition', lacksThrottled(world.limited.terms));
  const { key } = described.operation;
  if (!world.mutations) throw new RunEnded('mutations-denied', 'exports change something: set mutations: allow');
  const bench = await loadBench(state, ground, { priced: false });
  await reachAll(session, world, [described], selected, reaching);
  const unreached = reaching.unreached.get(keyOf(described));
  if (unreached !== undefined) throw new RunEnded(unreached.reasonCode, `${key}: ${unreached.reason}`);
  ground.enter('exports');
  let floods = 0;
  const lane = plannedLane((planOf) => bench.callerOf('exports', planOf));
  const pour = async (plan: RequestPlan, calls: number): Promise<readonly Exchange[]> => {
    const exchanges = await lane.send(plan, calls);
    floods += 1;
    if (floods === 1) onPart(partOf(plan, exchanges, refusedStatus(world.limited.terms)));
    return exchanges;
  };
  const reached = reachedInOrder(state).filter(({ operation }) => operation.key === key);
  const [conversation] = throttleConversations(world, reached, rates, lane.caller, pour);
  if (conversation === undefined) throw new RunEnded('no-credential', 'needs a key: configure keys');
  const one: Send = async (plan) => {
    const [last] = await lane.send(plan, 1);
    if (last === undefined) throw new StepLost('incomplete', `${plan.operation} was not answered`);
    return { attempts: [last], last };
  };
  return conversation.converse(one);
}

/** A lane that sends plans as they are given, not as operations are usually called. */
function plannedLane(open: (planOf: (key: string, operation: string) => RequestPlan) => Caller) {
  let current: RequestPlan | null = null;
  const caller = open(() => {
    if (current === null) throw new Error('nothing was planned');
    return current;
  });
  const send = (plan: RequestPlan, calls: number): Promise<readonly Exchange[]> => {
    current = plan;
    const call = { key: senderOf(plan), operation: plan.operation ?? plan.path, afterMs: 0 };
    return caller.call(new Array<typeof call>(calls).fill(call), calls > 1);
  };
  return { caller, send };
}

function senderOf({ credential }: RequestPlan): string {
  return credential.kind === 'key' ? credential.name : '';
}

function partOf(plan: RequestPlan, exchanges: readonly Exchange[], refusedBy: number): ExportsPart {
  const inOrder = exchanges.toSorted((left, right) => left.sentAt - right.sentAt);
  const [first] = inOrder;
  const refused = inOrder.filter(({ response }) => response?.status === refusedBy);
  const accepted = inOrder.filter(({ response }) => response !== null && response.status < 400);
  return {
    ...{ operation: plan.operation ?? plan.path, key: senderOf(plan) },
    ...{ calls: exchanges.length, accepted: accepted.length, refused: refused.length },
    refusedAfterMs: first === undefined || refused[0] === undefined ? null : refused[0].sentAt - first.sentAt,
  };
}
