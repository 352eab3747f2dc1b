// One service's operations written down as an OpenAPI document of its dialect.
import { PATH_PREFIX, SERVICE_SIZES, SERVICE_VERSIONS } from '../contract/platform.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Components } from './components.ts';
import { fieldSchema } from './fields.ts';
import { idSchema, nounOf } from './names.ts';
import { keyOf, type Planned } from './planned.ts';
import { type Declared, declaredStatuses, statusCounts } from './statuses.ts';
import { descriptionOf } from './wording.ts';

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
