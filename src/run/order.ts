// In which order operations are reached: lists before creates, creates before what they make, parents before children.
import type { Described } from '../openapi/catalogue.ts';
import { parameterNames } from '../probes/path-values.ts';

/** Operations after which the key, or the account, may be gone: reached last of all. */
const ENDS_SESSION =
  /(log-?out|sign-?out|sign-?off|revoke|deactivate|(close|delete|terminate|remove)[-_/]?account|account[-_/]?(closure|deletion|delete|close|terminate))/i;
/** Deleting one of these, which need no id, deletes the caller's own. */
const OWN = /\/(account|me|profile|session)$/i;
const METHOD_ORDER: Readonly<Record<string, number>> = {
  GET: 0,
  HEAD: 0,
  OPTIONS: 0,
  POST: 1,
  PUT: 2,
  PATCH: 2,
  DELETE: 3,
};

/** reach order within a lane. */
export function inReachOrder(operations: readonly Described[]): readonly Described[] {
  return operations.toSorted((left, right) => weight(left) - weight(right));
}

function weight({ operation }: Described): number {
  const depth = parameterNames(operation.path).length;
  const endsInParameter = operation.path.endsWith('}');
  const isList = operation.method === 'GET' && !endsInParameter;
  return (
    depth * 10 +
    (isList ? 0 : 1 + (METHOD_ORDER[operation.method] ?? 2)) +
    (operation.method === 'POST' && endsInParameter ? 1 : 0)
  );
}

/** The first segment after the version: what belongs together, and is reached one call after another. */
export function laneOf({ operation: { service, path } }: Described): string {
  return resourceLane(service, path);
}

/** The same, of an operation key or path. */
export function resourceLane(service: string | null, path: string): string {
  const [first = ''] = path.replace(/^([A-Z]+ )?\/api(\/v\d+)?\//, '').split('/');
  return `${service} ${first}`;
}

/** Whether calling it with success may end the session of the key. */
export function endsSession({ operation }: Described): boolean {
  if (operation.method === 'DELETE' && OWN.test(operation.path)) return true;
  return ENDS_SESSION.test(operation.path) || ENDS_SESSION.test(operation.operationId ?? '');
}
