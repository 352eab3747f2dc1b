// What a mode is: one way in which a server, or what stands before it, can answer badly.
import type { Chance } from './chance.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly body: Buffer;
  /** 1 for the first request that the proxy was sent. */
  readonly number: number;
}

export interface Answer {
  readonly status: number;
  /** Without Content-Length and Transfer-Encoding, which whoever sends adds. */
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A connection as whoever answers on it sees it. */
export interface Line {
  readonly isOpen: boolean;
  /** Writes no faster than the other side reads; false once that is gone. */
  write(data: string | Buffer): Promise<boolean>;
  /** Resolves after the time, or when the connection is closed. */
  wait(ms: number): Promise<void>;
  /** Ends the connection in order. */
  end(): void;
  /** Ends it with a reset. */
  reset(): void;
}

export interface Mode {
  readonly name: string;
  /** Exit codes that are right where every answer is so; 1 and 3 where absent. */
  readonly ends?: readonly number[];
  /** Changes what is answered. */
  readonly change?: (answer: Answer, asked: Asked, chance: Chance) => Answer;
  /** Sends the answer in its own way; whoever comes after it on the connection finds it in order, or closed. */
  readonly send?: (answer: Answer, line: Line, chance: Chance) => Promise<void>;
  /** Answers before the body of the request was read, and ends the connection. */
  readonly hasty?: (line: Line) => Promise<void>;
  /** Meets a connection when it is opened; `count` is 1 for the first. */
  readonly meet?: (line: Line, count: number) => void;
  /** Requests after which nothing listens any more. */
  readonly diesAfter?: number;
}

/** The answer with its body as JSON text. */
export function withBody(answer: Answer, body: string | Buffer): Answer {
  return { ...answer, body: typeof body === 'string' ? Buffer.from(body) : body };
}

/** The answer with the header in place of all that it has of the name. */
export function withHeader(answer: Answer, name: string, value: string): Answer {
  return {
    ...answer,
    headers: [...answer.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()), [name, value]],
  };
}

/** Status line and headers, with the length of the body unless another framing is given. */
export function headOf({ status, headers, body }: Answer, framing: string | null = null): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}${framing ?? `Content-Length: ${body.length}`}\r\n\r\n`;
}

/** Sends the answer as it should be. */
export async function sendSoundly(answer: Answer, line: Line): Promise<void> {
  const head = headOf(answer);
  await line.write(Buffer.concat([Buffer.from(head, 'latin1'), answer.body]));
}
