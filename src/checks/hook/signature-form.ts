// How a platform signs: the header, the encoding, what is signed, and how the secret is read. A form is found on one
// delivery and can then be asked of any other one.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { bodyReadings, type Delivery } from '../../exchange/delivery.ts';
import type { SecretReading } from './secret-readings.ts';
import { type Encoding, type SignatureValue, signatureValues } from './signature-values.ts';
import {
  type Content,
  contentsOf,
  type Joinable,
  joinableOf,
  knownTemplates,
  type Template,
  templateOf,
  templateText,
  usualTemplates,
} from './signed-content.ts';

export const SIGNATURE_BYTES = 32;

export interface SignatureForm {
  /** In lower case. */
  readonly header: string;
  readonly encoding: Encoding;
  readonly template: Template;
  readonly reading: SecretReading;
}

/** The parts of the form that the configuration fixes; null: anything is tried. */
export interface FixedForm {
  readonly header: string | null;
  readonly encoding: Encoding | null;
  readonly template: Template | null;
}

/** `header` and `form` of the configuration: "hex", "base64 of hex", "hex of {x-timestamp}.{body}", or "of {body}" in any encoding. */
export function fixedForm(header: string | null, form: string | null): FixedForm {
  const [, encoding, , template] = /^(base64 of hex|hex|base64)?( ?of (.*))?$/s.exec(form ?? '') ?? [];
  return {
    header: header?.toLowerCase() ?? null,
    encoding: encoding === undefined ? null : (encoding as Encoding),
    template: template === undefined ? null : templateOf(template),
  };
}

/** As the configuration takes it: "hex of {webhook-timestamp}.{body}". */
export function formText({ encoding, template }: Pick<SignatureForm, 'encoding' | 'template'>): string {
  return `${encoding} of ${templateText(template)}`;
}

/** One value for each form, however it was found. */
export function formKey(form: SignatureForm): string {
  return `${form.header} ${formText(form)} ${form.reading.name}`;
}

/** The values in the delivery that may be signatures, as far as the configuration leaves it open. */
export function candidates(delivery: Delivery, fixed: FixedForm): readonly SignatureValue[] {
  return signatureValues(delivery).filter(
    ({ header, encoding }) =>
      (fixed.header === null || header === fixed.header) && (fixed.encoding === null || encoding === fixed.encoding),
  );
}

/** The HMAC over the content, by an algorithm of node's. */
export function macOf(content: Content, key: KeyObject | string | Buffer, algorithm = 'sha256'): Buffer {
  const mac = createHmac(algorithm, key);
  for (const part of content) mac.update(part);
  return mac.digest();
}

/** Tells whether two digests are the same, in a time that does not depend on where they differ. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Tells whether the delivery carries a signature of this form: one that verifies is enough, for keys are rotated. */
export function verifies(form: SignatureForm, delivery: Delivery): boolean {
  const values = candidates(delivery, form).filter(({ bytes }) => bytes.length === SIGNATURE_BYTES);
  if (values.length === 0) return false;
  return contentsOf(form.template, delivery).some((content) => {
    const mac = macOf(content, form.reading.key);
    return values.some(({ bytes }) => isSame(bytes, mac));
  });
}

/** How much may still be digested: a sender of large or many broken deliveries must not keep a run busy. */
export interface Effort {
  /** Bytes; below 0 nothing more is tried. */
  left: number;
}

/** The cost of a digest beside its bytes, in bytes. */
export const COST_OF_DIGEST = 1024;

/** Enough for all compositions of a small body, and for some hundreds of a large one. */
export function effortOfSearch(): Effort {
  return { left: 48 * 1024 * 1024 };
}

/** The first of the known forms that verifies the delivery; null where none does, or none within the effort. */
export function findForm(
  delivery: Delivery,
  readings: readonly SecretReading[],
  fixed: FixedForm,
  effort: Effort = effortOfSearch(),
): SignatureForm | null {
  const values = candidates(delivery, fixed).filter(({ bytes }) => bytes.length === SIGNATURE_BYTES);
  if (values.length === 0) return null;
  const bodies = bodyReadings(delivery);
  const bytes = Math.max(...bodies.map(({ length }) => length));
  const verified = (template: Template, content: Content): SignatureForm | null => {
    for (const reading of readings) {
      effort.left -= bytes + COST_OF_DIGEST;
      const mac = macOf(content, reading.key);
      const value = values.find((one) => isSame(one.bytes, mac));
      if (value !== undefined) return { header: value.header, encoding: value.encoding, template, reading };
    }
    return null;
  };
  for (const { template, isUsual } of searched(delivery, values, fixed)) {
    for (const content of contentsOf(template, delivery, bodies)) {
      if (effort.left < 0 && !isUsual) return null;
      const form = verified(template, content);
      if (form !== null) return form;
    }
  }
  return null;
}

/** The compositions in the order of a search: the usual ones, which are tried however large the body is, and then all. */
function* searched(delivery: Delivery, values: readonly SignatureValue[], fixed: FixedForm) {
  const usual = fixed.template === null ? usualTemplates(...joinedIn(delivery, values)) : [];
  for (const template of usual) yield { template, isUsual: true };
  for (const template of templatesFor(delivery, values, fixed)) yield { template, isUsual: false };
}

/** The compositions to try: the configured one, or all known ones. */
export function templatesFor(
  delivery: Delivery,
  values: readonly SignatureValue[],
  { template }: FixedForm,
): Iterable<Template> {
  return template !== null ? [template] : knownTemplates(...joinedIn(delivery, values));
}

function joinedIn(
  delivery: Delivery,
  values: readonly SignatureValue[],
): readonly [joinable: Joinable, labels: readonly string[]] {
  const signed = new Set(values.map(({ header }) => header));
  const labels = [...new Set(values.map(({ label }) => label))].filter((label) => label !== '').slice(0, 4);
  return [joinableOf(delivery, signed), labels];
}
