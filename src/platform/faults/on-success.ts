// Hooks that change the successes of one operation.

import type { Hooks } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';

/** Changes every success of the route in place. */
export function onSuccess(route: Route, change: (call: Call, answer: Answer) => void): Hooks {
  return {
    answer: (call, answer) => {
      if (call.route === route && answer.status < 300) change(call, answer);
      return answer;
    },
  };
}
