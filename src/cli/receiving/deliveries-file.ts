// Recorded deliveries: a JSON object a line, as a tunnel, a queue or a log keeps them. Every broken line is named.
//
//   {"at":"2026-01-31T12:00:00Z","method":"POST","path":"/hooks","headers":{"X-Signature":"…"},"bodyBase64":"…","status":500}
//
// `at` is a date, or epoch seconds or ms; a header's value may be a list; `status`, what the delivery was answered (null: nothing), is
// optional, and redeliveries are judged only with it.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { UsageError } from '../../config/errors.ts';
import { type Delivery, type DeliveryAnswer, plainOf } from '../../exchange/delivery.ts';
import { isObject } from '../../openapi/json.ts';

const MOST_FILE_BYTES = 64 * 1024 * 1024;
const MOST_DELIVERIES = 2000;
const MOST_PROBLEMS = 20;
/** Epoch seconds are below it until the year 5138, and epoch ms above it since 1973. */
const LARGEST_SECONDS = 1e11;

/** The deliveries, in the order of the file. Throws UsageError for a file that cannot be read, and with every broken line. */
export async function recordedDeliveries(file: string): Promise<readonly Delivery[]> {
  await mustBeReadable(file);
  const deliveries: Delivery[] = [];
  const problems: string[] = [];
  let line = 0;
  let plainBytes = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    if (deliveries.length >= MOST_DELIVERIES) problems.push(`${file}:${line}: more than ${MOST_DELIVERIES} deliveries`);
    if (problems.length >= MOST_PROBLEMS) break;
    const read = readLine(text, `delivery-${line}`);
    if (typeof read === 'string') problems.push(`${file}:${line}: ${read}`);
    else {
      plainBytes += read.plain?.length ?? 0;
      if (plainBytes > MOST_FILE_BYTES)
        problems.push(`${file}:${line}: the bodies up to here are too large, decompressed`);
      deliveries.push(read);
    }
  }
  if (problems.length === 0) return deliveries;
  throw unreadable(problems.join('\n  '));
}

async function mustBeReadable(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(`${file} cannot be read (${error.code})`);
  });
  if (!found.isFile()) throw unreadable(`${file} is no file`);
  if (found.size > MOST_FILE_BYTES) throw unreadable(`${file} is larger than ${MOST_FILE_BYTES / 1024 / 1024} MiB`);
}

function unreadable(what: string): UsageError {
  const hint = 'a JSON object a line: {"at","method","path","headers","bodyBase64"}; docs/webhooks.md tells more';
  return new UsageError('ASSAY_DELIVERIES_UNREADABLE', `--deliveries: ${what}`, hint);
}

/** The delivery, or what is wrong with the line. */
function readLine(text: string, id: string): Delivery | string {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // The parser's words quote the line, which may hold a secret.
    return 'expected a JSON object, found text that is no JSON';
  }
  if (!isObject(value)) return 'expected a JSON object';
  const at = instantOf(value.at);
  if (at === null) return 'at: expected a date such as "2026-01-31T12:00:00Z", or epoch seconds or ms';
  const { method, path, bodyBase64, status } = value;
  if (typeof method !== 'string' || !/^[A-Za-z]{1,20}$/.test(method)) return 'method: expected one such as "POST"';
  if (typeof path !== 'string' || !path.startsWith('/')) return 'path: expected one that begins with "/"';
  const headers = headersOf(value.headers);
  if (headers === null) return 'headers: expected an object of strings or lists of strings';
  const body = typeof bodyBase64 === 'string' ? decoded(bodyBase64) : null;
  if (body === null) return 'bodyBase64: expected the raw body in base64';
  const answer = answerOf(status);
  if (answer === undefined) return 'status: expected the status that was answered, or null for no answer';
  return { id, at, method: method.toUpperCase(), path, headers, body, ...plainOf({ headers, body }), answer };
}

function instantOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value * (Math.abs(value) < LARGEST_SECONDS ? 1000 : 1) : Number.NaN;
  const at = typeof value === 'string' ? Date.parse(value) : number;
  return Number.isFinite(at) && Math.abs(at) < 8.64e15 ? at : null;
}

function headersOf(value: unknown): Delivery['headers'] | null {
  if (!isObject(value)) return null;
  const headers: [string, string][] = [];
  for (const [name, content] of Object.entries(value)) {
    for (const one of Array.isArray(content) ? content : [content]) {
      if (typeof one !== 'string' && typeof one !== 'number') return null;
      headers.push([name.toLowerCase(), String(one)]);
    }
  }
  return headers;
}

function decoded(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Buffer.from(text, 'base64');
}

/** undefined: neither a status nor its absence. */
function answerOf(status: unknown): DeliveryAnswer | null | undefined {
  if (status === undefined) return null;
  const isStatus = Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999;
  if (!isStatus && status !== null) return undefined;
  return {
    status: status as number | null,
    said: status === null ? 'no answer' : String(status),
    afterMs: 0,
    senderLeft: false,
  };
}
