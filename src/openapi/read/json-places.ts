// The places of a JSON text as they are written, with their lines; also those that a parser drops.
import { visit } from 'jsonc-parser';
import { appended } from '../json.ts';

/** Told a place by its JSON pointer and 1-based line (a field's is that of its name); answers whether to go into it. */
export type VisitPlace = (pointer: string, line: number) => boolean;

/** Every place of the text in its order, the whole document first. No values are made. */
export function visitPlaces(text: string, visitPlace: VisitPlace): void {
  /** What stands open, with the next item's index if it is a list. */
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
