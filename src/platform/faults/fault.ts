// How a fault is written down: its clause, what is broken, and the hooks that break it.

import type { Difference } from '../../defects/defect.ts';
import { type Deviation, type Hooks, namedBy, type Surroundings } from '../deviation.ts';
import type { Answer, Route } from '../http/call.ts';
import { subject } from './subject.ts';

/** A fault; `alsoBreaks` are clauses that it cannot help breaking. */
export function fault(
  id: string,
  description: string,
  hooks: (around: Surroundings) => Hooks,
  alsoBreaks?: readonly string[],
): Deviation {
  return { ...namedBy(id), description, hooks, ...(alsoBreaks === undefined ? {} : { alsoBreaks }) };
}

/** Hooks about one operation: the last served one that fits. `need` completes "the fault needs …". */
export function on(need: string, fits: (route: Route) => boolean, make: (route: Route, around: Surroundings) => Hooks) {
  return (around: Surroundings): Hooks => make(subject(around, need, fits), around);
}

/** The answer with the difference that a defect makes. */
export function altered(answer: Answer, { status = answer.status, headers = {}, json, text }: Difference): Answer {
  const all = Object.entries({ ...answer.headers, ...headers });
  const kept = all.filter((one): one is [string, string] => one[1] !== null);
  const told = { ...answer, status, headers: Object.fromEntries(kept) };
  if (text !== undefined) return { ...told, body: undefined, text };
  return json === undefined ? told : { ...told, body: json };
}
