// The id of what a call brought about, as its answer tells it: the one thing that shows one effect from two.
import { exactBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, membersOf } from '../openapi/json.ts';
import { idInOwnAddress } from './own-address.ts';

const MAX_DEPTH = 3;
/** Members that wrap the object made. */
const WRAPPER = /^(data|result|results|item|record|response|payload)$/i;
const OF_PAYMENTS = ['payment', 'transaction', 'charge'];

/** The id in the answer's body: `id` or `uuid`, else `<noun>_id` with a word of the path's last segment; null for none. */
export function identityOf(exchange: Exchange): string | null {
  const body = exactBody(exchange);
  return body.ok ? idIn(body.value, nounsOf(exchange.plan.path)) : null;
}

/** The id of an object that was made, or of an item of a list of such objects; where it shows none, the one in its own address. */
export function idIn(value: unknown, nouns: readonly string[], depth = 0): string | null {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  const names = ['id', 'uuid', ...nouns.flatMap((noun) => [`${noun}id`, `${noun}uuid`])];
  const members = new Map(membersOf(value).map(([name, member]) => [plain(name), member]));
  for (const name of names) {
    const found = members.get(name);
    if ((typeof found === 'string' && found !== '') || typeof found === 'number') return String(found);
  }
  for (const [name, member] of membersOf(value)) {
    const wraps = WRAPPER.test(name) || nouns.includes(plain(name));
    const inner = wraps ? idIn(member, nouns, depth + 1) : null;
    if (inner !== null) return inner;
  }
  return idInOwnAddress(value, nouns);
}

/** Words of the path's last segment in the singular; those of payments where it names one. */
export function nounsOf(path: string): readonly string[] {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const words = last.split(/[^a-zA-Z]+/).map((word) => plain(word).replace(/s$/, ''));
  const nouns = words.filter((word) => word !== '');
  return nouns.some((word) => OF_PAYMENTS.includes(word)) ? [...new Set([...nouns, ...OF_PAYMENTS])] : nouns;
}

function plain(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();
}
