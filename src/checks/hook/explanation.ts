// Why a delivery does not verify, as far as its bytes tell: each mistake that senders are known to make is made again, and
// the one that gives the signature received is named.
import { createHash } from 'node:crypto';
import { bodyReadings, type Delivery, jsonOf } from '../../exchange/delivery.ts';
import { digestsWithin, encodedBodies, formBodies, partsOfBody, reserialised } from './mistaken-bodies.ts';
import type { SecretReading } from './secret-readings.ts';
import {
  COST_OF_DIGEST,
  candidates,
  type Effort,
  type FixedForm,
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
  /** The received value, in words. */
  readonly actual: string;
}

/** Compositions that a mistake is tried with: the usual ones stand first. Fewer where the form is known. */
const MOST_TEMPLATES = { unknown: 300, known: 10 };
/** Mistakes that few senders make are tried with the usual compositions alone. */
const MOST_USUAL = 60;
/** A shorter common beginning may be chance. */
const SHORTEST_CUT = 8;
const OTHER_ALGORITHMS = ['sha1', 'sha512', 'sha384', 'md5'] as const;

/**
 * The likeliest mistake. `others`: deliveries whose bodies may have been signed in place of this one's, or whose signatures
 * may have been sent again. Beyond the effort, which all explanations of a run share, no mistake is looked for.
 */
export function explain(
  delivery: Delivery,
  signing: Signing,
  others: readonly Delivery[],
  effort: Effort,
): Explanation {
  const values = candidates(delivery, signing.fixed);
  const absent = secretShown(delivery, signing) ?? absence(delivery, signing, values);
  if (absent !== null) return absent;
  const attempt = effort.left < 0 ? null : new Attempt(delivery, values, signing, effort);
  return (
    attempt?.overReserialised() ??
    attempt?.cutShort() ??
    attempt?.withoutBody() ??
    attempt?.overAnotherBody(others) ??
    attempt?.ofAnotherDelivery(others, signing.verified) ??
    attempt?.overPartOrCode() ??
    attempt?.byAnotherAlgorithm() ??
    attempt?.withoutKey() ??
    attempt?.underAlteredSecret() ?? {
      kind: 'not-verified',
      cause: 'carries a signature that does not verify under the secret',
      actual: `${namesOf(values.filter((value) => isMeant(value, signing)))}: no known form of HMAC-SHA256 over the raw body gives it`,
    }
  );
}

const ANY_FORM: FixedForm = { header: null, encoding: null, template: null };
const SIGNATURE_NAME = /sign|(^|[-_])(sig|mac)([-_]|$)|hmac|digest|hash/;
const ID_NAME = /(^|[-_])(id|uuid|guid|trace|span|etag|key)$/;

/** Tells whether the value is meant as a signature, as far as its header's name tells; ids are hexadecimal, too. */
function isMeant({ header, bytes }: SignatureValue, { fixed }: Pick<Signing, 'fixed'>): boolean {
  if (header === fixed.header || SIGNATURE_NAME.test(header)) return true;
  return bytes.length === SIGNATURE_BYTES && !ID_NAME.test(header);
}

/** Tells whether the request holds a value that its sender means as a signature, right or wrong. */
export function carriesSignature(delivery: Delivery): boolean {
  return candidates(delivery, ANY_FORM).some((value) => isMeant(value, { fixed: ANY_FORM }));
}

/** The secret itself, sent along: whoever reads one delivery can make others. */
function secretShown(delivery: Delivery, { readings }: Signing): Explanation | null {
  const text = readings.find(({ name }) => name === 'text')?.key.export();
  if (text === undefined || text.length < SHORTEST_CUT) return null;
  const header = delivery.headers.find(([, value]) => Buffer.from(value).includes(text))?.[0];
  if (header === undefined) return null;
  return { kind: 'secret-itself', cause: 'carries the secret itself', actual: `${header} holds the secret` };
}

/** A signature that stands in the body, where it can cover no more than other members. */
function signedWithin(delivery: Delivery, { readings }: Signing): Explanation | null {
  for (const { name, bytes, others } of digestsWithin(jsonOf(delivery))) {
    for (const content of others) {
      for (const { key } of readings) {
        if (!isSame(macOf([content], key), bytes)) continue;
        const actual = `member ${name} of the body verifies over other members, and not over the body`;
        return { kind: 'not-over-body', cause: 'is signed without its body', actual };
      }
    }
  }
  return null;
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
  if (fixed.header === null)
    return (
      signedWithin(delivery, signing) ?? { kind, cause, actual: 'no header holds an HMAC in hexadecimal or base64' }
    );
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
    const cause = 'is signed over its body re-serialised, not over its raw bytes';
    const bodies = [...reserialised(this.#delivery)];
    return this.#over(bodies, ['reserialised', cause], (form) => `the body written anew as JSON: ${form}`);
  }

  /**
   * The same signature as on a delivery that verifies, and so had something else signed; or on an earlier one with another body. Where
   * the same body is delivered again under the same wrong secret, the signature is its own.
   */
  ofAnotherDelivery(others: readonly Delivery[], verified: ReadonlySet<Delivery>): Explanation | null {
    const { at, body } = this.#delivery;
    for (const other of others) {
      if (!verified.has(other) && (other.body.equals(body) || other.at >= at)) continue;
      const theirs = candidates(other, ANY_FORM);
      const value = this.#whole.find(
        ({ header, bytes }) =>
          SIGNATURE_NAME.test(header) && theirs.some((one) => one.header === header && isSame(one.bytes, bytes)),
      );
      if (value !== undefined)
        return {
          kind: 'of-another',
          cause: 'carries the signature of another delivery',
          actual: `${value.header} holds the same signature as in ${other.id}`,
        };
    }
    return null;
  }

  /** The timestamp, the id or the address alone. */
  withoutBody(): Explanation | null {
    const kind = ['not-over-body', 'is signed without its body'] as const;
    return this.#over([Buffer.alloc(0)], kind, (form) => `${form} with an empty body`);
  }

  /** Senders of forms sign the sorted parameters; others sign a digest, an encoding or a member of the body. */
  overPartOrCode(): Explanation | null {
    const kinds = [
      ['form-parameters', 'is signed over the parameters of its form, not over its raw bytes', formBodies],
      ['encoded-body', 'is signed over a digest or an encoding of its body, not over its raw bytes', encodedBodies],
      ['part-of-body', 'is signed over a part of its body', partsOfBody],
    ] as const;
    for (const [kind, cause, bodiesOf] of kinds) {
      const made = this.#over([...bodiesOf(this.#delivery)], [kind, cause], (form) => `${form} written so`, MOST_USUAL);
      if (made !== null) return made;
    }
    return null;
  }

  overAnotherBody(others: readonly Delivery[]): Explanation | null {
    const bodies = others.map(({ body }) => body).filter((body) => !body.equals(this.#delivery.body));
    return this.#over(bodies, ['other-body', 'is signed over another body than its own'], (form) => form);
  }

  cutShort(): Explanation | null {
    const values = this.#values.filter(({ bytes }) => bytes.length >= SHORTEST_CUT && bytes.length < SIGNATURE_BYTES);
    const isCut = (bytes: Buffer, mac: Buffer): boolean => isSame(bytes, mac.subarray(0, bytes.length));
    const search = { values, bodies: this.#bodies, keys: this.#readings, digestOf: underReading };
    const cut = this.#found(search, isCut)?.value;
    if (cut === undefined) return null;
    const actual = `${cut.header} holds the first ${cut.bytes.length} of ${SIGNATURE_BYTES} bytes`;
    return { kind: 'cut-short', cause: 'carries a signature that is cut short', actual };
  }

  byAnotherAlgorithm(): Explanation | null {
    const bodies = [...this.#bodies, ...formBodies(this.#delivery)];
    for (const algorithm of OTHER_ALGORITHMS) {
      const digestOf = (content: Content, { key }: SecretReading): Buffer => macOf(content, key, algorithm);
      const found = this.#found({ values: this.#values, bodies, keys: this.#readings, digestOf });
      if (found !== null) return otherwise(found.value, `HMAC-${algorithm.toUpperCase()}`);
    }
    return null;
  }

  /** Plain SHA-256, with the secret written before or after, or without it. */
  withoutKey(): Explanation | null {
    const secrets = [...this.#readings.map((one) => one.key.export()), Buffer.alloc(0)];
    const found = this.#found({
      ...{ values: this.#values, bodies: this.#bodies, most: MOST_USUAL },
      keys: secrets.flatMap((secret) => [
        (content: Content): Content => [secret, ...content],
        (content: Content): Content => [...content, secret],
      ]),
      digestOf: (content, withSecret) =>
        withSecret(content)
          .reduce((hash, part) => hash.update(part), createHash('sha256'))
          .digest(),
    });
    return found && otherwise(found.value, 'plain SHA-256');
  }

  /** The secret as programs misread it: empty, with a line break, in other letters, encoded once more, or its digest. */
  underAlteredSecret(): Explanation | null {
    const found = this.#found({
      ...{ values: this.#whole, bodies: this.#bodies, most: MOST_USUAL },
      keys: [['', 'an empty secret'] as const, ...this.#readings.flatMap(({ key }) => alterations(key.export()))],
      digestOf: (content, [key]) => macOf(content, key),
    });
    if (found === null) return null;
    const actual = `${found.value.header} verifies under ${found.key[1]}`;
    return { kind: 'altered-secret', cause: 'is signed under the secret written otherwise', actual };
  }

  get #whole(): readonly SignatureValue[] {
    return this.#values.filter(({ bytes }) => bytes.length === SIGNATURE_BYTES);
  }

  /** A whole signature over one of these bodies; `told`: all that it is over, by its form in words. */
  #over(
    bodies: readonly Buffer[],
    [kind, cause]: readonly [kind: string, cause: string],
    told: (form: string) => string,
    most?: number,
  ): Explanation | null {
    const found = this.#found({ values: this.#whole, bodies, keys: this.#readings, most, digestOf: underReading });
    if (found === null) return null;
    const { value, template } = found;
    const form = formText({ encoding: value.encoding, template });
    return { kind, cause, actual: `${value.header} verifies over ${told(form)}` };
  }

  /** The first of the values that a content gives under a key; null where none does, or the effort is spent. */
  #found<K>(
    { values, bodies, keys, most, digestOf }: Search<K>,
    isIn = isSame,
  ): { readonly value: SignatureValue; readonly template: Template; readonly key: K } | null {
    if (values.length === 0) return null;
    for (const { content, template } of this.#contents(bodies, most))
      for (const key of keys) {
        const digest = digestOf(content, key);
        const value = values.find(({ bytes }) => isIn(bytes, digest));
        if (value !== undefined) return { value, template, key };
      }
    return null;
  }

  *#contents(
    bodies: readonly Buffer[],
    most = this.#templates.length,
  ): Generator<{ readonly content: Content; readonly template: Template }> {
    if (bodies.length === 0) return;
    for (const template of this.#templates.slice(0, most)) {
      for (const content of contentsOf(template, this.#delivery, bodies)) {
        this.#effort.left -= this.#readings.length * (lengthOf(content) + COST_OF_DIGEST);
        if (this.#effort.left < 0) return;
        yield { content, template };
      }
    }
  }
}

/** The values, contents of bodies and keys that are laid side by side. */
interface Search<K> {
  readonly values: readonly SignatureValue[];
  readonly bodies: readonly Buffer[];
  readonly keys: readonly K[];
  /** Number of compositions, the usual ones first. Absent: all. */
  readonly most?: number | undefined;
  readonly digestOf: (content: Content, key: K) => Buffer;
}

function underReading(content: Content, { key }: SecretReading): Buffer {
  return macOf(content, key);
}

function alterations(secret: Buffer): readonly (readonly [Buffer, string])[] {
  const text = secret.toString('utf8');
  return [
    [Buffer.from(`${text}\n`), 'the secret with a line break after it'],
    [Buffer.from(text.trim()), 'the secret without blanks around it'],
    [Buffer.from(`"${text}"`), 'the secret in quotes'],
    [Buffer.from(text.toLowerCase()), 'the secret in lower case'],
    [Buffer.from(text.toUpperCase()), 'the secret in upper case'],
    [Buffer.from(secret.toString('base64')), 'the secret in base64'],
    [Buffer.from(secret.toString('hex')), 'the secret in hexadecimal'],
    [createHash('sha256').update(secret).digest(), 'the SHA-256 of the secret'],
    [createHash('sha256').update(secret).digest('hex'), 'the SHA-256 of the secret in hexadecimal'],
  ].map(([key = '', words]) => [Buffer.from(key), String(words)] as const);
}

function lengthOf(content: Content): number {
  return content.reduce((sum, part) => sum + part.length, 0);
}

function otherwise({ header }: SignatureValue, algorithm: string): Explanation {
  const cause = 'is signed otherwise than by HMAC-SHA256';
  return { kind: 'other-algorithm', cause, actual: `${header} holds ${algorithm}` };
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
