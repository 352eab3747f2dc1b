// The bench of a search for capacity: the operations of the mix called once, what arrives made of them, and the answers
// that are kept judged as everywhere.
import { systemClock } from '../client/clock.ts';
import { operationMatcher } from '../config/operation-glob.ts';
import type { CapacityPart } from '../contract/report.ts';
import { scripted, urlOf } from '../load/caller/scripted.ts';
import { measureCapacity } from '../load/capacity/capacity.ts';
import { mixedOrder } from '../load/capacity/mix.ts';
import { capacitySettings } from '../load/capacity/settings.ts';
import type { ArrivalsPlan } from '../load/k6/arrivals-plan.ts';
import { Generator } from '../load/k6/measure.ts';
import { Allowance, capsOf } from '../load/safety.ts';
import { exchangeOfBody } from '../load/samples/exchange.ts';
import type { BodySample, Sample } from '../load/samples/line.ts';
import { stepOf } from '../load/samples/load-log.ts';
import { plainReads } from '../probes/rate/asking.ts';
import { mutates, type Reached } from '../probes/world.ts';
import { RunEnded } from './interruption.ts';
import { judgeKept, type Lane, type LoadGround, laneOf, secretsOf } from './load-callers.ts';
import { reachAll } from './reaching.ts';
import { readable } from './smoke.ts';
import { reachedInOrder, type StageState } from './state.ts';

const LANE = 'capacity';
const MOST_READS = 12;
/** Bodies drawn for an operation that changes something: what is sent again may be refused as a duplicate. */
const VARIANTS = 50;

/** Measures. `k6` must be there: the steps of a search depend on what was measured, so that a record cannot be searched. */
export async function capacityOf(
  state: StageState,
  ground: LoadGround & { readonly k6: string },
): Promise<CapacityPart> {
  const { objectives, search, mix } = capacitySettings(ground.config);
  const weighted = await mixed(state, mix);
  const secrets = await secretsOf(ground.config);
  const lane = laneOf(state, LANE, secrets);
  const caps = capsOf(ground.config);
  const allowance = new Allowance(Math.min(caps.requests, state.budget ?? Number.POSITIVE_INFINITY));
  const { k6, folder, stop, outputs, config, log } = ground;
  const { environment } = lane;
  const watch = (sample: Sample): void => log.add(LANE, sample);
  let kept = 0;
  return measureCapacity({
    generator: new Generator({ k6, folder, lane: LANE, stop, outputs, environment, watch }),
    objectives,
    search,
    load: arrivals(weighted, lane, config.target.baseUrl),
    onKept: (sample, ratePerSecond) => {
      kept += 1;
      const id = `k6-${LANE}-${Math.round(ratePerSecond)}rps-${kept}`;
      log.judged(stepOf(sample.step), judgeAnswer(state, lane, config.target.baseUrl, sample, id));
    },
    label: (step, words) => log.label(step, words),
    charge: allowance.charge,
    refund: allowance.refund,
    sleep: (delayMs) => systemClock.sleep(delayMs, stop),
    enter: ground.enter,
  });
}

interface Weighted {
  readonly reached: Reached;
  readonly weight: number;
}

/** The operations of the mix that succeed when called, or the plain reads. Throws RunEnded where none does. */
async function mixed(state: StageState, mix: Readonly<Record<string, number>>): Promise<readonly Weighted[]> {
  const { session, world, catalogue, selected, reaching } = state;
  const globs = Object.keys(mix);
  const known = new Set(readable(catalogue.descriptions));
  const wanted =
    globs.length === 0
      ? selected.filter(({ operation }) => known.has(operation)).slice(0, MOST_READS)
      : selected.filter(({ operation }) => operationMatcher(globs)(operation.key));
  await reachAll(session, world, wanted, selected, reaching);
  const reached = reachedInOrder(state).filter(({ proof }) => proof !== null);
  const weighted =
    globs.length === 0
      ? plainReads(reached).map((one) => ({ reached: one, weight: 1 }))
      : reached.flatMap((one) => {
          const glob = globs.find((name) => operationMatcher([name])(one.operation.key));
          return glob === undefined ? [] : [{ reached: one, weight: mix[glob] ?? 1 }];
        });
  if (weighted.length > 0) return weighted;
  const what = globs.length === 0 ? 'no operation that reads' : 'no operation of load.mix';
  throw new RunEnded('target-lost', `${what} was answered with success: there is nothing to send`);
}

function arrivals(
  weighted: readonly Weighted[],
  lane: Lane,
  baseUrl: string,
): Pick<ArrivalsPlan, 'requests' | 'order' | 'keys'> {
  const sender = lane.keys[0]?.name ?? '';
  const variants = weighted.map(({ reached: { operation } }) =>
    Array.from({ length: mutates(operation) ? VARIANTS : 1 }, () =>
      scripted(lane.planOf(sender, operation.key), operation.key, baseUrl),
    ),
  );
  const first = variants.map((_, at) => variants.slice(0, at).reduce((sum, { length }) => sum + length, 0));
  const turns = variants.map(() => 0);
  const order = mixedOrder(weighted.map(({ weight }) => weight));
  // As many rounds as it takes for every variant to come.
  const rounds = Math.max(...variants.map(({ length }) => length));
  return {
    requests: variants.flat(),
    order: Array.from({ length: order.length * rounds }, (_, turn) => {
      const at = order[turn % order.length] ?? 0;
      turns[at] = (turns[at] ?? 0) + 1;
      return (first[at] ?? 0) + (((turns[at] ?? 1) - 1) % (variants[at]?.length ?? 1));
    }),
    keys: lane.keys,
  };
}

function judgeAnswer(state: StageState, lane: Lane, baseUrl: string, sample: BodySample, id: string) {
  const plan = lane.planOf(sample.key, sample.operation);
  const exchange = exchangeOfBody(sample, plan, urlOf(baseUrl, plan.path, plan.query), id);
  return judgeKept(state, exchange);
}
