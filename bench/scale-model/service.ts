// One service's operations written down as an OpenAPI document of its dialect, with texts as long as real exports have
// them, and with the statuses that they declare: one success each, and errors, so many of each as the source's table says
// in proportion (its counts go beyond the published operations). Rare ones are kept exact.

import { COMMERCE_TERMS } from '../../src/contract/shipped.ts';
import { PATH_PREFIX } from '../../src/platform/facts.ts';
import type { JsonObject } from '../../src/platform/json.ts';
import type { Components } from './components.ts';
import type { Draw } from './draw.ts';
import { fieldSchema } from './fields.ts';
import { idSchema, nounOf, plain } from './names.ts';
import { type Kind, keyOf, type Planned } from './planned.ts';

export const MARK = 'x-assay-scale-model';

const TELLS =
  'A synthetic model, made by Assay from a seed for measuring at full size. It is NOT the description of the platform: ' +
  'it has the numbers of operations, resources and declared statuses that the interface document states, and the ' +
  'operations that it shows; every other path, record and text is invented.';

export interface Service {
  readonly name: string;
  readonly seed: number;
  readonly operations: readonly Planned[];
  readonly components: Components;
}

/** The OpenAPI document. Paths stand in the order of the operations. */
export function documentOf({ name, seed, operations, components }: Service): JsonObject {
  const stated = COMMERCE_TERMS.services[name];
  const exact = name === 'admin';
  const statuses = declaredStatuses(operations, statusCounts(operations.length, exact), components.draw);
  const paths: Record<string, JsonObject> = {};
  for (const one of operations) {
    const item = paths[one.path] ?? {};
    item[one.method] = operationOf(one, statuses.get(keyOf(one)) ?? {}, components);
    paths[one.path] = item;
  }
  return {
    openapi: stated?.openapi ?? '3.1.0',
    info: {
      title: `SCALE MODEL of a commerce platform: ${name} service`,
      version: stated?.version ?? '0',
      description: TELLS,
    },
    [MARK]: { seed, operations: stated?.operations, resources: stated?.resources },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((tag) => ({
      name: tag,
      description: `${tag} of the scale model.`,
    })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: components.all(),
    },
  };
}

function operationOf(one: Planned, declared: Declared, components: Components): JsonObject {
  const parameters = [...pathParameters(one, components), ...(one.parameters ?? [])];
  return {
    operationId: one.operationId,
    summary: one.summary,
    description: descriptionOf(one, components.draw),
    tags: [one.tag],
    security: one.isPublic === true ? [] : [{ bearer: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(one.body === undefined ? {} : { requestBody: { required: true, content: json(one.body) } }),
    responses: Object.fromEntries(
      Object.entries(declared).map(([status, description]) => [status, response(status, description, one, components)]),
    ),
  };
}

function response(status: string, description: string, one: Planned, components: Components): JsonObject {
  if (status >= '400') {
    const headers = status === '429' ? { headers: { 'Retry-After': { schema: { type: 'string' } } } } : {};
    return { description, ...headers, content: json(components.shared('ErrorEnvelopeDto')) };
  }
  const headers = one.headers === undefined ? {} : { headers: one.headers };
  const isBare = one.answer === null || status === '204' || status === '302';
  return { description, ...headers, ...(isBare ? {} : { content: json(one.answer) }) };
}

function json(schema: JsonObject | null): JsonObject {
  return { 'application/json': { schema } };
}

function pathParameters({ path }: Planned, components: Components): JsonObject[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => {
    const noun = nounOf(name);
    const schema = noun === null ? fieldSchema(name, components) : idSchema(noun);
    return { name, in: 'path', required: true, description: `The ${noun ?? name} that is meant.`, schema };
  });
}

/** "/products" → "/api/v1/products". */
export function underPrefix(path: string): string {
  return `${PATH_PREFIX}${path}`;
}

const OPENINGS: Readonly<Record<Kind, readonly string[]>> = {
  list: [
    'Returns the {things} that the account may see.',
    'Lists {things}; filters that are given together must all match.',
    'Reads {things}, newest first unless the shop settings say otherwise.',
  ],
  create: [
    'Creates one of the {things} and returns it with the id under which it is found from now on.',
    'Adds to the {things} of the account. Members that are left out get their defaults.',
  ],
  read: [
    'Returns one of the {things} with everything that is known of it.',
    'Reads a single record of the {things} by its id.',
  ],
  change: [
    'Changes what the body names and leaves everything else of the {things} as it is.',
    'Takes over the members of the body. Lists are replaced whole, never merged.',
  ],
  delete: [
    'Removes it from the {things}. What refers to it keeps the id and shows it as deleted.',
    'Deletes for good; a copy stays in the audit trail for the legal period.',
  ],
  action: [
    'Carries out the action at once and answers when it is done.',
    'Runs the action on the {things}; what was done before is not undone when it fails halfway.',
  ],
  report: ['Figures over the {things}, counted when they are asked for.', 'An overview of the {things}.'],
};

const REMARKS = [
  'Amounts are in the smallest unit of their currency; no rounding takes place on the way.',
  'Times are in UTC. A time zone that is sent along is used for display alone.',
  'Members that are unknown to the service are ignored unless the record says otherwise.',
  'The answer shows the record as it is after the call, including what other calls changed meanwhile.',
  'Staff members see what their role allows; everything else looks as if it did not exist.',
  'Texts may hold any Unicode character; markup is cleaned before it is stored.',
  'Webhooks that listen to this resource are told after the answer has been sent.',
  'Records that were imported carry the id of their source, which is never shown to shoppers.',
  'Large accounts may see the change in search results a few seconds later.',
  'Translations fall back to the default language of the store, member by member.',
];

/** Two to six sentences, the first of them about the operation. */
function descriptionOf({ kind, tag, operationId }: Planned, draw: Draw): string {
  const things = plain(tag);
  const opening = draw.pick(OPENINGS[kind], `opening of ${operationId}`).replaceAll('{things}', things);
  const count = draw.between(1, 5, `remarks of ${operationId}`);
  return [opening, ...draw.shuffled(REMARKS, `which remarks of ${operationId}`).slice(0, count)].join(' ');
}

/** Status → description, success first. */
type Declared = Readonly<Record<string, string>>;

/** Statuses of which the scale model has as many as the source's table. */
const RARE = ['204', '302', '403', '409', '429', '503'];
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  204: 'No body',
  400: 'The request was rejected',
  401: 'Invalid credentials',
  403: 'Account locked',
  404: 'Not found',
  409: 'It exists already',
};

/** Operations by declared status for a service of this many operations; `exact`: rare statuses as often as in the table. */
function statusCounts(operations: number, exact: boolean): Readonly<Record<string, number>> {
  const table = COMMERCE_TERMS.services.admin?.statuses ?? {};
  const count = (status: string) => table[status] ?? 0;
  if (!exact) {
    const share = operations / successes(table);
    const scaled = (status: string) => Math.round(count(status) * share);
    const counts = Object.fromEntries(
      ['201', '204', '400', '401', '403', '404', '409'].map((one) => [one, scaled(one)]),
    );
    return { ...counts, 200: operations - scaled('201') - scaled('204') };
  }
  const rare = Object.fromEntries(RARE.map((status) => [status, count(status)]));
  const ordinary = operations - count('204') - count('302');
  const created = Math.round((ordinary * count('201')) / (count('200') + count('201')));
  const share = operations / successes(table);
  const errors = Object.fromEntries(['400', '401', '404'].map((one) => [one, Math.round(count(one) * share)]));
  return { ...rare, ...errors, 201: created, 200: ordinary - created };
}

/** Answers below 400 in the table: each operation has one. */
function successes(table: Readonly<Record<string, number>>): number {
  return Object.entries(table).reduce((sum, [status, count]) => sum + (Number(status) < 400 ? count : 0), 0);
}

/** What each operation declares, by its key. */
function declaredStatuses(
  operations: readonly Planned[],
  counts: Readonly<Record<string, number>>,
  draw: Draw,
): ReadonlyMap<string, Declared> {
  const declared = new Map(operations.map((one) => [keyOf(one), { ...one.declares } as Record<string, string>]));
  for (const [status, fits] of CANDIDATES) {
    const has = (one: Planned) => status in (declared.get(keyOf(one)) ?? {});
    const missing = (counts[status] ?? 0) - operations.filter(has).length;
    const free = operations.filter(
      (one) => !has(one) && fits(one) && (status > '299' || isOpen(declared.get(keyOf(one)))),
    );
    for (const one of draw.shuffled(free, `declares ${status}`).slice(0, Math.max(0, missing))) {
      const of = declared.get(keyOf(one));
      if (of !== undefined) of[status] = DESCRIPTIONS[status] ?? '';
    }
  }
  for (const of of declared.values()) if (isOpen(of)) of[200] = DESCRIPTIONS[200] ?? '';
  return declared;
}

/** No success is declared yet. */
function isOpen(declared: Declared | undefined): boolean {
  return Object.keys(declared ?? {}).every((status) => status > '399');
}

/** Where a status may be declared, successes first. */
const CANDIDATES: readonly (readonly [string, (one: Planned) => boolean])[] = [
  ['201', ({ kind }) => kind === 'create'],
  ['204', ({ kind }) => kind === 'delete'],
  ['400', ({ body }) => body !== undefined],
  ['401', ({ path, isPublic }) => path.includes('/auth/') || isPublic !== true],
  ['403', ({ isPublic }) => isPublic !== true],
  ['404', ({ path }) => path.includes('{')],
  ['409', ({ kind }) => kind === 'create' || kind === 'change'],
];
