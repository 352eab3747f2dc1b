// Strings from the target, made harmless for the medium that shows them. HTML is escaped by its templates.

import { stripVTControlCharacters } from 'node:util';
import { plural } from '../contract/numbers.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 has no way to write.
const ILLEGAL_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters move the cursor or ring the bell.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;
/** Characters that reorder or hide what stands around them. */
const INVISIBLE = /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Control characters but tab and line feed, and what `INVISIBLE` holds. */
const SHOWN_BY_NUMBER = /[^\P{Cc}\t\n]|[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

/** At most this many characters, the rest counted: "…[1,047,576 characters more]". */
export function cut(text: string, mostChars: number): string {
  if (text.length <= mostChars) return text;
  return text.slice(0, mostChars).toWellFormed() + omitted(text.length - mostChars);
}

/** Mark in place of so many characters that are not shown. */
export function omitted(chars: number): string {
  return `…[${plural(chars, 'character')} more]`;
}

/** Nested deeper, JSON is no text for people, and the libraries that parse and indent it go by recursion. */
const MAX_JSON_LEVELS = 50;

/**
 * Tells whether the text begins as a JSON object or list and is nested no deeper than people read; brackets in strings
 * count, too.
 */
export function isReadableJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let open = 0;
  for (const character of text) {
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open -= 1;
    if (open > MAX_JSON_LEVELS) return false;
  }
  return true;
}

/** Well-formed text of characters that XML 1.0 can carry; what it cannot is U+FFFD. Escaping is the writer's. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(ILLEGAL_IN_XML, '\ufffd');
}

/** Longer texts are cut on a terminal: stripping escape sequences takes time with the square of their length. */
const MAX_TERMINAL_CHARS = 10_000;

/** One line without escape sequences, control characters and characters that reorder the line. */
export function terminalText(text: string): string {
  const shown = cut(text, MAX_TERMINAL_CHARS);
  return stripVTControlCharacters(shown.toWellFormed()).replace(CONTROL, ' ').replace(INVISIBLE, '').trim();
}

/** Well-formed text in which control characters and those that reorder or hide others can be seen: ⟨U+001B⟩. */
export function visibleText(text: string): string {
  const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return text.toWellFormed().replace(SHOWN_BY_NUMBER, (character) => `⟨U+${hex(character)}⟩`);
}
