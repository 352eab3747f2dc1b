// How a fault is written down: its clause, what is broken, and the hooks that break it.

import type { Difference } from '../../defects/defect.ts';
import { type Deviation, type Hooks, namedBy, type Surroundings } from '../deviation.ts';
import { type Problem, refusal } from '../envelope.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import type { DeliveryRules } from '../webhooks/rules.ts';
import { subject } from './subject.ts';

/** Members of a fault or a tolerance case beside its hooks. */
export type More = Pick<Deviation, 'alsoBreaks' | 'limits' | 'docsUrl' | 'describe'>;

export function fault(
  id: string,
  description: string,
  hooks: (around: Surroundings) => Hooks,
  more: More = {},
): Deviation {
  return { ...namedBy(id), description, hooks, ...more };
}

/** A fault or a tolerance case of how webhooks are delivered. */
export function delivering(
  id: string,
  description: string,
  change: (rules: DeliveryRules) => Partial<DeliveryRules>,
): Deviation {
  return { ...namedBy(id), description, webhooks: (rules) => ({ ...rules, ...change(rules) }) };
}

/** Hooks about one operation: the last served one that fits. `need` completes "the fault needs …". */
export function on(need: string, fits: (route: Route) => boolean, make: (route: Route, around: Surroundings) => Hooks) {
  return (around: Surroundings): Hooks => make(subject(around, need, fits), around);
}

/** Other answers of the last served operation that fits; undefined: the answer stands, and may be changed in place. */
export function onAnswers(
  need: string,
  fits: (route: Route) => boolean,
  change: (call: Call, answer: Answer, around: Surroundings) => Answer | undefined,
) {
  return on(need, fits, (route, around) => ({
    answer: (call, answer) => (call.route === route ? change(call, answer, around) : undefined),
  }));
}

/** A refusal in place of the answer, with the headers that every answer carries. */
export function refusedInstead(call: Call, answer: Answer, problem: Problem, { docsUrl }: Surroundings): Answer {
  const headers = { ...answer.headers, 'content-type': 'application/json' };
  return { ...refusal(call, problem, docsUrl), headers };
}

/** The answer with the difference that a defect makes. */
export function altered(answer: Answer, { status = answer.status, headers = {}, json, text }: Difference): Answer {
  const all = Object.entries({ ...answer.headers, ...headers });
  const kept = all.filter((one): one is [string, string] => one[1] !== null);
  const told = { ...answer, status, headers: Object.fromEntries(kept) };
  if (text !== undefined) return { ...told, body: undefined, text };
  return json === undefined ? told : { ...told, body: json };
}
