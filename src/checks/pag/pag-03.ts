// PAG-03 (must): At most 100 items a page: `limit` above 100 never returns more than 100 items nor reports a limit
//   above 100. Tolerance: Clamp or 400 `validation_failed`: both allowed, observed.
import { type Breach, breached, resting } from '../../contract/judgement.ts';
import { ACTIVITY_LOG_PAGES } from '../../contract/platform.ts';
import type { ExchangeCheck } from '../check.ts';
import { askedNumber } from './page.ts';
import { membersOf, readsActivityLog } from './paged-envelope.ts';

const { maximum } = ACTIVITY_LOG_PAGES;

export const pag03: ExchangeCheck = {
  clause: 'PAG-03',
  title: `A page of the activity log holds at most ${maximum} items`,
  applies: readsActivityLog,
  judge({ exchange }) {
    const { data, limit, total } = membersOf(exchange) ?? {};
    const asked = askedNumber(exchange, 'limit');
    const breaches: Breach[] = [];
    if (Array.isArray(data) && data.length > maximum) {
      const actual = `${data.length} items`;
      breaches.push(exceeding('pag-03.over-full', `a page holds more than ${maximum} items`, actual, '/data'));
    }
    if (typeof limit === 'number' && limit > maximum) {
      breaches.push(
        exceeding('pag-03.limit-reported', `a limit above ${maximum} is reported`, `limit ${limit}`, '/limit'),
      );
    }
    // Only an answer to more than the maximum, on a log that holds more or names the limit that it applied, shows one.
    const shows = typeof limit === 'number' || (typeof total === 'number' && total > maximum);
    const isOver = typeof asked === 'number' && asked > maximum && shows;
    return resting(breached(breaches, 2), { overLimits: isOver ? 1 : 0 });
  },
};

function exceeding(code: string, cause: string, actual: string, pointer: string): Breach {
  const expected = `at most ${maximum}`;
  const message = `${cause}: ${actual}, expected ${expected}`;
  return { weight: 'breach', code, cause, message, expected, actual, pointer };
}
