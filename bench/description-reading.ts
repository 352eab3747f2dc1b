// One reading of descriptions in a fresh process, for bench/descriptions.ts: `node bench/description-reading.ts CACHE FILE…`
// prints a Reading as JSON. Nothing is sent.

import { readFileSync } from 'node:fs';
import { DESCRIPTION_CHECKS } from '../src/checks/description-checks.ts';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { descriptionCache } from '../src/cli/process/description-cache.ts';
import type { ServiceConfig } from '../src/config/config.ts';
import { COMMERCE_TERMS } from '../src/contract/shipped.ts';
import { type Catalogue, createCatalogue } from '../src/openapi/model/catalogue.ts';
import { firstRecipe, planOf } from '../src/probes/reach/recipe.ts';

export interface Reading {
  readonly readyMs: number;
  /** Processor time of all threads in the meantime: other work on the machine disturbs it less. */
  readonly cpuMs: number;
  /** JSON.parse of the same texts; null where one is YAML. */
  readonly parseMs: number | null;
  /** Peak of the process. */
  readonly megabytes: number;
  readonly sizeMegabytes: number;
  readonly operations: number;
  /** The first request with a body. */
  readonly request: string;
}

const [cache = '', ...files] = process.argv.slice(2);
const services: ServiceConfig[] = files.map((spec, index) => ({ name: `service-${index}`, spec, basePath: null }));

const UNDER = { contract: 'commerce', terms: COMMERCE_TERMS } as const;
const [start, cpuStart] = [performance.now(), process.cpuUsage()];
const descriptions = await loadDescriptions({ services, remoteRefs: [] }, descriptionCache({ ASSAY_CACHE: cache }));
const catalogue = createCatalogue(descriptions);
for (const description of descriptions) for (const check of DESCRIPTION_CHECKS) check.judge(description, UNDER);
const request = firstRequest(catalogue);
const readyMs = performance.now() - start;
const { user, system } = process.cpuUsage(cpuStart);

const megabytes = process.resourceUsage().maxRSS / 1024;
const texts = files.map((file) => readFileSync(file, 'utf8'));
const reading: Reading = {
  readyMs,
  cpuMs: (user + system) / 1000,
  parseMs: parsing(texts),
  megabytes,
  sizeMegabytes: texts.join('').length / 1e6,
  operations: catalogue.operations.length,
  request,
};
process.stdout.write(JSON.stringify(reading));

function firstRequest({ operations }: Catalogue): string {
  const first = operations.find(({ operation }) => operation.unsupported === null && operation.requestBody !== null);
  if (first === undefined) return 'none has a body';
  const { description, operation } = first;
  const from = { seed: 1, nonce: { run: 'bench', serial: 'first' } };
  const plan = planOf(firstRecipe(description, operation, {}, { kind: 'none' }, from), 'bench', from);
  return `${plan.method} ${plan.path}`;
}

function parsing(texts: readonly string[]): number | null {
  if (!texts.every((text) => /^\s*\{/.test(text))) return null;
  const begin = performance.now();
  for (const text of texts) JSON.parse(text);
  return performance.now() - begin;
}
