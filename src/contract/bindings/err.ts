// How a contract's terms bind the ERR clauses.
import type { Bindings } from '../terms.ts';

export const ERR_BINDINGS: Bindings = {};
