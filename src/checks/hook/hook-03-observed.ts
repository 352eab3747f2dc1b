// HOOK-03 (discover): Event kinds, payload shape, header names, retry schedule, ids that repeat on redelivery.

import { codeOf } from '../../contract/code.ts';
import type { Judgement, Observed } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { type Delivery, headerOf, jsonOf, wasAccepted } from '../../exchange/delivery.ts';
import { observation } from '../observation.ts';
import { redeliveriesOf } from './hook-02-redelivered.ts';
import { isOrdinary } from './ordinary-headers.ts';
import { candidates, formText, SIGNATURE_BYTES } from './signature-form.ts';
import type { SignatureValue } from './signature-values.ts';
import { valuesAt } from './signed-content.ts';
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

/** The event of which the delivery tells, and the place where it says so; null where it does not. */
export function kindOf(delivery: Delivery): { readonly kind: string; readonly place: string } | null {
  const body = jsonOf(delivery);
  if (typeof body === 'object' && body !== null) {
    for (const name of KIND_MEMBERS) {
      const kind = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
      if (typeof kind === 'string' && kind !== '' && kind.length < 100)
        return { kind, place: `member ${name} of the body` };
    }
  }
  const header = delivery.headers.find(
    ([name, value]) => KIND_HEADER.test(name) && !isOrdinary(name) && value !== '' && value.length < 100,
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
  const value = listed(own) || 'none beside those that any client sends';
  return told('header names', value, deliveries.length, 'the headers of the deliveries');
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

// The timestamps that are signed beside the body. Whether a receiver should refuse stale ones the source does not say.

/** A signed timestamp that differs by more from the time of receipt is told as such. ms. */
const FRESH_MS = 5 * 60_000;

/** How the signed timestamps compare with the time of receipt. `kind`: what follows the clause in the observation's code. */
function freshness(
  deliveries: readonly Delivery[],
  events: readonly (readonly Delivery[])[],
  { form: signature }: Signing,
): readonly { readonly kind: string; readonly row: Observed }[] {
  const place = signature?.template.flatMap((piece) => ('place' in piece ? [piece.place] : [])) ?? [];
  const stampOf = (delivery: Delivery): number | null =>
    place.map((one) => instantOf(valuesAt(one, delivery)[0] ?? null)).find((instant) => instant !== null) ?? null;
  const ages = deliveries.flatMap((delivery) => {
    const stamp = stampOf(delivery);
    return stamp === null ? [] : [delivery.at - stamp];
  });
  if (ages.length === 0) return [];
  const stale = ages.filter((age) => Math.abs(age) > FRESH_MS).length;
  const value = `${range(ages.map(Math.abs))} from the time of receipt`;
  const note = stale === 0 ? '' : `; ${stale} of ${ages.length} by more than five minutes`;
  const pairs = events.flatMap(redeliveriesOf);
  const renewed = pairs.filter(({ refused, again }) => stampOf(refused) !== stampOf(again)).length;
  const signed = told('signed timestamp', `${value}${note}`, ages.length, 'what is signed beside the body');
  if (pairs.length === 0) return [{ kind: 'signed-timestamp', row: signed }];
  const form = renewed > 0 ? 'made anew' : 'that of the first attempt';
  return [
    { kind: 'signed-timestamp', row: signed },
    { kind: 'redelivery-timestamp', row: told('timestamp of a redelivery', form, pairs.length, 'signed') },
  ];
}

/** Epoch ms of seconds, milliseconds or a date; null for anything else. */
function instantOf(text: string | null): number | null {
  if (text === null) return null;
  const number = Number(text);
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return number * 1000;
  if (/^\d{12,14}$/.test(text)) return number;
  const parsed = /^\d{4}-\d\d|^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

// How events are delivered again: when, after which answers, and what the attempts have in common.

/** Retries of which the time is told. */
const MOST_RETRIES = 8;

/** The time from one attempt to the next, attempt by attempt. */
function schedule(events: readonly (readonly Delivery[])[]): Observed | null {
  const waits: number[][] = [];
  for (const event of events) {
    redeliveriesOf(event).forEach(({ refused, again }, index) => {
      const sinceAnswer = again.at - refused.at - (refused.answer?.afterMs ?? 0);
      waits[index] = [...(waits[index] ?? []), Math.max(0, sinceAnswer)];
    });
  }
  if (waits.length === 0) return null;
  const value = waits
    .slice(0, MOST_RETRIES)
    .map((all, index) => `${ordinal(index + 1)} retry after ${range(all)}`)
    .join(', ');
  const most = Math.max(...events.map(({ length }) => length));
  const basis = `at most ${plural(most, 'attempt')} of one event were received`;
  return told('retry schedule', value, waits.flat().length, basis);
}

/** The observation whether deliveries came again, for each way of not accepting one. */
function afterRefusals(events: readonly (readonly Delivery[])[]): Observed | null {
  const outcomes = new Map<string, { again: number; all: number }>();
  for (const event of events) {
    event.forEach((delivery, index) => {
      if (wasAccepted(delivery) !== false || delivery.answer === null) return;
      const counted = outcomes.get(delivery.answer.said) ?? { again: 0, all: 0 };
      outcomes.set(delivery.answer.said, {
        again: counted.again + Number(index + 1 < event.length),
        all: counted.all + 1,
      });
    });
  }
  if (outcomes.size === 0) return null;
  const value = [...outcomes].map(([said, { again, all }]) => `${said}: ${again} of ${all} came again`).join(', ');
  const calls = [...outcomes.values()].reduce((sum, { all }) => sum + all, 0);
  return told('deliveries not accepted', value, calls, 'within the time of this run');
}

/** Which headers stay the same when an event is delivered again, and which differ. */
function repeatedIds(events: readonly (readonly Delivery[])[]): Observed | null {
  const same = new Set<string>();
  const differing = new Set<string>();
  const pairs = events.flatMap(([first, ...others]) =>
    first === undefined ? [] : others.map((again) => [first, again] as const),
  );
  for (const [first, again] of pairs) {
    for (const [name, value] of first.headers.filter(([name]) => !isOrdinary(name)))
      (headerOf(again, name) === value ? same : differing).add(name);
    (again.body.equals(first.body) ? same : differing).add('the body');
  }
  const calls = pairs.length;
  if (calls === 0) return null;
  const kept = [...same].filter((name) => !differing.has(name));
  const value = `same: ${listed(kept) || 'nothing'}; other: ${listed([...differing]) || 'nothing'}`;
  return told('what repeats on redelivery', value, calls, 'the attempts of one event beside each other');
}

/** How long the sender waits for an answer; where it never gave up, how long it was kept waiting at least. */
function patience(deliveries: readonly Delivery[]): Observed | null {
  const subject = 'patience of the sender';
  const silent = deliveries.flatMap(({ answer }) => (answer?.status === null && answer.afterMs > 0 ? [answer] : []));
  const left = silent.filter(({ senderLeft }) => senderLeft).map(({ afterMs }) => afterMs);
  const basis = 'a delivery that got no answer';
  if (left.length > 0) return told(subject, `gives up after ${range(left)}`, left.length, basis);
  if (silent.length === 0) return null;
  const least = Math.max(...silent.map(({ afterMs }) => afterMs));
  return { subject, value: `more than ${range([least])}`, confidence: 'cannot-tell', calls: silent.length, basis };
}

function hasDuplicate(event: readonly Delivery[]): boolean {
  return event.slice(0, -1).some((delivery) => wasAccepted(delivery) === true);
}

function duplicates(events: readonly (readonly Delivery[])[]): Observed | null {
  const repeated = events.filter(hasDuplicate);
  if (repeated.length === 0) return null;
  const times = repeated.reduce((sum, event) => sum + event.length - 1 - event.findIndex(wasAccepted), 0);
  const value = `${times} more ${times === 1 ? 'delivery' : 'deliveries'} of ${repeated.length} accepted ${repeated.length === 1 ? 'event' : 'events'}`;
  return told('delivered again although accepted', value, times, 'a delivery that was answered with a success');
}

// How observations are worded: lists, spans of time, and how sure a row is.

const MOST_LISTED = 12;
const LONGEST_ITEM = 300;

/** The observation of something that one delivery shows (likely), or several show alike (sure). */
function told(subject: string, value: string, calls: number, basis: string): Observed {
  return { subject, value, confidence: calls > 1 ? 'sure' : 'likely', calls, basis };
}

/** Each once, in the order seen. */
function listed(values: readonly string[]): string {
  const different = [...new Set(values)];
  const more = different.length > MOST_LISTED ? `, and ${different.length - MOST_LISTED} more` : '';
  return different.slice(0, MOST_LISTED).map(shortened).join(', ') + more;
}

/** "0.5 to 2 s". */
function range(all: readonly number[]): string {
  const [least, most] = [Math.min(...all), Math.max(...all)].map(seconds);
  return least === most ? `${least} s` : `${least} to ${most} s`;
}

function seconds(ms: number): string {
  return String(Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0)));
}

/** "1st", "2nd". */
function ordinal(count: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? 'th';
  return `${count}${ending}`;
}

function shortened(text: string): string {
  return text.length > LONGEST_ITEM ? `${text.slice(0, LONGEST_ITEM - 1)}…` : text;
}
