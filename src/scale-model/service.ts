// One service's operations written down as an OpenAPI document of its dialect, with texts as long as real exports have
// them.
import { PATH_PREFIX, SERVICE_SIZES, SERVICE_VERSIONS } from '../contract/platform.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Components } from './components.ts';
import type { Draw } from './draw.ts';
import { fieldSchema } from './fields.ts';
import { idSchema, nounOf, plain } from './names.ts';
import { type Kind, keyOf, type Planned } from './planned.ts';
import { type Declared, declaredStatuses, statusCounts } from './statuses.ts';

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
  const { openapi, version } = SERVICE_VERSIONS[name] ?? { openapi: '3.1.0', version: '0' };
  const exact = name === 'admin';
  const statuses = declaredStatuses(operations, statusCounts(operations.length, exact), components.draw);
  const paths: Record<string, JsonObject> = {};
  for (const one of operations) {
    const item = paths[one.path] ?? {};
    item[one.method] = operationOf(one, statuses.get(keyOf(one)) ?? {}, components);
    paths[one.path] = item;
  }
  return {
    openapi,
    info: { title: `SCALE MODEL of a commerce platform: ${name} service`, version, description: TELLS },
    [MARK]: { seed, ...SERVICE_SIZES[name] },
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
