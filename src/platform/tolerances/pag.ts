// Allowances of lists and pages: others who write, limits that are clamped, envelopes of any name, members that change by
// themselves.
import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { onPages } from '../faults/pages.ts';
import { describeFilters, describeOpenForm, filtered, isFiltered, ownEnvelope } from '../faults/pages-asked-briefly.ts';
import { asObject, isObject } from '../json.ts';
import { MAX_LIMIT } from '../store/paging.ts';
import { onAnswer, tolerance } from './tolerance.ts';

const LOGS = 'GET /api/v1/auth/activity/logs';

function emptyLog(totalPages: number) {
  return onAnswer((call, answer) => {
    if (call.route?.operation.key !== LOGS || answer.status !== 200 || !isObject(answer.body)) return;
    Object.assign(answer.body, { data: [], total: 0, total_pages: totalPages });
  });
}

/** Every so many calls of lists that page somebody adds an item, or removes the first one of those that no path names. */
function othersWrite(every: number, change: 'add' | 'add and remove') {
  return (around: Surroundings): Hooks => {
    let calls = 0;
    return {
      act: (call) => {
        const role = call.route?.role;
        if (role?.kind !== 'list' || role.paging === 'none' || ++calls % every !== 0) return;
        const collection = around.collectionOf(call);
        const [oldest] = collection?.all() ?? [];
        const removes = change === 'add and remove' && (calls / every) % 2 === 0 && role.resource.param === null;
        if (removes && oldest !== undefined) collection?.delete(oldest.id);
        else collection?.create({});
      },
    };
  };
}

/** Lists other than the activity log never show more items than this, whatever the limit. */
function clampedTo(maximum: number): () => Hooks {
  return () => ({
    act: (call) => {
      const { limit } = call.query;
      const isOther = call.route?.role.kind === 'list' && call.route.operation.key !== LOGS;
      if (isOther && Number(limit) > maximum) (call.query as Record<string, unknown>).limit = String(maximum);
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
  tolerance('pag-04-no-pages', 'An empty log has 0 pages.', emptyLog(0)),
  tolerance('pag-04-one-page', 'An empty log has 1 page.', emptyLog(1)),
  tolerance('pag-03-limit-refused', 'A limit above 100 is refused.', () => ({
    validate: (call, failures) => {
      const limit = call.query.limit;
      const tooLarge =
        call.route?.role.kind === 'list' &&
        typeof limit === 'string' &&
        Number(limit) > MAX_LIMIT &&
        failures.length === 0;
      return tooLarge ? [{ field: 'limit', code: 'too_large', message: `limit is at most ${MAX_LIMIT}` }] : failures;
    },
  })),
  tolerance('pag-05-last-page-full', 'The last page of the log is full.', (around) => ({
    act: (call) => {
      const collection = call.route?.operation.key === LOGS ? around.collectionOf(call) : null;
      for (const { id } of collection
        ?.all()
        .slice(0, (collection.all().length % 20) * Number(collection.all().length > 60)) ?? [])
        collection?.delete(id);
    },
  })),
  tolerance('pag-02-page-nought', 'Page 0 of the log is its first page.', () => ({
    validate: (call, failures) => {
      if (call.route?.operation.key !== LOGS || call.query.page !== '0') return failures;
      delete (call.query as Record<string, unknown>).page;
      return failures.filter(({ field }) => field !== 'page');
    },
  })),
  tolerance(
    'pag-13-another-default',
    'Lists other than the activity log show ten items where no limit is asked for.',
    () => ({
      act: (call) => {
        const role = call.route?.role;
        if (role?.kind === 'list' && role.paging !== 'none' && call.route?.operation.key !== LOGS)
          (call.query as Record<string, unknown>).limit ??= '10';
      },
    }),
  ),
  tolerance(
    'pag-07-envelope',
    'Lists whose form is open answer an envelope.',
    onAnswer((call, answer) => {
      const role = call.route?.role;
      if (role?.kind !== 'list' || answer.status !== 200 || !Array.isArray(answer.body)) return;
      const { root } = role.resource.document;
      const schemas = asObject(asObject(root.components).schemas);
      const name =
        String(asObject(role.success.schema).$ref ?? '')
          .split('/')
          .at(-1) ?? '';
      if (Array.isArray(asObject(schemas[name]).anyOf)) answer.body = { data: answer.body, count: answer.body.length };
    }),
  ),
  tolerance(
    'pag-06-another-total',
    'One list tells how much of everything there is, and beside it how many items it has.',
    ownEnvelope((found) => ({ total: found + 1000, found })),
    { describe: describeOpenForm },
  ),
  tolerance('pag-09-newest-first', 'Lists with a limit alone answer the newest items first.', (around) => ({
    act: (call, proceed) => {
      const answer = proceed();
      const role = call.route?.role;
      if (
        role?.kind !== 'list' ||
        role.paging !== 'limit' ||
        !Array.isArray(answer.body) ||
        around.collectionOf(call) === null
      )
        return answer;
      return { ...answer, body: [...answer.body].reverse() };
    },
  })),
  tolerance('pag-06-others-write', 'Others add items to lists while they are walked.', (around) => {
    let calls = 0;
    return {
      act: (call) => {
        if (call.route?.role.kind === 'list' && ++calls % 5 === 0) around.collectionOf(call)?.create({});
      },
    };
  }),
  tolerance('idem-02-others-create', 'Others create stores at the same time.', (around) => ({
    act: (call) => {
      if (call.route?.role.kind === 'create' && call.path === '/api/v1/stores') around.collectionOf(call)?.create({});
    },
  })),
  tolerance('pag-06-others-add-often', 'Others add an item at every third list call.', othersWrite(3, 'add')),
  tolerance(
    'pag-08-others-add-and-remove',
    'Others add and remove items in turn, every fourth list call.',
    othersWrite(4, 'add and remove'),
  ),
  tolerance('pag-07-clamped', 'Lists other than the activity log show at most 30 items.', clampedTo(30)),
  tolerance('pag-08-refused', 'Lists other than the activity log refuse a limit above 50.', () => ({
    validate: (call, failures) => {
      const isOther = call.route?.role.kind === 'list' && call.route.operation.key !== LOGS;
      return isOther && failures.length === 0 && Number(call.query.limit) > 50
        ? [{ field: 'limit', code: 'too_large', message: 'limit is at most 50' }]
        : failures;
    },
  })),
  tolerance('pag-07-together', 'Lists refuse an offset without a limit, and a limit without an offset.', () => ({
    validate: (call, failures) => {
      const { limit, offset } = call.query;
      const isOffsetList = call.route?.role.kind === 'list' && call.route.role.paging === 'offset';
      return isOffsetList && failures.length === 0 && (limit === undefined) !== (offset === undefined)
        ? [{ field: 'offset', code: 'required', message: 'limit and offset go together' }]
        : failures;
    },
  })),
  tolerance(
    'pag-07-filtered',
    'A list is filtered before it is cut into pages.',
    onPages('a list by limit and offset whose items tell apart', isFiltered, filtered),
    { describe: describeFilters },
  ),
  tolerance('pag-12-defaults', 'Bad limits, pages and offsets are answered by the default page.', lenient),
  tolerance(
    'pag-12-clamped-limit',
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
    'pag-06-volatile',
    'Items of the activity log carry a time that differs at every reading.',
    onAnswer((call, answer) => {
      if (call.route?.operation.key !== LOGS || answer.status !== 200 || !isObject(answer.body)) return;
      const { data } = answer.body;
      if (Array.isArray(data)) for (const item of data) if (isObject(item)) item.seen_at = `${call.requestId}`;
    }),
  ),
];
