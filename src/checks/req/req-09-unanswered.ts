// REQ-09 (must): No request, valid or not, goes unanswered for 30 s. Hostile input (very long strings and arrays, deep
//   nesting, emoji, NUL, lone surrogates, `__proto__`, huge numbers, duplicate query parameters) → never 5xx, never a
//   hang, never a dropped connection without an answer.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Exchange, Failure } from '../../exchange/exchange.ts';
import { isStream, isStreamOfMessages } from '../../exchange/streams.ts';
import type { Hostile } from '../../generate/hostile.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { isBrokenError } from '../err/err-01.ts';

/** A machine that is busy reads an answer so much later than it came. ms. */
const MEASURING_MS = 1000;

/** The terms that say how long an answer may take. */
type Timed = Pick<Terms, 'requests'>;

/**
 * Judges sends of one request. The first is the one in question, the others repeat it. A time-out counts at once; a
 * dropped connection or a 5xx only when it shows each time, since an idle socket's end, a connection that is lost on the way, or
 * a general defect looks the same; what an operation drops now and then is judged over the run (`judgeDrops`).
 * Without `control` (ordinary input is answered 5xx too) a 5xx is not the input's doing: SCH-06 has it. A body that has
 * begun and goes on may be the stream that the operation declares; an error that breaks off is ERR-01's.
 */
export function judgeAnswered(
  sends: readonly Exchange[],
  operation: Operation | null,
  hostile: Hostile | null,
  terms: Timed,
  control = true,
): Judgement {
  const [first] = sends;
  if (first === undefined || first.failure?.kind === 'aborted') return cannotTell('interrupted', 'the run was stopped');
  const what = hostile === null ? 'a request' : `hostile input (${hostile.name})`;
  const seconds = terms.requests.answeredWithinSeconds;
  const told = (kind: string, how: string, actual: string): Judgement =>
    unanswered(
      seconds,
      codeOf('REQ-09', kind, ...(hostile === null ? [] : ['hostile', hostile.code])),
      `${what} ${how}`,
      actual,
    );
  const slow = sends.find((send) => isTooLate(send, terms));
  if (slow !== undefined) return told('unanswered', 'goes unanswered', `answered after ${inSeconds(slow.durationMs)}`);
  const late = sends.find(({ failure }) => failure?.kind === 'timeout')?.failure;
  if (late != null) {
    const excuse = excuseOf(late, operation);
    if (excuse !== null) return cannotTell('precondition', excuse);
    const came = late.status === undefined ? 'no answer' : `status ${late.status}, but no complete body`;
    return told('unanswered', 'goes unanswered', `${came} within ${seconds} s`);
  }
  if (sends.some(isBrokenError)) return cannotTell('precondition', 'it was answered by an error whose body breaks off');
  const dropped = dropEachTime(sends);
  if (dropped !== null) return told('dropped', 'drops the connection', dropped);
  if (hostile !== null && control && sends.length >= 2 && sends.every(isFailing))
    return told('answered-5xx', 'is answered 5xx', String(first.response?.status));
  return first.response === null ? cannotTell('precondition', first.failure?.message ?? 'no answer') : holds();
}

/** How the connection was dropped, where it was each time, and twice at least not as an idle one; null elsewhere. */
function dropEachTime(sends: readonly Exchange[]): string | null {
  const failures = sends.flatMap(({ failure }) => failure ?? []);
  const [first, second] = failures.filter(({ reusedSocket }) => !reusedSocket);
  // Who finds nobody there was dropped by nobody: something else had ended the target.
  return second !== undefined && sends.every(isCut) ? (first?.message ?? 'dropped') : null;
}

function isFailing({ response }: Exchange): boolean {
  return response !== null && response.status >= 500 && response.status !== 503;
}

/** Why a time-out says nothing of the target; null where it does. */
function excuseOf({ status, withinMs }: Failure, operation: Operation | null): string | null {
  if (status !== undefined && operation !== null && declaresStream(operation))
    return 'the stream that is declared goes on';
  // Many servers send the head of such a stream with its first event, for which there may be no occasion.
  if (operation !== null && declaresEvents(operation))
    return 'the event stream that is declared has shown no event yet';
  return withinMs === undefined ? null : `no answer was awaited for longer than ${inSeconds(withinMs)}`;
}

/** Tells whether the answer came whole, and after more time than the contract allows: a client that waits longer sees that. */
export function isTooLate({ response, durationMs, halted }: Exchange, { requests }: Timed): boolean {
  const longestMs = requests.answeredWithinSeconds * 1000 + MEASURING_MS;
  return response !== null && !response.truncated && halted !== true && durationMs > longestMs;
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function declaresEvents({ responses }: Operation): boolean {
  return responses.some(({ content }) => content.some(({ mediaType }) => mediaType.startsWith('text/event-stream')));
}

function declaresStream({ responses }: Operation): boolean {
  return responses.some(({ content }) =>
    content.some(({ mediaType, schema }) => isStream(mediaType) || isStreamOfMessages(schema?.value)),
  );
}

function unanswered(withinSeconds: number, code: string, cause: string, actual: string): Judgement {
  return breached([breachOf(withinSeconds, code, cause, actual)]);
}

function breachOf(withinSeconds: number, code: string, cause: string, actual: string): Breach {
  const expected = `an answer within ${withinSeconds} s, below 500`;
  return { weight: 'breach', code, cause, message: `${cause}: ${actual}`, expected, actual };
}

// Connections that end without an answer: when they are the operation's doing, and when the way to the target's.

/** How many requests were sent, and in how many cases the connection ended without an answer. */
export interface Drops {
  readonly sends: number;
  readonly drops: number;
}

/** No network, proxy or balancer that a platform is used through loses more of its connections than this. */
const MOST_LOST_ON_THE_WAY = 0.02;
/** Probability below which an event is taken to be no chance. A run asks some hundred times. */
const CHANCE = 1e-5;

/** The drop that was looked at more closely, and the sends that repeat it. */
export interface Look {
  readonly first: Exchange;
  readonly repeats: readonly Exchange[];
}

/** The drops of one operation over a run. */
export interface OperationDrops extends Drops {
  /** Those of its sound requests alone: refusals of others may be told before the connection is dropped. */
  readonly sound: Drops;
  /** The first of them. */
  readonly evidence: readonly Exchange[];
  /** The closer looks: one, or none where the request may change something. */
  readonly looks: readonly Look[];
}

/**
 * Judges whether the operation drops connections, all that was sent to `elsewhere` held against it: connections that
 * are lost as often everywhere are lost on the way. A single drop says nothing.
 */
export function judgeDrops(own: OperationDrops, elsewhere: Drops, { requests }: Timed): Judgement {
  if (!areMoreThan(own, elsewhere))
    return cannotTell('precondition', 'connections are dropped no more often than elsewhere in the run');
  return unanswered(requests.answeredWithinSeconds, ...DROPPED, own.evidence[0]?.failure?.message ?? 'dropped');
}

const DROPPED = ['req-09.dropped', 'a request drops the connection'] as const;
const ENDED = ['req-09.dropped.ended', 'a request drops the connection, and nothing is answered after it'] as const;
const ENDED_BY_ONE = ['req-09.dropped.ended.by-one', 'one of several requests ends the target'] as const;
const STUCK = ['req-09.unanswered.stuck', 'a request goes unanswered, and so does all that is sent after it'] as const;

/**
 * Judges requests that were dropped, or that nothing answered, together, and after which the target answered nothing, not even over new
 * connections: it has ended or is stuck, and no way to it loses all. One of several did it for sure, whichever it was.
 */
export function judgeEnd(cut: readonly Exchange[], { requests }: Timed): Judgement {
  const failure = cut[0]?.failure;
  const actual = failure?.message ?? 'dropped';
  const [code, cause] = cut.length > 1 ? ENDED_BY_ONE : failure?.kind === 'timeout' ? STUCK : ENDED;
  const names = [...new Set(cut.map(({ plan }) => plan.operation ?? `${plan.method} ${plan.path}`))].toSorted();
  const which = cut.length > 1 ? `, after one of ${names.join(', ')}` : '';
  return unanswered(requests.answeredWithinSeconds, code, cause, `${actual}${which}`);
}

/** Tells whether the drops of an operation, of its sound requests, or of the repeats of one, are more than are lost elsewhere. */
export function areMoreThan(own: OperationDrops, elsewhere: Drops): boolean {
  const rates = [own, own.sound, ...own.looks.map(({ repeats }) => dropsOf(repeats))];
  return own.drops >= 2 && rates.some((one) => isMoreThan(one, elsewhere));
}

/** Tells whether these sends show more drops than chance makes of the rate elsewhere, or of what any way to a target may lose. */
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

/** Tells whether the request may have ended the target or blocked it: it was cut, or nothing at all came for as long as an answer may take. */
export function mayHaveEnded(exchange: Exchange): boolean {
  const { failure, plan } = exchange;
  const isSilent = failure?.kind === 'timeout' && failure.status === undefined && plan.onlyAlive !== true;
  return isSilent || isCut(exchange);
}

/** Tells whether the connection ended without a whole answer, or the answer is no HTTP. */
export function isCut({ failure }: Pick<Exchange, 'failure'>): boolean {
  return failure?.kind === 'reset' || failure?.kind === 'protocol';
}

/**
 * Tells whether the connection ended so by what was sent. One that had served before may
 * simply have been idle for too long, or hold what was left of the answer before, unless an answer had begun.
 */
export function isDrop(exchange: Exchange): boolean {
  const { reusedSocket, status } = exchange.failure ?? {};
  return isCut(exchange) && (reusedSocket !== true || status !== undefined);
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
