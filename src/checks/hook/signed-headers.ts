// Deliveries that list which of their headers are signed with the body: `h=x-event-id x-event-type` in the signature's header,
// or a header of its own such as `X-Contentful-Signed-Headers: x-contentful-timestamp,…`.
import { type Delivery, headerOf } from '../../exchange/delivery.ts';

export const SIGNED_PLACES: ReadonlySet<string> = new Set(['signed-headers', 'signed-values', 'signed-lines']);

const LONGEST_LIST = 1000;
const MOST_LISTS = 4;
/** Names with the same sign between any two of them. */
const LIST = /(?<![\w-])[a-z][\w-]*(?:([ ,;])[a-z][\w-]*(?:\1[a-z][\w-]*)*)?/gi;

/** What stands at one of these places, once for each list of headers that the delivery holds; it usually holds none. */
export function signedHeadersAt(place: string, delivery: Delivery): readonly string[] {
  return listsIn(delivery).map((list) => {
    const names = list.toLowerCase().split(/[ ,;]/);
    const values = names.map((name) => headerOf(delivery, name) ?? '');
    if (place === 'signed-headers') return list;
    if (place === 'signed-values') return values.join('.');
    return names.map((name, index) => `${name}:${values[index]}`).join(';');
  });
}

/** Runs of words that name headers of the delivery, as they are written, up to the first one that does not. */
function listsIn(delivery: Delivery): readonly string[] {
  const names = new Set(delivery.headers.map(([name]) => name));
  const runs = delivery.headers.flatMap(([, value]) =>
    value.length > LONGEST_LIST ? [] : [...value.matchAll(LIST)].map(([run]) => run),
  );
  const lists = runs.map((run) => {
    const [sign = ''] = /[ ,;]/.exec(run) ?? [];
    const words = run.split(sign === '' ? /$/ : sign);
    const end = words.findIndex((word) => !names.has(word.toLowerCase()));
    return words.slice(0, end < 0 ? words.length : end).join(sign);
  });
  return [...new Set(lists.filter((list) => list.includes('-')))].slice(0, MOST_LISTS);
}
