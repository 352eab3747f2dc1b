// Allowances of the descriptions.
import type { Deviation } from '../deviation.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { tolerance } from './tolerance.ts';

type Documents = ReadonlyMap<string, JsonObject>;

function described(id: string, description: string, describe: (documents: Documents) => void): Deviation {
  return tolerance(id, description, () => ({}), { describe });
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

/** Requirements that every operation states alike stand once, for all. */
function requireForAll(root: JsonObject): void {
  const bearer = JSON.stringify([{ bearer: [] }]);
  for (const [, , one] of operations(new Map([['', root]])))
    if (JSON.stringify(one.security) === bearer) delete one.security;
  root.security = [{ bearer: [] }];
}

export const DESCRIPTION_TOLERANCES: readonly Deviation[] = [
  described('spec-01-extensions', 'Descriptions have extensions, tags and contacts.', (documents) => {
    for (const root of documents.values()) {
      root['x-owner'] = { team: 'platform' };
      root.externalDocs = { url: 'https://docs.example.com' };
      Object.assign(asObject(root.info), { contact: { name: 'Platform' }, 'x-stage': 'stable' });
    }
  }),
  described('spec-02-other-titles', 'Descriptions have titles of their own, and summaries.', (documents) => {
    for (const root of documents.values())
      Object.assign(asObject(root.info), { title: 'Shop', description: 'All of it.' });
  }),
  described('spec-04-once-for-all', 'The requirement stands once for a whole description.', (documents) => {
    for (const root of documents.values()) requireForAll(root);
  }),
  described('spec-06-filter', 'Lists declare a filter, and an operation a header of its own.', (documents) => {
    const lists = operations(documents).filter(([method, path]) => method === 'get' && !path.endsWith('}'));
    for (const [, , one] of lists)
      one.parameters = [
        ...asArray(one.parameters),
        { name: 'created_after', in: 'query', schema: { type: 'string', format: 'date' } },
      ];
    const [, , first] = operations(documents)[0] ?? [];
    if (first !== undefined)
      first.parameters = [
        ...asArray(first.parameters),
        { name: 'X-Client-Name', in: 'header', schema: { type: 'string' } },
      ];
  }),
  described('spec-09-tags', 'Operations are sorted under further tags.', (documents) => {
    for (const [, , one] of operations(documents)) one.tags = [...asArray(one.tags), 'all'];
  }),
  described('sch-07-described', 'A text of the description speaks of 402.', (documents) => {
    const [, , first] = operations(documents)[0] ?? [];
    if (first !== undefined) first.description = 'Never answers 402, 423 or 430.';
  }),
  described('spec-03-lower-case', 'The bearer format is written in lower case.', (documents) => {
    for (const root of documents.values()) {
      const bearer = asObject(asObject(asObject(root.components).securitySchemes).bearer);
      if ('bearerFormat' in bearer) bearer.bearerFormat = 'jwt';
    }
  }),
  described('spec-05-server-path', 'The prefix stands in the address of the server.', (documents) => {
    const ai = documents.get('ai');
    if (ai === undefined || Object.keys(asObject(ai.paths)).some((path) => !path.startsWith('/api/v1/'))) return;
    ai.servers = [{ url: 'https://api.commerce.example/api/v1' }];
    ai.paths = Object.fromEntries(
      Object.entries(asObject(ai.paths)).map(([path, item]) => [path.replace('/api/v1', ''), item]),
    );
  }),
  described('spec-05-two-servers', 'A description names two servers.', (documents) => {
    for (const root of documents.values()) {
      // Paths go on from what stands in the address.
      const [first] = asArray(root.servers);
      const prefix = new URL(String(asObject(first).url ?? '/'), 'https://api.commerce.example').pathname.replace(
        /\/$/,
        '',
      );
      root.servers = [
        { url: `https://api.commerce.example${prefix}` },
        { url: `https://eu.commerce.example${prefix}/` },
      ];
    }
  }),
  described('spec-10-alternatives', 'The body of registration is described as one of two.', (documents) => {
    const [, , found] = operations(documents).find(([, path]) => path === '/api/v1/auth/register') ?? [];
    const media = asObject(asObject(asObject(found?.requestBody).content)['application/json']);
    if (media.schema !== undefined) media.schema = { anyOf: [media.schema, { ...asObject(media.schema) }] };
  }),
  described('spec-07-elsewhere', 'The idempotency key is declared on a further operation.', (documents) => {
    const [, , found] =
      operations(documents).find(([method, path]) => method === 'post' && path.endsWith('/domains')) ?? [];
    if (found !== undefined)
      found.parameters = [
        ...asArray(found.parameters),
        { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
      ];
  }),
  described('spec-08-deprecated', 'One operation is marked as deprecated.', (documents) => {
    const [, , found] = operations(documents).at(-1) ?? [];
    if (found !== undefined) found.deprecated = true;
  }),
  described('sch-08-undeclared', 'No operation declares 405, 415, 422 or 429.', (documents) => {
    for (const [, , one] of operations(documents))
      one.responses = Object.fromEntries(
        Object.entries(asObject(one.responses)).filter(([status]) => !['405', '415', '422', '429'].includes(status)),
      );
  }),
  described('sch-05-default', 'Successes are declared as default or 2XX.', (documents) => {
    operations(documents).forEach(([method, , one]) => {
      const responses = asObject(one.responses);
      if (method !== 'get' || responses['200'] === undefined) return;
      const { '200': success, ...rest } = responses;
      one.responses = { ...rest, ...('4XX' in rest ? { default: success } : { '2XX': success }) };
    });
  }),
];
