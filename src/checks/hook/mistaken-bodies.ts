// Makes the contents that senders sign by mistake in place of the raw body: the body written anew, a digest or an
// encoding of it, a part of it, the parameters of a form, or members of the body beside the signature.

import { createHash } from 'node:crypto';
import { jsonText } from '../../exchange/body.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import { type Delivery, headerOf, jsonOf } from '../../exchange/delivery.ts';
import { inOrder } from '../../openapi/json.ts';

const LARGEST_BODY = 256 * 1024;
const SIGNATURE_BYTES = 32;

/** Ways in which programs write JSON that they have read: the usual mistake of signing the parsed body. */
export function* reserialised(delivery: Delivery): Generator<Buffer> {
  const text = delivery.body.toString('utf8');
  if (delivery.body.length > LARGEST_BODY) return;
  const value = jsonOf(delivery);
  const written = new Set<string>([text.trim(), `${text}\n`]);
  if (value !== undefined) for (const one of [...writings(value), ...rewritings(text)]) written.add(one);
  written.delete(text);
  for (const one of written) yield Buffer.from(one);
}

function writings(value: unknown): readonly string[] {
  try {
    const compact = JSON.stringify(value);
    const sorted = JSON.stringify(inOrder(value));
    const both = [compact, sorted];
    const indented = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
    return [...both.flatMap(dialects), ...indented];
  } catch {
    // Nested deeper than the stack allows.
    return [];
  }
}

/** With the numbers and repeated members as they came: parsers of other languages keep 10.0, which JavaScript's does not. */
function rewritings(text: string): readonly string[] {
  const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? plainly(part) : ''));
  return dialects(compact);
}

/** A string's literal as JSON.stringify writes it. */
function plainly(literal: string): string {
  const value = parsedJson(literal);
  // A string with an escape that JSON does not know stays as it is written.
  return value === undefined ? literal : JSON.stringify(value);
}

/** Compact JSON as encoders of several languages write it: JavaScript, Python, PHP, Go. */
function dialects(json: string): readonly string[] {
  const [ascii, safe] = [escaped(json), htmlSafe(json)];
  return [
    json,
    ...[json, ascii].map(spaced),
    ascii,
    json.replaceAll('/', '\\/'),
    ascii.replaceAll('/', '\\/'),
    safe,
    `${safe}\n`,
    `${json}\n`,
  ];
}

/** As Python's json.dumps writes it: a blank after each comma and colon outside of strings. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));
}

/** As encoders write it that leave only ASCII. */
function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** As Go's encoder writes it. */
function htmlSafe(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The body's digest, its base64, and its text in another character encoding. */
export function* encodedBodies({ body, plain = body }: Delivery): Generator<Buffer> {
  const digest = createHash('sha256').update(plain).digest();
  yield Buffer.from(digest.toString('hex'));
  yield digest;
  yield Buffer.from(digest.toString('base64'));
  if (plain.length > LARGEST_BODY) return;
  yield Buffer.from(plain.toString('base64'));
  yield Buffer.from(plain.toString('base64url'));
  const text = plain.toString('utf8');
  if (Buffer.byteLength(text) === text.length) return;
  yield Buffer.from(text, 'latin1');
  yield Buffer.from(plain.toString('latin1'));
}

const MOST_PARTS = 12;

/** The members of the body, written as JSON or as the text that they hold. */
export function* partsOfBody(delivery: Delivery): Generator<Buffer> {
  const value = jsonOf(delivery);
  if (typeof value !== 'object' || value === null || delivery.body.length > LARGEST_BODY) return;
  for (const part of Object.values(value).slice(0, MOST_PARTS)) {
    if (typeof part === 'string') yield Buffer.from(part);
    else if (typeof part === 'object' && part !== null) yield Buffer.from(jsonText(part));
  }
}

/** A form's parameters in the order of their names: joined without any sign, and as a query, decoded and encoded. */
export function* formBodies(delivery: Delivery): Generator<Buffer> {
  const isForm = headerOf(delivery, 'content-type')?.toLowerCase().includes('form-urlencoded') ?? false;
  if (!isForm || delivery.body.length > LARGEST_BODY) return;
  const given = [...new URLSearchParams(delivery.body.toString('utf8'))];
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
  const own = delivery.body.toString('utf8');
  const ways = [
    ...[sorted, given].flatMap((all) => [
      all.map(([name, value]) => `${name}${value}`).join(''),
      all.map(([name, value]) => `${name}=${value}`).join('&'),
      all.map(([, value]) => value).join(''),
    ]),
    new URLSearchParams(sorted).toString(),
  ];
  for (const way of new Set(ways)) if (way !== own) yield Buffer.from(way);
}

interface Within {
  readonly name: string;
  readonly bytes: Buffer;
  /** The texts that its neighbours may have been joined to. */
  readonly others: readonly string[];
}

const MOST_NEIGHBOURS = 8;

/** Members of the body, or of an object in it, that hold 32 bytes in hexadecimal or base64, with what stands beside them. */
export function digestsWithin(value: unknown): readonly Within[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const inner = Object.values(value).filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  return [value, ...inner.slice(0, MOST_NEIGHBOURS)].flatMap((holder) => {
    const texts = Object.entries(holder).flatMap(([name, one]) =>
      typeof one === 'string' || typeof one === 'number' ? [[name, String(one)] as const] : [],
    );
    return texts.slice(0, MOST_NEIGHBOURS).flatMap(([name, text]) => {
      const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
      if (bytes.length !== SIGNATURE_BYTES || text.length < 43) return [];
      return [{ name, bytes, others: joined(texts.filter(([one]) => one !== name).map(([, one]) => one)) }];
    });
  });
}

/** Each by itself, and any two in either order. */
function joined(texts: readonly string[]): readonly string[] {
  const few = texts.slice(0, MOST_NEIGHBOURS);
  return [
    ...few,
    ...few.flatMap((one) => few.flatMap((other) => (one === other ? [] : [`${one}${other}`, `${one}.${other}`]))),
  ];
}
