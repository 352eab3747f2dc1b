// REQ-09, connections that end without an answer: when they are the operation's doing, and when the way to the target's.
import { breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';

/** How many requests were sent, and in how many cases the connection ended without an answer. */
export interface Drops {
  readonly sends: number;
  readonly drops: number;
}

/** No network, proxy or balancer that a platform is used through loses more of its connections than this. */
const MOST_LOST_ON_THE_WAY = 0.02;
/** What comes about by chance less often than this is taken to be no chance. A run asks some hundred times. */
const CHANCE = 1e-5;

/** The drop that was looked at more closely, and the sends that repeat it. */
export interface Look {
  readonly first: Exchange;
  readonly repeats: readonly Exchange[];
}

/** The drops of one operation over a run. */
export interface OperationDrops extends Drops {
  /** The first of them. */
  readonly evidence: readonly Exchange[];
  /** The closer looks: one, or none where the request may change something. */
  readonly looks: readonly Look[];
}

/**
 * Whether the operation drops connections, all that was sent to `elsewhere` held against it: connections that are lost as often
 * everywhere are lost on the way. A single drop says nothing.
 */
export function judgeDrops(own: OperationDrops, elsewhere: Drops): Judgement {
  const rates = [own, ...own.looks.map(({ repeats }) => dropsOf(repeats))];
  if (own.drops < 2 || !rates.some((one) => isMoreThan(one, elsewhere)))
    return cannotTell('precondition', 'connections are dropped no more often than elsewhere in the run');
  const [code, cause] = ['req-09.dropped', 'a request drops the connection'];
  const actual = own.evidence[0]?.failure?.message ?? 'dropped';
  const expected = 'an answer within 30 s, below 500';
  return breached([{ weight: 'breach', code, cause, message: `${cause}: ${actual}`, expected, actual }]);
}

/** Whether these sends show more drops than chance makes of the rate elsewhere, or of what any way to a target may lose. */
export function isMoreThan({ sends, drops }: Drops, elsewhere: Drops): boolean {
  if (drops < 2) return false;
  // Were both rates one, the drops would fall on either as the sends do.
  const share = sends / Math.max(1, sends + elsewhere.sends);
  return (
    atLeast(drops, drops + elsewhere.drops, share) < CHANCE || atLeast(drops, sends, MOST_LOST_ON_THE_WAY) < CHANCE
  );
}

export function dropsOf(sends: readonly Exchange[]): Drops {
  return { sends: sends.length, drops: sends.filter(isDrop).length };
}

/** Whether a connection of its own ended without an answer: one that had served before may simply have been idle for too long. */
export function isDrop({ failure }: Exchange): boolean {
  return failure !== null && failure.kind === 'reset' && !failure.reusedSocket;
}

/** The upper tail of the binomial distribution: the chance of so many hits or more in `tries`; 1 for no more than are expected. */
function atLeast(hits: number, tries: number, p: number): number {
  if (hits <= p * tries) return 1;
  let log = hits * Math.log(p) + (tries - hits) * Math.log1p(-p);
  for (let count = 0; count < hits; count += 1) log += Math.log((tries - count) / (count + 1));
  let term = Math.exp(log);
  let tail = 0;
  for (let count = hits; count <= tries && term > tail * Number.EPSILON; count += 1) {
    tail += term;
    term *= ((tries - count) / (count + 1)) * (p / (1 - p));
  }
  return tail;
}
