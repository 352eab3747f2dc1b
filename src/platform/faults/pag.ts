// PAG: pages that are not what was asked for. Most of these show at one limit, one border or one value only.

import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { defectNamed } from '../../defects/defect.ts';
import { PAGE_DEFECTS } from '../../defects/pages.ts';
import type { Deviation } from '../deviation.ts';
import { PROBLEMS } from '../envelope.ts';
import type { Route } from '../http/call.ts';
import { DEFAULT_LIMIT } from '../store/paging.ts';
import { fault, on, onAnswers, refusedInstead } from './fault.ts';
import { allItems, isLastPage, isList, isLog, type ListPage, LOGS, moved, onPages } from './pages.ts';
import { PAGES_ASKED_BRIEFLY } from './pages-asked-briefly.ts';
import { recoding } from './refusals.ts';

const FIFTY = 50;
/** The default page size that one fault has in place of 20. */
const OTHER_DEFAULT = 25;

/** Changes members of the log's envelope. */
function onEnvelope(members: (page: ListPage) => Record<string, unknown>) {
  return onPages('the activity log', isLog, (page) => {
    Object.assign(page.envelope, members(page));
    return null;
  });
}

/** Another total of a list by pages, and the number of pages that follows from it. */
function onTotal(totalOf: (count: number) => number) {
  return onPages('a list by pages', isPageList, ({ envelope, all, limit }) => {
    const total = totalOf(all.length);
    Object.assign(envelope, { total, total_pages: Math.max(0, Math.ceil(total / limit)) });
    return null;
  });
}

/** The defect of the catalogue in the pages of the log that fit. */
function onLogPages(id: string, fits: (page: ListPage) => boolean) {
  const defect = defectNamed(PAGE_DEFECTS, id);
  const stated = COMMERCE_TERMS.pagination.find(({ operations }) => operations?.includes(LOGS));
  return onPages('the activity log', isLog, (page) => {
    const { answer, envelope: body, call } = page;
    const query = new URLSearchParams(call.url.split('?')[1]);
    if (stated !== undefined && fits(page)) answer.body = defect.change({ body, stated, query })?.json ?? body;
    return null;
  });
}

/** Other items in the log. */
function onLog(items: (page: ListPage) => readonly unknown[]) {
  return onPages('the activity log', isLog, items);
}

/** The page by the default limit where the one that is asked for is not taken. */
function onUsualLimit({ all, items, limit, page, envelope }: ListPage, isIgnored: (limit: number) => boolean) {
  if (!isIgnored(limit)) return items;
  Object.assign(envelope, { limit: DEFAULT_LIMIT, total_pages: Math.ceil(all.length / DEFAULT_LIMIT) });
  return all.slice((page - 1) * DEFAULT_LIMIT, page * DEFAULT_LIMIT);
}

const isOffsetList = isList('offset', { bare: true });
const isPageList = isList('page', { bare: false });
const isLimitList = isList('limit', { bare: true });

const ENVELOPE: readonly Deviation[] = [
  fault(
    'pag-01-has-more',
    'The last page of the activity log has has_more.',
    onLogPages('pag-01-has-more', isLastPage),
    { alsoBreaks: ['SCH-01'] },
  ),
  fault(
    'pag-01-total-string',
    'total is a string on pages of more than 50 items.',
    onLogPages('pag-01-total-string', ({ items }) => items.length > FIFTY),
    { alsoBreaks: ['SCH-01'] },
  ),
  fault(
    'pag-02-default',
    'Without a limit the activity log answers 25 items.',
    onPages('the activity log', isLog, ({ call, all, page, envelope }) => {
      if (call.query.limit !== undefined) return null;
      Object.assign(envelope, { limit: OTHER_DEFAULT, total_pages: Math.ceil(all.length / OTHER_DEFAULT) });
      return all.slice((page - 1) * OTHER_DEFAULT, page * OTHER_DEFAULT);
    }),
  ),
  fault(
    'pag-02-second-page',
    'Without a page number the activity log answers its second page as its first.',
    onLog((page) => (page.call.query.page === undefined ? moved(page, page.limit) : page.items)),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-03-reported',
    'A limit above 100 is reported as it was asked for.',
    onEnvelope(({ call }) => (Number(call.query.limit) > 100 ? { limit: Number(call.query.limit) } : {})),
    { alsoBreaks: ['PAG-04', 'PAG-12'] },
  ),
  fault(
    'pag-03-not-found',
    'A limit above 100 answers 404.',
    onAnswers('the activity log', isLog, (call, answer, around) =>
      answer.status === 200 && Number(call.query.limit) > 100
        ? refusedInstead(call, answer, PROBLEMS.notFound, around)
        : undefined,
    ),
    { alsoBreaks: ['PAG-12'] },
  ),
  fault(
    'pag-03-beside-page',
    'A limit above 100 is reported as it was asked for where a page number stands beside it.',
    onEnvelope(({ call }) =>
      call.query.page !== undefined && Number(call.query.limit) > 100 ? { limit: Number(call.query.limit) } : {},
    ),
    { alsoBreaks: ['PAG-04', 'PAG-12'] },
  ),
  fault(
    'pag-04-floor',
    'total_pages is rounded down.',
    onEnvelope(({ all, limit }) => ({ total_pages: Math.floor(all.length / limit) })),
  ),
  fault(
    'pag-04-limit-echo',
    'The last page reports its number of items as its limit.',
    onEnvelope((page) => {
      if (!isLastPage(page)) return {};
      return { limit: page.items.length, total_pages: Math.ceil(page.all.length / page.items.length) };
    }),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-04-no-limit',
    'The second page and those after it name a limit of 0.',
    onEnvelope(({ page }) => (page > 1 ? { limit: 0 } : {})),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-04-page-echo',
    'page is 1 on every page from the fourth on.',
    onEnvelope(({ page }) => (page > 3 ? { page: 1 } : {})),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-04-negative-total',
    'A list by pages, other than the activity log, tells a total below 0.',
    onTotal(() => -1),
    { alsoBreaks: ['PAG-06', 'PAG-08', 'SCH-01'] },
  ),
  fault(
    'pag-04-total-below',
    'A list by pages, other than the activity log, tells a total below what a page of it holds.',
    onTotal((count) => Math.min(1, count)),
    { alsoBreaks: ['PAG-06', 'PAG-08'] },
  ),
  fault(
    'pag-06-other-total-above',
    'A list by pages, other than the activity log, tells a total of three more than it has.',
    onTotal((count) => count + 3),
    { alsoBreaks: ['PAG-08', 'PAG-04'] },
  ),
  fault(
    'pag-06-other-total-below',
    'A list by pages, other than the activity log, tells a total of one less than it has.',
    onTotal((count) => count - 1),
    { alsoBreaks: ['PAG-08', 'PAG-04'] },
  ),
  fault(
    'pag-05-short',
    'The second page by a limit of 10 lacks its last item.',
    onLog(({ items, limit, page }) => (limit === 10 && page === 2 ? items.slice(0, -1) : items)),
    { alsoBreaks: ['PAG-06'] },
  ),
  fault(
    'pag-05-over-full',
    'The second page holds one item more than its limit.',
    onLogPages('pag-05-over-full', ({ page }) => page === 2),
    { alsoBreaks: ['PAG-06'] },
  ),
  fault(
    'pag-06-border-twice',
    'By a limit of 10 the last item of page 3 is the first of page 4, too.',
    onLog((page) => (page.limit === 10 && page.page === 4 ? moved(page, -1) : page.items)),
    { alsoBreaks: ['PAG-05'] },
  ),
  fault(
    'pag-06-order',
    'By a limit of 7 pages stand in reverse.',
    onLog(({ items, limit }) => (limit === 7 ? items.toReversed() : items)),
  ),
  fault(
    'pag-06-order-100',
    'By a limit of 100 the newest items come first.',
    onLog(({ all, items, limit, offset }) => (limit === 100 ? all.toReversed().slice(offset, offset + limit) : items)),
  ),
  fault(
    'pag-06-limit-37',
    'By a limit of 37 pages stand in reverse.',
    onLog(({ items, limit }) => (limit === 37 ? items.toReversed() : items)),
  ),
  fault(
    'pag-06-total',
    'The second page tells of one item more.',
    onEnvelope(({ all, limit, page }) =>
      page === 2 ? { total: all.length + 1, total_pages: Math.ceil((all.length + 1) / limit) } : {},
    ),
    { alsoBreaks: ['PAG-05'] },
  ),
  fault(
    'pag-06-last-item',
    'The last page shows the first item of all in place of its last.',
    onLog((page) => (isLastPage(page) ? [...page.items.slice(0, -1), page.all[0]] : page.items)),
  ),
  fault(
    'pag-05-small-limit',
    'The activity log takes limits below 10 for none.',
    onPages('the activity log', isLog, (page) => onUsualLimit(page, (limit) => limit < 10)),
    { alsoBreaks: ['PAG-04', 'PAG-06'] },
  ),
  fault(
    'pag-06-last-empty',
    'By a limit of 1 the last page is empty, and told of by total.',
    onLog((page) => (page.limit === 1 && isLastPage(page) ? [] : page.items)),
  ),
];

const SLICES: readonly Deviation[] = [
  fault(
    'pag-07-beyond-50',
    'Beyond offset 50 one list skips an item.',
    onPages('a list by limit and offset', isOffsetList, (page) => (page.offset > FIFTY ? moved(page, 1) : page.items)),
  ),
  fault(
    'pag-07-rounded',
    'One list rounds its offset down to whole pages.',
    onPages('a list by limit and offset', isOffsetList, (page) => moved(page, -(page.offset % page.limit))),
    { alsoBreaks: ['PAG-10'] },
  ),
  fault(
    'pag-07-limit-100',
    'By a limit of 100 one list lacks its last item.',
    onPages('a list by limit and offset', isOffsetList, ({ items, limit }) =>
      limit === 100 ? items.slice(0, -1) : items,
    ),
    { alsoBreaks: ['PAG-10'] },
  ),
  fault(
    'pag-07-form',
    'One list answers its last page in an envelope.',
    onPages('a list by limit and offset', isOffsetList, (page) => {
      if (isLastPage(page)) page.answer.body = { data: page.items };
      return null;
    }),
    { alsoBreaks: ['SCH-01', 'PAG-10'] },
  ),
  fault(
    'pag-08-border-lost',
    'By a limit of 20 one list loses the item between its second and third page.',
    onPages('a list by limit and page', isPageList, (page) =>
      page.limit === 20 && page.page === 3 ? moved(page, 1) : page.items,
    ),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-08-second-page',
    'One list has no page beyond its second one: it answers that again.',
    onPages('a list by limit and page', isPageList, (page) =>
      page.page > 2 ? moved(page, (2 - page.page) * page.limit) : page.items,
    ),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-08-limit-ignored',
    'One list answers pages of 20 whatever the limit.',
    onPages('a list by limit and page', isPageList, ({ all, page }) => all.slice((page - 1) * 20, page * 20)),
    { alsoBreaks: ['PAG-05', 'PAG-06', 'PAG-12'] },
  ),
  fault(
    'pag-09-one-more',
    'One list answers one item more than its limit.',
    onPages('a list by limit', isLimitList, ({ all, limit }) => all.slice(0, limit + 1)),
  ),
  fault(
    'pag-09-other-end',
    'To limits below 5 one list answers its last items, to limits from 5 on its first ones, and never more than 40.',
    onPages('a list by limit', isLimitList, ({ all, limit }) =>
      limit < 5 ? all.slice(-limit) : all.slice(0, Math.min(40, limit)),
    ),
  ),
  fault(
    'pag-10-partial',
    'Past the end one list answers an empty array with 206.',
    onPages('a list by limit and offset', isOffsetList, (page) => {
      if (page.items.length === 0) page.answer.status = 206;
      return null;
    }),
    { alsoBreaks: ['SCH-05'] },
  ),
  fault(
    'pag-10-again',
    'Past the end one list answers its last items again.',
    onPages('a list by limit and offset', isOffsetList, ({ all, items, limit }) =>
      items.length === 0 ? all.slice(-limit) : items,
    ),
    { alsoBreaks: ['PAG-07'] },
  ),
  fault(
    'pag-10-not-found',
    'Past the end one list answers 404.',
    onAnswers('a list by limit and offset', isOffsetList, (call, answer, around) =>
      Array.isArray(answer.body) && answer.body.length === 0
        ? refusedInstead(call, answer, PROBLEMS.notFound, around)
        : undefined,
    ),
    { alsoBreaks: ['SCH-08'] },
  ),
  fault(
    'pag-11-link',
    'The second page of one list has a Link header.',
    onPages('a list by limit and page', isPageList, ({ page, answer }) => {
      if (page === 2) answer.headers.link = '</api/v1/next>; rel="next"';
      return null;
    }),
  ),
];

/** A bad value of one list that gets something other than 400. */
function onBadValue(fits: (route: Route) => boolean, name: string, value: string, failing: 'all rows' | '500') {
  return on('a list that pages', fits, (route, around) => ({
    answer: (call, answer) => {
      if (call.route !== route || call.query[name] !== value || answer.status >= 500) return answer;
      const refused = refusedInstead(call, answer, PROBLEMS.internal, around);
      if (failing === '500') return refused;
      return { ...refused, status: 200, body: structuredClone(allItems(call, around)) };
    },
  }));
}

const BAD_VALUES: readonly Deviation[] = [
  fault('pag-12-limit-0', 'One list answers all rows to limit=0.', onBadValue(isOffsetList, 'limit', '0', 'all rows')),
  fault(
    'pag-12-limit-negative',
    'One list answers all rows to limit=-1.',
    onBadValue(isLimitList, 'limit', '-1', 'all rows'),
  ),
  fault(
    'pag-12-offset-negative',
    'One list answers all rows to offset=-1.',
    onBadValue(isOffsetList, 'offset', '-1', 'all rows'),
  ),
  fault(
    'pag-12-huge',
    'One list answers 500 to a limit of 10^12.',
    onBadValue(isPageList, 'limit', String(10 ** 12), '500'),
    { alsoBreaks: ['SCH-06'] },
  ),
  fault('pag-12-empty', 'The activity log answers 500 to an empty limit.', onBadValue(isLog, 'limit', '', '500'), {
    alsoBreaks: ['SCH-06'],
  }),
  fault(
    'pag-12-repeated',
    'One list refuses a limit that is given twice as duplicate_parameter.',
    on('a list by limit and page', isPageList, (route) =>
      recoding(
        (call, answer) => call.route === route && Array.isArray(call.query.limit) && answer.status === 400,
        'duplicate_parameter',
      ),
    ),
  ),
  fault(
    'pag-12-redirected',
    'One list answers a redirect to a limit that is no number.',
    onAnswers('a list by limit and page', isPageList, (call, answer) =>
      call.query.limit === 'abc'
        ? { ...answer, status: 302, headers: { ...answer.headers, location: call.path }, body: undefined }
        : undefined,
    ),
    { alsoBreaks: ['SCH-05'] },
  ),
];

export const PAG_FAULTS: readonly Deviation[] = [...ENVELOPE, ...SLICES, ...PAGES_ASKED_BRIEFLY, ...BAD_VALUES];
