// Where the answer of a HAR entry came from: the target, a cache of the browser, a service worker, or the client itself, which
// made it up. Each recorder says so in members of its own.
import { isObject } from '../../openapi/json.ts';
import type { LeftOut } from '../../run/traffic/seen.ts';

export interface HarOrigin {
  readonly cache?: unknown;
  readonly response: {
    readonly status: number;
    readonly statusText?: unknown;
    readonly bodySize?: unknown;
    readonly _transferSize?: unknown;
    readonly headers?: readonly { readonly name: string; readonly value?: unknown }[];
    readonly content?: { readonly size?: unknown; readonly text?: unknown } | null;
  };
}

/**
 * Why the answer is none of the target; null where it is one, as far as the entry tells. Caches of servers (`X-Cache`, `Age`) answer
 * for the target. `recorder`: what wrote the file; empty where the file does not tell.
 */
export function notFromTarget(entry: HarOrigin, recorder: string): LeftOut | null {
  const marks = [...Object.entries(entry), ...Object.entries(entry.response)].flatMap(markIn);
  const [mark] = marks;
  if (mark !== undefined) return mark;
  if (isMadeUp(entry.response)) return BY_CLIENT;
  // A browser shows a 304 with headers and body of what it had kept.
  const isKept = entry.response.status === 304 || isFromCache(entry, recorder) || hasNotTravelled(entry.response);
  return isKept ? FROM_CACHE : null;
}

const FROM_CACHE = 'was answered from a cache';
const BY_WORKER = 'was answered by a service worker';
const BY_CLIENT = 'was answered by the client itself';

const HOW = '(is|was)?(served|fetched|loaded|answered)?(from|via|by)?';
/** Names without marks and capitals, and what they say where their value is true: `_fromCache`, `fromDiskCache`, `_wasFulfilled`. */
const MARKS = [
  [new RegExp(`^(?!cache$)${HOW}(memory|disk|prefetch|http|browser)?cached?$`), FROM_CACHE],
  [new RegExp(`^${HOW}serviceworker$`), BY_WORKER],
  // Playwright, for an answer that a test gave.
  [/^wasfulfilled$/, BY_CLIENT],
] as const;
/** Names whose value is the source: `_fetchType` of WebKit, `deliveryType` of Resource Timing. */
const SOURCE = /^(fetchtype|deliverytype|responsesource)$/;
const SOURCES = [
  [/cache|prefetch/i, FROM_CACHE],
  [/service.?worker/i, BY_WORKER],
  [/override/i, BY_CLIENT],
] as const;
const UNSET: ReadonlySet<unknown> = new Set([undefined, null, false, 0, '', 'false', 'no', 'none', 'network', 'miss']);

/** The source that one member of the entry or its answer tells; `cache` itself is an object of HAR 1.2. */
function markIn([name, value]: readonly [string, unknown]): readonly LeftOut[] {
  if (name === 'cache' || UNSET.has(typeof value === 'string' ? value.toLowerCase() : value)) return [];
  const bare = name.replaceAll(/[_-]/g, '').toLowerCase();
  const table = SOURCE.test(bare) ? SOURCES : MARKS;
  const read = SOURCE.test(bare) ? String(value) : bare;
  return table.flatMap(([pattern, reason]) => (pattern.test(read) ? [reason] : []));
}

/**
 * Tells whether the browser redirected by itself (HSTS, an extension), or a proxy that records could not reach the target: mitmproxy,
 * Fiddler, and the proxy of Assay.
 */
function isMadeUp({ status, statusText, headers = [] }: HarOrigin['response']): boolean {
  const isTold = headers.some(({ name, value }) =>
    /^server$/i.test(name) ? status === 502 && /^mitmproxy\b/i.test(String(value)) : MADE_UP.test(name),
  );
  return isTold || /^Fiddler - /.test(String(statusText ?? ''));
}

const MADE_UP = /^(non-authoritative-reason|x-assay-proxy)$/i;

/**
 * Tells whether `cache` says that the answer came from a cache. By HAR 1.2 it tells what the cache held before and
 * after the request: `beforeRequest: null` is a miss, whatever was kept afterwards. Firefox writes `afterRequest`
 * alone, and for a hit alone: null where it cannot describe what it had.
 */
function isFromCache({ cache, response }: HarOrigin, recorder: string): boolean {
  if (typeof cache !== 'object' || cache === null) return false;
  const { beforeRequest, afterRequest } = cache as {
    readonly beforeRequest?: unknown;
    readonly afterRequest?: unknown;
  };
  if (beforeRequest === null) return false;
  const isAlone = beforeRequest === undefined && afterRequest !== undefined;
  if (isAlone && FIREFOX.test(recorder)) return true;
  if (hasTravelled(response)) return false;
  return isObject(beforeRequest) || isObject(afterRequest) || (isAlone && recorder === '');
}

const FIREFOX = /firefox|mozilla|netmonitor/i;

function hasTravelled({ bodySize }: HarOrigin['response']): boolean {
  return typeof bodySize === 'number' && bodySize > 0;
}

/**
 * Chrome tells so of what it had: a body, and no byte of an answer that brought it; or the headers of a 304, which name no
 * type, with the status and the body of the answer that it had kept.
 */
function hasNotTravelled(response: HarOrigin['response']): boolean {
  const { content, bodySize, _transferSize: transferSize, headers = [] } = response;
  const hasBody = Number(content?.size ?? 0) > 0 || (typeof content?.text === 'string' && content.text !== '');
  if (!hasBody || hasTravelled(response)) return false;
  const isRenewed = Number(transferSize) > 0 && typeof bodySize === 'number' && bodySize !== -1;
  return transferSize === 0 || (isRenewed && !headers.some(({ name }) => /^content-type$/i.test(name)));
}
