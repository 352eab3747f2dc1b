// A client of the platform in TypeScript that keeps the contract, and the command that `assay client` runs:
//
//   assay client -- node examples/clients/right.ts
import { randomUUID } from 'node:crypto';

const {
  ASSAY_BASE_URL: baseUrl = '',
  ASSAY_TOKEN: token = '',
  ASSAY_TASK: task = '',
  ASSAY_STORE_ID = '',
} = process.env;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** What the platform answered; the message stays here, because it may hold an end user's data. */
class PlatformError extends Error {
  readonly code: string;

  constructor(status: number, code: string) {
    super(`the platform answered ${status} ${code}`);
    this.code = code;
  }
}

const MOST_ATTEMPTS = 4;

/** Performs the call, again where the platform says so; the same key goes with each attempt. */
async function call<T>({ method, path, body }: Call): Promise<T> {
  const key = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...key },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as T;
    const status = response?.status ?? 0;
    const wait = attempt < MOST_ATTEMPTS ? waitMs(status, response?.headers.get('retry-after') ?? null, attempt) : null;
    if (wait === null) throw new PlatformError(status, await codeOf(response));
    await response?.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** How long to wait before the next attempt; null: none is made. */
function waitMs(status: number, retryAfter: string | null, attempt: number): number | null {
  if (status === 429 || status === 503) {
    if (retryAfter === null) return Math.min(1000 * 2 ** (attempt - 1), 30_000) + Math.random() * 250;
    return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Math.max(0, Date.parse(retryAfter) - Date.now());
  }
  return status === 0 || status >= 500 ? 250 * 2 ** (attempt - 1) : null;
}

async function codeOf(response: Response | null): Promise<string> {
  const body = (await response?.json().catch(() => null)) as { error?: { code?: unknown } } | null | undefined;
  return typeof body?.error?.code === 'string' ? body.error.code : 'unknown';
}

interface Item {
  readonly id: string;
}

async function* activityLogs(): AsyncGenerator<Item> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await call<{ data: Item[]; total_pages: number }>({
      method: 'GET',
      path: `/api/v1/auth/activity/logs?page=${page}&limit=50`,
    });
    pages = answer.total_pages;
    yield* answer.data;
  }
}

async function* notifications(storeId: string): AsyncGenerator<Item> {
  for (let offset = 0; ; ) {
    const path = `/api/v1/stores/${storeId}/domains/notifications?limit=50&offset=${offset}`;
    const items = await call<Item[]>({ method: 'GET', path });
    if (items.length === 0) return;
    offset += items.length;
    yield* items;
  }
}

async function print(items: AsyncIterable<Item>): Promise<void> {
  for await (const { id } of items) console.log(id);
}

const TASKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'read-store': () => call({ method: 'GET', path: `/api/v1/stores/${ASSAY_STORE_ID}` }),
  'walk-logs': () => print(activityLogs()),
  'walk-notifications': () => print(notifications(ASSAY_STORE_ID)),
  'create-store': () => call({ method: 'POST', path: '/api/v1/stores', body: { name: 'Example store' } }),
  pay: () => call({ method: 'POST', path: '/api/v1/stores/process-payment', body: { amount: 1999, currency: 'EUR' } }),
};

const perform = TASKS[task];
if (perform === undefined) process.exit(64);
try {
  await perform();
} catch (error) {
  console.error(error instanceof PlatformError ? error.message : String(error));
  process.exitCode = 1;
}
