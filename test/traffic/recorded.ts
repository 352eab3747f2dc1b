// Recordings for tests, in the shapes of two browsers, and a shop whose answers keep the contract.

export const SHOP = 'http://shop.test';
export const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.dGhlLXNpZ25hdHVyZS1vZi1pdA';

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly url?: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly sent?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Members of the entry that replace others, as a browser writes them. */
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

export const LIMITS = { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '99', 'X-RateLimit-Reset': '1795367040' };

export const LOG_PAGE: Call = {
  path: '/api/v1/auth/activity/logs?limit=2',
  body: { data: [{ id: 'log_1' }, { id: 'log_2' }], total: 2, page: 1, limit: 2, total_pages: 1 },
};

/** The envelope of a 404, which keeps the contract; `members` replaces some. */
export function notFound(path: string, members: Readonly<Record<string, unknown>> = {}): Call {
  const error = {
    ...{ type: 'invalid_request_error', code: 'resource_not_found', title: 'Not found', message: 'Nothing is here.' },
    ...{
      status: 404,
      doc_url: 'https://docs.test/errors/resource_not_found',
      request_id: `req_${path}`,
      instance: path,
    },
    ...{ timestamp: '2026-11-22T10:00:00Z', ...members },
  };
  return { path, status: 404, body: { error } };
}

/** An entry as Chrome's developer tools export it. */
export function chromeEntry(call: Call, index = 0): Record<string, unknown> {
  const { method = 'GET', path = '/', url = `${SHOP}${path}`, status = 200, body, sent } = call;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const list = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    _initiator: { type: 'script' },
    _priority: 'High',
    _resourceType: 'fetch',
    cache: {},
    connection: '4711',
    request: {
      ...{ method, url, httpVersion: 'http/2.0', queryString: [], cookies: [], headersSize: -1 },
      headers: list({
        ':authority': 'shop.test',
        ':method': method,
        accept: '*/*',
        authorization: `Bearer ${TOKEN}`,
        ...call.requestHeaders,
      }),
      bodySize: sent === undefined ? 0 : JSON.stringify(sent).length,
      ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      ...{
        status,
        statusText: '',
        httpVersion: 'http/2.0',
        cookies: [],
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      headers: list({ 'content-type': 'application/json; charset=utf-8', ...LIMITS, ...call.headers }),
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text, ...call.content },
      ...{ _transferSize: 400, _error: null, ...call.response },
    },
    serverIPAddress: '127.0.0.1',
    startedDateTime: new Date(Date.UTC(2026, 10, 22, 10, 0, index)).toISOString(),
    time: 12.5,
    timings: { blocked: 1, dns: -1, ssl: -1, connect: -1, send: 0.1, wait: 10, receive: 1.4, _blocked_queueing: 0.9 },
    ...call.entry,
  };
}

/** An entry as Firefox's network monitor exports it. */
export function firefoxEntry(call: Call, index = 0): Record<string, unknown> {
  const { _initiator, _priority, _resourceType, connection, ...entry } = chromeEntry(call, index);
  const request = entry.request as { headers: { name: string; value: string }[] };
  const headers = [
    { name: 'Host', value: 'shop.test' },
    ...request.headers.filter(({ name }) => !name.startsWith(':')),
  ];
  return { ...entry, pageref: 'page_1', request: { ...request, headers }, ...call.entry };
}

export function harOf(entries: readonly unknown[], creator = 'WebInspector'): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: creator, version: '1' }, pages: [], entries } });
}
