// How much garbage may stand in memory: by default V8 lets the heap grow to a multiple of what lives in it, up to a share
// of the machine. A run over a large description is to fit into 1 GiB, at the price of a few more collections.
import { setFlagsFromString } from 'node:v8';

/** Between two full collections the heap may grow by so much of what lives. V8 reads it at each collection. */
const GROWING_PERCENT = 16;

/** Holds garbage short from here on. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
}
