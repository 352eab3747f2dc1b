// Allowances of pages: others who write, limits that are clamped, envelopes of any name, members that change by themselves.
import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { onPages } from '../faults/pages.ts';
import { describeFilters, filtered, isFiltered } from '../faults/pages-asked-briefly.ts';
import { isObject } from '../json.ts';
import { MAX_LIMIT } from '../store/paging.ts';
import { onAnswer, tolerance } from './tolerance.ts';

const LOGS = 'GET /api/v1/auth/activity/logs';

/** Every so many calls of lists that page somebody adds an item, or removes the first one of those that no path names. */
function othersWrite(every: number, change: 'add' | 'add and remove') {
  return (around: Surroundings): Hooks => {
    let calls = 0;
    return {
      act: (call, proceed) => {
        const role = call.route?.role;
        if (role?.kind !== 'list' || role.paging === 'none' || ++calls % every !== 0) return proceed();
        const collection = around.collectionOf(call);
        const [oldest] = collection?.all() ?? [];
        const removes = change === 'add and remove' && (calls / every) % 2 === 0 && role.resource.param === null;
        if (removes && oldest !== undefined) collection?.delete(oldest.id);
        else collection?.create({});
        return proceed();
      },
    };
  };
}

/** Lists other than the activity log never show more items than this, whatever the limit. */
function clampedTo(maximum: number): () => Hooks {
  return () => ({
    act: (call, proceed) => {
      const { limit } = call.query;
      const isOther = call.route?.role.kind === 'list' && call.route.operation.key !== LOGS;
      if (isOther && Number(limit) > maximum) (call.query as Record<string, unknown>).limit = String(maximum);
      return proceed();
    },
  });
}

/** A bad limit, page or offset is as if it had not been given. */
const lenient = (): Hooks => ({
  validate: (call, failures) => {
    if (call.route?.role.kind !== 'list') return failures;
    for (const { field } of failures) delete (call.query as Record<string, unknown>)[field];
    return failures.filter(({ field }) => !['limit', 'page', 'offset'].includes(field));
  },
});

export const PAG_TOLERANCES: readonly Deviation[] = [
  tolerance('PAG-06', 'others-add-often', 'Others add an item at every third list call.', othersWrite(3, 'add')),
  tolerance(
    'PAG-08',
    'others-add-and-remove',
    'Others add and remove items in turn, every fourth list call.',
    othersWrite(4, 'add and remove'),
  ),
  tolerance('PAG-07', 'clamped', 'Lists other than the activity log show at most 30 items.', clampedTo(30)),
  tolerance('PAG-08', 'refused', 'Lists other than the activity log refuse a limit above 50.', () => ({
    validate: (call, failures) => {
      const isOther = call.route?.role.kind === 'list' && call.route.operation.key !== LOGS;
      return isOther && failures.length === 0 && Number(call.query.limit) > 50
        ? [{ field: 'limit', code: 'too_large', message: 'limit is at most 50' }]
        : failures;
    },
  })),
  tolerance('PAG-07', 'together', 'Lists refuse an offset without a limit, and a limit without an offset.', () => ({
    validate: (call, failures) => {
      const { limit, offset } = call.query;
      const isOffsetList = call.route?.role.kind === 'list' && call.route.role.paging === 'offset';
      return isOffsetList && failures.length === 0 && (limit === undefined) !== (offset === undefined)
        ? [{ field: 'offset', code: 'required', message: 'limit and offset go together' }]
        : failures;
    },
  })),
  {
    ...tolerance(
      'PAG-07',
      'filtered',
      'A list is filtered before it is cut into pages.',
      onPages('a list by limit and offset whose items tell apart', isFiltered, filtered),
    ),
    describe: describeFilters,
  },
  tolerance('PAG-12', 'defaults', 'Bad limits, pages and offsets are answered by the default page.', lenient),
  tolerance(
    'PAG-12',
    'clamped-limit',
    'A limit of 0 or below is taken for 1, one above the maximum for the maximum.',
    () => ({
      validate: (call, failures) => {
        const limit = Number(call.query.limit);
        if (call.route?.role.kind !== 'list' || !Number.isInteger(limit) || call.query.limit === '') return failures;
        (call.query as Record<string, unknown>).limit = String(Math.min(MAX_LIMIT, Math.max(1, limit)));
        return failures.filter(({ field }) => field !== 'limit');
      },
    }),
  ),
  tolerance(
    'PAG-06',
    'volatile',
    'Items of the activity log carry a time that differs at every reading.',
    onAnswer((call, answer) => {
      if (call.route?.operation.key !== LOGS || answer.status !== 200 || !isObject(answer.body)) return;
      const { data } = answer.body;
      if (Array.isArray(data)) for (const item of data) if (isObject(item)) item.seen_at = `${call.requestId}`;
    }),
  ),
];
