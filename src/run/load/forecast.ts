// Says how much a load suite may create, before it sends anything: from the descriptions and the configuration alone.

import { nounOf } from '../../checks/rate/rate-09-export-throttle.ts';
import type { Config } from '../../config/config.ts';
import { plural } from '../../contract/numbers.ts';
import { throttleOf } from '../../limiters/throttles.ts';
import { weightIn } from '../../load/capacity/mix.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import { capsOf } from '../../load/safety.ts';
import { soakWish } from '../../load/soak/settings.ts';
import { spikeWish } from '../../load/spike/settings.ts';
import { secondsOf } from '../../load/spike/spike.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';
import { isUndoable } from '../../probes/reach/undoing.ts';
import { Consent } from '../plan/consent.ts';
import { CREATES_NOTHING, forecastInWords, forecastOf, listed, makersOf } from '../plan/forecast.ts';
import { VARIANTS } from './arrivals.ts';
import { pricedOf } from './bench.ts';
import type { LoadSuite } from './suites.ts';

/** The suites that send `load.mix`. */
export type MixSuite = 'capacity' | 'soak' | 'spike';

/** How much the suite may create, and how much of it stays, in a sentence or two. `budget`: most requests; null: no bound. */
export function loadForecast(
  suite: LoadSuite,
  config: Config,
  catalogue: Catalogue,
  selected: readonly Described[],
  budget: number | null,
): string {
  const bounded = (operations: readonly Described[]): string =>
    forecastInWords(forecastOf(config, catalogue, operations));
  switch (suite) {
    case 'ceiling':
      return bounded(pricedOf(selected, new Consent(config, catalogue), config.stated.terms));
    case 'pressure':
      return bounded(selected);
    case 'exports':
      return exported(config, catalogue, selected);
    case 'capacity':
    case 'soak':
    case 'spike':
      return mixForecast(suite, config, catalogue, selected, budget);
    default:
      return 'nothing: it only reads';
  }
}

function exported(config: Config, catalogue: Catalogue, selected: readonly Described[]): string {
  const found = selected.find(({ operation }) => throttleOf(config.stated.terms, operation.key) !== null);
  if (found === undefined || new Consent(config, catalogue).refusal(found.operation) !== null) return CREATES_NOTHING;
  const stays = isUndoable(catalogue, found.operation) ? '' : '; they stay, for no DELETE is described';
  return `${nounOf({ operation: found.operation.key }).withArticle} by each request of a flood that ${found.operation.key} accepts${stays}`;
}

/**
 * The same of `load.mix`: within limits.created where the configuration states it, else as much as the mix sends, each
 * operation its share of the most requests that the suite may send.
 */
export function mixForecast(
  suite: MixSuite,
  config: Config,
  catalogue: Catalogue,
  selected: readonly Described[],
  budget: number | null,
): string {
  const { mix } = capacitySettings(config);
  const weighted = selected.flatMap((described) => {
    const weight = weightIn(mix, described.operation.key);
    return weight === null ? [] : [{ described, weight }];
  });
  const makers = makersOf(
    config,
    catalogue,
    weighted.map(({ described }) => described),
  );
  if (makers.length === 0) return 'nothing: all that it may send only reads';
  if (config.limits.isStated === true) return forecastInWords(forecastOf(config, catalogue, makers));
  const all = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const requests = Math.min(mostRequests(suite, config), budget ?? Number.POSITIVE_INFINITY);
  const made = weighted
    .filter(({ described }) => makers.includes(described))
    .map(({ described: { operation }, weight }) => {
      const sent = Math.ceil((requests * weight) / all);
      // A request that is sent again under its Idempotency-Key creates nothing.
      const most = takesKey(operation) ? Math.min(sent, VARIANTS) : sent;
      return { key: operation.key, most, stays: !isUndoable(catalogue, operation) };
    });
  const sumOf = (of: typeof made): number => of.reduce((sum, { most }) => sum + most, 0);
  const staying = made.filter(({ stays }) => stays);
  const named = listed(made.map(({ key }) => key));
  const bound = `about ${plural(sumOf(made), 'object')} at most, as load.mix says (limits.created is not stated): ${named}`;
  if (staying.length === 0) return `${bound}; a DELETE is described for all of it`;
  const kept = listed(staying.map(({ key }) => key));
  return `${bound}; about ${sumOf(staying)} at most stay, for no DELETE is described: ${kept}`;
}

function mostRequests(suite: MixSuite, config: Config): number {
  const { ratePerSecond, seconds, requests } = capsOf(config);
  const { search } = capacitySettings(config);
  const soak = soakWish(config);
  const wished = {
    capacity: search.mostRate * search.mostSeconds,
    soak: Math.min(soak.ratePerSecond, ratePerSecond) * Math.min(soak.seconds, seconds),
    spike: suite === 'spike' ? spikeRequests(config) : 0,
  };
  return Math.min(requests, Math.ceil(wished[suite]));
}

function spikeRequests(config: Config): number {
  const wish = spikeWish(config);
  return wish.base * secondsOf(wish) + (wish.peak - wish.base) * wish.seconds;
}
