// A small shop for the tests of probes and of the run: its description, a world around it, and a hand that answers what
// a probe yields.

import type { Exchange, RequestPlan } from '../../../src/exchange/exchange.ts';
import { limitedBy } from '../../../src/limiters/reading.ts';
import type { Description, Operation } from '../../../src/openapi/model/operation.ts';
import { PAYMENT_OPERATION } from '../../../src/platform/facts.ts';
import type { Course, Outcome } from '../../../src/probes/probe.ts';
import { Knowledge } from '../../../src/probes/reach/knowledge.ts';
import { firstRecipe } from '../../../src/probes/reach/recipe.ts';
import { drawFor, ordinaryCredential, type Reached, type World } from '../../../src/probes/world.ts';
import { withClaims } from '../../../src/run/plan/claims.ts';
import type { Changes } from '../checks/exchanges.ts';
import { exchangeWith } from '../checks/exchanges.ts';
import { loadFiles } from '../openapi/descriptions.ts';
import { termsOfBase } from '../run/terms.ts';
import { configWith } from '../run/test-config.ts';

export const PRODUCT = {
  type: 'object',
  required: ['name', 'price'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 60 },
    price: { type: 'number', minimum: 0 },
    status: { type: 'string', enum: ['draft', 'active'] },
    tags: { type: 'array', items: { type: 'string' } },
    dimensions: {
      type: 'object',
      required: ['width'],
      properties: { width: { type: 'integer' }, note: { type: 'string' } },
    },
  },
};

const REGISTRATION = {
  type: 'object',
  required: ['email', 'password'],
  properties: { email: { type: 'string', format: 'email' }, password: { type: 'string', minLength: 8 } },
};

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const answering = (status: string, schema: unknown = {}) => ({ [status]: { description: 'As told', ...json(schema) } });
const pathParameter = (name: string, schema: unknown = { type: 'string' }) => ({
  name,
  in: 'path',
  required: true,
  schema,
});
const queryParameter = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });

/** Paths of the shop: a list with paging, a resource with all methods, registration, liveness. */
export const SHOP_PATHS: Record<string, Record<string, unknown>> = {
  '/api/v1/products': {
    get: {
      parameters: [queryParameter('limit'), queryParameter('page')],
      responses: answering('200', { type: 'array', items: {} }),
    },
    post: { requestBody: { required: true, ...json(PRODUCT) }, responses: answering('201') },
  },
  '/api/v1/products/{productId}': {
    parameters: [pathParameter('productId')],
    get: { responses: answering('200') },
    put: { requestBody: { required: true, ...json(PRODUCT) }, responses: answering('200') },
    delete: { responses: { 204: { description: 'Gone' } } },
  },
  '/api/v1/auth/register': {
    post: { security: [], requestBody: { required: true, ...json(REGISTRATION) }, responses: answering('201') },
  },
  '/api/v1/auth/sign-out': { post: { requestBody: json({ type: 'object' }), responses: answering('200') } },
  '/api/health/live': { get: { security: [], responses: answering('200') } },
};

/** The shop as an OpenAPI document. */
export function shopDocument(paths: Record<string, unknown> = SHOP_PATHS): Record<string, unknown> {
  return {
    openapi: '3.0.0',
    info: { title: 'Shop', version: '1.0.0' },
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  };
}

export function loadShop(paths: Record<string, unknown> = SHOP_PATHS): Promise<Description> {
  return loadFiles({ 'shop.json': shopDocument(paths) });
}

/** The same as a run under `commerce` knows it: what its contract binds to keys is marked. */
export async function loadBound(paths: Record<string, unknown>): Promise<Description> {
  const [bound] = withClaims(configWith(), [await loadShop(paths)]);
  if (bound === undefined) throw new Error('one description stays one');
  return bound;
}

export function operationOf(description: Description, key: string): Operation {
  const found = description.operations.find((operation) => operation.key === key);
  if (found === undefined) throw new Error(`the description has no ${key}`);
  return found;
}

export const MAIN_KEY = { name: 'ent-1', plan: 'enterprise', account: 'one', scheme: null };
export const OTHER_KEY = { name: 'std-1', plan: 'standard', account: 'two', scheme: null };

/** A local world with two keys of two accounts and an empty knowledge, with members replaced. */
export function worldWith(changes: Partial<World> = {}): World {
  return {
    seed: 1,
    nonce: 'run-7',
    // Nothing is waited for.
    timing: { now: () => Date.UTC(2026, 0, 1), sleep: async () => {} },
    contract: 'commerce',
    terms: termsOfBase(changes.contract ?? 'commerce'),
    limited: limitedBy(changes.terms ?? termsOfBase(changes.contract ?? 'commerce'), []),
    environment: 'local',
    mutations: true,
    refusal: ({ method }) => (changes.mutations === false && method !== 'GET' ? 'mutations are denied' : null),
    isPayment: ({ key }) => key === PAYMENT_OPERATION,
    mainKey: MAIN_KEY,
    keys: [MAIN_KEY, OTHER_KEY],
    hasToken: { expired: true, locked: true },
    invalidTokens: null,
    fixtures: {},
    knowledge: new Knowledge(),
    lasts: () => false,
    failsAnyway: () => false,
    listPlace: () => null,
    token: (key) => `token-of-${key}-0123456789`,
    ...changes,
  };
}

/** An operation that was called with success by these path values; `proof: null` for one that was not. */
export function reachedWith(
  world: World,
  description: Description,
  key: string,
  pathValues: Record<string, string> = {},
  changes: Partial<Reached> = {},
): Reached {
  const operation = operationOf(description, key);
  const credential = ordinaryCredential(world, operation);
  const recipe = firstRecipe(description, operation, pathValues, credential, drawFor(world, 'a0'));
  return { operation, description, recipe, proof: exchangeWith(), firstStatus: 200, ...changes };
}

/** What the target answers to the n-th plan (from 0): changes of a sound 200, `response: null` for a dropped connection. */
export type Answering = (plan: RequestPlan, index: number) => Changes;

export interface Driven {
  readonly plans: readonly RequestPlan[];
  readonly exchanges: readonly Exchange[];
  readonly outcomes: readonly Outcome[];
}

/** Drives a course to its end. */
export function drive(course: Course, answering: Answering): Driven {
  const plans: RequestPlan[] = [];
  const exchanges: Exchange[] = [];
  let step = course.next();
  while (step.done !== true) {
    const plan = step.value;
    const last = exchangeWith({ ...answering(plan, plans.length), id: `ex-${plans.length + 1}`, plan });
    plans.push(plan);
    exchanges.push(last);
    step = course.next({ attempts: [last], last });
  }
  return { plans, exchanges, outcomes: step.value };
}

/** "AUTH-01 holds", "AUTH-01 breached: <cause>", "AUTH-01 cannot tell" for every outcome. */
export function inWords(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ clause, judgement }) => {
    if (judgement.kind === 'holds') return `${clause} holds`;
    if (judgement.kind === 'cannot-tell') return `${clause} cannot tell`;
    return `${clause} breached: ${judgement.breaches.map(({ cause }) => cause).join(', ')}`;
  });
}

/** The JSON body that the plan sends; undefined for a raw one or none. */
export function sentJson(plan: RequestPlan | undefined): unknown {
  return plan?.body.kind === 'json' ? plan.body.value : undefined;
}
