// Why a delivery does not verify, as far as its bytes tell: each mistake that senders are known to make is made again, and
// the one that gives the signature received is named.
import { createHash } from 'node:crypto';
import { bodyReadings, type Delivery, jsonOf } from '../../exchange/delivery.ts';
import type { SecretReading } from './secret-readings.ts';
import {
  COST_OF_DIGEST,
  candidates,
  type Effort,
  formText,
  isSame,
  macOf,
  SIGNATURE_BYTES,
  templatesFor,
} from './signature-form.ts';
import type { SignatureValue } from './signature-values.ts';
import { type Content, contentsOf, type Template } from './signed-content.ts';
import type { Signing } from './signing.ts';

export interface Explanation {
  /** Which mistake it is: what follows the clause in the breach's code. */
  readonly kind: string;
  /** Constant per kind, after "a delivery": "carries no signature". */
  readonly cause: string;
  /** What was received. */
  readonly actual: string;
}

/** Compositions that a mistake is tried with: the usual ones stand first. Fewer where the form is known. */
const MOST_TEMPLATES = { unknown: 300, known: 10 };
const LARGEST_BODY = 256 * 1024;
/** A shorter common beginning may be chance. */
const SHORTEST_CUT = 8;
const OTHER_ALGORITHMS = ['sha1', 'sha512', 'sha384', 'md5'] as const;

/**
 * The likeliest mistake. `others`: deliveries whose bodies may have been signed in place of this one's. Beyond the effort,
 * which all explanations of a run share, no mistake is looked for.
 */
export function explain(
  delivery: Delivery,
  signing: Signing,
  others: readonly Delivery[],
  effort: Effort,
): Explanation {
  const values = candidates(delivery, signing.fixed);
  const absent = absence(delivery, signing, values);
  if (absent !== null) return absent;
  const attempt = effort.left < 0 ? null : new Attempt(delivery, values, signing, effort);
  return (
    attempt?.overReserialised() ??
    attempt?.cutShort() ??
    attempt?.overAnotherBody(others) ??
    attempt?.byAnotherAlgorithm() ??
    attempt?.withoutKey() ?? {
      kind: 'not-verified',
      cause: 'carries a signature that does not verify under the secret',
      actual: `${namesOf(values.filter((value) => isMeant(value, signing)))}: no known form of HMAC-SHA256 over the raw body gives it`,
    }
  );
}

const SIGNATURE_NAME = /sign|(^|[-_])(sig|mac)([-_]|$)|hmac|digest|hash/;
const ID_NAME = /(^|[-_])(id|uuid|guid|trace|span|etag|key)$/;

/** Whether the value is meant as a signature, as far as its header's name tells; ids are hexadecimal, too. */
function isMeant({ header, bytes }: SignatureValue, { fixed }: Signing): boolean {
  if (header === fixed.header || SIGNATURE_NAME.test(header)) return true;
  return bytes.length === SIGNATURE_BYTES && !ID_NAME.test(header);
}

/** Nothing that could be a signature, or none where the configuration wants it. */
function absence(delivery: Delivery, signing: Signing, values: readonly SignatureValue[]): Explanation | null {
  if (values.some((value) => isMeant(value, signing))) return null;
  const { fixed } = signing;
  const open = candidates(delivery, { header: fixed.header, encoding: null, template: null });
  const any = open.filter((value) => isMeant(value, signing));
  if (fixed.encoding !== null && any.length > 0)
    return {
      kind: 'other-encoding',
      cause: 'carries a signature in another encoding than the configured one',
      actual: `${namesOf(any)} in ${any[0]?.encoding}, configured ${fixed.encoding}`,
    };
  const [kind, cause] = ['unsigned', 'carries no signature'];
  if (fixed.header === null) return { kind, cause, actual: 'no header holds an HMAC in hexadecimal or base64' };
  const isThere = delivery.headers.some(([name]) => name === fixed.header);
  return { kind, cause, actual: isThere ? `${fixed.header} holds no HMAC` : `the header ${fixed.header} is missing` };
}

/** One delivery whose signature is made again in many wrong ways. */
class Attempt {
  readonly #delivery: Delivery;
  readonly #values: readonly SignatureValue[];
  readonly #readings: readonly SecretReading[];
  readonly #templates: readonly Template[];
  readonly #effort: Effort;
  readonly #bodies: readonly Buffer[];

  constructor(
    delivery: Delivery,
    values: readonly SignatureValue[],
    { readings, fixed, form }: Signing,
    effort: Effort,
  ) {
    this.#effort = effort;
    this.#delivery = delivery;
    this.#bodies = bodyReadings(delivery);
    this.#values = values;
    this.#readings = form === null ? readings : [form.reading];
    const known = form === null ? [] : [form.template];
    const count = form === null ? MOST_TEMPLATES.unknown : MOST_TEMPLATES.known;
    this.#templates = [...known, ...firstOf(templatesFor(delivery, values, fixed), count)];
  }

  overReserialised(): Explanation | null {
    const made = this.#whole([...reserialised(this.#delivery)]);
    return made === null
      ? null
      : {
          kind: 'reserialised',
          cause: 'is signed over its body re-serialised, not over its raw bytes',
          actual: `${made.header} verifies over the body written anew as JSON: ${made.over}`,
        };
  }

  overAnotherBody(others: readonly Delivery[]): Explanation | null {
    const made = this.#whole([Buffer.alloc(0), ...others.map(({ body }) => body)]);
    return made === null
      ? null
      : {
          kind: 'other-body',
          cause: 'is signed over another body than its own',
          actual: `${made.header} verifies over ${made.over}`,
        };
  }

  cutShort(): Explanation | null {
    const short = this.#values.filter(({ bytes }) => bytes.length >= SHORTEST_CUT && bytes.length < SIGNATURE_BYTES);
    if (short.length === 0) return null;
    for (const { content } of this.#contents(this.#bodies)) {
      for (const { key } of this.#readings) {
        const mac = macOf(content, key);
        const cut = short.find(({ bytes }) => isSame(bytes, mac.subarray(0, bytes.length)));
        if (cut !== undefined)
          return {
            kind: 'cut-short',
            cause: 'carries a signature that is cut short',
            actual: `${cut.header} holds the first ${cut.bytes.length} of ${SIGNATURE_BYTES} bytes`,
          };
      }
    }
    return null;
  }

  byAnotherAlgorithm(): Explanation | null {
    for (const algorithm of OTHER_ALGORITHMS) {
      for (const { content } of this.#contents(this.#bodies)) {
        for (const { key } of this.#readings) {
          const value = this.#holding(macOf(content, key, algorithm));
          if (value !== undefined) return otherwise(value, `HMAC-${algorithm.toUpperCase()}`);
        }
      }
    }
    return null;
  }

  /** Plain SHA-256, with the secret written before or after, or without it. */
  withoutKey(): Explanation | null {
    for (const body of this.#bodies) {
      for (const key of [...this.#readings.map((one) => one.key.export()), Buffer.alloc(0)]) {
        for (const parts of [
          [key, body],
          [body, key],
        ]) {
          const digest = createHash('sha256').update(Buffer.concat(parts)).digest();
          const value = this.#holding(digest);
          if (value !== undefined) return otherwise(value, 'plain SHA-256');
        }
      }
    }
    return null;
  }

  /** A whole signature over one of these bodies. */
  #whole(bodies: readonly Buffer[]): { readonly header: string; readonly over: string } | null {
    const whole = this.#values.filter(({ bytes }) => bytes.length === SIGNATURE_BYTES);
    if (whole.length === 0) return null;
    for (const { content, template } of this.#contents(bodies)) {
      for (const { key } of this.#readings) {
        const mac = macOf(content, key);
        const value = whole.find(({ bytes }) => isSame(bytes, mac));
        if (value !== undefined)
          return { header: value.header, over: formText({ encoding: value.encoding, template }) };
      }
    }
    return null;
  }

  *#contents(bodies: readonly Buffer[]): Generator<{ readonly content: Content; readonly template: Template }> {
    for (const template of this.#templates) {
      for (const content of contentsOf(template, this.#delivery, bodies)) {
        this.#effort.left -= this.#readings.length * (lengthOf(content) + COST_OF_DIGEST);
        if (this.#effort.left < 0) return;
        yield { content, template };
      }
    }
  }

  #holding(digest: Buffer): SignatureValue | undefined {
    return this.#values.find(({ bytes }) => isSame(bytes, digest));
  }
}

function lengthOf(content: Content): number {
  return content.reduce((sum, part) => sum + part.length, 0);
}

function otherwise({ header }: SignatureValue, algorithm: string): Explanation {
  const cause = 'is signed otherwise than by HMAC-SHA256';
  return { kind: 'other-algorithm', cause, actual: `${header} holds ${algorithm}` };
}

/** Ways in which programs write JSON that they have read: the usual mistake of signing the parsed body. */
function* reserialised(delivery: Delivery): Generator<Buffer> {
  const text = delivery.body.toString('utf8');
  if (delivery.body.length > LARGEST_BODY) return;
  const value = jsonOf(delivery);
  const written = new Set<string>([text.trim(), `${text}\n`]);
  if (value !== undefined) for (const one of writings(value)) written.add(one);
  written.delete(text);
  for (const one of written) yield Buffer.from(one);
}

function writings(value: unknown): readonly string[] {
  try {
    const compact = JSON.stringify(value);
    const sorted = JSON.stringify(inOrder(value));
    const both = [compact, sorted];
    const indented = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
    return [...both, ...both.map(spaced), ...both.map(escaped), ...indented];
  } catch {
    // Nested deeper than the stack allows.
    return [];
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/** As Python's json.dumps writes it: a blank after each comma and colon outside of strings. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));
}

/** As encoders write it that leave only ASCII, or escape slashes. */
function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function namesOf(values: readonly SignatureValue[]): string {
  return [...new Set(values.map(({ header }) => header))].slice(0, 4).join(', ');
}

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if (taken++ >= count) return;
    yield item;
  }
}
