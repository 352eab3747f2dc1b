// Whether the keys of a run are still accepted: a call that changes something may log its caller out. Under the contract
// `openapi` nobody says which call that is.
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { spotKey } from './spot.ts';

interface Standing {
  /** A reading call that the key was served. */
  control: RequestPlan | null;
  /** Operations that the key was served. */
  readonly served: Set<string>;
  /** The last operation that changed something under the key. */
  lastChange: string | null;
}

export class KeyWatch {
  readonly #keys = new Map<string, Standing>();

  /** Notes what the key of an exchange was served. */
  observe({ plan, response }: Exchange): void {
    if (plan.credential.kind !== 'key' || response === null || response.status >= 300 || plan.operation === null)
      return;
    const standing = this.#keys.get(plan.credential.name) ?? { control: null, served: new Set(), lastChange: null };
    this.#keys.set(plan.credential.name, standing);
    standing.served.add(spotKey(plan));
    if (plan.method === 'GET') standing.control ??= { ...plan, probe: 'run/key', retry: 'once' };
    else if (plan.method !== 'HEAD') standing.lastChange = plan.operation;
  }

  /** The call that tells whether the key is still accepted, after an operation that served it refused it; null where there is no doubt. */
  doubt({ plan, response }: Exchange): RequestPlan | null {
    if (plan.credential.kind !== 'key' || response?.status !== 401) return null;
    const standing = this.#keys.get(plan.credential.name);
    return standing?.served.has(spotKey(plan)) ? standing.control : null;
  }

  /** What to tell of a key that is accepted no longer. */
  lost({ credential }: RequestPlan): string {
    const name = credential.kind === 'key' ? credential.name : '';
    const change = this.#keys.get(name)?.lastChange ?? null;
    const since = change === null ? '' : `; the last call that changed something was ${change}`;
    return `key ${name} was accepted and is refused now (401)${since}. Give it a tokenCommand, or fewer operations (--operation)`;
  }
}
