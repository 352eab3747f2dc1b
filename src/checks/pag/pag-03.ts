// PAG-03 (must): No page holds more items than the maximum that the contract states, nor reports a larger size.
//   Tolerance: Clamp or refusal: both allowed, observed.

import { type Breach, breached, resting } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { askedNumber } from '../../facts/page.ts';
import { countAt, itemsIn, nameOf } from '../../facts/page-counts.ts';
import type { ExchangeCheck } from '../check.ts';
import { wrongAt } from './flaw.ts';
import { listRead, pageRead } from './paged-envelope.ts';

export const pag03: ExchangeCheck = {
  clause: 'PAG-03',
  title: 'A page holds at most the stated maximum of items',
  applies: (subject) => listRead(subject)?.size.maximum != null,
  judge(subject) {
    const page = pageRead(subject);
    const maximum = page?.stated.size.maximum ?? null;
    if (page === null || maximum === null) return breached([]);
    const { stated, answer } = page;
    const { counts, parameters } = stated;
    const [limit, total] = [counts.size, counts.total].map((place) => (place === null ? null : countAt(answer, place)));
    const items = itemsIn(answer.body, stated);
    const asked = askedNumber(subject.exchange, parameters.size);
    const breaches: Breach[] = [];
    const expected = `at most ${maximum}`;
    if (items !== null && items.length > maximum) {
      const kind = ['pag-03.over-full', `a page holds more than ${plural(maximum, 'item')}`] as const;
      breaches.push(wrongAt(stated.items, kind, 'the page', expected, plural(items.length, 'item')));
    }
    if (typeof limit === 'number' && limit > maximum) {
      const name = nameOf(counts.size, 'limit');
      const kind = ['pag-03.limit-reported', `a ${name} above ${maximum} is reported`] as const;
      breaches.push(wrongAt(counts.size, kind, name, expected, String(limit)));
    }
    // Only an answer to more than the maximum, on a list that holds more or names the limit that it applied, shows one.
    const isFull = items?.length === maximum;
    const shows = typeof limit === 'number' || (typeof total === 'number' && total > maximum) || isFull;
    const isOver = typeof asked === 'number' && asked > maximum && shows;
    return resting(breached(breaches, 2), { overLimits: isOver ? 1 : 0 });
  },
};
