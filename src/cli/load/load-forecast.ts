// Forecasts the objects that a load suite of a job creates. It stands by itself, for it brings all of load with it,
// which no conformance run needs.
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { loadForecast } from '../../run/load/forecast.ts';
import type { LoadSuite } from '../../run/load/suites.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import type { Job } from '../conform/prepare.ts';

/** The number of objects that one load suite of the job may create, in words. Throws UsageError for contradictory settings. */
export function loadForecastOfJob(suite: LoadSuite, { config, options, descriptions }: Job): string {
  const catalogue = createCatalogue(descriptions);
  return loadForecast(suite, config, catalogue, selectOperations(catalogue, options), options.budget);
}
