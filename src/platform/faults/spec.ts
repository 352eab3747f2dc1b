// SPEC: what is wrong with the descriptions that the platform publishes. What it serves stays as it is.
import { type Deviation, NoSubject, namedBy } from '../deviation.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';

type Documents = ReadonlyMap<string, JsonObject>;

function spec(
  id: string,
  description: string,
  describe: (documents: Documents) => void,
  more: Pick<Deviation, 'alsoBreaks'> = {},
): Deviation {
  return { ...namedBy(id), description, describe, ...more };
}

function document(documents: Documents, service: string): JsonObject {
  const found = documents.get(service);
  if (found === undefined) throw new NoSubject(`the fault needs a description of the service ${service}`);
  return found;
}

function operationAt(documents: Documents, method: string, path: string): JsonObject {
  const item = asObject(asObject(document(documents, 'admin').paths)[path]);
  const found = item[method];
  if (!isObject(found)) throw new NoSubject(`the fault needs ${method.toUpperCase()} ${path} in the Admin description`);
  return found;
}

/** The last operation of the first service that has any which fits. */
function anyOperation(
  documents: Documents,
  fits: (operation: JsonObject, method: string, path: string) => boolean,
): JsonObject {
  for (const root of [...documents.values()].reverse()) {
    for (const [path, item] of Object.entries(asObject(root.paths)).reverse()) {
      for (const [method, operation] of Object.entries(asObject(item))) {
        if (isObject(operation) && 'responses' in operation && fits(operation, method, path)) return operation;
      }
    }
  }
  throw new NoSubject('the fault needs an operation that none of the descriptions has');
}

function addParameter(operation: JsonObject, parameter: JsonObject): void {
  operation.parameters = [...asArray(operation.parameters), parameter];
}

/** Parameters of the operation, copied to where they can be changed for it alone. */
function ownParameters(documents: Documents, path: string): JsonObject[] {
  const operation = operationAt(documents, 'get', path);
  const components = asObject(asObject(document(documents, 'admin').components).parameters);
  const own = asArray(operation.parameters).map((one) => {
    const name =
      String(asObject(one).$ref ?? '')
        .split('/')
        .at(-1) ?? '';
    return structuredClone(asObject(isObject(components[name]) ? components[name] : one));
  });
  operation.parameters = own;
  return own;
}

function retype(documents: Documents, path: string, parameter: string, type: string): void {
  const found = ownParameters(documents, path).find(({ name }) => name === parameter);
  if (found === undefined) throw new NoSubject(`the fault needs the parameter ${parameter} on GET ${path}`);
  found.schema = { type };
}

function schemes(documents: Documents, service: string): JsonObject {
  return asObject(asObject(document(documents, service).components).securitySchemes);
}

function everyScheme(documents: Documents, change: (schemes: JsonObject) => void): void {
  for (const service of documents.keys()) change(schemes(documents, service));
}

const guarded = (operation: JsonObject) => !(Array.isArray(operation.security) && operation.security.length === 0);
const NOTIFICATIONS = '/api/v1/stores/{storeId}/domains/notifications';
const REGISTER = '/api/v1/auth/register';

export const SPEC_FAULTS: readonly Deviation[] = [
  spec('spec-02-other-version', 'The Admin description is of another version.', (documents) => {
    asObject(document(documents, 'admin').info).version = '7.0.0';
  }),
  spec('spec-08-deprecated', 'One operation is marked as deprecated.', (documents) => {
    anyOperation(documents, () => true).deprecated = true;
  }),
  spec('spec-01-unknown-type', 'A schema of the Admin description has a type that does not exist.', (documents) => {
    const schemas = asObject(asObject(document(documents, 'admin').components).schemas);
    schemas.Misspelt = { type: 'strin' };
  }),
  spec('spec-01-unresolved-reference', 'A schema refers to a component that is not there.', (documents) => {
    const schemas = asObject(asObject(document(documents, 'admin').components).schemas);
    schemas.Dangling = { type: 'object', properties: { owner: { $ref: '#/components/schemas/Nowhere' } } };
  }),
  spec(
    'spec-01-no-responses',
    'One operation declares no responses at all.',
    (documents) => {
      delete anyOperation(documents, (_operation, method) => method === 'get').responses;
    },
    { alsoBreaks: ['SCH-02', 'SCH-05'] },
  ),
  spec('spec-01-no-title', 'The information object of one description lacks its title.', (documents) => {
    delete asObject(document(documents, 'admin').info).title;
  }),
  spec('spec-01-path-parameter-optional', 'A path parameter is not marked as required.', (documents) => {
    const own = ownParameters(documents, NOTIFICATIONS);
    own.push({ name: 'storeId', in: 'path', schema: { type: 'string' } });
  }),
  spec('spec-03-second-scheme', 'A second security scheme stands beside bearer.', (documents) => {
    schemes(documents, 'admin').apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
  }),
  spec('spec-03-not-a-jwt', 'The bearer format is not JWT in one description.', (documents) => {
    asObject(schemes(documents, 'admin').bearer).bearerFormat = 'opaque';
  }),
  spec('spec-03-basic', 'The scheme named bearer is HTTP Basic.', (documents) => {
    everyScheme(documents, (all) => {
      all.bearer = { type: 'http', scheme: 'basic' };
    });
  }),
  spec(
    'spec-04-requirement-missing',
    'One operation that demands a token carries no requirement.',
    (documents) => {
      anyOperation(documents, (operation, method) => method === 'get' && guarded(operation)).security = [];
    },
    { alsoBreaks: ['AUTH-06'] },
  ),
  spec(
    'spec-04-second-requirement',
    'One operation requires an API key beside the bearer token.',
    (documents) => {
      everyScheme(documents, (all) => {
        all.apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
      });
      anyOperation(documents, (operation, method) => method === 'get' && guarded(operation)).security = [
        { bearer: [], apiKey: [] },
      ];
    },
    { alsoBreaks: ['SPEC-03'] },
  ),
  spec(
    'spec-04-nowhere',
    'No description speaks of security at all.',
    (documents) => {
      for (const root of documents.values()) {
        delete root.security;
        for (const item of Object.values(asObject(root.paths)))
          for (const operation of Object.values(asObject(item))) if (isObject(operation)) delete operation.security;
      }
    },
    { alsoBreaks: ['AUTH-06'] },
  ),
  spec('spec-05-second-server', 'The second server of a description puts another path before all.', (documents) => {
    document(documents, 'admin').servers = [{ url: '/' }, { url: 'https://eu.commerce.example/v2' }];
  }),
  spec('spec-05-internal-path', 'An internal endpoint is described.', (documents) => {
    const responses = { '200': { description: 'Usage' }, '404': { description: 'Not public' } };
    asObject(document(documents, 'admin').paths)['/api/internal/ai/usage'] = {
      get: { security: [], responses },
    };
  }),
  spec('spec-05-outside-prefix', 'A described path is not under /api/v1.', (documents) => {
    const responses = { '200': { description: 'Reports' }, '404': { description: 'None' } };
    asObject(document(documents, 'admin').paths)['/reports'] = { get: { security: [], responses } };
  }),
  spec('spec-06-cursor', 'A list declares a cursor parameter.', (documents) => {
    addParameter(operationAt(documents, 'get', '/api/v1/themes'), {
      name: 'cursor',
      in: 'query',
      schema: { type: 'string' },
    });
  }),
  spec('spec-06-sort', 'A list declares a sort parameter.', (documents) => {
    addParameter(operationAt(documents, 'get', '/api/v1/taxes/currencies'), {
      name: 'sort',
      in: 'query',
      schema: { type: 'string' },
    });
  }),
  spec('spec-06-version-header', 'One operation declares a version request header.', (documents) => {
    const operation = anyOperation(documents, (_operation, method) => method === 'get');
    addParameter(operation, { name: 'X-API-Version', in: 'header', schema: { type: 'string' } });
  }),
  spec('spec-07-stores', 'Creating a store does not declare the idempotency key.', (documents) => {
    operationAt(documents, 'post', '/api/v1/stores').parameters = [];
  }),
  spec('spec-07-payment', 'Processing a payment does not declare the idempotency key.', (documents) => {
    operationAt(documents, 'post', '/api/v1/stores/process-payment').parameters = [];
  }),
  spec('spec-10-password-optional', 'The description of registration does not require the password.', (documents) => {
    operationAt(documents, 'post', REGISTER).requestBody = body({
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string' }, password: { type: 'string' } },
    });
  }),
  spec('spec-10-form-body', 'The description of registration takes a form, not JSON.', (documents) => {
    const schema = {
      type: 'object',
      required: ['email', 'password'],
      properties: { email: { type: 'string' }, password: { type: 'string' } },
    };
    operationAt(documents, 'post', REGISTER).requestBody = {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema } },
    };
  }),
  spec('spec-10-offset-number', 'The offset of domain notifications is described as a number.', (documents) =>
    retype(documents, NOTIFICATIONS, 'offset', 'integer'),
  ),
  spec('spec-10-page-string', 'The page of themes is described as a string.', (documents) =>
    retype(documents, '/api/v1/themes', 'page', 'string'),
  ),
];

function body(schema: JsonObject): JsonObject {
  return { required: true, content: { 'application/json': { schema } } };
}
