// A run against a platform with one fault of each kind of judge that can be seen in one run.
import type { Finding } from '../src/contract/report.ts';
import { selectDeviations } from '../src/platform/deviations.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { reducedModel } from '../src/simulation/cases.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { isNightly } from './programme.ts';
import { CALM_LOOK } from './simulated.ts';

const FAULTY = [
  'spec-03-second-scheme',
  'sch-01-nested',
  'sch-04-header-missing',
  'sch-05-undeclared-success',
  'sch-06-one-operation',
  'err-02-no-request-id',
  'err-04-one-status',
  'err-08-no-zone',
  'err-11-wrong-status',
  'auth-02-query',
  'req-02-made-up',
  'req-04-object-accepted',
  'pag-04-page-echo',
  'pag-08-border-lost',
  'pag-12-limit-0',
  'idem-01-status',
  'idem-04-case',
  'ver-02-sunset',
  'int-01-usage',
  'rate-03-uncounted',
];

/** The findings of the run, the same each time. */
export async function findingsOfManyFaults(): Promise<readonly Finding[]> {
  const documents = await reducedModel();
  const deviations = selectDeviations(FAULTS, FAULTY, 'fault');
  const options = { budget: isNightly ? 1500 : 500 };
  const report = await simulate({ documents, deviations, ...CALM_LOOK, options });
  return report.findings;
}
