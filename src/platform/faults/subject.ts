// Which operation a fault shows on, chosen among those served, the same one at every start; and what is changed there.

import { type Hooks, NoSubject, type Surroundings } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';

/** The last served operation that fits; throws `NoSubject` when none does. `need` completes "needs …". */
export function subject(around: Surroundings, need: string, fits: (route: Route) => boolean): Route {
  const found = around.routes.findLast(fits);
  if (found === undefined) throw new NoSubject(`the fault needs ${need}; none of the served descriptions has one`);
  return found;
}

/** True when the call is one of the route's operation. */
export function isOn(call: Call, route: Route): boolean {
  return call.route === route;
}

/** True for operations that demand a token. */
export function isGuarded(route: Route): boolean {
  return !route.operation.public;
}

/** True for a GET that answers a body, of whatever it knows without an id in the path. */
export function isPlainRead(route: Route): boolean {
  return (
    route.operation.method === 'GET' &&
    isGuarded(route) &&
    route.role.success.mediaType !== null &&
    !route.operation.path.includes('{')
  );
}

/** Counts per fault: true at every n-th look. */
export function everyNth(n: number): () => boolean {
  let looks = 0;
  return () => ++looks % n === 0;
}

/** Changes every success of the route in place. */
export function onSuccess(route: Route, change: (call: Call, answer: Answer) => void): Hooks {
  return {
    answer: (call, answer) => {
      if (isOn(call, route) && answer.status < 300) change(call, answer);
    },
  };
}
