// The description of the planted API: one resource of the same five operations for each name, all alike.

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const OWNER = {
  type: 'object',
  required: ['email', 'since'],
  properties: { email: { type: 'string', format: 'email' }, since: { type: 'string', format: 'date-time' } },
};
const WRITTEN = {
  name: text(40),
  size: { type: 'string', enum: ['small', 'large'] },
  weight: { type: 'number', minimum: 0, maximum: 100 },
  tags: { type: 'array', maxItems: 5, items: text(20) },
};

/** Of bodies that create or replace an item. */
export const NEW_ITEM = {
  type: 'object',
  required: ['name', 'size'],
  additionalProperties: false,
  properties: WRITTEN,
};
/** Of answers that show one. */
export const ITEM = {
  type: 'object',
  required: ['id', 'name', 'size', 'owner'],
  properties: { id: { type: 'integer', minimum: 1 }, ...WRITTEN, owner: OWNER },
};
/** Of the query of a list. Nothing claims that `limit` and `offset` cut pages, and they do not: lists are shown whole. */
export const LIST_QUERY = {
  region: { type: 'string', enum: ['eu', 'us'] },
  limit: { type: 'integer', minimum: 1, maximum: 50 },
  offset: { type: 'integer', minimum: 0, maximum: 50 },
};
export const KEY_HEADER = 'X-Key';

const json = (schema: unknown) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const shown = (schema: unknown) => ({
  description: 'Shown',
  headers: { 'X-Version': { required: true, schema: { type: 'integer' } } },
  content: json(schema),
});
const refused = (statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: 'Refused', content: json(ref('Refusal')) }] as const),
  );
const body = { required: true, content: json(ref('NewItem')) };
const query = (name: keyof typeof LIST_QUERY, required: boolean) => ({
  name,
  in: 'query',
  required,
  schema: LIST_QUERY[name],
});

function paths(name: string): Readonly<Record<string, unknown>> {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  return {
    [`/${name}`]: {
      get: {
        parameters: [query('region', true), query('limit', false), query('offset', false)],
        responses: { 200: shown({ type: 'array', items: ref('Item') }), ...refused([400, 401]) },
      },
      post: { requestBody: body, responses: { 201: shown(ref('Item')), ...refused([400, 401, 415]) } },
    },
    [`/${name}/{id}`]: {
      parameters: [id],
      get: { responses: { 200: shown(ref('Item')), ...refused([400, 401, 404]) } },
      put: { requestBody: body, responses: { 200: shown(ref('Item')), ...refused([400, 401, 404, 415]) } },
      delete: { responses: { 204: { description: 'Gone' }, ...refused([400, 401, 404]) } },
    },
  };
}

/** An OpenAPI 3.1 document of the resources. */
export function plantedDescription(names: readonly string[]): unknown {
  return {
    openapi: '3.1.0',
    info: { title: 'Planted', version: '1' },
    security: [{ key: [] }],
    paths: Object.assign({}, ...names.map(paths)),
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: KEY_HEADER } },
      schemas: {
        NewItem: NEW_ITEM,
        Item: ITEM,
        Refusal: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      },
    },
  };
}
