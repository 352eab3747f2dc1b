// One request and its answer on a connection: collects headers and body within the limits of bytes and time, settles once;
// where no answer came, tells why. It settles by its own limit of time whatever becomes of the socket.
import type { Dispatcher } from 'undici';
import { type Clock, haltsOf, LIMIT, type Timer } from '../clock/clock.ts';
import type { Failure, HeaderList } from '../exchange/exchange.ts';
import { isStream } from '../exchange/streams.ts';
import { tlsFailure } from './tls.ts';

export interface Received {
  readonly status: number;
  readonly headers: HeaderList;
  /** A text where somebody else recorded it as one: then the content codings that the headers name are undone already. */
  readonly body: Buffer | string;
  readonly truncated: boolean;
}

export type Outcome = { readonly received: Received } | { readonly failure: Failure };

export interface Limits {
  /** For connection, headers and body together. */
  readonly timeLimitMs: number;
  /** The contract lets an answer take this time: what was awaited for a shorter one says so. */
  readonly answerLimitMs: number;
  readonly byteLimit: number;
  /** Where requests go, for what is said of its TLS; absent: nobody asks. */
  readonly origin?: string;
}

/** Whatever came while this process was halted is read within this time. ms. */
const AFTER_HALT_MS = 5000;

/** A stream is left so long after its first bytes, and where none come so long after its head: its first events tell what it is. ms. */
const [MAX_STREAM_MS, MAX_STREAM_SILENCE_MS] = [1_000, 2_000];

/** Ends a transfer whose answer is wanted no longer; closes its socket. */
const ENOUGH = new Error('enough received');

export class Transfer implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #isReused: () => boolean;
  readonly #settle: (outcome: Outcome) => void;
  readonly #clock: Clock;
  /** Halts of this process until the request went out. */
  readonly #halts: number;
  readonly #startedAtMs: number;
  #timer: Timer;
  #isExtended = false;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #reused = false;
  #status = 0;
  #headers: HeaderList = [];
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** `isReused` is asked when the request goes out: has the socket served one before? */
  constructor(limits: Limits, clock: Clock, isReused: () => boolean, settle: (outcome: Outcome) => void) {
    this.#limits = limits;
    this.#isReused = isReused;
    this.#settle = settle;
    this.#clock = clock;
    this.#halts = haltsOf(clock).count;
    this.#startedAtMs = clock.monotonic();
    this.#timer = clock.after(limits.timeLimitMs, () => this.endOfTime(), LIMIT);
  }

  /** Tells whether nothing of the request went out. */
  get isUnsent(): boolean {
    return this.#controller === null;
  }

  /** Settles where that has not happened yet: nobody waits for the answer any more. */
  giveUp(why: string): void {
    this.#end({ failure: { kind: 'aborted', message: `not awaited: ${why}`, reusedSocket: this.#reused } });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#reused = this.#isReused();
    if (this.#settled) controller.abort(ENOUGH);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = pairsOf(controller.rawHeaders).map(([name, value]) => [name.toLowerCase(), value]);
    if (this.#isStream()) this.#leaveAfter(MAX_STREAM_SILENCE_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes === 0 && this.#isStream()) this.#leaveAfter(MAX_STREAM_MS);
    const room = this.#limits.byteLimit - this.#bytes;
    this.#bytes += chunk.length;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) this.#cut();
  }

  onResponseEnd(): void {
    this.#end({ received: this.#received(false) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    // A socket that was lost before the request was written to it is one that had served others, if it had.
    const isReused = this.isUnsent ? this.#isReused() : this.#reused;
    const failure = this.#status === 0 ? failureOf(error, isReused) : this.#brokenOff(error);
    const ofTls = tlsFailure(error, hostOf(this.#limits.origin));
    this.#end({ failure: ofTls === null ? failure : { ...failure, kind: 'unreachable', message: ofTls } });
  }

  /** The part of the answer that had come tells that the target did answer, and how. */
  #brokenOff(error: Error): Failure {
    const failure = failureOf(error, this.#reused);
    if (failure.kind === 'aborted') return failure;
    const message = `status ${this.#status}, but its body breaks off: ${failure.message}`;
    return { ...failure, message, status: this.#status };
  }

  /** A stream has no end to wait for: what came counts as its cut body. Anything else has failed. */
  endOfTime(): void {
    if (this.#mayHaveCome()) return;
    if (this.#isStream()) this.#cut();
    else {
      const kind = this.#controller === null ? 'unreachable' : 'timeout';
      const { timeLimitMs, answerLimitMs } = this.#limits;
      const begun = this.#status === 0 ? {} : { status: this.#status };
      const early = timeLimitMs < answerLimitMs ? { withinMs: timeLimitMs } : {};
      const failure = { kind, message: this.#whatIsMissing(), reusedSocket: this.#reused, ...begun, ...early } as const;
      this.#end({ failure });
      this.#controller?.abort(ENOUGH);
    }
  }

  /** Ends the transfer of a stream after so long, unless its own time ends before. */
  #leaveAfter(delayMs: number): void {
    if (this.#settled) return;
    const leftMs = this.#limits.timeLimitMs - (this.#clock.monotonic() - this.#startedAtMs);
    this.#timer.cancel();
    this.#timer = this.#clock.after(Math.max(0, Math.min(delayMs, leftMs)), () => this.endOfTime(), LIMIT);
  }

  /** A process that was halted has not read what came meanwhile: it gets the time to do so, once. */
  #mayHaveCome(): boolean {
    if (this.#isExtended || haltsOf(this.#clock).count === this.#halts) return false;
    this.#isExtended = true;
    this.#timer = this.#clock.after(AFTER_HALT_MS, () => this.endOfTime(), LIMIT);
    return true;
  }

  #whatIsMissing(): string {
    const limit = `within ${this.#limits.timeLimitMs} ms`;
    if (this.#controller === null) return `no connection ${limit}`;
    return this.#status === 0 ? `no answer ${limit}` : `status ${this.#status}, but no complete body ${limit}`;
  }

  #cut(): void {
    this.#end({ received: this.#received(true) });
    this.#controller?.abort(ENOUGH);
  }

  #end(outcome: Outcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#timer.cancel();
    const isLeft = 'failure' in outcome && outcome.failure.kind === 'aborted' && this.#controller !== null;
    const withinMs = this.#clock.monotonic() - this.#startedAtMs;
    this.#settle(isLeft ? { failure: { ...outcome.failure, withinMs } } : outcome);
  }

  #received(truncated: boolean): Received {
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    return { status: this.#status, headers: this.#headers, body, truncated };
  }

  #isStream(): boolean {
    return this.#headers.some(([name, value]) => name === 'content-type' && isStream(value));
  }
}

function hostOf(origin: string | undefined): string {
  return origin === undefined ? 'the target' : new URL(origin).host;
}

/** As received: letters, order and repetitions kept. Headers are bytes, each of which stands for a character. */
export function pairsOf(raw: Dispatcher.DispatchController['rawHeaders'] | readonly string[]): HeaderList {
  if (!Array.isArray(raw)) return [];
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [text(raw[2 * at]), text(raw[2 * at + 1])]);
}

function text(bytes: Buffer | string | undefined): string {
  return typeof bytes === 'string' ? bytes : (bytes?.toString('latin1') ?? '');
}

const KINDS: Readonly<Record<string, Failure['kind']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_INFO: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  // Refused by undici before a byte was sent: says nothing of the target.
  UND_ERR_INVALID_ARG: 'aborted',
  UND_ERR_NOT_SUPPORTED: 'aborted',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'aborted',
};

/** The failure that the error stands for. `reusedSocket`: whether its socket had served a request before. */
function failureOf(error: Error, reusedSocket: boolean): Failure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind = kindOf(code, error);
  const message = kind === 'aborted' ? `not sent or not awaited: ${error.message}` : error.message || code;
  return { kind, message: code === '' || message.includes(code) ? message : `${message} (${code})`, reusedSocket };
}

function kindOf(code: string, { name, message }: Error): Failure['kind'] {
  if (name === 'HTTPParserError' || message.startsWith('bad ')) return 'protocol';
  return KINDS[code] ?? 'unreachable';
}
