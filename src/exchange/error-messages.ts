// Error messages may hold end users' personal data: none leaves the program as it came. Source: Errors, CLIENT-11.
//
// Bodies are read as text, character by character and without recursion: they may be cut, malformed, nested without end,
// and spell the name of a member in any way that JSON allows ("m\u0065ssage"), or twice. k6 loads this file, and no package.
import { parsedJson } from './decoded.ts';

/** The text of one message in a body. */
interface Message {
  /** Its value in the body, quotes included; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** As people read it. */
  readonly text: string;
  /** True where it stands somewhere below a member `error` or `errors`. */
  readonly isOfError: boolean;
}

/** Facts of a body once it was read. */
interface Reading {
  readonly messages: readonly Message[];
  /** True where the body itself is an error: `error` or `errors` is a member of the whole. */
  readonly isError: boolean;
  readonly hasError: boolean;
}

/** Where JSON is broken, names may stand in other quotes, or in none. */
const BROKEN_MESSAGE = /\bmessage(["']?)\s*[:=]\s*("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s"'{[][^,;}\]\r\n]*)/gis;
/** Values of `error` and `errors` that state one: the first character of a container or text, `true`, or where the body is cut. */
const STATES_ERROR = /^(?:[[{"]|true)?$/;
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
  /** One for each object and array that is open: whether it is, or stands below, an error. */
  const open: boolean[] = [];
  let [isError, hasError, errorAt] = [false, false, -1];
  for (let at = 0; at < body.length; ) {
    const character = body.charAt(at);
    if ('{['.includes(character)) open.push(at === errorAt || open.at(-1) === true);
    if ('}]'.includes(character)) open.pop();
    if (character !== '"') {
      at += 1;
      continue;
    }
    const { next, name, value } = stringAt(body, at);
    at = next;
    if (name === 'message' && value !== 'null') {
      at = endOfValue(body, next);
      messages.push({ start: next, end: at, text: textOf(body.slice(next, at)), isOfError: open.at(-1) === true });
    } else if (/^errors?$/.test(name) && STATES_ERROR.test(value)) {
      [hasError, errorAt] = [true, next];
      isError ||= open.length <= 1;
    }
  }
  return { messages, isError, hasError };
}

interface StringRead {
  /** Place behind the string, or behind the colon of a member. */
  readonly next: number;
  /** Lower case; empty for a string that names no member. */
  readonly name: string;
  /** A member's scalar; the first character of any other value. */
  readonly value: string;
}

function stringAt(body: string, start: number): StringRead {
  const end = endOfString(body, start);
  const colon = afterWhite(body, end);
  if (body.charAt(colon) !== ':') return { next: end, name: '', value: '' };
  const next = afterWhite(body, colon + 1);
  const name = unescaped(body.slice(start, end)).toLowerCase();
  return { next, name, value: body.slice(next, endOfScalar(body, next)) };
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
  const value = parsedJson(quoted);
  return value === undefined ? quoted.slice(1).replace(/"$/, '') : String(value);
}
