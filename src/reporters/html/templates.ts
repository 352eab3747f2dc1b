// Templates that escape whatever they print, control characters shown by their number.
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { visibleText } from '../text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The templates of a folder. */
export function templatesIn(folder: URL): Eta {
  return new Eta({
    views: fileURLToPath(folder),
    cache: true,
    autoEscape: true,
    escapeFunction: (value) => visibleText(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character]!),
  });
}
