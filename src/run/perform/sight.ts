// Looks at what a call would reach that names nothing: the list of it, walked whole, shows what this run did not make.

import { stringsIn } from '../../checks/err/json-strings.ts';
import { idOf } from '../../facts/items.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { collectionOfMaking } from '../../facts/path-words.ts';
import { isObject } from '../../openapi/json.ts';
import { addressIn, describedPathIn, pathIn } from '../../probes/reach/undoing.ts';
import type { Sight } from '../plan/others.ts';
import { listAt, readAll } from './lists-at.ts';
import type { StraySearch } from './strays.ts';

/** The sight of the collection at a concrete path; null where no list shows all of it. */
export async function sightOf(
  { world, catalogue, session, creations }: Omit<StraySearch, 'journal'>,
  path: string,
): Promise<Sight | null> {
  const list = listAt(catalogue, path);
  if (list === null) return null;
  const { items = [], isWhole = false } = (await readAll({ world, session }, list, { probe: 'last/sight' })) ?? {};
  // Those that a call made whose path says so by a word lie below that call: /books.create/7.
  const makers = creations
    .everMade()
    .flatMap(({ collection }) => (collectionOfMaking(collection) === path ? [collection] : []));
  const isOurs = (item: unknown): boolean => {
    const id = isObject(item) ? idOf(item, addressIn(catalogue, path), lastNoun(path)) : String(item);
    if (id === null) return false;
    return [describedPathIn(catalogue, path, id), ...makers.map((maker) => pathIn(maker, id))].some((at) =>
      creations.isOurs(at),
    );
  };
  const foreign = items.filter((item) => !isOurs(item));
  const texts = new Set(foreign.flatMap((item) => [...stringsIn(item)].map(({ text }) => text.toLowerCase())));
  const shows = (text: string): boolean => !isWhole || texts.has(text.toLowerCase());
  const { key: lister } = list.described.operation;
  return isWhole || foreign.length > 0 ? { lister, foreign: foreign.length, shows } : null;
}
