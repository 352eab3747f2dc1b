// For tests: experiments on limits against simulated limiters, in simulated time; calls of a step follow one another, or are sent by several.

import { simulatedClock } from '../../../../src/clock/simulated.ts';
import type { Exchange } from '../../../../src/exchange/exchange.ts';
import type { PlanKey } from '../../../../src/limiters/limit-book.ts';
import type { Call, Caller } from '../../../../src/load/caller/caller.ts';
import type { LimitBench } from '../../../../src/load/limits/bench.ts';
import type { Outcome } from '../../../../src/probes/probe.ts';
import { planOf } from '../../../../src/probes/reach/recipe.ts';
import { drawFor, type Reached } from '../../../../src/probes/world.ts';
import {
  allReached,
  loadLimited,
  type SimulatedTarget,
  simulatedTarget,
  type TargetOptions,
} from '../../probes/rate/target.ts';
import { worldWith } from '../../probes/world.ts';

export interface Scene extends Omit<TargetOptions, 'clock'> {
  readonly keys: readonly PlanKey[];
  /** Absent: one. */
  readonly senders?: number;
  /** How much later than it should a step of so many calls begins. Absent: in time. ms. */
  readonly lateMs?: (calls: number) => number;
  /** Hears what is being done. */
  readonly enter?: LimitBench['enter'];
}

/** Runs the experiment on a bench of this scene; resolves with all its outcomes. */
export async function onBench(
  { keys, expected = {}, senders = 1, lateMs = () => 0, enter = () => {}, ...options }: Scene,
  experiment: (bench: LimitBench) => AsyncGenerator<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const clock = simulatedClock();
  const world = worldWith();
  const target = simulatedTarget(world, { ...options, expected, clock });
  const reached = allReached(world, await loadLimited()).filter(({ operation }) => operation.method === 'GET');
  const [first, ...others] = reached;
  if (first === undefined) throw new Error('the description of the test shows no read');
  let state = 7;
  const bench: LimitBench = {
    world,
    book: target.book,
    keys,
    reads: [first, ...others],
    priced: reached,
    callerOf: () => simulatedCaller(target, reached, { world, clock, senders, lateMs }),
    isMeasured: () => false,
    random: () => {
      state = (state * 1_664_525 + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    },
    mostMs: 3_600_000,
    mostCalls: 20_000,
    enter,
  };
  const outcomes: Outcome[] = [];
  const all = async (): Promise<void> => {
    for await (const some of experiment(bench)) outcomes.push(...some);
  };
  await clock.drive(all());
  return outcomes;
}

function simulatedCaller(
  { send }: SimulatedTarget,
  reached: readonly Reached[],
  {
    world,
    clock,
    senders,
    lateMs,
  }: Required<Pick<Scene, 'senders' | 'lateMs'>> & {
    readonly world: LimitBench['world'];
    readonly clock: ReturnType<typeof simulatedClock>;
  },
): Caller {
  return {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    async call(calls: readonly Call[], endsAtRefusal: boolean): Promise<readonly Exchange[]> {
      await clock.sleep(lateMs(calls.length));
      const beginMs = clock.now();
      const exchanges: Exchange[] = [];
      const waiting = [...calls];
      let isRefused = false;
      const sender = async (): Promise<void> => {
        for (let one = waiting.shift(); one !== undefined; one = isRefused ? undefined : waiting.shift()) {
          const { key, operation, afterMs } = one;
          const recipe = reached.find((known) => known.operation.key === operation)?.recipe;
          if (recipe === undefined) throw new Error(`${operation} was not reached`);
          await clock.sleep(Math.max(0, beginMs + afterMs - clock.now()));
          const change = { credential: { kind: 'key', name: key }, retry: 'once' } as const;
          const { last } = await send(planOf(recipe, 'load/test', drawFor(world, 'a'), change));
          exchanges.push(last);
          isRefused ||= endsAtRefusal && last.response?.status === 429;
        }
      };
      await Promise.all(Array.from({ length: Math.min(senders, calls.length) }, sender));
      return exchanges;
    },
  };
}
