// A request of others that is passed on, and where its answer goes.
import type { HeaderList } from '../exchange/exchange.ts';

export interface Forwarded {
  readonly method: string;
  /** Path and query as they are to stand in the request line. */
  readonly path: string;
  readonly headers: HeaderList;
  /** null: none. */
  readonly body: AsyncIterable<Buffer> | null;
}

/** Where an answer goes while it comes. */
export interface AnswerSink {
  onInformation(status: number, headers: HeaderList): void;
  onStart(status: number, message: string, headers: HeaderList): void;
  /** Returns false where no more is wanted until `resume` is called. */
  onData(chunk: Buffer): boolean;
  onEnd(trailers: HeaderList): void;
  /** The answer failed, or nothing could be sent. */
  onFailure(error: Error): void;
}

/** An answer under way. */
export interface Passage {
  resume(): void;
  /** Nobody waits for it any more. */
  abort(): void;
}
