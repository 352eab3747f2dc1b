// What a job creates: told before, and written down beside its reports.
import { systemClock } from '../../clock/system.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { beginJournal, type CreationJournal } from '../../run/books/journal.ts';
import { loadForecast } from '../../run/load/forecast.ts';
import type { LoadSuite } from '../../run/load/suites.ts';
import { forecastInWords, forecastOf } from '../../run/plan/forecast.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import type { Job } from '../conform/prepare.ts';
import { NoVerdict } from '../process/failure.ts';
import { nameFrom } from '../report/located.ts';

/** What the job may create, in words. */
export function forecastOfJob({ config, options, descriptions }: Job): string {
  const catalogue = createCatalogue(descriptions);
  return forecastInWords(forecastOf(config, catalogue, selectOperations(catalogue, options)));
}

/** What one load suite of the job may create, in words. Throws UsageError where its settings contradict each other. */
export function loadForecastOfJob(suite: LoadSuite, { config, options, descriptions }: Job): string {
  const catalogue = createCatalogue(descriptions);
  return loadForecast(suite, config, catalogue, selectOperations(catalogue, options), options.budget);
}

/** Begins the journal in the job's folder. Throws NoVerdict where it cannot be written: nothing must be created then. */
export async function jobJournal({ config, options, outDir, redactor }: Job): Promise<CreationJournal> {
  const { baseUrl, embedded } = config.target;
  const file = config.file === null ? null : nameFrom(process.cwd(), config.file);
  const startedAt = new Date(systemClock.now()).toISOString();
  const head = {
    run: options.runId ?? '',
    startedAt,
    baseUrl,
    config: file,
    ...(embedded === undefined ? {} : { embedded }),
  };
  try {
    return await beginJournal(outDir, head, (text) => redactor.redact(text));
  } catch (error) {
    const message = `what the run creates cannot be written down: ${(error as Error).message}`;
    throw new NoVerdict(message, 'name another folder with --out', error);
  }
}
