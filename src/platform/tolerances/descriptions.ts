// Allowances of the descriptions.
import type { Deviation } from '../deviation.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { tolerance } from './tolerance.ts';

type Documents = ReadonlyMap<string, JsonObject>;

function described(
  clause: string,
  name: string,
  description: string,
  describe: (documents: Documents) => void,
): Deviation {
  return tolerance(clause, name, description, () => ({}), { describe });
}

function operations(documents: Documents): [string, string, JsonObject][] {
  return [...documents.values()].flatMap((root) =>
    Object.entries(asObject(root.paths)).flatMap(([path, item]) =>
      Object.entries(asObject(item)).flatMap(([method, one]) =>
        isObject(one) && 'responses' in one ? [[method, path, one] as [string, string, JsonObject]] : [],
      ),
    ),
  );
}

export const DESCRIPTION_TOLERANCES: readonly Deviation[] = [
  described('SPEC-03', 'lower-case', 'The bearer format is written in lower case.', (documents) => {
    for (const root of documents.values()) {
      const bearer = asObject(asObject(asObject(root.components).securitySchemes).bearer);
      if ('bearerFormat' in bearer) bearer.bearerFormat = 'jwt';
    }
  }),
  described('SPEC-05', 'server-path', 'The prefix stands in the address of the server.', (documents) => {
    const ai = documents.get('ai');
    if (ai === undefined || Object.keys(asObject(ai.paths)).some((path) => !path.startsWith('/api/v1/'))) return;
    ai.servers = [{ url: 'https://api.commerce.example/api/v1' }];
    ai.paths = Object.fromEntries(
      Object.entries(asObject(ai.paths)).map(([path, item]) => [path.replace('/api/v1', ''), item]),
    );
  }),
  described('SPEC-05', 'two-servers', 'A description names two servers.', (documents) => {
    for (const root of documents.values())
      root.servers = [{ url: 'https://api.commerce.example' }, { url: 'https://eu.commerce.example/' }];
  }),
  described('SPEC-10', 'alternatives', 'The body of registration is described as one of two.', (documents) => {
    const [, , found] = operations(documents).find(([, path]) => path === '/api/v1/auth/register') ?? [];
    const media = asObject(asObject(asObject(found?.requestBody).content)['application/json']);
    if (media.schema !== undefined) media.schema = { anyOf: [media.schema, { ...asObject(media.schema) }] };
  }),
  described('SPEC-07', 'elsewhere', 'The idempotency key is declared on a further operation.', (documents) => {
    const [, , found] =
      operations(documents).find(([method, path]) => method === 'post' && path.endsWith('/domains')) ?? [];
    if (found !== undefined)
      found.parameters = [
        ...asArray(found.parameters),
        { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
      ];
  }),
  described('SPEC-08', 'deprecated', 'One operation is marked as deprecated.', (documents) => {
    const [, , found] = operations(documents).at(-1) ?? [];
    if (found !== undefined) found.deprecated = true;
  }),
  described('SCH-05', 'default', 'Successes are declared as default or 2XX.', (documents) => {
    operations(documents).forEach(([method, , one]) => {
      const responses = asObject(one.responses);
      if (method !== 'get' || responses['200'] === undefined) return;
      const { '200': success, ...rest } = responses;
      one.responses = { ...rest, ...('4XX' in rest ? { default: success } : { '2XX': success }) };
    });
  }),
];
