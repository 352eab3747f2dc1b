// Error messages may hold end users' personal data: none leaves the program as it came. Source: Errors, CLIENT-11.
//
// Bodies are read as text, character by character and without recursion: they may be cut, malformed, nested without end,
// and spell the name of a member in any way that JSON allows ("m\u0065ssage"), or twice.
import { parsedJson } from './decoded.ts';

/** The text of one message in a body. */
interface Message {
  /** Its value in the body, quotes included; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** As people read it. */
  readonly text: string;
  /** Whether it stands somewhere below a member `error` or `errors`. */
  readonly isOfError: boolean;
}

/** What is known of a body once it was read. */
interface Reading {
  readonly messages: readonly Message[];
  /** Whether the body itself is an error: `error` or `errors` is a member of the whole. */
  readonly isError: boolean;
  readonly hasError: boolean;
}

/** Where JSON is broken, names may stand in other quotes, or in none. */
const BROKEN_MESSAGE = /\bmessage(["']?)\s*[:=]\s*("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s"'{[][^,;}\]\r\n]*)/gis;
const WHITE = /\s*/y;
const SCALAR = /[^\s,{}[\]":]+/y;

/** The body of an error with every `message` replaced by its length; any other body as it is. Works on cut and malformed JSON too. */
export function redactErrorMessages(body: string): string {
  let [redacted, at] = ['', 0];
  for (const { start, end, text } of messagesIn(body)) {
    redacted += `${body.slice(at, start)}"${replacement(text)}"`;
    at = end;
  }
  return redacted + body.slice(at);
}

/** The same with nothing in place of each message, of its kind and length: what checks judge of a body stays as it was. */
export function blankErrorMessages(body: string): string {
  let [blank, at] = ['', 0];
  for (const { start, end } of messagesIn(body)) {
    const value = body.slice(start, end);
    blank += body.slice(at, start) + blankOf(value);
    at = end;
  }
  return blank + body.slice(at);
}

function blankOf(value: string): string {
  if (value.startsWith('{')) return '{}';
  if (value.startsWith('[')) return '[]';
  return /^["']/.test(value) ? `"${'*'.repeat(textOf(value).length)}"` : value;
}

/** The text without what it quotes of the messages of an error's body. */
export function redactQuoted(text: string, body: string): string {
  return messagesIn(body)
    .map((message) => message.text)
    .filter((message) => message.trim() !== '')
    .slice()
    .sort((left, right) => right.length - left.length)
    .reduce((rest, message) => rest.replaceAll(message, replacement(message)), text);
}

function replacement(text: string): string {
  return `[redacted message, ${text.length} characters]`;
}

/** The messages that may hold personal data, in order: all of an error, in other bodies those below `error` or `errors`. */
function messagesIn(body: string): readonly Message[] {
  if (!/message|\\u|\\x/i.test(body)) return [];
  const { messages, isError, hasError } = readingOf(body);
  if (parsedJson(body) === undefined) return hasError || /\berrors?\b/i.test(body) ? withBroken(messages, body) : [];
  return isError ? messages : messages.filter(({ isOfError }) => isOfError);
}

/** Where nothing can be relied on: what looks like a message is one. */
function withBroken(messages: readonly Message[], body: string): readonly Message[] {
  const all = [...messages];
  for (const match of body.matchAll(BROKEN_MESSAGE)) {
    const [whole, , value = ''] = match;
    const end = match.index + whole.length;
    const start = end - value.length;
    if (all.some((known) => start < known.end && end > known.start)) continue;
    all.push({ start, end, text: value.replace(/^["']|["']$/g, ''), isOfError: true });
  }
  return all.slice().sort((left, right) => left.start - right.start);
}

/** Reads the body from its first to its last character. */
function readingOf(body: string): Reading {
  const messages: Message[] = [];
  /** Of each object and array that is open: whether it is, or stands below, an error. */
  const open: boolean[] = [];
  let [isError, hasError, at] = [false, false, 0];
  const isOfError = (): boolean => open.at(-1) ?? false;
  while (at < body.length) {
    const character = body.charAt(at);
    if (character === '{' || character === '[') open.push(isOfError());
    if (character === '}' || character === ']') open.pop();
    if (character !== '"') {
      at += 1;
      continue;
    }
    const end = endOfString(body, at);
    const colon = afterWhite(body, end);
    if (body.charAt(colon) !== ':') {
      at = end;
      continue;
    }
    const name = unescaped(body.slice(at, end)).toLowerCase();
    const start = afterWhite(body, colon + 1);
    at = start;
    const value = body.slice(start, endOfScalar(body, start));
    if (name === 'message' && value !== 'null') {
      at = endOfValue(body, start);
      messages.push({ start, end: at, text: textOf(body.slice(start, at)), isOfError: isOfError() });
    } else if (name === 'error' || name === 'errors') {
      const isContainer = value === '{' || value === '[';
      const states = isContainer || value === 'true' || value === '"' || value === '';
      if (states && open.length <= 1) isError = true;
      if (states) hasError = true;
      if (isContainer) {
        open.push(true);
        at += 1;
      }
    }
  }
  return { messages, isError, hasError };
}

/** Behind the closing quote; the end of the text where there is none. */
function endOfString(body: string, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    const character = body.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return body.length;
}

/** Behind a number or a word; behind the first character of anything else. */
function endOfScalar(body: string, start: number): number {
  return Math.max(start + 1, matchEnd(SCALAR, body, start));
}

/** Behind a whole value: of an object or array, behind its closing bracket. */
function endOfValue(body: string, start: number): number {
  const first = body.charAt(start);
  if (first === '"') return endOfString(body, start);
  if (first !== '{' && first !== '[') return Math.min(body.length, endOfScalar(body, start));
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const character = body.charAt(at);
    if (character === '"') at = endOfString(body, at) - 1;
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return body.length;
}

function afterWhite(body: string, start: number): number {
  return matchEnd(WHITE, body, start);
}

function matchEnd(pattern: RegExp, body: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(body) ? pattern.lastIndex : start;
}

function textOf(value: string): string {
  return value.startsWith('"') ? unescaped(value) : value;
}

/** The text of a string in quotes; without escapes undone where JSON does not know them, or the string is cut. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Only what is cut or badly escaped comes here.
    return quoted.slice(1).replace(/"$/, '');
  }
}
