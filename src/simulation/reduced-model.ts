// The platform's own descriptions with fewer operations, so that a run takes little. A fault or tolerance case is served with as
// few as it needs to show.
import { simulatedClock } from '../clock/simulated.ts';
import { type Deviation, NoSubject } from '../platform/deviation.ts';
import { DOCS_URL } from '../platform/http/publish.ts';
import type { JsonObject } from '../platform/json.ts';
import { Platform } from '../platform/platform.ts';
import { readModel } from '../platform/schema/model.ts';
import { documentOf, type ServedDocument } from '../platform/schema/served.ts';

/** By service. */
type Paths = Readonly<Record<string, readonly string[]>>;

/**
 * What is listed page by page, made under keys, read, changed, deleted, and asked for liveness. In this order: a fault takes the last
 * operation that fits, and on a list it would break the laws of lists, too.
 */
const SMALL: Paths = {
  admin: ['/api/v1/auth/activity/logs', '/api/v1/stores', '/api/v1/stores/{storeId}', '/api/health/live'],
};
/** Beside those, each for what is of its own kind: payments, throttled exports, ids of others in paths, other paging. */
const FURTHER: readonly Paths[] = [
  { store: ['/customers', '/customers/{customerId}'] },
  { store: ['/products', '/products/{productId}'] },
  { store: ['/inventory', '/inventory/{sku}'] },
  { ai: ['/api/v1/ai/agents', '/api/v1/ai/agents/{agentId}'] },
  { admin: ['/api/v1/auth/activity/export'] },
  { admin: ['/api/v1/auth/register'] },
  { admin: ['/api/v1/stores/process-payment'] },
  { admin: ['/api/v1/stores/{storeId}/domains/connect', '/api/v1/stores/{storeId}/domains/notifications'] },
  { admin: ['/api/v1/themes'] },
  { admin: ['/api/v1/taxes/hs-codes', '/api/v1/taxes/currencies'] },
];
const REDUCED = FURTHER.reduce(joined, SMALL);

/** Made once a process and frozen: what is compiled to judge by it is compiled once. */
const made = new Map<string, Promise<readonly ServedDocument[]>>();

/** The smallest model: seven operations. */
export function smallModel(): Promise<readonly ServedDocument[]> {
  return modelOf(SMALL);
}

/** Every kind of operation, in all services: some thirty operations. */
export function reducedModel(): Promise<readonly ServedDocument[]> {
  return modelOf(REDUCED);
}

/** The smallest model in which the deviation finds its subject: the small one, with one further kind of operation if need be. */
export async function modelFor(deviation: Deviation): Promise<readonly ServedDocument[]> {
  for (const paths of [SMALL, ...FURTHER.map((further) => joined(SMALL, further))]) {
    const documents = await modelOf(paths);
    if (hasSubject(deviation, documents)) return documents;
  }
  return reducedModel();
}

function hasSubject(deviation: Deviation, documents: readonly ServedDocument[]): boolean {
  const platform = { documents, deviations: [deviation], docsUrl: DOCS_URL, seed: 1, limits: {}, instance: '' };
  try {
    deviation.describe?.(new Map(documents.map(({ service, root }) => [service, structuredClone(root)])));
    return new Platform({ ...platform, clock: simulatedClock() }).routes.length > 0;
  } catch (error) {
    if (error instanceof NoSubject || error instanceof TypeError) return false;
    throw error;
  }
}

function joined(one: Paths, other: Paths): Paths {
  const services = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...services].map((name) => [name, [...(one[name] ?? []), ...(other[name] ?? [])]]));
}

function modelOf(paths: Paths): Promise<readonly ServedDocument[]> {
  const name = JSON.stringify(paths);
  const known = made.get(name) ?? reducedTo(paths);
  made.set(name, known);
  return known;
}

/** The documents, in the platform's order; a service without a path is left out. */
async function reducedTo(paths: Paths): Promise<readonly ServedDocument[]> {
  const documents = await readModel({});
  return documents.flatMap(({ service, root }) => {
    const all = new Map<string, unknown>(Object.entries(Object(root.paths)));
    const kept = (paths[service] ?? []).map((path) => [path, all.get(path)] as const);
    if (kept.length === 0) return [];
    return [documentOf(service, frozen<JsonObject>({ ...root, paths: Object.fromEntries(kept) }))];
  });
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
