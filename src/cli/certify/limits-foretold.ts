// Foretells, as soon as the first answer to a key states its limit, that the limit may be too large to be exhausted: a certification learns
// that minutes later.
import type { Config } from '../../config/config.ts';
import { number, plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { limitedBy, readingOf } from '../../limiters/reading.ts';
import { capsOf } from '../../load/safety.ts';

/** Clauses that an exhausted limit alone shows. */
const NEED_EXHAUSTION = ['RATE-04', 'RATE-06', 'RATE-10'];
/** Limits above this are seldom exhausted within a window by one busy machine. */
const MAX_LIMIT_EASILY_EXHAUSTED = 5000;

/** Listens to exchanges, and says once of each key with a large limit what it asks of this machine. */
export function foretellingLimits(
  config: Pick<Config, 'certify' | 'load' | 'stated'>,
  say: (sentence: string) => void,
): (exchange: Exchange) => void {
  const open = NEED_EXHAUSTION.filter((id) => config.certify.accept[id] === undefined);
  const limited = limitedBy(config.stated.terms);
  const { requestsPerKey } = capsOf(config);
  const told = new Set<string>();
  return (exchange) => {
    const { key, limit } = readingOf(exchange, limited) ?? { key: '', limit: null };
    if (limit === null || told.has(key) || open.length === 0) return;
    told.add(key);
    if (limit <= MAX_LIMIT_EASILY_EXHAUSTED) return;
    const head = `key ${key} states a limit of ${number(limit)}`;
    const why =
      limit >= requestsPerKey
        ? `load sends at most ${plural(requestsPerKey, 'call')} for one key (load.caps.requestsPerKey)`
        : 'only a machine that sends as many calls within one window exhausts it';
    say(
      `${head}, and ${why}. Where no key's limit is exhausted, ${open.join(', ')} stay untested, and there is no verdict: certify where limits are smaller, or accept that by name (certify.accept)`,
    );
  };
}
