// Fields that a JSON text gives twice: parsers silently take the last, and with it lose operations.
import { visitPlaces } from './json-places.ts';

/**
 * Pointers of fields that stand more than once in the same object, given how many fields came out of the text. Empty for
 * YAML, whose parser refuses them.
 */
export function duplicateKeys(text: string, fields: number): string[] {
  if (!/^\s*[{[]/.test(text) || colonsOf(text) <= fields) return [];
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  visitPlaces(text, (pointer) => {
    if (seen.has(pointer)) duplicates.add(pointer);
    seen.add(pointer);
    return !duplicates.has(pointer);
  });
  return [...duplicates];
}

/** Colons outside of strings: the fields of a JSON text as written. */
function colonsOf(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) colons += 1;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return colons;
}

const [COLON, QUOTE, BACKSLASH] = [0x3a, 0x22, 0x5c];

/** The closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
