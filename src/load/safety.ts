// Where load may go, and how much of it. Pure.

import { baseUrlsOf } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/http-url.ts';
import { plural } from '../contract/numbers.ts';
import { StepLost } from './caller/caller.ts';

/** Hard limits of a load run. */
export interface Caps {
  /** Requests a second of one key's calls. */
  readonly ratePerSecond: number;
  /** Longest duration of one measurement, a key's ceiling or a search. */
  readonly seconds: number;
  readonly requests: number;
  /** Part of them for the ceiling of one key. */
  readonly requestsPerKey: number;
}

const DEFAULT_CAPS: Caps = { ratePerSecond: 5000, seconds: 3600, requests: 1_000_000, requestsPerKey: 100_000 };

/** The caps of the configuration, those it does not state by default. */
export function capsOf({ load }: Pick<Config, 'load'>): Caps {
  return { ...DEFAULT_CAPS, ...(load.caps as Partial<Caps> | undefined) };
}

/** Why no load may be sent to the target or a host of its services, and what to do; null where it may. */
export function refusedLoad(
  { target, services, load }: Pick<Config, 'target' | 'services' | 'load'>,
  { understood }: { readonly understood: boolean },
): { readonly why: string; readonly hint: string } | null {
  const allowed = (load.allow as readonly string[] | undefined) ?? [];
  const hosts = baseUrlsOf({ target, services }).map((baseUrl) => new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''));
  const hostname = hosts.find((host) => !isLoopback(host) && !allowed.includes(host) && !allowed.includes(`[${host}]`));
  if (hostname !== undefined)
    return {
      why: `load is not allowed to ${hostname}`,
      hint: `load: { allow: [${hostname}] } in the configuration allows it; loopback is always allowed`,
    };
  if (target.tls?.serverName != null)
    return {
      why: 'target.tls.serverName is set, and k6 asks a server by the host of its address only',
      hint: 'give the target an address whose host its certificate is for (a line in /etc/hosts will do), and leave serverName out',
    };
  if (target.environment !== 'production' || understood) return null;
  return {
    why: 'target.environment is production: load would reach its users',
    hint: '--i-understand-this-is-production sends it all the same',
  };
}

/** Requests that may still be sent; shared by everything that sends. */
export class Allowance {
  #left: number;

  constructor(requests: number) {
    this.#left = requests;
  }

  /** Throws StepLost (capped) where fewer are left. */
  readonly charge = (requests: number): void => {
    if (requests > this.#left)
      throw new StepLost(
        'capped',
        `the next step may send ${plural(requests, 'request')}, and the budget leaves ${this.#left}`,
      );
    this.#left -= requests;
  };

  readonly refund = (requests: number): void => {
    this.#left += requests;
  };
}
