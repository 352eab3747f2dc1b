// HOOK-03 (discover): Event kinds, payload shape, header names, retry schedule, ids that repeat on redelivery.
import { codeOf } from '../../contract/code.ts';
import type { Judgement, Observed } from '../../contract/judgement.ts';
import { type Delivery, headerOf, jsonOf } from '../../exchange/delivery.ts';
import { observation } from '../observation.ts';
import { redeliveriesOf } from './hook-02-redelivered.ts';
import { afterRefusals, duplicates, hasDuplicate, patience, repeatedIds, schedule } from './observed-redeliveries.ts';
import { freshness } from './observed-timestamps.ts';
import { listed, MOST_LISTED, told } from './observed-words.ts';
import { isOrdinary } from './ordinary-headers.ts';
import { candidates, formText, SIGNATURE_BYTES } from './signature-form.ts';
import type { SignatureValue } from './signature-values.ts';
import type { Signing } from './signing.ts';

export interface HookObservation {
  readonly judgement: Judgement;
  readonly evidence: readonly Delivery[];
}

const KIND_MEMBERS = ['type', 'event', 'event_type', 'eventType', 'topic', 'action', 'kind'];
const KIND_HEADER = /(^|[-_])(event|topic|event-type|type|action)$/;

/** One observation a subject, for what the deliveries show. `events`: the same deliveries by event. */
export function observationsOf(
  deliveries: readonly Delivery[],
  events: readonly (readonly Delivery[])[],
  signing: Signing,
): readonly HookObservation[] {
  if (deliveries.length === 0) return [];
  const first = deliveries.slice(0, 1);
  const rows: readonly (readonly [kind: string, row: Observed | null, evidence: readonly Delivery[]])[] = [
    ['event-kinds', kinds(events), first],
    ['payload-shape', payload(deliveries), first],
    ['header-names', headerNames(deliveries), first],
    ['signature-form', signature(deliveries, signing), [...signing.verified].slice(0, 1)],
    ['several-signatures', severalSignatures(deliveries, signing), first],
    ['redelivery-schedule', schedule(events), events.find((event) => redeliveriesOf(event).length > 0) ?? []],
    ['after-refusals', afterRefusals(events), first],
    ['repeated-ids', repeatedIds(events), events.find((event) => event.length > 1) ?? []],
    ['patience', patience(deliveries), deliveries.filter(({ answer }) => answer?.status === null)],
    ['duplicates', duplicates(events), events.find(hasDuplicate) ?? []],
    ...freshness(deliveries, events, signing).map(({ kind, row }) => [kind, row, first] as const),
  ];
  return rows.flatMap(([kind, row, evidence]) => {
    if (row === null) return [];
    const code = codeOf('HOOK-03', kind);
    return [{ judgement: observation(code, `webhooks: ${row.subject}`, row.value, row), evidence }];
  });
}

function kinds(events: readonly (readonly Delivery[])[]): Observed | null {
  const named = events.flatMap((event) => event.slice(0, 1).flatMap((delivery) => kindOf(delivery) ?? []));
  const places = [...new Set(named.map(({ place }) => place))];
  if (named.length === 0) return null;
  return told('event kinds', listed(named.map(({ kind }) => kind)), named.length, places.join(', '));
}

/** What the delivery says that happened, and where it says so; null where it says nothing. */
export function kindOf(delivery: Delivery): { readonly kind: string; readonly place: string } | null {
  const body = jsonOf(delivery);
  if (typeof body === 'object' && body !== null) {
    for (const name of KIND_MEMBERS) {
      const kind = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
      if (typeof kind === 'string' && kind.length < 100) return { kind, place: `member ${name} of the body` };
    }
  }
  const header = delivery.headers.find(
    ([name, value]) => KIND_HEADER.test(name) && !isOrdinary(name) && value.length < 100,
  );
  return header === undefined ? null : { kind: header[1], place: `header ${header[0]}` };
}

function payload(deliveries: readonly Delivery[]): Observed {
  const shapes = deliveries.map((delivery) => {
    const type = headerOf(delivery, 'content-type')?.split(';')[0] ?? 'no Content-Type';
    const body = jsonOf(delivery);
    if (body === undefined) return `${type}, no JSON`;
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return `${type}, a JSON ${Array.isArray(body) ? 'array' : 'scalar'}`;
    return `${type}, an object with ${Object.keys(body).slice(0, MOST_LISTED).join(', ') || 'no member'}`;
  });
  return told('payload shape', listed(shapes), deliveries.length, 'the bodies delivered');
}

function headerNames(deliveries: readonly Delivery[]): Observed {
  const names = deliveries.flatMap(({ headers }) => headers.map(([name]) => name));
  const own = names.filter((name) => !isOrdinary(name));
  return told('header names', listed(own), deliveries.length, 'the headers of the deliveries');
}

function signature(deliveries: readonly Delivery[], { form, verified, readings }: Signing): Observed | null {
  if (readings.length === 0) return null;
  const subject = 'form of the signature';
  if (form === null)
    return { subject, value: 'unknown', confidence: 'cannot-tell', calls: deliveries.length, basis: 'none verifies' };
  const value = `${form.header}: ${formText(form)}, the secret read as ${form.reading.name}`;
  return told(subject, value, verified.size, 'verified under the configured secret');
}

function severalSignatures(deliveries: readonly Delivery[], { form, fixed }: Signing): Observed | null {
  if (form === null) return null;
  const whole = ({ header, encoding, bytes }: SignatureValue): boolean =>
    header === form.header && encoding === form.encoding && bytes.length === SIGNATURE_BYTES;
  const counts = deliveries.map((delivery) => candidates(delivery, fixed).filter(whole).length);
  const most = Math.max(...counts);
  return most < 2 ? null : told('signatures in one header', `up to ${most}`, deliveries.length, form.header);
}
