// The clauses on lists and their pages: what each says, what it needs, who judges it and how a breach is repaired.
import { AN_ANSWER, entries, TWO_PAGES } from './entry.ts';

/** Experiments that read pages of a list in many orders. */
const WALKS = ['survey', 'walk', 'plans', 'settled-walk'].map((name) => `probes/pagination/${name}`);

/** Is lacking in traffic that shows nothing of pages. */
const NOT_NUMBERED =
  'no list of three items and two pages was walked from its first page to its end, each page telling the same total';
const NOT_FOLLOWED = 'no list of three items and two pages was followed from its first page to its end';

export const PAG = entries('PAG', { severity: 'schema', needs: TWO_PAGES, on: ['experiment'] }, [
  {
    id: 'PAG-01',
    text: 'A counted list answers the members that the contract names, all integers but its items, and none that it rules out.',
    needs: AN_ANSWER,
    on: ['exchange'],
    judges: ['checks/pag/pag-01'],
    load: ['pressure'],
    occasions: ['PAG'],
    repair: 'Answer the members that the contract names, and none that it rules out.',
  },
  {
    id: 'PAG-02',
    text: 'The first page is the one that the contract names, and holds as many items as it states: asking for it equals asking for none.',
    tolerance: 'Data may grow between calls: compare on a settled target, re-check once before judging.',
    judges: ['checks/pag/pag-02'],
    experiments: ['probes/pagination/first-page'],
    load: ['pressure'],
    repair: 'Count pages from the number that the contract names, and use its size where none is given.',
  },
  {
    id: 'PAG-03',
    text: 'No page holds more items than the maximum that the contract states, nor reports a larger size.',
    tolerance: 'Clamp or refusal: both allowed, observed.',
    // All rows come in one page.
    severity: 'availability',
    needs: { overLimits: 1 },
    on: ['exchange', 'experiment'],
    judges: ['checks/pag/pag-03'],
    experiments: ['probes/pagination/first-page'],
    load: ['pressure'],
    repair: 'Cap the size at the maximum before the query.',
  },
  {
    id: 'PAG-04',
    text: 'The count of pages is the total divided by the size, rounded up, and page and size echo what was applied.',
    tolerance: 'total 0: no page or one.',
    on: ['exchange', 'experiment'],
    judges: ['checks/pag/pag-04', 'checks/pag/pag-04-to-09-page'],
    experiments: ['probes/pagination/settled-walk'],
    load: ['pressure'],
    repair: 'Compute the count of pages as total / size, rounded up, from the size that was applied.',
  },
  {
    id: 'PAG-05',
    text: 'Every page but the last holds exactly `limit` items; none holds more.',
    on: ['exchange', 'experiment'],
    judges: ['checks/pag/pag-05', 'checks/pag/pag-04-to-09-page'],
    experiments: ['probes/pagination/settled-walk'],
    load: ['pressure'],
    repair: 'Apply filters in the query, before the page is cut.',
  },
  {
    id: 'PAG-06',
    text: 'For every size, walking from the first to the last page yields each item exactly once, as many as the total says, and the same sequence for every size.',
    tolerance: 'Items compared whole, or by id where they have one.',
    // A walk misses items or repeats them.
    severity: 'data',
    judges: ['checks/pag/pag-04-to-09-page'],
    experiments: WALKS,
    load: ['pressure'],
    shownByTraffic: NOT_NUMBERED,
    repair: 'Sort by a unique key, such as time and id, so that every limit sees one order.',
  },
  {
    id: 'PAG-07',
    text: 'limit+offset lists: parameters are strings of digits; the page at (limit, offset) is the slice [offset, offset+limit) of the whole, for every pair.',
    tolerance:
      'For limits up to the maximum found (PAG-13); above it the limit applied counts, here and in PAG-08, -09. Array or envelope; shape constant for one endpoint.',
    severity: 'data',
    judges: ['checks/pag/pag-04-to-09-page'],
    experiments: WALKS,
    openapi: 'pagination',
    load: ['pressure'],
    shownByTraffic: NOT_NUMBERED,
    repair: 'Cut [offset, offset + limit) of one stable order.',
  },
  {
    id: 'PAG-08',
    text: 'limit+page lists: the same law with offset = (page−1)·limit.',
    severity: 'data',
    judges: ['checks/pag/pag-04-to-09-page'],
    experiments: WALKS,
    openapi: 'pagination',
    load: ['pressure'],
    shownByTraffic: NOT_NUMBERED,
    repair: 'Use offset = (page − 1) · limit of one stable order.',
  },
  {
    id: 'PAG-09',
    text: "limit-only lists never return more than `limit` items; a smaller limit returns a subset of a larger one's.",
    tolerance: 'Order not promised; observed.',
    judges: ['checks/pag/pag-04-to-09-page'],
    experiments: ['probes/pagination/survey', 'probes/pagination/plans'],
    openapi: 'pagination',
    load: ['pressure'],
    repair: 'Cut the list at `limit`, from the same order for every limit.',
  },
  {
    id: 'PAG-10',
    text: 'A bare array ends with an empty array: past the end answers `[]` with 200.',
    severity: 'data',
    judges: ['checks/pag/pag-04-to-09-page', 'probes/pagination/past-end'],
    experiments: ['probes/pagination/past-end'],
    load: ['pressure'],
    repair: 'Answer 200 with `[]` past the end.',
  },
  {
    id: 'PAG-11',
    text: 'No `Link` header.',
    severity: 'form',
    needs: AN_ANSWER,
    on: ['exchange'],
    judges: ['checks/pag/pag-11'],
    load: ['pressure'],
    occasions: ['PAG'],
    repair: 'Remove the `Link` header.',
  },
  {
    id: 'PAG-12',
    text: 'Bad values (0, −1, abc, 1.5, 10^12, empty, repeated) are refused, or get a sane page within the limits; never 5xx, never all rows.',
    severity: 'availability',
    judges: ['checks/pag/pag-12'],
    experiments: ['probes/pagination/bad-values'],
    load: ['pressure'],
    repair: 'Validate limit, offset and page as digits within bounds; answer 400 otherwise.',
  },
  {
    id: 'PAG-13',
    level: 'discover',
    text: 'Default and maximum page size, order, behaviour past the last page, on every list that does not state them.',
    needs: AN_ANSWER,
    judges: ['checks/pag/pag-13', 'probes/pagination/observations'],
    experiments: ['probes/pagination/observations'],
    openapi: 'description',
    load: ['pressure'],
    repair: 'Nothing is to be repaired: document sizes and order.',
  },
  {
    id: 'PAG-14',
    text: 'Cursor lists: following `next` from the first page to the end yields each item once, the same sequence for every size, and ends; no page but the last is empty or short of its size.',
    tolerance:
      'Bound by a contract file. A list that changes meanwhile as for PAG-06. A made-up cursor → 4xx, never 5xx and never the first page with a 200 in silence; an old cursor may expire with a 4xx.',
    // A client that follows misses items, or never ends.
    severity: 'data',
    judges: ['checks/pag/pag-14-15-followed'],
    experiments: ['probes/pagination/followed-list'],
    shownByTraffic: NOT_FOLLOWED,
    repair:
      'Keep the place of the last item in the cursor, sort by a unique key, and refuse cursors that were never given.',
  },
  {
    id: 'PAG-15',
    text: 'Lists by links (`Link: rel="next"`, or a pointer): each link stays on the service, keeps filters and size, and following them yields each item once; `prev`, `first`, `last` lead where they say.',
    tolerance: "Bound by a contract file. RFC 8288; relative references resolve against the request's address.",
    severity: 'data',
    judges: ['checks/pag/pag-14-15-followed'],
    experiments: ['probes/pagination/followed-list'],
    shownByTraffic: NOT_FOLLOWED,
    repair: 'Build each link from the address that was asked for, with its filters and size.',
  },
]);
