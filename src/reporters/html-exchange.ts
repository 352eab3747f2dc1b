// A recorded exchange as text that people read: start line, headers, body with its JSON indented.
import { type Edit, format } from 'jsonc-parser';
import type { ReportedExchange } from '../contract/report.ts';
import { cut, omitted } from './text.ts';
import { duration } from './words.ts';

const BODY_CHARS = 4000;
const HEADER_CHARS = 500;
const URL_CHARS = 1000;

export interface ExchangeView {
  readonly id: string;
  /** "GET https://api.example.com/api/v1/themes". */
  readonly line: string;
  /** "404", or "no answer". */
  readonly outcome: string;
  readonly failed: boolean;
  /** Who asked, why, how long it took. */
  readonly details: string;
  readonly request: string;
  readonly response: string;
}

type Headers = ReportedExchange['request']['headers'];

/** The exchange in words, with long values cut; no value is decoded or re-encoded, so digits and order stay as sent. */
export function exchangeView({ request, response, ...exchange }: ReportedExchange): ExchangeView {
  const line = `${cut(request.method, 40)} ${cut(request.url, URL_CHARS)}`;
  const attempt = exchange.attempt > 1 ? `attempt ${exchange.attempt}` : '';
  const time = exchange.sentAt.slice(11, 23);
  return {
    id: exchange.id,
    line,
    outcome: response === null ? 'no answer' : String(response.status),
    failed: response === null,
    details: [exchange.probe, exchange.credential, attempt, time, duration(exchange.durationMs)]
      .filter((part) => part !== '')
      .join(' · '),
    request: message(line, request.headers, request.body ?? ''),
    response:
      response === null
        ? cut(exchange.failure ?? 'no answer', BODY_CHARS)
        : message(`HTTP ${response.status}`, response.headers, response.body),
  };
}

function message(startLine: string, headers: Headers, body: string): string {
  const lines = headers.map(([name, value]) => `${name}: ${cut(value, HEADER_CHARS)}`);
  return [startLine, ...lines, ...(body === '' ? [] : ['', indented(body)])].join('\n');
}

/** JSON with line breaks and indentation, byte for byte its tokens; anything else as it is. Cut to a readable length. */
function indented(body: string): string {
  if (!/^\s*[[{]/.test(body)) return cut(body, BODY_CHARS);
  const kept = body.slice(0, BODY_CHARS);
  const pretty = edited(kept, format(kept, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
  return kept.length < body.length ? pretty + omitted(body.length - kept.length) : pretty;
}

/** The formatter's edits, which stand in the order of the text, made in one pass: one after another, each would copy the whole text. */
function edited(text: string, edits: readonly Edit[]): string {
  let done = 0;
  const pieces = edits.map(({ offset, length, content }) => {
    const piece = text.slice(done, offset) + content;
    done = offset + length;
    return piece;
  });
  return pieces.join('') + text.slice(done);
}
