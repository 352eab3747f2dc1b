// How a contract's terms bind the PAG clauses.
import type { Bindings } from '../terms.ts';

export const PAG_BINDINGS: Bindings = {};
