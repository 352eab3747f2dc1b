// PAG-05, what one answer shows by itself: no page holds more items than the limit that its envelope names. Judged on every answer
// whose size the contract says where to find, whatever was asked for.
//
// PAG-05 (must): Every page but the last holds exactly `limit` items; none holds more.

import { breached, holds, resting } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { nameOf } from '../../facts/page-counts.ts';
import type { ExchangeCheck } from '../check.ts';
import { wrongAt } from './flaw.ts';
import { pageRead, readsPagedList } from './paged-envelope.ts';

export const pag05: ExchangeCheck = {
  clause: 'PAG-05',
  title: 'No page holds more items than its limit',
  applies: (subject) => readsPagedList(subject) && pageRead(subject)?.numbers?.limit != null,
  judge(subject) {
    const { numbers = null, items = null } = pageRead(subject) ?? {};
    if (numbers?.limit == null || items === null) return breached([], 0);
    const { total, limit, envelope } = numbers;
    if (items.length <= limit)
      return resting(holds(), total === null ? {} : { items: total, pages: Math.ceil(total / limit) });
    const name = nameOf(envelope.counts.size, 'limit');
    const kind = ['pag-05.over-full', `a page holds more items than the ${name} that it names`] as const;
    const expected = `at most ${limit}, as its ${name} says`;
    return breached([wrongAt(envelope.items, kind, 'the page', expected, plural(items.length, 'item'))]);
  },
};
