// Every mode, by name.
import type { Mode } from '../mode.ts';
import { CODINGS } from './codings.ts';
import { CONNECTIONS } from './connections.ts';
import { FRAMING } from './framing.ts';
import { HEADERS } from './headers.ts';
import { SIZES } from './sizes.ts';
import { STATUSES } from './statuses.ts';
import { TEXTS } from './texts.ts';
import { TIMING } from './timing.ts';

/** The modes anew: some remember what they have answered. */
export function allModes(): readonly Mode[] {
  return [
    ...TIMING,
    ...CONNECTIONS.map((make) => make()),
    ...FRAMING,
    ...CODINGS,
    ...HEADERS,
    ...STATUSES,
    ...TEXTS,
    ...SIZES,
  ];
}
