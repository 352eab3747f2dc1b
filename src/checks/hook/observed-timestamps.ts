// HOOK-03: the timestamps that are signed beside the body. Whether a receiver should refuse stale ones the source does not say.
import type { Observed } from '../../contract/judgement.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { redeliveriesOf } from './hook-02-redelivered.ts';
import { range, told } from './observed-words.ts';
import { valuesAt } from './signed-content.ts';
import type { Signing } from './signing.ts';

/** A signed timestamp that differs by more from the time of receipt is told as such. ms. */
const FRESH_MS = 5 * 60_000;

/** How the signed timestamps compare with the time of receipt. `kind`: what follows the clause in the observation's code. */
export function freshness(
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
