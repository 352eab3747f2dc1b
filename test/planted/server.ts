// The planted API on a loopback port: the same sound handler for every resource, but for the resource's own defect.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Answer, DEFECTS, type Defect, type Guard, jsonOf } from './defects.ts';
import { KEY_HEADER, LIST_QUERY, NEW_ITEM } from './description.ts';

export const PLANTED_KEY = 'planted-key-8d1f';
/** A resource without any defect. */
export const SOUND = 'sound';
export const PLANTED_NAMES: readonly string[] = [SOUND, ...Object.keys(DEFECTS)];

const ajv = new Ajv2020({ allErrors: true, strict: false });
const invalid = ajv.compile(NEW_ITEM);
/** Takes members away that are not described, and goes by the others. */
const keeping = new Ajv2020({ strict: false, removeAdditional: true });
const METHODS: Readonly<Record<'collection' | 'item', readonly string[]>> = {
  collection: ['GET', 'POST'],
  item: ['GET', 'PUT', 'DELETE'],
};
const OWNER = { email: 'owner@example.com', since: '2026-01-31T12:00:00Z' };

const CHALLENGE = { 'www-authenticate': 'Key' };

class Resource {
  readonly items = new Map<string, Record<string, unknown>>([
    ['1', { id: 1, name: 'first', size: 'small', owner: OWNER }],
  ]);
  readonly #defect: Defect | undefined;
  #last = 1;

  constructor(name: string) {
    this.#defect = DEFECTS[name];
  }

  answer(request: IncomingMessage, url: URL, id: string | null, text: string): Answer | 'drop' {
    const method = request.method ?? '';
    const refusal = this.#refusal(request, method, url, id, text);
    const answer = refusal ?? this.#act(method, id, text);
    return this.#defect?.spoil?.(answer, { method, id, text }) ?? answer;
  }

  #checks(guard: Guard): boolean {
    return this.#defect?.without !== guard;
  }

  #refusal({ headers }: IncomingMessage, method: string, url: URL, id: string | null, text: string): Answer | null {
    const key = headers[KEY_HEADER.toLowerCase()];
    if (key === undefined && this.#checks('credentials')) return refused(401, 'no key', CHALLENGE);
    if (key !== undefined && key !== PLANTED_KEY && this.#checks('token') && this.#checks('credentials'))
      return refused(401, 'unknown key', CHALLENGE);
    const methods = METHODS[id === null ? 'collection' : 'item'];
    if (!methods.includes(method))
      return this.#checks('method') ? refused(405, 'method', { allow: methods.join(', ') }) : shown(200, []);
    if (id !== null && !/^[1-9]\d*$/.test(id)) return refused(400, 'id');
    if (id === null && method === 'GET') return this.#badQuery(url);
    if (id !== null && !this.items.has(id)) return refused(404, 'unknown');
    return method === 'POST' || method === 'PUT' ? this.#badBody(headers['content-type'] ?? '', text) : null;
  }

  #badQuery({ searchParams }: URL): Answer | null {
    const region = searchParams.get('region');
    if (region === null) return this.#checks('region-given') ? refused(400, 'region') : null;
    if (!LIST_QUERY.region.enum.includes(region) && this.#checks('query-constraint')) return refused(400, 'region');
    for (const name of ['limit', 'offset'] as const) {
      const text = searchParams.get(name);
      if (text === null) continue;
      const isWhole = /^\d{1,9}$/.test(text);
      if (!isWhole && this.#checks('query-type')) return refused(400, name);
      const { minimum, maximum } = LIST_QUERY[name];
      if (isWhole && (Number(text) < minimum || Number(text) > maximum)) return refused(400, name);
    }
    return null;
  }

  #badBody(contentType: string, text: string): Answer | null {
    if (!contentType.startsWith('application/json'))
      return this.#checks('media-type') ? refused(415, 'media type') : null;
    const value = jsonOf(text);
    if (value === undefined) return this.#checks('json') ? refused(400, 'JSON') : null;
    if (invalid(value)) return null;
    return (invalid.errors ?? []).some((error) => this.#checks(guardOf(error))) ? refused(400, 'body') : null;
  }

  #act(method: string, id: string | null, text: string): Answer {
    if (id === null)
      return method === 'POST' ? shown(201, this.#make(written(text))) : shown(200, [...this.items.values()]);
    const item = this.items.get(id);
    if (method === 'PUT') this.items.set(id, { ...item, ...written(text) });
    if (method === 'DELETE' && this.#checks('deletion')) this.items.delete(id);
    return method === 'DELETE' ? { status: 204, headers: {}, body: undefined } : shown(200, this.items.get(id));
  }

  #make(members: Readonly<Record<string, unknown>>): unknown {
    this.#last += 1;
    const item = { id: this.#last, ...members, owner: OWNER };
    this.items.set(String(this.#last), item);
    return item;
  }
}

/** What is kept of a body: where guards are missing, only what an answer may show, and no member that is not described. */
function written(text: string): Record<string, unknown> {
  const value = jsonOf(text);
  return keeping.validate(NEW_ITEM, value) ? (value as Record<string, unknown>) : { name: 'x', size: 'small' };
}

function guardOf({ keyword }: ErrorObject): Guard {
  if (keyword === 'required') return 'required';
  return keyword === 'type' ? 'type' : 'constraint';
}

function shown(status: number, body: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json', 'x-version': '3' }, body };
}

function refused(status: number, message: string, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: { message } };
}

export interface PlantedApi {
  readonly baseUrl: string;
  /** How many requests were served so far. */
  requests(): number;
  stop(): Promise<void>;
}

/** Serves the resources on an ephemeral port of 127.0.0.1, each with one item. */
export async function startPlanted(names: readonly string[] = PLANTED_NAMES): Promise<PlantedApi> {
  const resources = new Map(names.map((name) => [name, new Resource(name)]));
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void serve(resources, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  resources: ReadonlyMap<string, Resource>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://planted');
  const [, name = '', id = null, ...rest] = url.pathname.split('/');
  const resource = rest.length === 0 ? resources.get(name) : undefined;
  const text = await textOf(request).catch(() => '');
  const answer = resource?.answer(request, url, id, text) ?? refused(404, 'nothing here');
  if (answer === 'drop') return void request.socket.destroy();
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}
