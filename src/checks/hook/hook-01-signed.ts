// HOOK-01: a delivery is signed with HMAC-SHA256 over its raw body under the subscription's secret. The form may be any
// known one, but it is the same for all deliveries.
//
// HOOK-01 (must): A delivery is signed with HMAC-SHA256 over its raw body (alone, or with a timestamp or id joined to
//   it) under the subscription's secret. Tolerance: Header name and form are "not shown": configured, or discovered by
//   trying the known forms over the received headers.
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { explain } from './explanation.ts';
import { type Effort, type FixedForm, findForm, formText, type SignatureForm, verifies } from './signature-form.ts';
import { templateText } from './signed-content.ts';
import type { Signing } from './signing.ts';

export const NO_SECRET = cannotTell('no-credential', 'no secret is configured (webhooks.secret)');

/** Judges one delivery; `others` are deliveries whose bodies may have been signed in its place. */
export function judgeSigned(
  delivery: Delivery,
  signing: Signing,
  others: readonly Delivery[],
  effort: Effort,
): Judgement {
  if (signing.readings.length === 0) return NO_SECRET;
  return signing.verified.has(delivery) ? holds() : breached([notSigned('HOOK-01', delivery, signing, others, effort)]);
}

const SUBJECTS = { 'HOOK-01': 'a delivery', 'HOOK-02': 'a redelivery' } as const;

/** The breach of a delivery that does not verify. */
export function notSigned(
  clause: keyof typeof SUBJECTS,
  delivery: Delivery,
  signing: Signing,
  others: readonly Delivery[],
  effort: Effort,
) {
  const subject = SUBJECTS[clause];
  const { kind, cause, actual } =
    inAnotherForm(delivery, signing, effort) ?? explain(delivery, signing, others, effort);
  return {
    weight: 'breach' as const,
    code: codeOf(clause, kind),
    cause: `${subject} ${cause}`,
    message: `${delivery.method} ${shortPath(delivery.path)}: ${subject} ${cause} – ${actual}`,
    expected: expectationOf(signing),
    actual,
  };
}

/** Its own signature verifies, but not in the form that holds for the others or that is configured. */
function inAnotherForm(delivery: Delivery, { readings, fixed, form, otherForms }: Signing, effort: Effort) {
  const isFixed = fixed.header !== null || fixed.encoding !== null || fixed.template !== null;
  const own = isFixed
    ? findForm(delivery, readings, ANY, effort)
    : (otherForms.find((one) => verifies(one, delivery)) ?? null);
  if (own === null) return null;
  const [kind, cause] = isFixed
    ? ['other-than-configured', 'is signed in another form than the configured one']
    : ['unlike-others', 'is signed in another form than others'];
  const other = form === null ? configuredText(fixed) : placeText(form);
  return { kind, cause, actual: `${placeText(own)}; ${isFixed ? 'configured' : 'elsewhere'}: ${other}` };
}

const ANY: FixedForm = { header: null, encoding: null, template: null };

function placeText(form: SignatureForm): string {
  return `${form.header}, ${formText(form)}`;
}

function configuredText({ header, encoding, template }: FixedForm): string {
  const of = template === null ? '' : ` of ${templateText(template)}`;
  if (header === null && encoding === null) return 'in any header and known form';
  return [header ?? 'any header', ...(encoding === null ? [] : [`${encoding}${of}`])].join(', ');
}

function expectationOf({ form, fixed }: Signing): string {
  const where = form === null ? configuredText(fixed) : placeText(form);
  return `HMAC-SHA256 over the raw body (alone, or with a timestamp or id joined to it) under the secret; ${where}`;
}

function shortPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}
