// HOOK-03: how events are delivered again: when, after which answers, and what the attempts have in common.
import type { Observed } from '../../contract/judgement.ts';
import { type Delivery, headerOf, wasAccepted } from '../../exchange/delivery.ts';
import { redeliveriesOf } from './hook-02-redelivered.ts';
import { listed, ordinal, range, told } from './observed-words.ts';
import { isOrdinary } from './ordinary-headers.ts';

/** Retries of which the time is told. */
const MOST_RETRIES = 8;

/** The time from one attempt to the next, attempt by attempt. */
export function schedule(events: readonly (readonly Delivery[])[]): Observed | null {
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
  const basis = `at most ${most} attempts of one event were received`;
  return told('retry schedule', value, waits.flat().length, basis);
}

/** What came of each way of not accepting a delivery. */
export function afterRefusals(events: readonly (readonly Delivery[])[]): Observed | null {
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
export function repeatedIds(events: readonly (readonly Delivery[])[]): Observed | null {
  const same = new Set<string>();
  const differing = new Set<string>();
  let calls = 0;
  for (const event of events) {
    const [first] = event;
    for (const again of event.slice(1)) {
      if (first === undefined) continue;
      calls += 1;
      for (const [name, value] of first.headers) {
        if (isOrdinary(name)) continue;
        (headerOf(again, name) === value ? same : differing).add(name);
      }
      (again.body.equals(first.body) ? same : differing).add('the body');
    }
  }
  if (calls === 0) return null;
  const kept = [...same].filter((name) => !differing.has(name));
  const value = `same: ${listed(kept) || 'nothing'}; other: ${listed([...differing]) || 'nothing'}`;
  return told('what repeats on redelivery', value, calls, 'the attempts of one event beside each other');
}

/** How long the sender waits for an answer; where it never gave up, how long it was kept waiting at least. */
export function patience(deliveries: readonly Delivery[]): Observed | null {
  const subject = 'patience of the sender';
  const silent = deliveries.flatMap(({ answer }) => (answer?.status === null && answer.afterMs > 0 ? [answer] : []));
  const left = silent.filter(({ senderLeft }) => senderLeft).map(({ afterMs }) => afterMs);
  const basis = 'a delivery that got no answer';
  if (left.length > 0) return told(subject, `gives up after ${range(left)}`, left.length, basis);
  if (silent.length === 0) return null;
  const least = Math.max(...silent.map(({ afterMs }) => afterMs));
  return { subject, value: `more than ${range([least])}`, confidence: 'cannot-tell', calls: silent.length, basis };
}

export function hasDuplicate(event: readonly Delivery[]): boolean {
  return event.slice(0, -1).some((delivery) => wasAccepted(delivery) === true);
}

export function duplicates(events: readonly (readonly Delivery[])[]): Observed | null {
  const repeated = events.filter(hasDuplicate);
  if (repeated.length === 0) return null;
  const times = repeated.reduce((sum, event) => sum + event.length - 1 - event.findIndex(wasAccepted), 0);
  const value = `${times} more ${times === 1 ? 'delivery' : 'deliveries'} of ${repeated.length} accepted ${repeated.length === 1 ? 'event' : 'events'}`;
  return told('delivered again although accepted', value, times, 'a delivery that was answered with a success');
}
