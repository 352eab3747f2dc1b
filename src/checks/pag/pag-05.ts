// PAG-05, what one answer shows by itself: no page holds more items than the limit that its envelope names. Judged on
// the activity log and on every other answer that is the paged envelope, whatever was asked for.
//
// PAG-05 (must): Every page but the last holds exactly `limit` items; none holds more.
import { breached, holds, resting } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { ExchangeCheck } from '../check.ts';
import { pagedNumbers } from './page.ts';
import { readsPagedList } from './paged-envelope.ts';

export const pag05: ExchangeCheck = {
  clause: 'PAG-05',
  title: 'No page holds more items than its limit',
  applies: readsPagedList,
  judge({ exchange }) {
    const body = jsonBody(exchange);
    const numbers = body.ok ? pagedNumbers(body.value) : null;
    if (!body.ok || numbers === null) return breached([], 0);
    const { data } = body.value as { readonly data: readonly unknown[] };
    if (data.length <= numbers.limit)
      return resting(holds(), { items: numbers.total, pages: Math.ceil(numbers.total / numbers.limit) });
    const [expected, actual] = [`at most ${numbers.limit}, as its limit says`, `${data.length} items`];
    const [code, cause] = ['pag-05.over-full', 'a page holds more items than the limit that it names'];
    const message = `the page holds ${actual}, expected ${expected}`;
    return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: '/data' }]);
  },
};
