// Guarantees under pressure: while k6 keeps the target busy, or the probing key limited, the experiments on idempotency and
// pagination that conformance has run from here. What they find is booked as everywhere; a 429 is sent again as the contract says.
import { rateState, resetDelayMs } from '../../client/rate-headers.ts';
import type { PressurePart } from '../../contract/load-part.ts';
import { statedRow } from '../../load/limits/ceiling-verdicts.ts';
import {
  Background,
  type PressureWish,
  pressingRate,
  pressureWish,
  type StatedLimit,
} from '../../load/pressure/pressure.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
import type { AnyExperiment } from '../../probes/probe.ts';
import { LONGEST_WAIT_MS, plainReads } from '../../probes/rate/asking.ts';
import { planOf } from '../../probes/reach/recipe.ts';
import { drawFor } from '../../probes/world.ts';
import { RunEnded } from '../perform/interruption.ts';
import { limitsOf, performAll } from '../perform/pass.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { spotKey } from '../plan/clause-target.ts';
import { keyExperiments, limitedLaws, listLooks } from '../plan/law-experiments.ts';
import { isFinal } from '../reach/reaching.ts';
import { affordedBy } from './afforded.ts';
import { arrivalsOf } from './arrivals.ts';
import type { LoadGround } from './callers.ts';
import { reachForLoad } from './reaching.ts';

/** Presses for as long as the probes take, that is a little longer than they may. */
const SLACK_SECONDS = 60;
/** Looks at the limit, each in a window of its own. */
const LOOKS = 3;
const LATER_MS = 200;

/** Reaches, presses, probes. Throws RunEnded and StepLost where there is nothing to press with, or to probe. */
export async function pressureOf(
  state: StageState,
  ground: LoadGround & { readonly k6: string },
  note: (part: PressurePart) => void,
): Promise<void> {
  const { world } = state;
  const { selected, share } = state.scope;
  const wish = pressureWish(ground.config);
  const callable = share.called.filter((described) => !isFinal(described, selected, world.contract));
  await reachForLoad(state, callable);
  const pressing = await backgroundOf(state, ground, wish);
  const before = trafficOf(state);
  let left: number | null = null;
  try {
    ground.enter(`pressure: ${wish.mode}`);
    if (!(await pressing.underWay())) throw notPressed(wish);
    ground.enter(`laws while ${wish.mode}`, wish.seconds);
    state.session.sender.pressed = true;
    left = await probe(state, wish, pressing);
  } finally {
    const figures = await pressing.end();
    state.session.sender.pressed = false;
    const after = trafficOf(state);
    note({
      mode: wish.mode,
      ...figures,
      probes: after.requests - before.requests,
      probesRefused: after.refused - before.refused,
      keyedRefused: after.keyedRefused - before.keyedRefused,
      left,
    });
  }
}

function notPressed({ mode }: PressureWish): RunEnded {
  const why =
    mode === 'limited'
      ? 'the key was never refused: set load.pressure.rate above its limit'
      : 'no arrival was answered';
  return new RunEnded('precondition', why);
}

async function backgroundOf(
  state: StageState,
  ground: LoadGround & { readonly k6: string },
  wish: PressureWish,
): Promise<Background> {
  const main = state.world.mainKey?.name ?? '';
  if (wish.mode === 'limited' && state.world.mainKey === null)
    throw new RunEnded('no-credential', 'no key is configured: there is nothing to keep limited');
  const stated = wish.mode === 'limited' ? await statedLimit(state, main) : null;
  const rate = pressingRate(wish, stated);
  if (typeof rate === 'string') throw new RunEnded('precondition', rate);
  const wished = { ratePerSecond: rate, seconds: 2 * wish.seconds + SLACK_SECONDS };
  const { ratePerSecond, seconds } = affordedBy(state, ground, wished);
  const enough = new AbortController();
  const stop = AbortSignal.any([ground.stop, enough.signal]);
  // Only requests that change nothing press: lists must stay as they are.
  const { bench, judge } = await arrivalsOf(state, { ...ground, stop }, 'pressure', {});
  const isOwn = ({ name }: { readonly name: string }): boolean => name === main;
  const others = bench.load.keys.filter((key) => !isOwn(key));
  const keys = wish.mode === 'saturated' && others.length > 0 ? others : bench.load.keys.filter(isOwn);
  return new Background({
    ...{ ...bench, load: { ...bench.load, keys }, ratePerSecond, seconds, enough },
    untilRefused: wish.mode === 'limited',
    onKept: (sample) => judge(sample, sample.step),
    clock: state.input.clock,
  });
}

/** The key's limit by its headers, after its window has begun anew: before that nobody knows how long it is. */
async function statedLimit(state: StageState, key: string): Promise<StatedLimit | null> {
  const { world, session } = state;
  const { rates } = state.books;
  const [read] = plainReads(world, reachedInOrder(state));
  for (let look = 0; read !== undefined && look < LOOKS; look += 1) {
    const plan = planOf(read.recipe, 'load/pressure', drawFor(world, `pressure${look}`), {
      ...{ credential: { kind: 'key', name: key }, retry: 'contract' },
    });
    const { sentAt, durationMs, response } = (await session.send(plan)).last;
    const { reset = null, date = null } = rateState(response?.headers ?? [], world.limited.terms) ?? {};
    const waitMs = resetDelayMs(reset, date, sentAt + durationMs) ?? 0;
    if (look < LOOKS - 1) await world.timing.sleep(Math.min(LONGEST_WAIT_MS, Math.max(0, waitMs) + LATER_MS));
  }
  return (
    rates
      .planFacts()
      .map(statedRow)
      .find((row) => row.key === key) ?? null
  );
}

/** Performs the experiments that show most first; resolves with how many were left for want of time or budget. */
async function probe(state: StageState, { mode, seconds }: PressureWish, pressing: Background): Promise<number> {
  const { session } = state;
  const { clock } = state.input;
  const reached = reachedInOrder(state);
  const keyed = keyExperiments(state, reached).filter(({ clauses }) => !clauses.includes('IDEM-06'));
  const looks = listLooks(state, reached);
  const passes: readonly (readonly AnyExperiment[])[] = [
    mode === 'limited' ? limitedLaws(state, reached) : [],
    keyed.filter(({ stage }) => stage === 'lean'),
    looks.filter(({ rank }) => rank === 0),
    keyed.filter(({ stage }) => stage !== 'lean'),
    looks.filter(({ rank }) => rank === 1),
  ];
  const until = clock.now() + seconds * 1000;
  // Nothing is begun that is not pressed.
  const now = (): number => (pressing.hasEnded ? Number.POSITIVE_INFINITY : clock.now());
  let left = 0;
  for (const pass of passes)
    for (const { experiments } of await performAll(session, pass, { ...limitsOf(state), until, now }))
      left += experiments;
  return left;
}

function trafficOf({ books: { traffic }, scope: { selected } }: StageState) {
  const keyed = selected.filter(({ operation }) => takesKey(operation));
  const refusedAt = (key: string): number => traffic.get(key)?.statuses.get('429') ?? 0;
  const keyedRefused = keyed.reduce(
    (sum, { operation: { service, key } }) => sum + refusedAt(spotKey({ service, operation: key })),
    0,
  );
  return { requests: traffic.total, refused: traffic.answered('429'), keyedRefused };
}
