// How a contract's terms bind the clauses on authentication, bad requests, versions, redirects, liveness, internal paths, unused statuses and descriptions.
import type { Bindings } from '../terms.ts';

export const REST_BINDINGS: Bindings = {};
