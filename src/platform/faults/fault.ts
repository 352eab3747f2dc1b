// How a fault is written down: its clause, what is broken, and the hooks that break it.

import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import type { Route } from '../http/call.ts';
import { subject } from './subject.ts';

/** A fault named `<clause>-<name>`; `alsoBreaks` are clauses that it cannot help breaking. */
export function fault(
  clause: string,
  name: string,
  description: string,
  hooks: (around: Surroundings) => Hooks,
  alsoBreaks?: readonly string[],
): Deviation {
  const id = `${clause.toLowerCase()}-${name}`;
  return { id, clause, description, hooks, ...(alsoBreaks === undefined ? {} : { alsoBreaks }) };
}

/** Hooks about one operation: the last served one that fits. `need` completes "the fault needs …". */
export function on(need: string, fits: (route: Route) => boolean, make: (route: Route, around: Surroundings) => Hooks) {
  return (around: Surroundings): Hooks => make(subject(around, need, fits), around);
}
