// Whether the keys of a run are still accepted: a call that changes something may log its caller out, or take its rights.
// Under the contract `openapi` nobody says which call that is.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { spotKey } from '../plan/clause-target.ts';

/** A 403 may be the affair of one object: a key has lost its rights where so many other operations refuse it, too. */
const CONTROLS = 3;

interface Standing {
  /** Reading calls that the key was served, by operation; the first few. */
  readonly controls: Map<string, RequestPlan>;
  /** Operations that the key was served. */
  readonly served: Set<string>;
  /** Operations whose 403 turned out to be their own affair. */
  readonly dispelled: Set<string>;
  /** The last operation that changed something under the key. */
  lastChange: string | null;
}

/** Whether the answer refuses the caller. */
export function isRefusal({ response }: Exchange): boolean {
  return response?.status === 401 || response?.status === 403;
}

export class KeyWatch {
  readonly #keys = new Map<string, Standing>();

  /** Notes what the key of an exchange was served. */
  observe({ plan, response }: Exchange): void {
    if (plan.credential.kind !== 'key' || response === null || response.status >= 300 || plan.operation === null)
      return;
    const standing = this.#keys.get(plan.credential.name) ?? {
      controls: new Map(),
      served: new Set(),
      dispelled: new Set(),
      lastChange: null,
    };
    this.#keys.set(plan.credential.name, standing);
    const { controls, served } = standing;
    const spot = spotKey(plan);
    served.add(spot);
    if (plan.method === 'GET' && controls.size < CONTROLS && !controls.has(spot))
      controls.set(spot, { ...plan, probe: 'run/key', retry: 'once' });
    if (plan.method !== 'GET' && plan.method !== 'HEAD') standing.lastChange = plan.operation;
  }

  /**
   * The calls that tell whether the key is still accepted, after an operation that served it refused it: one after a 401;
   * after a 403 those of other operations, at least two. Empty where there is no doubt, or nothing to ask.
   */
  doubt({ plan, response }: Exchange): readonly RequestPlan[] {
    if (plan.credential.kind !== 'key') return [];
    const standing = this.#keys.get(plan.credential.name);
    const spot = spotKey(plan);
    if (standing === undefined || !standing.served.has(spot)) return [];
    const controls = [...standing.controls.values()];
    if (response?.status === 401) return controls.slice(0, 1);
    if (response?.status !== 403 || standing.dispelled.has(spot)) return [];
    const others = controls.filter((control) => spotKey(control) !== spot);
    return others.length < 2 ? [] : others;
  }

  /** Notes that the key is accepted elsewhere. */
  dispel({ plan }: Exchange): void {
    if (plan.credential.kind === 'key') this.#keys.get(plan.credential.name)?.dispelled.add(spotKey(plan));
  }

  /** What to tell of a key that is accepted no longer. */
  lost({ plan: { credential }, response }: Exchange): string {
    const name = credential.kind === 'key' ? credential.name : '';
    const change = this.#keys.get(name)?.lastChange ?? null;
    const since = change === null ? '' : `; the last call that changed something was ${change}`;
    const what =
      response?.status === 403
        ? 'has lost its rights: it was accepted and is refused now (403)'
        : 'was accepted and is refused now (401)';
    return `key ${name} ${what}${since}. Give it a tokenCommand, or fewer operations (--operation)`;
  }
}
