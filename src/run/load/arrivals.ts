// Prepares requests that arrive by the clock: calls the operations of the mix once, makes requests of them, and judges
// the answers that are kept as everywhere. Soak, spike and the search for capacity are made of these.

import type { SpikePart } from '../../contract/load-part.ts';
import { refusedStatus } from '../../limiters/reading.ts';
import { type ArrivalsBench, sendersOf } from '../../load/arrivals/arrivals.ts';
import { scripted, urlOf } from '../../load/caller/scripted.ts';
import { measureCapacity, oneMachine, type Searched, type StepEngine } from '../../load/capacity/capacity.ts';
import { mixedOrder, weightIn } from '../../load/capacity/mix.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import { clusterEngine } from '../../load/cluster/engine.ts';
import { withinLimit } from '../../load/cluster/kubectl.ts';
import { Generator } from '../../load/k6/measure.ts';
import { capsOf } from '../../load/safety.ts';
import { exchangeOfBody } from '../../load/samples/exchange.ts';
import type { BodySample, Sample } from '../../load/samples/line.ts';
import { stepOf } from '../../load/samples/load-log.ts';
import { soakWish } from '../../load/soak/settings.ts';
import { measureSoak, type Soaked } from '../../load/soak/soak.ts';
import { spikeWish } from '../../load/spike/settings.ts';
import { measureSpike, secondsOf } from '../../load/spike/spike.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { mutates, needsNoValue, type Reached, requiresToken, type World } from '../../probes/world.ts';
import { RunEnded } from '../perform/interruption.ts';
import { reachedInOrder, type StageState } from '../perform/state.ts';
import { affordedBy, allowanceOf } from './afforded.ts';
import { type Cluster, judgeKept, type Lane, type LoadGround, laneOf, secretsOf, trustOf } from './callers.ts';
import { LoadCreations, type Maker } from './creations.ts';
import { reachForLoad, whyNoneServes } from './reaching.ts';

/** Bodies drawn for an operation that changes something: what is sent again may be refused as a duplicate. */
export const VARIANTS = 50;

interface RunArrivals {
  readonly bench: ArrivalsBench;
  /** Judges an answer that was kept whole; `when` stands in the id of its exchange. */
  readonly judge: (sample: BodySample, when: string) => void;
  /** Takes in what others than the bench's generator send. */
  readonly watch: (sample: Sample) => void;
  /** The secrets of the moment by the variables of the load. Rejects with RunEnded. */
  readonly environment: Lane['environment'];
}

/**
 * Calls the operations of the mix (the configuration's, unless another is given), and has them ready to arrive under all
 * keys. Throws RunEnded where none succeeds.
 */
export async function arrivalsOf(
  state: StageState,
  ground: SendingGround,
  name: string,
  mix: Readonly<Record<string, number>> = capacitySettings(ground.config).mix,
): Promise<RunArrivals> {
  const { k6, folder, stop, outputs, config, log } = ground;
  const { timeoutSeconds } = config.target;
  const { objectives } = capacitySettings(config);
  const weighted = await mixed(state, mix);
  const lane = laneOf(state, name, await secretsOf(config, state.input), config);
  const { environment } = lane;
  const allowance = allowanceOf(state, ground);
  const watch = (sample: Sample): void => {
    log.add(name, sample);
    made.watch(sample);
  };
  const conceal = (line: string): string => state.input.redactor.conceal(line);
  const { load, makers } = requestsOf(weighted, lane, state.world.keys, config);
  const { bound, books } = state;
  const made = new LoadCreations(
    { bound, creations: books.creations, isBounded: config.limits.isStated === true },
    makers,
  );
  let kept = 0;
  return {
    watch,
    environment,
    bench: {
      generator: new Generator(
        {
          k6,
          folder,
          lane: name,
          stop,
          outputs,
          environment,
          trust: trustOf(config),
          conceal,
          watch,
        },
        state.input.clock,
      ),
      objectives,
      load: {
        ...load,
        tagged: outputs.length > 0,
        refusedStatus: refusedStatus(state.world.terms.rateLimits),
        ...(timeoutSeconds === undefined ? {} : { answerLimitSeconds: timeoutSeconds }),
      },
      charge: (requests) => {
        allowance.charge(requests + made.reserve(requests));
      },
      refund: allowance.refund,
    },
    judge: (sample, when) => {
      kept += 1;
      const plan = lane.planOf(sample.key, sample.operation);
      const id = `k6-${name}-${when}-${kept}`;
      const exchange = exchangeOfBody(sample, plan, urlOf(config, plan), id);
      log.judged(stepOf(sample.step), judgeKept(state, exchange));
    },
  };
}

interface Weighted {
  readonly reached: Reached;
  readonly weight: number;
}

/** The operations of the mix that succeed when called, or the plain reads. Throws RunEnded where none does. */
async function mixed(state: StageState, mix: Readonly<Record<string, number>>): Promise<readonly Weighted[]> {
  const { world } = state;
  const { selected } = state.scope;
  const isDefault = Object.keys(mix).length === 0;
  const wanted = isDefault
    ? readsToSend(selected, { hasKeys: world.keys.length > 0 })
    : selected.filter(({ operation }) => weightIn(mix, operation.key) !== null);
  const kind = isDefault ? 'reads' : 'is of load.mix';
  if (wanted.length === 0) throw new RunEnded('precondition', `no operation ${kind}: there is nothing to send`);
  await reachForLoad(state, wanted);
  const asked = new Set(wanted.map(({ operation }) => operation));
  const served = reachedInOrder(state).filter(({ operation, proof }) => proof !== null && asked.has(operation));
  const weighted = served.map((one) => ({
    reached: one,
    weight: isDefault ? 1 : (weightIn(mix, one.operation.key) ?? 0),
  }));
  if (weighted.length > 0) return weighted;
  throw whyNoneServes(state, `no operation that ${kind} can be called: there is nothing to send`);
}

function requestsOf(
  weighted: readonly Weighted[],
  lane: Lane,
  known: World['keys'],
  config: LoadGround['config'],
): { readonly load: Omit<ArrivalsBench['load'], 'tagged'>; readonly makers: readonly Maker[] } {
  const owned = lane.keys.map(({ name }) => ({
    name,
    account: known.find((key) => key.name === name)?.account ?? null,
  }));
  const senders = weighted.map(({ reached }) => sendersOf(reached, owned));
  const plans = weighted.map(({ reached: { operation } }, at) => {
    const sender = lane.keys[senders[at]?.[0] ?? 0]?.name ?? '';
    return Array.from({ length: mutates(operation) ? VARIANTS : 1 }, () => lane.planOf(sender, operation.key));
  });
  const variants = weighted.map(({ reached }, at) => {
    const keys = senders[at] ?? null;
    return (plans[at] ?? []).map((plan) => ({
      ...scripted(plan, reached.operation.key, config),
      ...(keys === null ? {} : { keys }),
    }));
  });
  const first = variants.map((_, at) => variants.slice(0, at).reduce((sum, { length }) => sum + length, 0));
  const order = mixedOrder(weighted.map(({ weight }) => weight));
  const load = {
    requests: variants.flat(),
    order: order.map((at) => first[at] ?? 0),
    variants: Object.fromEntries(
      variants.flatMap(({ length }, at) => (length === 1 ? [] : [[first[at] ?? 0, length]])),
    ),
    keys: lane.keys,
    headers: lane.headers,
    ...(config.target.trace === undefined ? {} : { trace: config.target.trace }),
  };
  const share = (at: number): number => order.filter((one) => one === at).length / order.length;
  return { load, makers: plans.map((own, at) => ({ plans: own, share: share(at) })) };
}

type SendingGround = LoadGround & { readonly k6: string };

/** A soak: what arrives, and for how long it may. */
export async function soakOf(state: StageState, ground: SendingGround): Promise<Soaked> {
  const { bench, judge } = await arrivalsOf(state, ground, 'soak');
  const wish = affordedBy(state, ground, soakWish(ground.config));
  ground.enter(`soak at ${wish.ratePerSecond}/s`, wish.seconds);
  return measureSoak({
    ...bench,
    wish,
    onKept: (sample) => judge(sample, sample.step),
    label: (...named) => ground.log.label(...named),
    now: state.input.clock.now,
  });
}

/** A spike is sent whole or not at all; caps hold its peak. Throws RunEnded where its time or requests are not there. */
export async function spikeOf(state: StageState, ground: SendingGround): Promise<SpikePart> {
  const wished = spikeWish(ground.config);
  const peak = Math.min(wished.peak, capsOf(ground.config).ratePerSecond);
  const heldBy = peak < wished.peak ? 'load.caps.ratePerSecond' : null;
  if (peak <= wished.base) throw new RunEnded('budget', 'load.caps.ratePerSecond leaves no peak above the base rate');
  const { bench, judge } = await arrivalsOf(state, ground, 'spike');
  const wish = { ...wished, peak, heldBy };
  const seconds = secondsOf(wish);
  const afforded = affordedBy(state, ground, { ratePerSecond: wish.base, seconds });
  if (afforded.seconds < seconds)
    throw new RunEnded('budget', `${afforded.heldBy} leaves ${afforded.seconds} s of load: a spike takes ${seconds}`);
  ground.enter(`spike from ${wish.base}/s to ${peak}/s`, seconds);
  return measureSpike({
    ...bench,
    wish,
    onKept: (sample) => judge(sample, sample.step),
    label: (...named) => ground.log.label(...named),
  });
}

/** The search for capacity. `k6` must be there: the steps of a search depend on what was measured, so that a record cannot be searched. */
export async function capacityOf(state: StageState, ground: SendingGround): Promise<Searched> {
  const { search, objectives } = capacitySettings(ground.config);
  const arrivals = await arrivalsOf(state, ground, 'capacity');
  const { cluster } = ground;
  const onKept = (sample: BodySample, ratePerSecond: number): void =>
    arrivals.judge(sample, `${Math.round(ratePerSecond)}rps`);
  return measureCapacity({
    engine:
      cluster === undefined
        ? oneMachine({ ...arrivals.bench, onKept })
        : engineIn(cluster, state, ground, { ...arrivals, onKept }),
    search,
    objectives,
    sleep: (delayMs) => state.world.timing.sleep(delayMs),
    label: (...named) => ground.log.label(...named),
    enter: ground.enter,
  });
}

function engineIn(
  cluster: Cluster,
  { input: { clock, redactor } }: StageState,
  { k6, folder, outputs, stop, config }: SendingGround,
  {
    bench,
    watch,
    environment,
    onKept,
  }: RunArrivals & { readonly onKept: (sample: BodySample, ratePerSecond: number) => void },
): StepEngine {
  return clusterEngine({
    ...bench,
    ...cluster,
    kubectl: withinLimit(cluster.kubectl, clock),
    ...{ k6, folder, outputs, stop, clock },
    baseUrl: config.target.baseUrl,
    authorities: trustOf(config),
    secrets: environment,
    conceal: (text) => redactor.conceal(text),
    readers: (ratePerSecond) => ({ onSample: watch, onKept: (sample) => onKept(sample, ratePerSecond) }),
  });
}

const maxReads = 12;

/**
 * At most twelve reads, in the order of the descriptions: those that take a key, where one is configured; else those that take none.
 * Reads that need no value come alone where there are such, for values of items may be gone while the load is sent.
 */
export function readsToSend(
  operations: readonly Described[],
  { hasKeys }: { readonly hasKeys: boolean },
): readonly Described[] {
  const reads = operations.filter(({ operation }) => operation.method === 'GET' && operation.unsupported === null);
  const keyed = hasKeys ? reads.filter(({ operation }) => requiresToken(operation)) : [];
  const sendable = keyed.length > 0 ? keyed : reads.filter(({ operation }) => !requiresToken(operation));
  const plain = sendable.filter(({ operation }) => needsNoValue(operation));
  return (plain.length > 0 ? plain : sendable).slice(0, maxReads);
}
