// How a contract's terms bind the RATE clauses.
import type { Bindings } from '../terms.ts';

export const RATE_BINDINGS: Bindings = {};
