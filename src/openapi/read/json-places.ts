// The places of a JSON text as they are written, with their lines; also those that a parser drops: of fields that stand
// twice it silently takes the last, and with it loses operations.
import { visit } from 'jsonc-parser';
import { appended } from '../json.ts';

/** Told a place by its JSON pointer and 1-based line (a field's is that of its name); answers whether to go into it. */
type VisitPlace = (pointer: string, line: number) => boolean;

/** Every place of the text in its order, the whole document first. No values are made. */
export function visitPlaces(text: string, visitPlace: VisitPlace): void {
  /** Containers that are open, with the next item's index in a list. */
  const open: { readonly pointer: string; index: number | null }[] = [];
  let at = '';
  let enters = true;
  const arrive = (line: number): void => {
    enters = visitPlace(at, line + 1);
  };
  const onValue = (line: number): void => {
    const holder = open.at(-1);
    if (holder?.index === null) return;
    at = holder === undefined ? '' : appended(holder.pointer, holder.index);
    arrive(line);
  };
  const onBegin = (index: number | null) => (_offset: number, _length: number, line: number) => {
    onValue(line);
    open.push({ pointer: at, index });
    return enters;
  };
  visit(text, {
    onObjectBegin: onBegin(null),
    onArrayBegin: onBegin(0),
    onObjectProperty(name, _offset, _length, line) {
      at = appended(open.at(-1)?.pointer ?? '', name);
      arrive(line);
    },
    onLiteralValue: (_value, _offset, _length, line) => onValue(line),
    onSeparator(character) {
      const holder = open.at(-1);
      if (character === ',' && holder !== undefined && holder.index !== null) holder.index += 1;
    },
    onObjectEnd: () => void open.pop(),
    onArrayEnd: () => void open.pop(),
  });
}

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
