// Which deliveries tell of the same event. A redelivery is found by its body or by an id that its headers name, because
// platforms differ in what they repeat.

import { hash } from 'node:crypto';
import { jsonText } from './body.ts';
import { type Delivery, headerOf, jsonOf } from './delivery.ts';
import { isKeyHeader } from './idempotency-key.ts';

/** Headers of Standard Webhooks: the id stays the same when a message is sent again, and two messages never share one. */
const STANDARD_IDS = ['webhook-id', 'svix-id'];
/** Headers that name one event or one delivery, and never a subscription. */
const EVENT_ID = /(^|[-_])((event|message|notification|delivery)[-_]?(id|guid|uuid)|delivery)$/;
/** Top-level members that senders change from one attempt to the next. */
const CHANGING =
  /^(attempts?|attempt_?(number|count)|retry|retries|retry_?(number|count)|(sent|delivered)_?at|timestamp)$/i;

/** Tells of each delivery, in the order received, which event it belongs to. Grows with the number of deliveries. */
export class EventIndex {
  readonly #known = new Map<string, number>();
  #events = 0;

  /** The number of the delivery's event: 0 for the first event, 1 for the second one. */
  eventOf(delivery: Delivery): number {
    const names = namesOf(delivery);
    const known = names.map((name) => this.#known.get(name)).find((event) => event !== undefined);
    const event = known ?? this.#events++;
    for (const name of names) if (!this.#known.has(name)) this.#known.set(name, event);
    return event;
  }
}

/** The deliveries of each event, in the order received; no list is empty. */
export function byEvent(deliveries: readonly Delivery[]): readonly (readonly Delivery[])[] {
  const index = new EventIndex();
  return [...Map.groupBy(deliveries, (delivery) => index.eventOf(delivery)).values()];
}

/** Names of the event, the strongest first; deliveries that share one belong together. */
function namesOf(delivery: Delivery): readonly string[] {
  for (const header of STANDARD_IDS) {
    const id = headerOf(delivery, header);
    if (id !== null) return [`${header} ${id}`];
  }
  const cloudEvent = cloudEventIn(delivery);
  if (cloudEvent !== null) return [cloudEvent];
  const ids = delivery.headers
    .filter(([name]) => EVENT_ID.test(name) || isKeyHeader(name))
    .map(([name, id]) => `${name} ${id}`);
  // Events without a body are alike: only their ids tell them apart.
  if (delivery.body.length === 0 && ids.length > 0) return ids;
  return [`body ${hash('sha256', lastingPart(delivery))}`, ...ids];
}

/** The source and id of a CloudEvent, in its headers or in its body: no two events have the same. Source: CloudEvents 1.0, 3.1.1. */
function cloudEventIn(delivery: Delivery): string | null {
  const value = jsonOf(delivery);
  const { specversion, source, id } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const pair =
    typeof specversion === 'string' ? [source, id] : [headerOf(delivery, 'ce-source'), headerOf(delivery, 'ce-id')];
  return pair.every((one) => typeof one === 'string') ? `cloudevent ${JSON.stringify(pair)}` : null;
}

/** The body without what changes from one attempt to the next. */
function lastingPart(delivery: Delivery): Buffer | string {
  const value = jsonOf(delivery);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return delivery.body;
  const members = Object.entries(value);
  const lasting = members.filter(([name]) => !CHANGING.test(name));
  if (lasting.length === 0 || lasting.length === members.length) return delivery.body;
  return jsonText(Object.fromEntries(lasting)) || delivery.body;
}
