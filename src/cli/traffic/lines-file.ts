// Recorded exchanges as lines of JSON (exchange-line.schema.json), as a log or a test suite writes them.
import { header } from '../../exchange/body.ts';
import { decoded } from '../../exchange/content-coding.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import { textIn } from '../../exchange/media-type.ts';
import { MOST_BODY_BYTES } from '../../run/traffic/recorded-exchange.ts';
import type { LeftOut, Seen, SeenAnswer, SeenRequest, SeenTimes } from '../../run/traffic/seen.ts';
import type { Reading } from './har-file.ts';
import { unreadableRecording } from './recording-problems.ts';
import { problemOf } from './shapes.ts';

interface ExchangeLine {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders?: LineHeaders;
  readonly requestBody?: string | null;
  readonly requestBodyBase64?: string;
  readonly status: number | null;
  readonly headers: LineHeaders;
  readonly body?: string | null;
  readonly bodyBase64?: string;
  readonly truncated?: boolean;
  readonly startedAt?: string | number;
  readonly durationMs?: number;
  readonly waitedMs?: number;
}

type LineHeaders =
  | Readonly<Record<string, string | number | readonly (string | number)[]>>
  | readonly (readonly [string, string])[];

/** One line may take so much. Bytes. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;
/** Epoch seconds are below it until the year 5138, and epoch ms above it since 1973. */
const LARGEST_SECONDS = 1e11;
const LINE_BREAK = 0x0a;

/** Hands over the exchange of every line, empty lines aside. Resolves with false where the last line is cut short. */
export async function readLines(source: AsyncIterable<Buffer>, reading: Reading): Promise<boolean> {
  const { name, problems, stop } = reading;
  let number = 0;
  let isWhole = true;
  for await (const { text, isLast } of linesOf(source, name)) {
    if (stop.aborted) break;
    number += 1;
    const line = text.trim();
    if (line === '') continue;
    const value = parsedJson(line);
    if (value === undefined) {
      // A file that ends within a line was still being written.
      if (isLast && number > 1 && line.startsWith('{')) isWhole = false;
      else problems.add(`${name}:${number}: this line is no JSON object`);
      continue;
    }
    const problem = problemOf(value, 'exchange-line.schema.json');
    if (problem === null) reading.onSeen(seenInLine(value as ExchangeLine, `${name}:${number}`));
    else problems.add(`${name}:${number}: ${problem}`);
  }
  return isWhole;
}

async function* linesOf(
  source: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<{ readonly text: string; readonly isLast: boolean }> {
  let rest: Buffer[] = [];
  let size = 0;
  let count = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
      rest.push(chunk.subarray(from, at));
      yield { text: Buffer.concat(rest).toString('utf8'), isLast: false };
      [rest, size, from] = [[], 0, at + 1];
      count += 1;
    }
    rest.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > MOST_LINE_BYTES)
      throw unreadableRecording(`${name}:${count + 1}: the line is longer than ${MOST_LINE_BYTES / 1024 / 1024} MiB`);
  }
  if (size > 0) yield { text: Buffer.concat(rest).toString('utf8'), isLast: true };
}

function seenInLine(line: ExchangeLine, place: string): Seen {
  const { method, url, status } = line;
  const headers = headersOf(line.requestHeaders ?? {});
  const isComplete = line.requestHeaders !== undefined;
  const request = { method: method.toUpperCase(), url, headers, isComplete, body: sentBody(line) };
  return { place, request, answer: status === null ? 'has no answer' : answerOf(line, status), times: timesOf(line) };
}

function sentBody({ requestBody, requestBodyBase64, method }: ExchangeLine): SeenRequest['body'] {
  if (requestBodyBase64 !== undefined)
    return { kind: 'text', text: Buffer.from(requestBodyBase64, 'base64').toString() };
  if (typeof requestBody === 'string' && requestBody !== '') return { kind: 'text', text: requestBody };
  if (requestBody !== undefined) return { kind: 'none' };
  return { kind: /^(GET|HEAD)$/i.test(method) ? 'none' : 'unrecorded' };
}

function answerOf(line: ExchangeLine, status: number): SeenAnswer | LeftOut {
  if (status < 200) return status === 101 ? 'is a WebSocket or another protocol' : 'has no answer';
  const { body, bodyBase64, truncated = false } = line;
  const isRecorded = body !== undefined || bodyBase64 !== undefined;
  const headers = headersOf(line.headers);
  const content = bodyBase64 === undefined ? (body ?? '').toWellFormed() : bytesOf(bodyBase64, headers);
  return { status, headers, body: { content, isWhole: isRecorded && !truncated } };
}

/** The bytes, coded as the headers say; as a text where their codings are undone. */
function bytesOf(base64: string, headers: HeaderList): Buffer | string {
  const bytes = Buffer.from(base64, 'base64');
  const { isMiscoded } = decoded(bytes, header(headers, 'content-encoding'), MOST_BODY_BYTES);
  return isMiscoded === true ? textIn(header(headers, 'content-type') ?? '', bytes) : bytes;
}

function headersOf(headers: LineHeaders): HeaderList {
  if (Array.isArray(headers)) return headers as HeaderList;
  return Object.entries(headers as Exclude<LineHeaders, readonly unknown[]>).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
  );
}

function timesOf({ startedAt, durationMs, waitedMs }: ExchangeLine): SeenTimes | null {
  const number =
    typeof startedAt === 'number' ? startedAt * (Math.abs(startedAt) < LARGEST_SECONDS ? 1000 : 1) : Number.NaN;
  const sentAt = typeof startedAt === 'string' ? Date.parse(startedAt) : number;
  return Number.isFinite(sentAt) && durationMs !== undefined
    ? { sentAt, durationMs, waitedMs: waitedMs ?? null }
    : null;
}
