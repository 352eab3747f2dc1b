// The platform's own descriptions with fewer operations, so that a run takes little: every kind of operation is kept in the larger
// of the two, and most of them in the smaller.
import type { JsonObject } from '../platform/json.ts';
import { readModel } from '../platform/model.ts';
import { documentOf, type ServedDocument } from '../platform/served.ts';

type Paths = Readonly<Record<string, readonly string[]>>;

const SMALL: Paths = {
  admin: ['/api/v1/stores', '/api/v1/stores/{storeId}', '/api/v1/auth/activity/logs', '/api/health/live'],
};

/** Made once a process and frozen: what is compiled to judge by it is compiled once. */
const made = new Map<Paths, Promise<readonly ServedDocument[]>>();

/** The smallest model: what is made, read, changed, deleted, listed page by page, and asked for liveness. */
export function smallModel(): Promise<readonly ServedDocument[]> {
  return modelOf(SMALL);
}

function modelOf(paths: Paths): Promise<readonly ServedDocument[]> {
  const known = made.get(paths) ?? reduced(paths);
  made.set(paths, known);
  return known;
}

async function reduced(paths: Paths): Promise<readonly ServedDocument[]> {
  const documents = await readModel({});
  return documents.flatMap(({ service, root }) => {
    const kept = Object.entries(Object(root.paths)).filter(([path]) => paths[service]?.includes(path));
    return kept.length === 0
      ? []
      : [documentOf(service, frozen<JsonObject>({ ...root, paths: Object.fromEntries(kept) }))];
  });
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
