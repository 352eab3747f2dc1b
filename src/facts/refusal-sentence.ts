// Finds the sentence with which an answer says why it refuses, whatever the form of its body.

import { header, jsonBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { essence } from '../exchange/media-type.ts';
import { isObject, membersOf } from '../openapi/json.ts';

/** Members that hold such a sentence, the most telling first, or what holds it. */
const NAMES = [
  'message',
  'msg',
  'detail',
  'error_description',
  'reason',
  'title',
  'error',
  'details',
  'errors',
] as const;
const MAX_DEPTH = 4;
const MAX_CHARACTERS = 200;

/** In one line; null where the answer is no refusal, or says nothing. */
export function refusalSentence(exchange: Exchange): string | null {
  const { response } = exchange;
  if (response === null || response.status < 400) return null;
  const body = jsonBody(exchange);
  const isText = essence(header(response.headers, 'content-type') ?? '') === 'text/plain';
  const sentence = (body.ok ? sentenceIn(body.value, 0) : isText ? response.body : null) ?? '';
  const line = sentence.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return null;
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

function sentenceIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (depth > MAX_DEPTH) return null;
  // A class or code may stand before the sentence: ["ValueError", "the name is taken"].
  if (Array.isArray(value)) return sentenceIn(value.find(isSentence) ?? value[0], depth + 1);
  if (!isObject(value)) return null;
  const said = NAMES.map((name) => sentenceIn(value[name], depth + 1)).find((found) => found !== null);
  const field = said === undefined || (depth === 0 && VAGUE.test(said)) ? fieldIn(value, depth) : null;
  if (said === undefined) return field;
  return placeOf(value) + said + (field === null ? '' : `: ${field}`);
}

/** Says that something is wrong, and not what: one to three words, or that it is about validation. */
const VAGUE = /^(\S+\s*){1,3}$|validation/i;

/** "name: It is required.", as a map by field says it, wherever it stands; null for none. */
function fieldIn(value: object, depth: number): string | null {
  if (depth > MAX_DEPTH) return null;
  for (const [name, member] of membersOf(value)) {
    const isField = Array.isArray(member) && !NAMES.some((one) => one === name);
    const sentence = isField ? sentenceIn(member, depth + 1) : null;
    if (sentence !== null && isSentence(sentence)) return `${name}: ${sentence}`;
    const inner = isObject(member) ? fieldIn(member, depth + 1) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function isSentence(value: unknown): boolean {
  return typeof value === 'string' && /\S\s+\S/.test(value);
}

/** "body.name: ", as FastAPI tells where. */
function placeOf({ loc }: { readonly loc?: unknown }): string {
  return Array.isArray(loc) ? `${loc.join('.')}: ` : '';
}
