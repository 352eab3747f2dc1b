// A recorded exchange as text that people read: start line, headers, body with its JSON indented, what matters marked.
import { type Edit, format } from 'jsonc-parser';
import type { ReportedExchange } from '../../contract/report.ts';
import { cut, isReadableJson, omitted } from '../text.ts';
import { duration, traceLink } from '../words.ts';
import { marked, type Piece } from './diff.ts';

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
  /** The trace that the request named, and where it is looked at, empty where nobody says; null: it named none. */
  readonly trace: { readonly id: string; readonly href: string } | null;
  readonly request: string;
  /** The lines that the finding points to are marked. */
  readonly response: readonly Piece[];
}

type Headers = ReportedExchange['request']['headers'];

/**
 * The exchange in words, with long values cut; no value is decoded or re-encoded, so digits and order stay as sent.
 * `pointer` is the finding's, into the body of the response; `note` stands where it points to.
 */
export function exchangeView(
  { request, response, ...exchange }: ReportedExchange,
  {
    pointer,
    note,
    traceUrl,
  }: { readonly pointer: string; readonly note: string; readonly traceUrl?: string | undefined },
): ExchangeView {
  const line = `${cut(request.method, 40)} ${cut(request.url, URL_CHARS)}`;
  const attempt = exchange.attempt > 1 ? `attempt ${exchange.attempt}` : '';
  const time = exchange.sentAt.slice(11, 23);
  const { traceId } = exchange;
  return {
    id: exchange.id,
    line,
    outcome: response === null ? 'no answer' : String(response.status),
    failed: response === null,
    details: [exchange.probe, exchange.credential, attempt, time, duration(exchange.durationMs)]
      .filter((part) => part !== '')
      .join(' · '),
    trace: traceId === undefined ? null : { id: traceId, href: traceLink({ traceUrl }, traceId) ?? '' },
    request: `${head(line, request.headers)}${bodyOf(request.body ?? '')}`,
    response: responseView({ response, failure: exchange.failure }, pointer, note),
  };
}

function responseView(
  { response, failure }: Pick<ReportedExchange, 'response' | 'failure'>,
  pointer: string,
  note: string,
): readonly Piece[] {
  if (response === null) return [{ text: cut(failure ?? 'no answer', BODY_CHARS), mark: false }];
  const top = { text: head(`HTTP ${response.status}`, response.headers), mark: false };
  return response.body === ''
    ? [top]
    : [top, { text: '\n\n', mark: false }, ...marked(indented(response.body), pointer, note)];
}

function head(startLine: string, headers: Headers): string {
  return [startLine, ...headers.map(([name, value]) => `${name}: ${cut(value, HEADER_CHARS)}`)].join('\n');
}

function bodyOf(body: string): string {
  return body === '' ? '' : `\n\n${indented(body)}`;
}

/** JSON with line breaks and indentation, byte for byte its tokens; anything else as it is. Cut to a readable length. */
function indented(body: string): string {
  const kept = body.slice(0, BODY_CHARS);
  if (!isReadableJson(kept)) return cut(body, BODY_CHARS);
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
