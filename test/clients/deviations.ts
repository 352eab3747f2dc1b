// Faults of clients, each caught by its clause, and allowed oddities, which raise nothing.
import { type Conduct, Killed, lawfulWait, Uncaught } from './conduct.ts';

export interface ClientDeviation {
  readonly id: string;
  /** The clause it breaks, or whose tolerance it uses. */
  readonly clause: string;
  readonly description: string;
  readonly change: Partial<Conduct>;
  /** Further clauses that it cannot help breaking. */
  readonly alsoBreaks?: readonly string[];
}

function deviation(
  clause: string,
  name: string,
  description: string,
  change: Partial<Conduct>,
  alsoBreaks: readonly string[] = [],
): ClientDeviation {
  return { id: `${clause.toLowerCase()}-${name}`, clause, description, change, alsoBreaks };
}

/** Waits so long where the status is one of these, and else as the contract says. */
function waiting(statuses: readonly (number | null)[], wait: Conduct['wait']): Partial<Conduct> {
  return { wait: (situation) => (statuses.includes(situation.status) ? wait(situation) : lawfulWait(situation)) };
}

function upTo(attempts: number, ms: (attempt: number) => number): Conduct['wait'] {
  return ({ attempt }) => (attempt < attempts ? ms(attempt) : null);
}

/** Where no wait is stated. */
function bare(attempts: number, ms: (attempt: number) => number): Partial<Conduct> {
  return waiting([429, 503], (situation) =>
    situation.retryAfter === null ? upTo(attempts, ms)(situation) : lawfulWait(situation),
  );
}

const json = { 'content-type': 'application/json' };

export const CLIENT_FAULTS: readonly ClientDeviation[] = [
  deviation(
    'CLIENT-01',
    'retries-400',
    '400 is tried again.',
    waiting(
      [400],
      upTo(2, () => 500),
    ),
    ['CLIENT-08'],
  ),
  deviation(
    'CLIENT-01',
    'retries-404',
    '404 is tried again.',
    waiting(
      [404],
      upTo(3, () => 500),
    ),
    ['CLIENT-08'],
  ),
  deviation(
    'CLIENT-01',
    'retries-409',
    '409 is tried again.',
    waiting(
      [409],
      upTo(2, () => 1000),
    ),
  ),
  deviation(
    'CLIENT-01',
    'retries-under-another-query',
    '404 is tried again, each time with another word in its query.',
    {
      ...waiting(
        [404],
        upTo(3, () => 500),
      ),
      query: (attempt) => `_=${attempt}`,
    },
    ['CLIENT-08'],
  ),
  deviation(
    'CLIENT-02',
    'retries-401',
    '401 is tried again with the same token.',
    waiting(
      [401],
      upTo(2, () => 10),
    ),
  ),
  deviation(
    'CLIENT-02',
    'retries-403',
    '403 is tried again with the same token.',
    waiting(
      [403],
      upTo(2, () => 5000),
    ),
  ),
  deviation('CLIENT-02', 'retries-403-of-creates', 'A create that meets 403 is tried again with the same token.', {
    wait: (situation) =>
      situation.status === 403 && situation.call.method === 'POST' && situation.attempt < 2
        ? 100
        : lawfulWait(situation),
  }),
  deviation(
    'CLIENT-03',
    'ignores-retry-after',
    'Retry-After is not read.',
    waiting([429, 503], (situation) => lawfulWait({ ...situation, retryAfter: null })),
  ),
  deviation('CLIENT-03', 'ignores-dates', 'Retry-After is read as a number alone.', {
    wait: (situation) => {
      const isDate = situation.retryAfter !== null && Number.isNaN(Number(situation.retryAfter));
      return lawfulWait(isDate ? { ...situation, retryAfter: null } : situation);
    },
  }),
  deviation('CLIENT-03', 'early', 'The wait that is asked for is shortened by a fifth.', {
    wait: (situation) => {
      const wait = lawfulWait(situation);
      return wait === null || situation.retryAfter === null ? wait : wait * 0.8;
    },
  }),
  deviation(
    'CLIENT-03',
    'never-retries',
    '429 is not tried again.',
    waiting([429], () => null),
  ),
  deviation(
    'CLIENT-03',
    'never-retries-503',
    '503 is not tried again.',
    waiting([503], () => null),
  ),
  deviation(
    'CLIENT-03',
    'six-requests',
    '429 and 503 are tried six times.',
    waiting([429, 503], (situation) => {
      if (situation.attempt >= 6) return null;
      return situation.retryAfter === null
        ? 1000 * 2 ** (situation.attempt - 1)
        : lawfulWait({ ...situation, attempt: 1 });
    }),
  ),
  deviation('CLIENT-03', 'without-end', '429 is tried for ever.', {
    wait: (situation) =>
      situation.status === 429 && situation.retryAfter !== null
        ? lawfulWait({ ...situation, attempt: 1 })
        : lawfulWait(situation),
  }),
  deviation(
    'CLIENT-04',
    'constant',
    'Each wait takes one second.',
    bare(4, () => 1000),
  ),
  deviation(
    'CLIENT-04',
    'half',
    'The waits begin with half a second.',
    bare(4, (attempt) => 250 * 2 ** attempt),
  ),
  deviation(
    'CLIENT-04',
    'at-once',
    'The first retry comes at once.',
    bare(4, (attempt) => (attempt - 1) * 2000),
  ),
  deviation(
    'CLIENT-04',
    'minutes',
    'The waits begin with four seconds.',
    bare(4, (attempt) => 2000 * 2 ** attempt),
  ),
  deviation(
    'CLIENT-04',
    'tripled',
    'Each wait is three times the one before.',
    bare(4, (attempt) => 1000 * 3 ** (attempt - 1)),
  ),
  deviation(
    'CLIENT-05',
    'at-once',
    '5xx are tried again at once.',
    waiting(
      [500, 502, null],
      upTo(4, () => 5),
    ),
  ),
  deviation(
    'CLIENT-05',
    'five-attempts',
    '5xx are tried five times.',
    waiting(
      [500, 502],
      upTo(5, (n) => 250 * 2 ** n),
    ),
  ),
  deviation(
    'CLIENT-05',
    'constant',
    'Each wait after a 5xx takes one second.',
    waiting(
      [500, 502],
      upTo(4, () => 1000),
    ),
  ),
  deviation(
    'CLIENT-05',
    'constant-and-short',
    'Each wait after a 5xx takes 250 ms, and a little that differs.',
    waiting(
      [500, 502],
      upTo(4, (n) => 250 + ((n * 37) % 45)),
    ),
  ),
  deviation(
    'CLIENT-05',
    'slow-start',
    'The waits after a 5xx begin with two seconds.',
    waiting(
      [500, 502],
      upTo(4, (n) => 1000 * 2 ** n),
    ),
  ),
  deviation('CLIENT-06', 'fresh-key', 'Each attempt has a key of its own.', {
    key: (_call, attempt, first) => `${first}-${attempt}`,
  }),
  deviation('CLIENT-06', 'key-dropped', 'Only the first attempt has a key.', {
    key: (_call, attempt, first) => (attempt === 1 ? first : null),
  }),
  deviation('CLIENT-06', 'fresh-key-later', 'From the third attempt on there is another key.', {
    key: (_call, attempt, first) => (attempt < 3 ? first : `${first}-${attempt}`),
  }),
  deviation('CLIENT-06', 'key-dropped-later', 'The third attempt has no key.', {
    key: (_call, attempt, first) => (attempt === 3 ? null : first),
  }),
  deviation('CLIENT-06', 'unkeyed-payment', 'Payments have no key and are sent again.', {
    key: ({ path }, _attempt, first) => (path.endsWith('payment') ? null : first),
  }),
  deviation('CLIENT-06', 'unkeyed-create', 'Creates have no key and are sent again.', {
    key: ({ path }, _attempt, first) => (path.endsWith('payment') ? first : null),
  }),
  deviation('CLIENT-07', 'follows', 'Redirects are followed.', { followsRedirects: true }),
  deviation('CLIENT-08', 'not-retried', '429 is tried again only under a code that the client knows.', {
    wait: (situation) => (situation.code === 'moon_is_waning' ? null : lawfulWait(situation)),
  }),
  deviation('CLIENT-08', 'uncaught', 'A code that the client does not know ends the program.', {
    onError: ({ code }) => {
      if (code === 'moon_is_waning') throw new Uncaught('no such code');
    },
  }),
  deviation('CLIENT-08', 'killed', 'A code that the client does not know makes it crash.', {
    onError: ({ code }) => {
      if (code === 'moon_is_waning') throw new Killed('crash');
    },
  }),
  deviation('CLIENT-09', 'no-content-type', 'Requests without a body do not say that they speak JSON.', {
    headers: ({ method }, token) => ({ authorization: `Bearer ${token}`, ...(method === 'GET' ? {} : json) }),
  }),
  deviation('CLIENT-09', 'form', 'Requests say that they hold a form.', {
    headers: (_call, token) => ({
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
    }),
  }),
  deviation('CLIENT-09', 'no-bearer', 'The token goes without its scheme.', {
    headers: (_call, token) => ({ authorization: token, ...json }),
  }),
  deviation('CLIENT-10', 'first-page', 'Only the first page is read.', {
    logs: async (client) => client.printAll((await client.page(1)).data),
  }),
  deviation('CLIENT-10', 'last-page-missing', 'The last page is not read.', {
    logs: async (client) => {
      for (let page = 1, pages = 2; page < pages; page += 1) {
        const { data, total_pages } = await client.page(page);
        pages = total_pages;
        client.printAll(data);
      }
    },
  }),
  deviation('CLIENT-10', 'past-the-end', 'The log is read until a page is empty.', {
    logs: async (client) => {
      for (let page = 1; ; page += 1) {
        const { data } = await client.page(page);
        if (data.length === 0) return;
        client.printAll(data);
      }
    },
  }),
  deviation('CLIENT-10', 'until-a-short-page', 'The log is read until a page is not full.', {
    logs: async (client) => {
      for (let page = 1; ; page += 1) {
        const { data } = await client.page(page);
        client.printAll(data);
        if (data.length < 50) return;
      }
    },
  }),
  deviation('CLIENT-10', 'offset-is-a-page', 'The offset grows by one.', {
    notifications: async (client) => {
      for (let offset = 0; ; offset += 1) {
        const items = await client.slice(offset);
        if (items.length === 0) return;
        client.printAll(items);
      }
    },
  }),
  deviation('CLIENT-10', 'without-end', 'An empty array does not end the walk.', {
    notifications: async (client) => {
      for (let offset = 0; ; offset += 50) {
        client.printAll(await client.slice(offset));
        await client.given.clock.sleep(100);
      }
    },
  }),
  deviation('CLIENT-11', 'token-in-stdout', 'The token is printed.', {
    onError: (_error, { print, token }) => print(`curl -H "Authorization: Bearer ${token}"`),
  }),
  deviation('CLIENT-11', 'token-in-stderr', 'The token is logged in base64.', {
    onError: (_error, { log, token }) => log(Buffer.from(`x:${token}`).toString('base64')),
  }),
  deviation('CLIENT-11', 'token-in-file', 'The token stands in a file.', {
    onError: (_error, { write, token }) => write(JSON.stringify({ token })),
  }),
  deviation('CLIENT-11', 'token-in-hexadecimal', 'The token is logged in hexadecimal.', {
    onError: (_error, { log, token }) => log(Buffer.from(token).toString('hex')),
  }),
  deviation('CLIENT-11', 'half-a-token', 'The token is logged without its last characters.', {
    onError: (_error, { write, token }) => write(`Bearer ${token.slice(0, -12)}…`),
  }),
  deviation('CLIENT-11', 'message-in-stderr', 'Whole answers are logged.', {
    onError: ({ body }, { log }) => log(body),
  }),
];

export const CLIENT_TOLERANCES: readonly ClientDeviation[] = [
  deviation('CLIENT-01', 'goes-elsewhere', 'After a refusal another thing is asked for.', {
    onError: ({ status }, { send, token }) => {
      if (status === 404) void send('GET', '/api/v1/stores', { authorization: `Bearer ${token}`, ...json }, '');
    },
  }),
  deviation('CLIENT-02', 'signs-out', 'After a refused token a path that the contract does not show is called.', {
    onError: ({ status }, { send }) => {
      if (status === 401) void send('POST', '/api/v1/auth/token/refresh', json, '{}');
    },
  }),
  deviation('CLIENT-03', 'late', 'Every stated wait is doubled.', {
    wait: (situation) => {
      const wait = lawfulWait(situation);
      return wait === null || situation.retryAfter === null ? wait : wait * 2;
    },
  }),
  deviation('CLIENT-03', 'a-little-early', 'Stated waits end 200 ms early.', {
    wait: (situation) => {
      const wait = lawfulWait(situation);
      return wait === null || situation.retryAfter === null ? wait : wait - 200;
    },
  }),
  deviation('CLIENT-03', 'four-retries', '429 and 503 are tried five times: an advisory.', {
    wait: (situation) => {
      const { status, attempt, retryAfter } = situation;
      if ((status !== 429 && status !== 503) || attempt !== 4) return lawfulWait(situation);
      return retryAfter === null ? 8000 : lawfulWait({ ...situation, attempt: 1 });
    },
  }),
  deviation('CLIENT-03', 'query-of-its-own', 'Each attempt has another word in its query, against caches.', {
    query: (attempt) => `_=${attempt}`,
  }),
  deviation('CLIENT-03', 'reads-alone', 'Only what reads is tried again.', {
    wait: (situation) => (situation.call.method === 'GET' ? lawfulWait(situation) : null),
  }),
  deviation('CLIENT-03', 'one-retry', 'Everything is tried twice at most.', {
    wait: (situation) => (situation.attempt === 1 ? lawfulWait(situation) : null),
  }),
  deviation(
    'CLIENT-04',
    'no-jitter',
    'The waits have no jitter.',
    bare(4, (attempt) => 1000 * 2 ** (attempt - 1)),
  ),
  deviation(
    'CLIENT-04',
    'slow',
    'The waits take a third longer.',
    bare(4, (attempt) => 1330 * 2 ** (attempt - 1)),
  ),
  deviation(
    'CLIENT-05',
    'never',
    '5xx are not tried again.',
    waiting([500, 502], () => null),
  ),
  deviation(
    'CLIENT-05',
    'steeper',
    'The waits after a 5xx grow threefold.',
    waiting(
      [500, 502],
      upTo(4, (n) => 250 * 3 ** (n - 1)),
    ),
  ),
  deviation('CLIENT-06', 'unkeyed-and-once', 'Payments have no key and are not sent again.', {
    key: ({ path }, _attempt, first) => (path.endsWith('payment') ? null : first),
    wait: (situation) => (situation.call.path.endsWith('payment') ? null : lawfulWait(situation)),
  }),
  deviation('CLIENT-07', 'exit-code', 'A redirect ends the command with a success.', { onError: () => {} }),
  deviation('CLIENT-08', 'one-word-for-all', 'Every error is told by the same words.', {
    onError: (_error, { log }) => log('something went wrong'),
  }),
  deviation('CLIENT-09', 'more-headers', 'The scheme is in lower case, and there are more headers and parameters.', {
    headers: (_call, token) => ({
      authorization: `bearer ${token}`,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'shop-sdk/1.4',
      accept: '*/*',
    }),
  }),
  deviation('CLIENT-10', 'side-by-side', 'Pages are read side by side, once it is known how many there are.', {
    logs: async (client) => {
      const first = await client.page(1, 20);
      client.printAll(first.data);
      const rest = Array.from({ length: first.total_pages - 1 }, (_, index) => client.page(index + 2, 20));
      for (const { data } of await Promise.all(rest)) client.printAll(data);
    },
  }),
  deviation('CLIENT-10', 'short-pages', 'Pages have seven items: the last one is not full.', {
    logs: async (client) => {
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { data, total_pages } = await client.page(page, 7);
        pages = total_pages;
        client.printAll(data);
      }
    },
  }),
  deviation('CLIENT-10', 'large-pages', 'Very large pages are asked for, one after the other.', {
    notifications: async (client) => {
      for (let offset = 0; ; offset += 1000) {
        const items = await client.slice(offset, 1000);
        if (items.length === 0) return;
        client.printAll(items);
      }
    },
  }),
  deviation('CLIENT-11', 'logs-codes', 'Codes, ids of requests and the first characters of the token are logged.', {
    onError: ({ body, code }, { log, token }) =>
      log(`${code} ${JSON.parse(body || '{"error":{}}').error.request_id} ${token.slice(0, 20)}…`),
  }),
];
