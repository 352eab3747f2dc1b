// Faults that show only under pressure: once a key was refused by its limiter, or hardly a call of it is left. Ordinary
// runs pass them, so that they are no part of the proof by faults; `assay load pressure` must catch them.

import type { Deviation } from '../deviation.ts';
import { refusal, throttled } from '../envelope.ts';
import { RATE_HEADERS } from '../facts.ts';
import type { Call } from '../http/call.ts';
import { fault } from './fault.ts';
import { onCreate } from './idem.ts';
import { again, keyIn, rekeyed } from './keyed.ts';
import { isList, onPages } from './pages.ts';

export const LOAD_FAULTS: readonly Deviation[] = [
  fault(
    'idem-01-forgets-when-limited',
    'Keys of a create are forgotten whenever a call is refused by the limiter.',
    onCreate((route) => {
      let refusals = 0;
      return {
        limit: (_call, grant) => {
          if (!grant.granted) refusals += 1;
        },
        ...rekeyed(route, (_call, key) => (refusals === 0 ? null : `${key} ${refusals}`)),
      };
    }),
    { alsoBreaks: ['IDEM-02', 'IDEM-03', 'IDEM-05'] },
  ),
  fault(
    'idem-02-refused-executed',
    'A create that the limiter refuses has its effect all the same, and its key is not kept.',
    onCreate((route, around) => {
      const refused = new WeakMap<Call, number>();
      return {
        limit: (call, grant) => {
          if (grant.granted || call.route !== route || keyIn(call) === null) return grant;
          refused.set(call, grant.retryAfterSeconds);
          return { ...grant, granted: true };
        },
        act: (call, proceed) => {
          const waitSeconds = refused.get(call);
          if (waitSeconds === undefined) return proceed();
          again(call, proceed);
          return refusal(call, throttled('rate_limit_exceeded', waitSeconds), around.docsUrl);
        },
      };
    }),
    { alsoBreaks: ['IDEM-03', 'IDEM-04'] },
  ),
  fault(
    'idem-02-refusal-kept',
    'A create that the limiter refused is refused under its key for good.',
    onCreate((route, around) => {
      const refused = new Map<string, number>();
      return {
        limit: (call, grant) => {
          const key = call.route === route ? keyIn(call) : null;
          if (!grant.granted && key !== null) refused.set(key, grant.retryAfterSeconds);
        },
        act: (call, proceed) => {
          const waitSeconds = refused.get(keyIn(call) ?? '');
          if (call.route !== route || waitSeconds === undefined) return proceed();
          return refusal(call, throttled('rate_limit_exceeded', waitSeconds), around.docsUrl);
        },
      };
    }),
  ),
  fault(
    'pag-06-lost-when-scarce',
    'While less than half of its calls are left to a key, pages of one list lack their last item.',
    onPages('a list by limit and page', isList('page', { bare: false }), ({ call, items }) => {
      const [limit, remaining] = [call.standing[RATE_HEADERS.limit], call.standing[RATE_HEADERS.remaining]].map(Number);
      return (remaining ?? 0) < (limit ?? 0) / 2 ? items.slice(0, -1) : items;
    }),
    { alsoBreaks: ['PAG-05', 'PAG-07', 'PAG-08', 'PAG-09', 'PAG-10'] },
  ),
];
