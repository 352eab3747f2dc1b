// Allowances of lists and pages.
import type { Deviation } from '../deviation.ts';
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

export const LIST_TOLERANCES: readonly Deviation[] = [
  tolerance('PAG-04', 'no-pages', 'An empty log has 0 pages.', emptyLog(0)),
  tolerance('PAG-04', 'one-page', 'An empty log has 1 page.', emptyLog(1)),
  tolerance('PAG-03', 'limit-refused', 'A limit above 100 is refused.', () => ({
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
  tolerance('PAG-05', 'last-page-full', 'The last page of the log is full.', (around) => ({
    act: (call, proceed) => {
      const collection = call.route?.operation.key === LOGS ? around.collectionOf(call) : null;
      for (const { id } of collection
        ?.all()
        .slice(0, (collection.all().length % 20) * Number(collection.all().length > 60)) ?? [])
        collection?.delete(id);
      return proceed();
    },
  })),
  tolerance('PAG-02', 'page-nought', 'Page 0 of the log is its first page.', () => ({
    validate: (call, failures) => {
      if (call.route?.operation.key !== LOGS || call.query.page !== '0') return failures;
      delete (call.query as Record<string, unknown>).page;
      return failures.filter(({ field }) => field !== 'page');
    },
  })),
  tolerance(
    'PAG-13',
    'another-default',
    'Lists other than the activity log show ten items where no limit is asked for.',
    () => ({
      act: (call, proceed) => {
        const role = call.route?.role;
        if (role?.kind === 'list' && role.paging !== 'none' && call.route?.operation.key !== LOGS)
          (call.query as Record<string, unknown>).limit ??= '10';
        return proceed();
      },
    }),
  ),
  tolerance(
    'PAG-07',
    'envelope',
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
  tolerance('PAG-09', 'newest-first', 'Lists with a limit alone answer the newest items first.', (around) => ({
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
  tolerance('PAG-06', 'others-write', 'Others add items to lists while they are walked.', (around) => {
    let calls = 0;
    return {
      act: (call, proceed) => {
        if (call.route?.role.kind === 'list' && ++calls % 5 === 0) around.collectionOf(call)?.create({});
        return proceed();
      },
    };
  }),
  tolerance('IDEM-02', 'others-create', 'Others create stores at the same time.', (around) => ({
    act: (call, proceed) => {
      if (call.route?.role.kind === 'create' && call.path === '/api/v1/stores') around.collectionOf(call)?.create({});
      return proceed();
    },
  })),
];
