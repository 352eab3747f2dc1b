// One entry of a HAR 1.2 file as an exchange. Browsers leave out bodies and headers, take answers from caches, and record
// what is no HTTP: what an entry does not show for certain is left open.
import { isUtf8 } from 'node:buffer';
import { header, headers as valuesOf } from '../../exchange/body.ts';
import { decoded } from '../../exchange/content-coding.ts';
import { parsedJson, uriEncoded } from '../../exchange/decoded.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import { textIn } from '../../exchange/media-type.ts';
import { isObject } from '../../openapi/json.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { MOST_BODY_BYTES } from '../../run/traffic/recorded-exchange.ts';
import type { LeftOut, Seen, SeenAnswer, SeenRequest, SeenTimes } from '../../run/traffic/seen.ts';
import { notFromTarget } from './har-origin.ts';

/** The members of an entry that are read, once its shape is known to be right. */
export interface HarEntry {
  readonly startedDateTime?: unknown;
  readonly time?: unknown;
  readonly timings?: { readonly wait?: unknown } | null;
  readonly cache?: unknown;
  readonly _resourceType?: unknown;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HarHeader[];
    readonly cookies?: unknown;
    readonly queryString?: unknown;
    readonly bodySize?: unknown;
    readonly postData?: { readonly text?: string | null; readonly encoding?: unknown; readonly _file?: unknown } | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HarHeader[];
    readonly bodySize?: unknown;
    readonly _error?: unknown;
    readonly content?: {
      readonly size?: number | null;
      readonly text?: string | null;
      readonly encoding?: string | null;
      readonly mimeType?: unknown;
      readonly _file?: unknown;
    } | null;
  };
}

interface HarHeader {
  readonly name: string;
  readonly value?: string | number | null;
}

/** Recorders that write when a file was exported in the place of when a call was made. */
const TIMED_AT_EXPORT = /^insomnia/i;
/** A byte order mark is counted in the size, and is not in the text. Bytes. */
const MARK_BYTES = 3;
/** The types of resources that a browser loads for its pages. */
const PAGE_PARTS: ReadonlySet<unknown> = new Set([
  ...['document', 'stylesheet', 'script', 'image', 'font', 'media', 'manifest', 'texttrack'],
]);

/** The value as an entry is read: some recorders leave the answer of a call out that never had one. */
export function completed(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.request)) return value;
  const { response } = value;
  const isMissing = response == null || (isObject(response) && Object.keys(response).length === 0);
  return isMissing ? { ...value, response: { status: 0, headers: [] } } : value;
}

/** The entry with the bodies that Playwright keeps in files beside, where `read` finds them. */
export function withAttached(entry: HarEntry, read: (file: string) => string | null): HarEntry {
  const { request, response } = entry;
  const filled = <T extends Kept>(body: T | null | undefined) =>
    typeof body?._file === 'string' && !body.text ? { ...body, text: read(body._file) } : (body ?? null);
  const [postData, content] = [filled(request.postData), filled(response.content)];
  return { ...entry, request: { ...request, postData }, response: { ...response, content } };
}

interface Kept {
  readonly text?: string | null;
  readonly _file?: unknown;
}

/** `recorder`: what wrote the file, and in which browser; empty where the file does not tell. */
export function seenInHar(entry: HarEntry, place: string, recorder = ''): Seen {
  const times = TIMED_AT_EXPORT.test(recorder) ? null : timesOf(entry);
  return { place, request: requestOf(entry), answer: answerOf(entry, recorder), times };
}

function requestOf({ request }: HarEntry): SeenRequest {
  const headers = [...headersOf(request.headers), ...cookiesOf(request)];
  const isComplete = request.headers.some(({ name }) => /^(host|:authority)$/i.test(name));
  return {
    method: request.method.toUpperCase(),
    url: urlOf(request),
    headers,
    isComplete,
    body: sentBody(request, headers),
  };
}

/** The address with the query that a recorder lists, and leaves out of it. */
function urlOf({ url, queryString }: HarEntry['request']): string {
  const listed = Array.isArray(queryString) ? queryString.filter(isObject).filter(({ name }) => isSet(name)) : [];
  if (listed.length === 0 || /[?#]/.test(url)) return url;
  const pairs = listed.map(({ name, value }) => [name, value ?? ''].map((text) => uriEncoded(String(text))));
  return `${url}?${pairs.map((pair) => pair.join('=')).join('&')}`;
}

/** The header of cookies that a recorder lists, and leaves out of the headers. */
function cookiesOf({ cookies, headers }: HarEntry['request']): HeaderList {
  const listed = Array.isArray(cookies) ? cookies.filter(isObject) : [];
  if (listed.length === 0 || headers.some(({ name }) => /^cookie$/i.test(name))) return [];
  return [['cookie', listed.map(({ name, value }) => `${name}=${value}`).join('; ')]];
}

function sentBody({ postData, bodySize, method }: HarEntry['request'], headers: HeaderList): SeenRequest['body'] {
  const text = postData?.text;
  if (typeof text === 'string' && text !== '') {
    if (isBase64(text, postData?.encoding)) return { kind: 'text', text: Buffer.from(text, 'base64').toString() };
    return isCut(text, typeof bodySize === 'number' ? bodySize : null)
      ? { kind: 'unrecorded' }
      : { kind: 'text', text };
  }
  const announced = Number(header(headers, 'content-length') ?? 0);
  const isEmpty = postData == null && !(Number(bodySize) > 0) && !(announced > 0);
  return { kind: isEmpty && (/^(GET|HEAD|DELETE|OPTIONS)$/i.test(method) || bodySize === 0) ? 'none' : 'unrecorded' };
}

function answerOf(entry: HarEntry, recorder: string): SeenAnswer | LeftOut {
  const { request, response } = entry;
  const { status } = response;
  if (!/^https?:/i.test(request.url) || status === 101 || entry._resourceType === 'websocket')
    return 'is a WebSocket or another protocol';
  if (entry._resourceType === 'preflight') return 'is a preflight request of a browser';
  const elsewhere = notFromTarget(entry, recorder);
  if (elsewhere !== null) return elsewhere;
  if (!Number.isInteger(status) || status < 200 || status > 999) return 'has no answer';
  const headers = headersOf(response.headers);
  // JSON that is opened in a tab is a document to the browser.
  if (PAGE_PARTS.has(entry._resourceType) && !isJson(typeOf(response))) return 'is a page or a file of a site';
  const body = bodyOf(entry, headers);
  // chrome-har gives an answer after a redirect the headers of the redirect.
  return body.content !== '' && statesNoLength(headers)
    ? 'has the headers of another answer'
    : { status, headers, body };
}

function typeOf({ headers, content }: HarEntry['response']): string {
  return header(headersOf(headers), 'content-type') ?? String(content?.mimeType ?? '');
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function bodyOf({ request, response }: HarEntry, headers: HeaderList): SeenAnswer['body'] {
  const { content, status, _error: error } = response;
  const { text = null, size = null } = content ?? {};
  const kept = recordedContent(content ?? {}, headers);
  // Handed over as a text, for its codings are undone, whatever the headers say.
  const recorded = Buffer.isBuffer(kept) ? textIn(typeOf(response), kept) : kept;
  if (recorded !== undefined) {
    const sent = Math.max(size ?? 0, announcedBytes(headers));
    return { content: recorded ?? '', isWhole: !isCut(recorded, sent) && !isSet(error) };
  }
  const isBodiless = request.method.toUpperCase() === 'HEAD' || status === 204 || status === 205;
  const isTold = [size, response.bodySize, header(headers, 'content-length')].some((bytes) => Number(bytes) > 0);
  const isEmpty = !isTold && (text === '' || statesNoLength(headers));
  return { content: '', isWhole: (isBodiless || isEmpty) && !isSet(error) };
}

type Content = NonNullable<HarEntry['response']['content']>;

/**
 * The text, or the bytes where the recorder kept those: what they say is told by their charset. Null for one that is larger than is judged;
 * undefined where none is recorded, or nobody knows its encoding.
 */
function recordedContent({ text, encoding, size }: Content, headers: HeaderList): Buffer | string | null | undefined {
  if (text == null || text === '') return;
  const isUntold = encoding == null || encoding === '';
  if (!isUntold && !/^base64$/i.test(encoding)) return;
  // browsermob-proxy keeps coded bytes in base64 without saying so.
  const coded = isUntold ? bytesIn(text) : piecesIn(text);
  const decoded = coded === null ? undefined : decodedBytes(coded, headers);
  if (decoded !== undefined) return decoded;
  const isPacked = isBase64(text, isUntold && isSizeOfBytes(text, size ?? null) ? 'base64' : encoding);
  if (!isPacked) return bytesAsCharacters(text, size ?? null) ?? text.toWellFormed();
  const bytes = Buffer.from(text, 'base64');
  const plain = decodedBytes(bytes, headers);
  return plain === undefined ? bytes : plain;
}

function bytesIn(text: string): Buffer | null {
  return isBase64(text, 'base64') ? Buffer.from(text, 'base64') : null;
}

/** The bytes of a coded body whose pieces Polly.js lists, each in base64; null for any other text. */
function piecesIn(text: string): Buffer | null {
  if (!/^\["[\w+/=]*"(,"[\w+/=]*")*\]$/.test(text)) return null;
  const pieces: readonly string[] = JSON.parse(text);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
}

/** Some versions of Firefox call a text base64 that is none: one with a brace or a quote is taken as it stands. */
function isBase64(text: string, encoding: unknown): boolean {
  return /^base64$/i.test(String(encoding)) && /^[\w+/=\s-]*$/.test(text);
}

/** The text of which ProxyPin wrote each byte as a character; null for any other. */
function bytesAsCharacters(text: string, size: number | null): string | null {
  const bytes = Buffer.from(text, 'latin1');
  const isSo = size === text.length && size < Buffer.byteLength(text) && bytes.toString('latin1') === text;
  return isSo && isUtf8(bytes) ? bytes.toString() : null;
}

/** Some recorders write base64 without saying so: the size then is that of the bytes, where that of a text is the text's own. */
function isSizeOfBytes(text: string, size: number | null): boolean {
  return size !== null && size < Buffer.byteLength(text) && size === Buffer.from(text, 'base64').length;
}

/** An object or a list of JSON that ends is whole: some recorders count sizes twice, or write JSON anew. */
function isCut(content: string | null, size: number | null): boolean {
  if (content === null) return true;
  const isShort = size !== null && Buffer.byteLength(content) + MARK_BYTES < size;
  return isShort && !(/^\s*[{[]/.test(content) && parsedJson(content) !== undefined);
}

/** The length that the answer tells of its text; 0 where it tells none, or that of a coded one. */
function announcedBytes(headers: HeaderList): number {
  const isCoded = header(headers, 'content-encoding') !== null;
  return isCoded ? 0 : Number(header(headers, 'content-length') ?? 0) || 0;
}

function statesNoLength(headers: HeaderList): boolean {
  return valuesOf(headers, 'content-length').some((value) => value.trim() === '0');
}

/**
 * Some recorders keep the bytes as they came, content codings included. Null for a body that is larger than is judged; undefined for bytes
 * that are not so coded.
 */
function decodedBytes(body: Buffer, headers: HeaderList): Buffer | null | undefined {
  const { bytes, isTooLong } = decoded(body, header(headers, 'content-encoding'), MOST_BODY_BYTES);
  if (bytes === body) return;
  return isTooLong ? null : bytes;
}

/** Without the pseudo headers of HTTP/2. Values that stand in one line for several are told apart again. */
function headersOf(list: readonly HarHeader[]): HeaderList {
  return list.flatMap(({ name, value }) =>
    name === '' || name.startsWith(':')
      ? []
      : String(value ?? '')
          .split('\n')
          .map((one) => [name, one] as const),
  );
}

function timesOf({ startedDateTime, time, timings }: HarEntry): SeenTimes | null {
  const sentAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN;
  if (!Number.isFinite(sentAt) || typeof time !== 'number' || !(time > 0 && time < Number.POSITIVE_INFINITY))
    return null;
  const wait = timings?.wait;
  return {
    sentAt,
    durationMs: time,
    waitedMs: typeof wait === 'number' && Number.isFinite(wait) && wait >= 0 ? wait : null,
  };
}
