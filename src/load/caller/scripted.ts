// A planned request as k6's scripts send it: whole, but for the secret of the key that sends it.
import { placedAsShown } from '../../client/placing.ts';
import { wireOf } from '../../client/wire.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { type ScriptedRequest, SECRET } from '../k6/requests-plan.ts';

/** The plan as a scripted request of the operation. */
export function scripted(plan: RequestPlan, operation: string, baseUrl: string): ScriptedRequest {
  const wire = wireOf(
    plan,
    placedAsShown(plan, () => SECRET),
  );
  const headers = Object.fromEntries(wire.headers.filter(([name]) => name !== 'User-Agent'));
  return { operation, method: wire.method, url: urlOf(baseUrl, wire.path, wire.query), headers, body: wire.body };
}

/** Where a request goes. */
export function urlOf(baseUrl: string, path: string, query: string): string {
  return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
}
