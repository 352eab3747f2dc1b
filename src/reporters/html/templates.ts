// Templates that escape whatever they print, control characters shown by their number.
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { number, plural } from '../../contract/numbers.ts';
import { visibleText } from '../text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Templates that can call `this.plural` and `this.number`, so that words agree with numbers there, too. */
class Templates extends Eta {
  readonly number = number;
  readonly plural = plural;
}

/** The templates of a folder. */
export function templatesIn(folder: URL): Eta {
  return new Templates({
    views: fileURLToPath(folder),
    cache: true,
    autoEscape: true,
    escapeFunction: (value) => visibleText(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character]!),
  });
}
