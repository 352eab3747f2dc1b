// The search for capacity in a run: what arrives, what sends it, and the answers that are kept judged as everywhere.
import { measureCapacity, oneMachine, type Searched, type StepEngine } from '../../load/capacity/capacity.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import { clusterEngine } from '../../load/cluster/engine.ts';
import type { BodySample } from '../../load/samples/line.ts';
import type { StageState } from '../perform/state.ts';
import { arrivalsOf, type RunArrivals } from './arrivals.ts';
import { type Cluster, type LoadGround, trustOf } from './callers.ts';

type SendingGround = LoadGround & { readonly k6: string };

/** Measures. `k6` must be there: the steps of a search depend on what was measured, so that a record cannot be searched. */
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
    sleep: (delayMs) => state.clock.sleep(delayMs, ground.stop),
    label: (...named) => ground.log.label(...named),
    enter: ground.enter,
  });
}

function engineIn(
  cluster: Cluster,
  { clock, redactor }: StageState,
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
    ...{ k6, folder, outputs, stop, clock },
    baseUrl: config.target.baseUrl,
    authorities: trustOf(config),
    secrets: environment,
    conceal: (text) => redactor.conceal(text),
    readers: (ratePerSecond) => ({ onSample: watch, onKept: (sample) => onKept(sample, ratePerSecond) }),
  });
}
