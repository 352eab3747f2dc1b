// How a contract's terms bind the IDEM and COND clauses.
import type { Bindings } from '../terms.ts';

export const IDEM_BINDINGS: Bindings = {};
