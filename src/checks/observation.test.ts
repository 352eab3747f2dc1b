// Which rows the checks' observations bring: subject, value and how sure it is.

import { expect, it } from 'vitest';
import { errorExchange, errorObject, exchangeWith, subjectOf } from '../../test/support/checks/exchanges.ts';
import { EXPORTS } from '../../test/support/checks/readings.ts';
import type { Judgement } from '../contract/judgement.ts';
import { judgeIsolated, judgeNotListed } from './auth/auth-01-to-06-refusals.ts';
import { err11 } from './err/err-11.ts';
import { observeErrorFirst, observeForm, observeLifetime, observeReuse } from './idem/idem-07-observed.ts';
import { observation, seenOnce } from './observation.ts';
import { rate05 } from './rate/rate-05.ts';
import { judgeThrottled } from './rate/rate-09-export-throttle.ts';

const made = (id: string) => exchangeWith({ status: 201, body: { id } });
const refused = (status: number, code = 'conflict', type = 'conflict_error') =>
  errorExchange(errorObject({ status, code, type }));
const throttled = (headers: readonly (readonly [string, string])[]) => exchangeWith({ status: 429, headers });
const DATE = ['date', 'Sat, 21 Nov 2026 10:00:00 GMT'] as const;
const LONG_KEY = { name: 'long', inWords: 'a long key' };
const dropped = exchangeWith({ response: null });
const reuse = (second: ReturnType<typeof made>) => observeReuse('other-body', made('a'), second);

function rowsOf({ observed = [] }: Judgement): readonly string[] {
  return observed.map(({ subject, value, confidence, calls }) => `${subject}: ${value} (${confidence}, ${calls})`);
}

it('an observation is a finding that is never judged, and its row', () => {
  const row = seenOnce('order', 'by id', 'one page');
  expect(observation('pag-13.order', 'the order', 'by id', row)).toEqual({
    kind: 'breached',
    assertions: 1,
    breaches: [
      {
        weight: 'observation',
        code: 'pag-13.order',
        cause: 'the order',
        message: 'the order (by id)',
        expected: 'not stated',
        actual: 'by id',
      },
    ],
    observed: [{ subject: 'order', value: 'by id', confidence: 'likely', calls: 1, basis: 'one page' }],
  });
});

it.each<[string, Judgement, readonly string[]]>([
  [
    'a key used again and refused',
    reuse(refused(409)),
    ['the same key with another body: refused: 409 conflict (likely, 2)'],
  ],
  ['the first response', reuse(made('a')), ['the same key with another body: the first response again (likely, 2)']],
  ['another id', reuse(made('b')), ['the same key with another body: an effect of its own (sure, 2)']],
  [
    'another body without an id',
    observeReuse('other-body', exchangeWith({ body: [1] }), exchangeWith({ body: [2] })),
    ['the same key with another body: an effect of its own (likely, 2)'],
  ],
  ['no answer', reuse(dropped), ['the same key with another body: unknown (cannot-tell, 1)']],
  ['a form that is taken', observeForm(LONG_KEY, made('a')), ['a long key: accepted (likely, 1)']],
  [
    'a form that is not',
    observeForm(LONG_KEY, refused(400, 'key_too_long')),
    ['a long key: refused: 400 key_too_long (likely, 1)'],
  ],
  [
    'a key that is free after an error',
    observeErrorFirst(refused(400), made('a')),
    ['a key whose first answer was an error: may be used again (likely, 2)'],
  ],
  [
    'a key that is not',
    observeErrorFirst(refused(400), refused(409)),
    ['a key whose first answer was an error: refused: 409 conflict (likely, 2)'],
  ],
  [
    'a key that is still known',
    observeLifetime(60, 12),
    ['key lifetime: at least 60 other calls and 12 s (cannot-tell, 2)'],
  ],
  [
    'a resource that another account may not read',
    judgeIsolated(refused(404, 'resource_not_found'), 'read'),
    ['read what another account created: refused: 404 resource_not_found (likely, 1)'],
  ],
  [
    'a resource that it may',
    judgeIsolated(made('a'), 'change'),
    ['change what another account created: allowed: 201 (likely, 1)'],
  ],
  [
    'a list that shows it',
    judgeNotListed(exchangeWith({ body: [{ id: 'a' }] }), new Set(['a'])),
    ['list what another account created: it is shown (likely, 1)'],
  ],
  [
    'a list that does not',
    judgeNotListed(exchangeWith({ body: [] }), new Set(['a'])),
    ['list what another account created: nothing of it is shown (likely, 1)'],
  ],
  [
    'a code that the source does not list',
    err11.judge(subjectOf(refused(409))),
    ['the code conflict: 409 conflict_error (likely, 1)'],
  ],
  ['a code that it lists', err11.judge(subjectOf(errorExchange())), []],
  [
    'seconds to wait',
    rate05.judge(subjectOf(throttled([['retry-after', '7']]))),
    ['form of Retry-After: whole seconds (likely, 1)'],
  ],
  [
    'a date to wait for',
    rate05.judge(subjectOf(throttled([['retry-after', DATE[1]], DATE]))),
    ['form of Retry-After: an HTTP date (likely, 1)'],
  ],
  ['no wait', rate05.judge(subjectOf(throttled([]))), ['form of Retry-After: absent (likely, 1)']],
  [
    'exports that are throttled',
    judgeThrottled({ ...EXPORTS, exchanges: [made('a'), made('b'), refused(429), made('c')], elsewhere: made('d') }),
    ['export throttle: 2 accepted, then 429 (likely, 4)'],
  ],
])('%s', (_what, judgement, rows) => {
  expect(rowsOf(judgement)).toEqual(rows);
});
