// Bodies that are sequences, item by item: JSON lines, JSON text sequences and server-sent events, read and written. Source: OpenAPI
// 3.2, 4.14.3.

import { parsedJson } from './decoded.ts';
import { essence } from './media-type.ts';

/** One item; not ok where its text is not the JSON that the media type promises. */
export type SequenceItem = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const RECORD_SEPARATOR = '\u001e';

const JSON_TEXTS = /json-seq$/;
const JSON_LINES = /(jsonl|jsonlines|ndjson|stream\+json)$/;

/** Readers by what the name of a media type ends in. */
const READERS: readonly (readonly [RegExp, (text: string, isCut: boolean) => readonly SequenceItem[]])[] = [
  [/^text\/event-stream$/, events],
  [JSON_TEXTS, (text, isCut) => whole(text.split(RECORD_SEPARATOR), isCut).map(json)],
  [JSON_LINES, (text, isCut) => whole(text.split('\n'), isCut).map(json)],
];

/** Tells whether a body of the media type is a sequence of JSON texts, one a line or one a record. */
export function isJsonSequence(mediaType: string): boolean {
  const name = essence(mediaType);
  return JSON_TEXTS.test(name) || JSON_LINES.test(name);
}

/** A list as a sequence of its items; a text as it stands, and anything else as the only item. Source: RFC 7464, 2.2. */
export function sequenceText(mediaType: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const start = JSON_TEXTS.test(essence(mediaType)) ? RECORD_SEPARATOR : '';
  return (Array.isArray(value) ? value : [value]).map((item) => `${start}${JSON.stringify(item)}\n`).join('');
}

/**
 * The items of a body that came whole: of one that was left (`isCut`) the last may be a part only, and is left out. null for a
 * media type that is no such sequence; its parameters do not matter.
 */
export function itemsOf(
  mediaType: string,
  text: string,
  { isCut }: { readonly isCut: boolean },
): readonly SequenceItem[] | null {
  const name = essence(mediaType);
  return READERS.find(([pattern]) => pattern.test(name))?.[1](text, isCut) ?? null;
}

function whole(texts: readonly string[], isCut: boolean): readonly string[] {
  return (isCut ? texts.slice(0, -1) : texts).filter((text) => text.trim() !== '');
}

function json(text: string): SequenceItem {
  const value = parsedJson(text);
  return value === undefined ? { ok: false } : { ok: true, value };
}

/** A line of one of the fields that HTML knows; all others are ignored, as comments are. */
const FIELD = /^(data|event|id|retry)(?:: ?(.*))?$/;

/** Events as objects with the fields that were sent, `retry` as a number. One without data is none. Source: HTML, 9.2.6. */
function events(text: string, isCut: boolean): readonly SequenceItem[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n');
  return whole(blocks, isCut)
    .map((block) => eventOf(block.split('\n')))
    .filter((event) => 'data' in event)
    .map((value) => ({ ok: true, value }));
}

function eventOf(lines: readonly string[]): Readonly<Record<string, string | number>> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === undefined || (name === 'retry' && !/^\d+$/.test(value))) continue;
    const earlier = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`);
  }
  const retry = fields.get('retry');
  return { ...Object.fromEntries(fields), ...(retry === undefined ? {} : { retry: Number(retry) }) };
}
