// Each plant changes an answer so that its clause accuses it, and the answer as it was is not accused.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Changes,
  errorExchange,
  errorObject,
  exchangeWith,
  validationError,
} from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Subject } from '../../checks/check.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { ANSWER_PLANTS, EXPERIMENT_PLANTS } from '../../sensitivity/catalogue.ts';
import { changedExchange } from '../../sensitivity/plant.ts';
import { isFound } from './answer-trials.ts';

const ITEM = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string', minLength: 1 },
    state: { type: 'string', enum: ['open', 'closed'] },
    size: { type: 'integer', minimum: 1, maximum: 10 },
  },
};
const LOG = {
  type: 'object',
  properties: {
    data: { type: 'array', items: ITEM },
    ...Object.fromEntries(['total', 'page', 'limit', 'total_pages'].map((name) => [name, {}])),
  },
};
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const counted = { headers: { 'X-Trace': { required: true, schema: { type: 'string' } } } };
const paging = ['limit', 'page'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/api/v1/auth/activity/logs': {
      get: { parameters: paging, responses: { 200: { description: 'Found', ...counted, ...json(LOG) } } },
    },
    '/api/v1/things': {
      post: { requestBody: json(ITEM), responses: { 204: { description: 'Done' }, 302: { description: 'Elsewhere' } } },
    },
    '/api/v1/things/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', required: true, schema: {} }], responses: { 404: {} } },
    },
  },
};

const SPENT: Changes['headers'] = [
  ['content-type', 'application/json'],
  ['x-trace', 't-1'],
  ['x-ratelimit-limit', '100'],
  ['x-ratelimit-remaining', '99'],
  ['x-ratelimit-reset', '60'],
  ['ratelimit-policy', '"calls";q=100;w=60'],
  ['ratelimit', '"calls";r=99;t=60'],
];
const item = (digit: number, more: object = {}) => ({
  id: `6f1f3a10-0000-4000-8000-00000000000${digit}`,
  name: 'A thing',
  state: 'open',
  size: 3,
  ...more,
});
const LOGS = 'GET /api/v1/auth/activity/logs';
const MAKE = 'POST /api/v1/things';
const logs = { operation: LOGS, path: '/api/v1/auth/activity/logs', query: 'page=1&limit=20' };
const make = { operation: MAKE, method: 'POST', path: '/api/v1/things', body: { kind: 'json' as const, value: {} } };
const invalid = { ...make, intent: 'invalid' as const };

/** Sound answers of all kinds. */
const ANSWERS: readonly Exchange[] = [
  exchangeWith({
    plan: logs,
    headers: SPENT,
    body: { data: [item(1), item(2)], total: 2, page: 1, limit: 20, total_pages: 1 },
  }),
  exchangeWith({ plan: make, status: 204, headers: SPENT.filter(([name]) => name !== 'content-type') }),
  exchangeWith({ plan: make, status: 302, headers: [...SPENT.slice(2), ['location', '/elsewhere']] }),
  exchangeWith({
    plan: make,
    status: 429,
    headers: [...SPENT, ['retry-after', '5']],
    body: {
      error: errorObject({
        status: 429,
        code: 'slow_down',
        doc_url: 'https://docs.example.com/errors/slow_down',
        instance: '/api/v1/things',
        request_id: 'req_3',
      }),
    },
  }),
  errorExchange(errorObject({ instance: '/api/v1/things' }), { plan: invalid, headers: SPENT }),
  errorExchange(errorObject({ instance: '/api/v1/things/7', request_id: 'req_4' }), {
    plan: { operation: 'GET /api/v1/things/{id}', path: '/api/v1/things/7', query: '', intent: 'invalid' },
    headers: SPENT,
  }),
  errorExchange(validationError({ instance: '/api/v1/things', request_id: 'req_2' }), {
    plan: invalid,
    headers: SPENT,
  }),
];

const EARLIER = errorExchange(errorObject({ request_id: 'req_0' }), { id: 'ex-0' });
const { errors, rateLimits } = COMMERCE_TERMS;
/** The platform's terms, and a media type and a schema of errors as a contract file may state them. */
const TERMS = {
  ...COMMERCE_TERMS,
  errors: errors && { ...errors, mediaType: 'application/json', schema: { properties: { error: { type: 'object' } } } },
};
const UNDER = { contract: 'commerce', terms: TERMS } as const;
const OF_IETF = { ...UNDER, terms: { ...TERMS, rateLimits: rateLimits && { ...rateLimits, isIetf: true } } } as const;
const OPTIONS = { rules: { promote: [], expected: [] }, docsUrl: 'https://docs.example.com' };

let description: Description;
let subjects: readonly Subject[];
beforeAll(async () => {
  description = await loadFiles({ 'shop.json': DOCUMENT });
  const catalogue = createCatalogue([description]);
  subjects = ANSWERS.map((exchange) => ({
    ...{ exchange, description, docsUrl: OPTIONS.docsUrl, ...UNDER },
    operation: catalogue.operation(exchange.plan.operation ?? '', 'admin')?.operation ?? null,
  }));
});

test('names clauses of the contract, each plant once', () => {
  const plants = [...ANSWER_PLANTS, ...EXPERIMENT_PLANTS];
  const ids = plants.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const known = new Set(CLAUSES.map(({ id }) => id));
  expect(plants.filter(({ id, clause }) => !known.has(clause) || !id.startsWith(clause.toLowerCase()))).toEqual([]);
});

describe.each(ANSWER_PLANTS.map((plant) => [plant.id, plant] as const))('%s', (_id, plant) => {
  const under = plant.clause === 'RATE-12' ? OF_IETF : UNDER;
  const carriers = () =>
    subjects.flatMap((answered) => {
      const subject = { ...answered, ...under };
      const changed = plant.change(subject, () => 0, EARLIER);
      return changed === null
        ? []
        : [{ subject, changed: { ...subject, exchange: changedExchange(subject.exchange, changed) } }];
    });

  test('concerns an operation that can have it, and changes an answer of it', () => {
    const concerned = description.operations.filter((one) => plant.concerns(one, description, under));
    expect(concerned.length).toBeGreaterThan(0);
    expect(carriers().length).toBeGreaterThan(0);
  });

  test('is found where it is, and not in the answer as it was', () => {
    const found = carriers().map(({ subject, changed }) => isFound(plant.clause, subject, changed, EARLIER, OPTIONS));
    expect(found).toEqual(found.map(() => true));
    for (const { subject } of carriers()) {
      const unanswered = { ...subject, exchange: { ...subject.exchange, response: null } };
      expect(isFound(plant.clause, unanswered, subject, EARLIER, OPTIONS)).toBe(false);
    }
  });

  test('leaves the answer itself alone', () => {
    const before = JSON.stringify(subjects.map(({ exchange }) => exchange));
    carriers();
    expect(JSON.stringify(subjects.map(({ exchange }) => exchange))).toBe(before);
  });
});
