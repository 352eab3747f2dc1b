// The pace where no contract says what limits count: a limiter of one operation (a login, a password's reset) holds that
// operation alone, and shortly; one that refuses several operations in a row is the key's, and holds the key.
import type { Clock } from '../clock/clock.ts';
import { NO_TERMS } from '../contract/terms.ts';
import type { Limited } from '../limiters/reading.ts';
import { type Answer, createPace, type OnWait, type Pace, type Ticket } from './pace.ts';
import { type Retries, retriesUnder } from './retry.ts';

/** The longest hold of one operation. ms. */
const PATIENCE_MS = 5_000;
/** Operations refused, and none served in between, that tell that they share a limit. */
const MIN_REFUSED_THAT_SHARE = 3;

/** As createPace, with the operations of a key told apart. */
export function createPaceByOperation(
  clock: Clock,
  stop?: AbortSignal,
  onWait: OnWait = () => {},
  limited?: Limited,
  retries: Retries = retriesUnder({ ...NO_TERMS, rateLimits: limited?.terms ?? null }),
): Pace {
  const ofLane: OnWait = ({ what, key: lane }, untilMs) => onWait({ what, key: keyOfLane(lane) }, untilMs);
  const operations = createPace(clock, stop, PATIENCE_MS, ofLane, limited, retries);
  return new PaceByOperation(createPace(clock, stop, undefined, onWait, limited, retries), operations, retries);
}

class PaceByOperation implements Pace {
  readonly #keys: Pace;
  readonly #operations: Pace;
  readonly #isLimited: Retries['isLimited'];
  /** The operation's ticket by the key's. */
  readonly #own = new Map<string, Ticket>();
  readonly #refused = new Map<string | null, Set<string>>();
  readonly #shared = new Set<string | null>();

  constructor(keys: Pace, operations: Pace, { isLimited }: Retries) {
    this.#isLimited = isLimited;
    this.#keys = keys;
    this.#operations = operations;
  }

  enter(key: string | null, operation = ''): Ticket | Promise<Ticket> {
    const own = this.#operations.enter(laneOf(key, operation));
    if (typeof own === 'object') return own.then((ticket) => this.#enterKey(key, ticket));
    return this.#enterKey(key, own);
  }

  #enterKey(key: string | null, own: Ticket): Ticket | Promise<Ticket> {
    const entered = this.#keys.enter(key);
    if (typeof entered === 'object') return entered.then((ticket) => this.#note(key, ticket, own));
    return this.#note(key, entered, own);
  }

  #note(key: string | null, ticket: Ticket, own: Ticket): Ticket {
    this.#own.set(`${ticket} ${key}`, own);
    return ticket;
  }

  leave(key: string | null, ticket: Ticket, answer: Answer | null, operation = ''): void {
    const name = `${ticket} ${key}`;
    this.#operations.leave(laneOf(key, operation), this.#own.get(name) ?? ticket, answer);
    this.#own.delete(name);
    this.#keys.leave(key, ticket, answer && this.#ofKey(key, operation, answer));
  }

  patienceMs(key: string | null): number {
    return (this.#shared.has(key) ? this.#keys : this.#operations).patienceMs(key);
  }

  /** Answer as it speaks of the key: its headers speak of the operation, until refusals tell that the limit is shared. */
  #ofKey(key: string | null, operation: string, answer: Answer): Answer | null {
    const refused = this.#refused.get(key) ?? new Set();
    this.#refused.set(key, refused);
    const isLimited = this.#isLimited(answer);
    if (isLimited) refused.add(operation);
    else if (!refused.has(operation)) refused.clear();
    if (refused.size >= MIN_REFUSED_THAT_SHARE) this.#shared.add(key);
    if (this.#shared.has(key)) return answer;
    return isLimited ? null : { status: answer.status, headers: [] };
  }
}

/** Names of keys hold no blank; a lane without a key begins with one. */
function laneOf(key: string | null, operation: string): string {
  return `${key ?? ''} ${operation}`;
}

function keyOfLane(lane: string | null): string | null {
  return lane?.slice(0, lane.indexOf(' ')) || null;
}
