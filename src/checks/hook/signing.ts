// How all deliveries of a run are signed: the one form that verifies most of them. It must hold for every delivery.
import type { Delivery } from '../../exchange/delivery.ts';
import { readingsOf, type SecretReading } from './secret-readings.ts';
import { type FixedForm, findForm, fixedForm, formKey, type SignatureForm, verifies } from './signature-form.ts';

/** `webhooks` of the configuration, as far as signatures go. */
export interface Subscription {
  /** null: none is configured. */
  readonly secret: string | null;
  readonly header: string | null;
  /** "hex", "base64", or such as "hex of {x-timestamp}.{body}". */
  readonly form: string | null;
}

export interface Signing {
  readonly readings: readonly SecretReading[];
  readonly fixed: FixedForm;
  /** null where no signature of any delivery verifies. */
  readonly form: SignatureForm | null;
  /** Forms that verify other deliveries: a platform that has any of these does not keep to one. */
  readonly otherForms: readonly SignatureForm[];
  /** The deliveries that verify under `form`. */
  readonly verified: ReadonlySet<Delivery>;
}

/** Maximum number of deliveries that are searched for a form of their own; the others are asked only for the forms found. */
const MOST_SEARCHES = 16;

/** Looks for the form over all deliveries. Time grows with their number, and with at most 16 searches. */
export function signingOf(deliveries: readonly Delivery[], { secret, header, form }: Subscription): Signing {
  const fixed = fixedForm(header, form);
  const readings = secret === null ? [] : readingsOf(secret);
  const forms = new Map<string, SignatureForm>();
  let searches = 0;
  for (const delivery of spread(deliveries)) {
    if (searches >= MOST_SEARCHES) break;
    if ([...forms.values()].some((known) => verifies(known, delivery))) continue;
    searches += 1;
    const found = findForm(delivery, readings, fixed);
    if (found !== null) forms.set(formKey(found), found);
  }
  const ranked = [...forms.values()]
    .map((one) => ({ form: one, verified: new Set(deliveries.filter((delivery) => verifies(one, delivery))) }))
    .sort((left, right) => right.verified.size - left.verified.size);
  const [best = { form: null, verified: new Set<Delivery>() }, ...others] = ranked;
  return { readings, fixed, ...best, otherForms: others.map((one) => one.form) };
}

/** The deliveries in an order that meets early and late ones soon: halves, quarters, eighths. */
function* spread(deliveries: readonly Delivery[]): Generator<Delivery> {
  const count = deliveries.length;
  const seen = new Set<number>();
  for (let parts = 1; seen.size < count; parts *= 2) {
    for (let part = 0; part < parts; part += 1) {
      const index = Math.floor((part * count) / parts);
      const delivery = deliveries[index];
      if (seen.has(index) || delivery === undefined) continue;
      seen.add(index);
      yield delivery;
    }
  }
}
