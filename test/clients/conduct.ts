// A client of the platform in memory, right in all that it does, of which each part can be replaced: what the proof of CLIENT is
// made with. It shares nothing with the client of src/client.
import type { Clock } from '../../src/clock/clock.ts';
import type { Told } from '../../src/contract/client.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
}

/** What a client knows when it decides whether it tries again. */
export interface Situation {
  readonly call: Call;
  /** null: no answer came. */
  readonly status: number | null;
  readonly code: string;
  readonly retryAfter: string | null;
  /** 1 for the first. */
  readonly attempt: number;
  readonly nowMs: number;
}

/** What the environment gives, and what the client reaches. */
export interface Given {
  readonly clock: Clock;
  readonly token: string;
  readonly task: string;
  readonly storeId: string;
  /** null: the connection was closed. */
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body: string): Promise<Told | null>;
  print(line: string): void;
  log(line: string): void;
  /** Writes a file of its working folder. */
  write(line: string): void;
}

export interface Conduct {
  readonly tasks: readonly string[];
  /** How long to wait before the next attempt, in ms; null: there is none. */
  wait(situation: Situation): number | null;
  headers(call: Call, token: string): Readonly<Record<string, string>>;
  /** The key of this attempt; null: none. `first` is that of the call. */
  key(call: Call, attempt: number, first: string): string | null;
  /** What stands in the query beside the page; empty: nothing does. */
  query(attempt: number): string;
  readonly followsRedirects: boolean;
  logs(client: Client): Promise<void>;
  notifications(client: Client): Promise<void>;
  /** Told each error that ends a call; may throw what nobody catches. */
  onError(error: PlatformError, given: Given): void;
}

export class PlatformError extends Error {
  readonly status: number | null;
  readonly code: string;
  readonly body: string;

  constructor(status: number | null, code: string, body: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

/** Nobody catches it: the program ends. */
export class Uncaught extends Error {}

/** The program is ended by a signal. */
export class Killed extends Error {}

interface Item {
  readonly id: string;
}

export interface LogPage {
  readonly data: readonly Item[];
  readonly total_pages: number;
}

export class Client {
  readonly given: Given;
  readonly conduct: Conduct;
  #keys = 0;

  constructor(given: Given, conduct: Conduct) {
    this.given = given;
    this.conduct = conduct;
  }

  async call(call: Call): Promise<unknown> {
    const { conduct, given } = this;
    this.#keys += 1;
    const firstKey = `key-${given.token.slice(-8)}-${this.#keys}`;
    for (let attempt = 1; ; attempt += 1) {
      const key = call.method === 'POST' ? conduct.key(call, attempt, firstKey) : null;
      const headers = { ...conduct.headers(call, given.token), ...(key === null ? {} : { 'idempotency-key': key }) };
      const body = call.method === 'POST' ? '{"name":"Example"}' : '';
      const query = conduct.query(attempt);
      const path = query === '' ? call.path : `${call.path}${call.path.includes('?') ? '&' : '?'}${query}`;
      const told = await given.send(call.method, path, headers, body);
      if (told !== null && told.status < 300) return JSON.parse(told.body);
      if (told?.status === 302 && conduct.followsRedirects)
        await given.send('GET', told.headers.location ?? '', headers, '');
      const code = codeIn(told?.body ?? '');
      const wait = conduct.wait({
        ...{ call, code, attempt, status: told?.status ?? null, nowMs: given.clock.now() },
        retryAfter: told?.headers['retry-after'] ?? null,
      });
      if (wait === null) throw new PlatformError(told?.status ?? null, code, told?.body ?? '');
      await given.clock.sleep(wait);
    }
  }

  page(page: number, limit = 50): Promise<LogPage> {
    const path = `/api/v1/auth/activity/logs?page=${page}&limit=${limit}`;
    return this.call({ method: 'GET', path }) as Promise<LogPage>;
  }

  slice(offset: number, limit = 50): Promise<readonly Item[]> {
    const path = `/api/v1/stores/${this.given.storeId}/domains/notifications?limit=${limit}&offset=${offset}`;
    return this.call({ method: 'GET', path }) as Promise<readonly Item[]>;
  }

  printAll(items: readonly Item[]): void {
    for (const { id } of items) this.given.print(id);
  }

  /** The exit code. */
  async perform(): Promise<number> {
    const { task, storeId } = this.given;
    if (!this.conduct.tasks.includes(task)) return 64;
    try {
      if (task === 'walk-logs') await this.conduct.logs(this);
      else if (task === 'walk-notifications') await this.conduct.notifications(this);
      else if (task === 'read-store') await this.call({ method: 'GET', path: `/api/v1/stores/${storeId}` });
      else if (task === 'create-store') await this.call({ method: 'POST', path: '/api/v1/stores' });
      else await this.call({ method: 'POST', path: '/api/v1/stores/process-payment' });
      return 0;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.conduct.onError(error, this.given);
      return 1;
    }
  }
}

function codeIn(body: string): string {
  try {
    return String(JSON.parse(body).error.code);
  } catch {
    return 'none';
  }
}

/** As the contract says: 4 retries at 429 and 503 would be allowed, three are made. */
export function lawfulWait({ status, retryAfter, attempt, nowMs }: Situation): number | null {
  if (attempt >= 4) return null;
  if (status === 429 || status === 503) {
    if (retryAfter === null) return 1000 * 2 ** (attempt - 1) + ((attempt * 97) % 250);
    return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs;
  }
  return status === null || status >= 500 ? 250 * 2 ** (attempt - 1) : null;
}

export const RIGHT: Conduct = {
  tasks: ['read-store', 'walk-logs', 'walk-notifications', 'create-store', 'pay'],
  wait: lawfulWait,
  headers: (_call, token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' }),
  key: (_call, _attempt, first) => first,
  query: () => '',
  followsRedirects: false,
  async logs(client) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data, total_pages } = await client.page(page);
      pages = total_pages;
      client.printAll(data);
    }
  },
  async notifications(client) {
    for (let offset = 0; ; ) {
      const items = await client.slice(offset);
      if (items.length === 0) return;
      offset += items.length;
      client.printAll(items);
    }
  },
  onError: ({ message }, { log }) => log(message),
};
